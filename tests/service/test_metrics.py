"""Numbers as Prometheus reads them."""

import pytest

from explorer.service.metrics import BOUNDS_S, FAMILIES, METRICS, Metrics, note_loss


def samples(metrics: Metrics) -> dict[str, float]:
    lines = [line for line in metrics.write().splitlines() if not line.startswith("#")]
    return {name: float(number) for name, _, number in (line.rpartition(" ") for line in lines)}


def test_a_number_is_read_when_it_is_asked_for() -> None:
    metrics, waiting = Metrics(), list[int]()
    metrics.watch("explorer_waiting", lambda: len(waiting), 'queue="lab"')
    assert samples(metrics)['explorer_waiting{queue="lab"}'] == 0
    waiting.append(1)
    assert samples(metrics)['explorer_waiting{queue="lab"}'] == 1


def test_a_histogram_counts_what_took_no_longer_than_each_bound() -> None:
    metrics = Metrics()
    for seconds in (BOUNDS_S[0], 0.3, 1_000.0):
        metrics.time("explorer_run_seconds", seconds, 'kind="page"')
    found = samples(metrics)
    bounds = [f'explorer_run_seconds_bucket{{kind="page",le="{bound:g}"}}' for bound in BOUNDS_S]
    assert [found[each] for each in bounds] == [1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert found['explorer_run_seconds_bucket{kind="page",le="+Inf"}'] == 3
    assert found['explorer_run_seconds_count{kind="page"}'] == 3
    assert found['explorer_run_seconds_sum{kind="page"}'] == pytest.approx(1000.35)


def test_every_family_has_its_kind_and_a_counter_begins_at_nought() -> None:
    metrics = Metrics()
    for name, (kind, _) in FAMILIES.items():
        assert f"# TYPE {name} {kind}" in metrics.write().splitlines()
    assert samples(metrics)["explorer_workers_lost_total"] == 0
    metrics.watch("explorer_seats", lambda: 1_234_567)
    assert "explorer_seats 1234567" in metrics.write().splitlines()


def test_a_lost_worker_is_counted_and_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    lost = 'explorer_workers_lost_total{worker="translation"}'
    before = samples(METRICS).get(lost, 0)
    note_loss("translation")
    assert samples(METRICS)[lost] == before + 1
    assert "translation" in caplog.messages[0]
