"""A training as a film on the stage: map, answer, curves and moments on one clock, played in the browser."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from explorer.data.digits import ink, is_drawn
from explorer.lessons.training_lab import drawn, naming
from explorer.lessons.training_lab.compute import weight_course
from explorer.lessons.training_lab.expected_alignment import right_cells, right_places
from explorer.records import Provenance
from explorer.records.training_run import LabFilm, LabPoint
from explorer.training.lab.recipe import LabRecipe, unit_in
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import floats
from explorer.ui.live.ribbons import read
from explorer.ui.scene import link, picture

#: Height of what is said above an own training.
STATUS_PIXELS = 62
_PARTS = (
    "<div class='film'><svg role='img'><g class='map'/><g class='answer'/><g class='curve'/><g class='strip'/>"
    "</svg><div class='foot'><button type='button'></button><span class='tag'></span>"
    "<input type='range' min='0'><output></output></div></div>"
)
_film = scripts.component(Path(__file__).with_suffix(".js"), _PARTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A training on the stage.

    Attributes:
        name: another name is another film.
        total: where the axis of steps ends.
        own: whether it is the reader's; where it stands is then said above.
        live: whether more will come.
        other: a training to compare with, and its points.
    """

    name: str
    recipe: LabRecipe
    points: tuple[LabPoint, ...]
    film: LabFilm
    total: int
    own: bool = False
    live: bool = False
    other: tuple[str, tuple[LabPoint, ...]] | None = None
    provenance: Provenance

    def point(self, step: int) -> LabPoint | None:
        """Return what was measured last up to a step."""
        return next((point for point in reversed(self.points) if point.step <= step), None)


def draw(shown: Shown, *, at: int | None, tells_weight: bool, on_moved: Callable[[int], None]) -> None:
    """Draw the film.

    Args:
        shown: what there is.
        at: step that is looked at; None for the newest.
        tells_weight: whether the weight on the right tokens is told: not while a prediction asks for it.
        on_moved: gets the step that the reader has gone to.
    """

    def moved() -> None:
        to = read(getattr(st.session_state.get("tl_film"), "moved", None), shown.film.steps[-1] + 1, "to")
        if to is not None:
            on_moved(to)

    with st.container(key="tl_film_stage"):
        _film(data=_data(shown, at, tells_weight), key="tl_film", on_moved_change=moved)


def _data(shown: Shown, at: int | None, tells_weight: bool) -> dict[str, Any]:
    look = appearance.current(zoom=picture.ROOM if link.presenting() else 1.0)
    film, by_words = shown.film, unit_in(shown.recipe) == "words"
    source = drawn.said_source(film.source, film.expected, t)
    course, known = weight_course(film, shown.recipe.task)
    rows = [list(each.rows) for each in film.frames]
    places = right_places(shown.recipe.task, film.source) if known else ()
    cells = right_cells(places, film.frames[-1].weights.shape) if known else np.zeros(0, bool)
    return {
        "id": f"{shown.name}|{film.source}",
        "title": t("What it writes") if by_words else t("What it writes for {source}").format(source=source),
        "expected": film.expected,
        "byWords": by_words,
        "columns": [] if is_drawn(film.source) and not film.columns else list(film.columns),
        "steps": list(film.steps),
        "outputs": [each.output for each in film.frames],
        "rows": rows[:1] if all(each == rows[0] for each in rows) else rows,
        "weights": floats(np.concatenate([each.weights.ravel() for each in film.frames])),
        "sure": floats(np.concatenate([each.sure for each in film.frames])),
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
        "words": _words(shown, known),
    }


def _reads_the_answer(film: LabFilm) -> bool:
    """Return whether the rows are the right answer, which the model reads, and not what it has written."""
    answer = None if film.expected is None else "".join(film.expected.split())
    return all("".join(each.rows[:-1]) == answer for each in film.frames)


def _words(shown: Shown, known: bool) -> dict[str, str]:
    new = t("new pictures") if is_drawn(shown.film.source) else t("examples it never saw")
    return {
        "looks": t("Where it looks"),
        "looksNote": t("rows: the right answer; columns: what is read")
        if _reads_the_answer(shown.film)
        else t("a row is written, a column is read"),
        "noMap": t("No map: it cannot look back"),
        "noMapNote": t("how sure it is of each right token"),
        "drawing": t("the drawing"),
        "attention": t("weight, ink framed"),
        "right": t("right"),
        "inPlace": t("{right} of {n} in their place"),
        "more": t("and {n} more"),
        "curve": t("Written without a mistake"),
        "curveNote": new,
        "looksLine": t("weight on the right tokens") if known else t("largest weight of a row"),
        "loss": t("Loss"),
        "losses": t("in training {loss}, held out {other}"),
        "steps": t("step 0"),
        "step": t("step {step}"),
        "play": t("Play"),
        "pause": t("Pause"),
        "tag": "" if shown.own else t("recorded beforehand"),
        "moment": t("Training step"),
        "alt": t("{name}: where it looks, what it writes, and its curves").format(
            name=naming.said_model(shown.recipe, t)
        ),
        "</s>": t("end"),
        "<s>": t("start"),
    }
