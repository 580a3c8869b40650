"""Where it looked: the text coloured by attention, every head on one character, or the whole map of a head."""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.attention.attend import attend
from explorer.inference.gpt import trace
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import journey as journeys, look, readings
from explorer.lessons.text_generation.figures import heads
from explorer.lessons.text_generation.live import live_text
from explorer.lessons.text_generation.ui import controls as widgets, looked_map, tables
from explorer.records.language import current_language, t
from explorer.records.provenance import Provenance
from explorer.records.wording import clamp
from explorer.ui import cache, choice, fields, messages, plot_clicks, tables as common
from explorer.ui.live import journey
from explorer.ui.scene import heat_map, picture, predict

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
    names = {"text": t("Text"), "rows": t("Every head"), "journey": t("One query")}
    part = choice.buttons(t("Show"), names, key="tg_part")
    stepper, heads_of = st.container(), st.container()
    params = widgets.ask_writer()
    if params is None:
        return None
    with heads_of, messages.explain(params.checkpoint):
        return Chosen(params, part, *widgets.head(params.checkpoint), stepper)
    return None


def stage(chosen: Chosen | None) -> None:
    """The text, the heads or the map."""
    if chosen:
        widgets.text_beside(chosen.params, partial(_draw, chosen))


def _draw(chosen: Chosen, result: lesson.Result) -> None:
    view = lesson.View(
        position=widgets.asked_position(result, _last_letter(result)), layer=chosen.layer, head=chosen.head
    )
    if chosen.part != "text":
        with chosen.stepper:
            widgets.step(result, view.position)
    if chosen.part == "rows":
        _rows(result, view)
    elif not looked_map.instead(result, view):
        {"journey": _journey}.get(chosen.part, _text)(result, view)


def _last_letter(result: lesson.Result) -> int:
    """Return the last place where a letter stands, for a space shows little; the last of all if there is none."""
    last = len(result.ids) - 1
    return next((position for position in range(last, 0, -1) if readings.token_at(result, position).isalpha()), last)


def answer() -> predict.Answer:
    """Add up what the look at the last letter gives to the newest character, to its word's others, and before them."""
    result = cache.compute(lesson.compute, lesson.Params())
    position = _last_letter(result)
    weights = look.head_map(result, lesson.View(position=position)).weights[0, position - 1, :position]
    start = next(at for at in range(position, 0, -1) if not readings.token_at(result, at - 1).isalpha())
    shares = {"newest": weights[-1], "word": weights[start:-1].sum(), "further": weights[:start].sum()}
    return max(shares, key=lambda each: shares[each]), {name: f"{share:.0%}" for name, share in shares.items()}


def _text(result: lesson.Result, view: lesson.View) -> None:
    reading = live_text.once(lambda: readings.describe_rows(result, view), result, "looked", view, current_language())
    live_text.PICTURE.show(
        "tg_looked",
        partial(live_text.pack, result, view, "attention"),
        tells=widgets.tells(result),
        title=t("Where the step looked that wrote the chosen character"),
        reading=reading,
        table=lambda: tables.text(result, view),
        provenance=_traced(result, view),
    )


def _rows(result: lesson.Result, view: lesson.View) -> None:
    found = look.rows(result, view)
    n_heads = look.shape(result.checkpoint)[1]
    note = t("{sign} is everything further back, added up").format(sign=look.BACK) if look.BACK in found.keys else ""
    picture.show_chart(
        "tg_rows",
        partial(heads.rows, found.weights, heads=found.heads, keys=found.keys),
        title=t("Writing “{token}”: where every head looked").format(token=readings.token_at(result, view.position)),
        note=note or t("click a row to open that head"),
        reading=readings.describe_rows(result, view),
        table=lambda: common.matrix(found.weights, found.heads, found.keys),
        provenance=_traced(result, view),
        of=(result.params, replace(view, layer=None, head=None)),
    )

    def opened(where: plot_clicks.Place) -> None:
        row = clamp(round(where["y"]), len(found.heads))
        widgets.open_head(row // n_heads, row % n_heads)
        fields.set_values({"tg_part": "text", **heat_map.OPEN})

    plot_clicks.listen("tg_rows", opened)


def _journey(result: lesson.Result, view: lesson.View) -> None:
    layer, head = journeys.one_head(result, view)
    record = journey.cut(journeys.journey(result, view))
    journey.PICTURE.show(
        "tg_journey",
        partial(journey.pack, record),
        title=t("Writing “{token}”: layer {layer}, head {head}").format(
            token=readings.token_at(result, view.position), layer=layer, head=head
        ),
        reading=journey.describe(record),
        table=lambda: journey.table(record),
        provenance=record.attention.provenance,
    )


def _traced(result: lesson.Result, view: lesson.View) -> Provenance:
    said = t("position {position}, one traced pass").format(position=view.position)
    return result.provenance.by(trace.trace, detail=said)
