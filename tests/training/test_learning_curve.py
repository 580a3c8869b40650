"""The learning curve that a model card shows."""

from pathlib import Path

import pytest

from explorer.training.learning_curve import MOST_ROWS, learning_curve


def history(folder: Path, losses: list[str]) -> Path:
    """One report every 100 steps."""
    rows = [f"{100 * i},0,{i}.00,3.0,{loss},{i}.50,1000" for i, loss in enumerate(losses, 1)]
    path = folder / "history.csv"
    path.write_text("\n".join(["step,epoch,minutes,train_loss,dev_loss,dev_bleu,tokens_per_second", *rows, ""]))
    return path


def test_it_is_a_table_of_what_was_watched(tmp_path: Path) -> None:
    lines = learning_curve(history(tmp_path, ["", "2.0", "1.5"])).splitlines()
    assert lines[:4] == [
        "| step | minutes | train_loss | dev_loss | dev_bleu |",
        "| --- | --- | --- | --- | --- |",
        "| 200 | 2.00 | 3.0 | 2.0 | 2.50 |",
        "| 300 | 3.00 | 3.0 | 1.5 | 3.50 |",
    ]


@pytest.mark.parametrize("n", [MOST_ROWS, MOST_ROWS + 1, 5 * MOST_ROWS])
def test_a_long_run_is_thinned_and_ends_where_it_ended(tmp_path: Path, n: int) -> None:
    rows = learning_curve(history(tmp_path, ["1.0"] * n)).split("\n\n")[0].splitlines()[2:]
    assert MOST_ROWS / 2 < len(rows) <= MOST_ROWS
    assert rows[-1].startswith(f"| {100 * n} |")


@pytest.mark.parametrize(
    ("losses", "said"),
    [
        (
            ["3.0", "2.0", "1.9"],
            "Over the last 100 steps, while the learning rate fell, `dev_loss` went from 2.0 to 1.9.",
        ),
        (["2.0"], "One report says nothing"),
        ([""], "too short for a report"),
    ],
)
def test_what_the_end_says(tmp_path: Path, losses: list[str], said: str) -> None:
    assert said in learning_curve(history(tmp_path, losses))
