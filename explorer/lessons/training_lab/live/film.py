"""A training as a film: map, answer, curves and moments on one clock, played in the browser."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.data.digits import ink, is_drawn
from explorer.lessons.training_lab import drawn as drawings, naming, readings_film
from explorer.lessons.training_lab.compute import weight_course
from explorer.lessons.training_lab.expected_alignment import right_cells, right_places
from explorer.records import Provenance
from explorer.records.language import t
from explorer.records.training_run import LabFilm, LabFrame, LabPoint
from explorer.training.lab.recipe import LabRecipe, unit_in
from explorer.ui.live.live import Live
from explorer.ui.scene import picture

#: Height of what is said above an own training.
STATUS_PIXELS = 62
PICTURE = Live(Path(__file__).with_suffix(".js"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A training on the stage.

    Attributes:
        name: another name is another film.
        total: where the axis of steps ends.
        own: whether it is the reader's; where it stands is then said above.
        live: whether more will come.
        other: a training to compare with, and its points.
        after: what was measured at the end of the training, where the film ends before it.
    """

    name: str
    recipe: LabRecipe
    points: tuple[LabPoint, ...]
    film: LabFilm
    total: int
    own: bool = False
    live: bool = False
    other: tuple[str, tuple[LabPoint, ...]] | None = None
    after: LabPoint | None = None
    provenance: Provenance

    def point(self, step: int) -> LabPoint | None:
        """Return what was measured last up to a step."""
        return next((point for point in reversed(self.points) if point.step <= step), None)


def pack(shown: Shown, *, at: int | None, tells_weight: bool) -> dict[str, Any]:
    """Return what the film draws.

    Args:
        shown: what there is.
        at: step that is looked at; None for the newest.
        tells_weight: whether the weight on the right tokens is told: not while a prediction asks for it.
    """
    look = picture.before_a_room()
    film, by_words = shown.film, unit_in(shown.recipe) == "words"
    source = drawings.said_source(film.source, film.expected)
    course, known = weight_course(film, shown.recipe.task)
    rows = [list(each.rows) for each in film.frames]
    positions = right_places(shown.recipe.task, film.source) if known else ()
    cells = right_cells(positions, film.frames[-1].weights.shape) if known else np.zeros(0, bool)
    return {
        "id": f"{shown.name}|{film.source}",
        "title": t("What it writes") if by_words else t("What it writes for {source}").format(source=source),
        "expected": film.expected,
        "byWords": by_words,
        "columns": [] if is_drawn(film.source) and not film.columns else list(film.columns),
        "steps": list(film.steps),
        "sentences": [
            describe(shown, each, tells_weight=tells_weight, end=at is None and each is film.frames[-1])
            for each in film.frames
        ],
        "outputs": [each.output for each in film.frames],
        "rows": rows[:1] if all(each == rows[0] for each in rows) else rows,
        "weights": np.concatenate([each.weights.ravel() for each in film.frames]).astype(np.float32),
        "sure": np.concatenate([each.sure for each in film.frames]).astype(np.float32),
        "right": np.flatnonzero(cells).tolist(),
        "onRight": course if tells_weight else [],
        "points": [[p.step, p.accuracy, p.loss, p.held_out_loss] for p in shown.points],
        "other": None
        if shown.other is None
        else {"name": shown.other[0], "points": [[p.step, p.accuracy] for p in shown.other[1]]},
        "total": shown.total,
        "at": at,
        "live": shown.live,
        "ink": ink(film.source).ravel().tolist() if is_drawn(film.source) else None,
        "stops": [list(stop) for stop in look.weights],
        "zoom": 1 + (look.zoom - 1) / 2,
        "above": STATUS_PIXELS if shown.own else 0,
        "model": naming.said_model(shown.recipe),
        "known": known,
        "readsAnswer": _reads_the_answer(film),
        "own": shown.own,
        "after": None if shown.after is None else shown.after.step,
    }


def describe(shown: Shown, frame: LabFrame, *, tells_weight: bool, end: bool) -> str:
    """Say what is to be said of a frame.

    Args:
        end: whether it is the newest one, and was not asked for: of a training that has ended, the end.
    """
    return readings_film.describe_shown(
        shown.film,
        frame,
        shown.recipe.task,
        shown.point(frame.step),
        tells_weight=tells_weight,
        end=end and not shown.live,
        after=shown.after,
    )


def _reads_the_answer(film: LabFilm) -> bool:
    """Return whether the rows are the right answer, which the model reads, and not what it has written."""
    answer = None if film.expected is None else "".join(film.expected.split())
    return all("".join(each.rows[:-1]) == answer for each in film.frames)


def said_title(shown: Shown, source: str, step: int) -> str:
    """Say which step of the training a picture shows, and of what."""
    if shown.after is None:
        return t("At step {step}: {source}").format(source=source, step=step)
    return t("At step {step} of {total}: {source}").format(source=source, step=step, total=shown.after.step)
