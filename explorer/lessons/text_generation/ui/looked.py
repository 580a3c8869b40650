"""Where it looked: the text coloured by attention, every head on one character, or the whole map of a head."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.attention.attend import attend
from explorer.inference.gpt import trace
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import journey as journeys, lines, look, readings
from explorer.lessons.text_generation.figures import heads, text as figures
from explorer.lessons.text_generation.ui import controls as widgets, live_text, tables
from explorer.records.provenance import Provenance
from explorer.records.wording import clamped
from explorer.ui import cache, choice, fields, language, plot_clicks, refusals, tables as common
from explorer.ui.language import t
from explorer.ui.live import journey
from explorer.ui.scene import picture, predict

CODE = (attend,)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A reading, the text and the heads it is taken from, and where its place is asked for."""

    params: lesson.Params
    part: str
    layer: int | None
    head: int | None
    stepper: DeltaGenerator


def controls() -> Chosen | None:
    """A reading and a head."""
    names = {"text": t("Text"), "rows": t("Every head"), "map": t("Map"), "journey": t("One query")}
    part = choice.segmented(t("Show"), names, key="tg_part")
    stepper, heads_of = st.container(), st.container()
    params = widgets.written()
    if params is None:
        return None
    with heads_of, refusals.explained(params.checkpoint):
        return Chosen(params, part, *widgets.head(params.checkpoint), stepper)
    return None


def stage(chosen: Chosen | None) -> None:
    """The text, the heads or the map."""
    if chosen:
        widgets.text_beside(chosen.params, partial(_draw, chosen))


def _draw(chosen: Chosen, result: lesson.Result) -> None:
    view = lesson.View(place=widgets.asked(result, len(result.ids) - 1), layer=chosen.layer, head=chosen.head)
    if chosen.part != "text":
        with chosen.stepper:
            widgets.step(result, view.place)
    {"rows": _rows, "map": _map, "journey": _journey}.get(chosen.part, _text)(result, view)


def answer() -> predict.Answer:
    """Add up, over all heads and steps, what lies on the newest character, on the one before, and further back."""
    result = cache.compute(lesson.compute, lesson.Params())
    weights = look.head_map(result, lesson.View(place=len(result.ids) - 1)).weights[0]
    newest, before = float(np.diagonal(weights).mean()), float(np.diagonal(weights, -1).sum() / len(weights))
    shares = {"newest": newest, "before": before, "further": 1 - newest - before}
    return max(shares, key=lambda each: shares[each]), {name: f"{share:.0%}" for name, share in shares.items()}


def _text(result: lesson.Result, view: lesson.View) -> None:
    live_text.draw("tg_asked", result, view, "attention", widgets.open_place)
    weights, reading = live_text.once(
        lambda: (look.looked_at(result, view), readings.describe_rows(result, view, t)),
        result,
        "looked",
        view,
        language.current(),
    )
    picture.remark(
        "tg_looked",
        partial(
            figures.text, result.text, lines.lines(result.text.labels, result.kind), weights, shown="attention", t=t
        ),
        title=t("Where the step looked that wrote the chosen character"),
        reading=reading,
        table=lambda: tables.text(result, view),
        provenance=_traced(result, view),
    )


def _rows(result: lesson.Result, view: lesson.View) -> None:
    found = look.rows(result, view)
    n_heads = look.shape(result.checkpoint)[1]
    note = t("{sign} is everything further back, added up").format(sign=look.BACK) if look.BACK in found.keys else ""
    picture.show(
        "tg_rows",
        partial(heads.rows, found.weights, heads=found.heads, keys=found.keys, t=t),
        title=t("Writing “{token}”: where every head looked").format(token=readings.token_at(result, view.place, t)),
        note=note or t("click a row to open that head"),
        reading=readings.describe_rows(result, view, t),
        table=lambda: common.matrix(found.weights, found.heads, found.keys),
        provenance=_traced(result, view),
        of=(result.params, replace(view, layer=None, head=None)),
    )

    def opened(where: plot_clicks.Place) -> None:
        row = clamped(round(where["y"]), len(found.heads))
        widgets.open_head(row // n_heads, row % n_heads)
        fields.put({"tg_part": "map"})

    plot_clicks.listen("tg_rows", opened)


def _map(result: lesson.Result, view: lesson.View) -> None:
    record, first = look.head_map(result, view), look.begin(result, view)
    row, last = view.place - 1 - first, len(record.key_labels)
    picture.show(
        "tg_map",
        partial(heads.attention, record, t=t),
        title=readings.whose(result, view, t),
        note=t("a row for each character that was written; click one"),
        reading=readings.describe_map(result, view, t),
        of=(result.params, view),
    )
    plot_clicks.listen(
        "tg_map",
        lambda where: widgets.open_place(first + 1 + clamped(round(where["y"]), last)),
        frames=[{"x0": -0.5, "x1": last - 0.5, "y0": row - 0.5, "y1": row + 0.5, "axis": 1}],
    )


def _journey(result: lesson.Result, view: lesson.View) -> None:
    layer, head = journeys.one_head(result, view)
    record = journey.cut(journeys.journey(result, view))
    with st.container(key="tg_journey"):
        journey.draw(record, key="tg_travel", asks=0, begun=True)
        picture.remark(
            "tg_journey",
            partial(heads.attention, record.attention, t=t),
            title=t("Writing “{token}”: layer {layer}, head {head}").format(
                token=readings.token_at(result, view.place, t), layer=layer, head=head
            ),
            reading=journey.describe(record),
            table=lambda: journey.table(record),
        )


def _traced(result: lesson.Result, view: lesson.View) -> Provenance:
    said = t("place {place}, one traced pass").format(place=view.place)
    return result.provenance.by(trace.trace, detail=said)
