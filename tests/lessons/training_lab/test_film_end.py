"""A recorded film that ends before its training says so, with the numbers of both."""

import pytest

from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab.live import film
from explorer.lessons.training_lab.ui import stage
from explorer.training.lab.reference_runs import MeasuredRun, read_runs

EACH = [
    pytest.param(run, position, id=f"{name}-{position}")
    for name, run in read_runs().items()
    for position in range(len(run.films))
]


def test_some_films_end_before_their_training_and_some_with_it() -> None:
    ends = {name: (run.films[0].steps[-1], run.points[-1].step) for name, run in read_runs().items()}
    assert ends["notes"] == (1_000, 2_000)
    assert {film_end == end for film_end, end in ends.values()} == {True, False}


@pytest.mark.usefixtures("speaks")
@pytest.mark.parametrize(("run", "position"), EACH)
def test_the_end_is_told_as_it_is(run: MeasuredRun, position: int) -> None:
    chosen = stage.Choice(own=None, recorded=run, exact=True, text=str(position), view=lesson.View())
    shown = stage._recorded(chosen)
    last, end = run.films[position].steps[-1], run.points[-1]
    reading = read(shown)
    packed = film.pack(shown, at=None, tells_weight=True)  # the clock and the mark beside it say both
    assert (packed["steps"][-1], packed["after"]) == (last, None if last == end.step else end.step)
    if last == end.step:
        assert shown.after is None
        return
    assert shown.after == end
    assert str(end.step) in film.said_title(shown, "“x”", last)
    for number in (last, end.step, f"{end.accuracy:.0%}"):
        assert str(number) in reading
    assert str(end.step) not in read(shown, at=0), "only the last frame tells the end"


def read(shown: film.Shown, at: int | None = None) -> str:
    seen = shown.film.at(shown.film.steps[-1] if at is None else at)
    said = film.describe(shown, seen, tells_weight=True, end=at is None)
    sentences = film.pack(shown, at=at, tells_weight=True)["sentences"]  # the browser says it while it plays
    assert len(sentences) == len(shown.film.steps)
    assert sentences[shown.film.steps.index(seen.step)] == said
    return said
