"""“Waves”: the code of a place as hands of clocks, and as numbers."""

from dataclasses import replace
from functools import partial
from typing import Any

from explorer.attention import positions
from explorer.figures.look import Look
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state, waves as topic
from explorer.lessons.positional_encoding.figures import clocks
from explorer.lessons.positional_encoding.ui import controls as widgets, tables, waves_film
from explorer.scenes import DEFAULTS
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import predict, rail

CODE = (positions.sinusoidal,)
Chosen = tuple[lesson.Params, lesson.View]


def controls() -> Chosen:
    """Base; the length of the codes in the fold; the film asks for the place."""
    place, base = widgets.place(), widgets.base()
    with rail.more():
        dims = widgets.dimensions()
    return widgets.params(base, dims, state.PLACES), lesson.View(place=place, offset=0)


def stage(chosen: Chosen) -> None:
    """Six waves, and what they say at one place."""
    params, view = chosen
    title = t("Waves over the places of a text")
    waves_film.draw(
        params,
        view.place,
        key="pe_clocks",
        heading=title,
        draw=partial(_still, replace(params, length=topic.span(view.place)), view),
        title=title,
        table=lambda: tables.codes(cache.compute(topic.codes, params)),
        provenance=cache.compute(topic.codes, params).provenance,
    )


def _still(params: lesson.Params, view: lesson.View, *, look: Look) -> Any:
    pairs = topic.drawn_pairs(params.n_pairs)
    return clocks.waves(cache.compute(topic.codes, params), topic.likeness(params, view), pairs, look=look, t=t)


def answer() -> predict.Answer:
    """Compute after how many places the slowest hand is round, and how far it has turned where it is revealed."""
    params = widgets.params(float(DEFAULTS["pe_base"]), DEFAULTS["pe_dims"], topic.span(0))
    lengths, place = cache.compute(topic.codes, params).wavelengths, 60
    right = min(("60", "1400", "14000"), key=lambda name: abs(float(name) / float(lengths[-1]) - 1))
    numbers = {"factor": f"{lengths[1] / lengths[0]:.2f}", "slowest": readings.number(float(lengths[-1]))}
    return right, numbers | {"place": str(place), "degrees": readings.number(360 * place / float(lengths[-1]))}
