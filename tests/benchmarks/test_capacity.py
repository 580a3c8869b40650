"""The tool that measures how many readers and phones a machine holds: on a few of them."""

import re

import pytest

from explorer.benchmarks import capacity


def test_it_doubles_until_an_answer_takes_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    def measure(n: int) -> capacity.Load:
        return capacity.Load(n, n / 1000, n / 100, 0.1, 400)

    assert capacity._most("readers", 10, 1000, measure) == 40
    assert capacity._most("readers", 10, 20, measure) == 20
    assert capacity._most("readers", 100, 1000, measure) == 0

    def hang(n: int) -> capacity.Load:
        raise TimeoutError

    assert capacity._most("phones", 50, 1000, hang) == 0
    assert capsys.readouterr().out.count(" readers: p50") == 4 + 2 + 1


@pytest.mark.benchmark_run
def test_it_measures_a_server_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert capacity.main(["--seconds", "5", "--readers", "10", "--phones", "50"]) == 0
    assert re.search(r"\b10 readers: p50 .*\n +50 phones: p50 ", capsys.readouterr().out)
