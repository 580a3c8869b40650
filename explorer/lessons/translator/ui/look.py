"""“Translate and look”: a sentence, its translation, and where each word of it looked."""

from dataclasses import replace
from functools import partial

import streamlit as st

from explorer.attention.attend import attend
from explorer.lessons import translator as lesson
from explorer.lessons.translator import cross, finished, readings, state
from explorer.lessons.translator.change_state import Change
from explorer.lessons.translator.figures import bars, maps
from explorer.lessons.translator.names import name_tokens
from explorer.lessons.translator.ui import change, rail, tables, words
from explorer.lessons.translator.ui.glossed import explain, with_glosses
from explorer.lessons.translator.ui.rail import Asked
from explorer.lessons.translator.ui.result import of_translation, show_sureness
from explorer.nn.attention import MultiHeadAttention
from explorer.records import AttentionRecord
from explorer.records.heads import HeadName, codes, head_names
from explorer.records.language import t
from explorer.scenes.translator import EXAMPLE
from explorer.ui import cache, fields
from explorer.ui.live import ribbons, text
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import heat_map, picture, predict

CODE = (attend, MultiHeadAttention.forward)
#: Written words whose ribbons the question asks about, in their order.
CROSSING = ("café", "noir")


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: Asked) -> None:
    """Draw its ribbons, or its map."""
    view = rail.layer_and_head(result, asked)
    if heat_map.ask_heat_map():
        (_every_map if view.head == "all" else _map)(result, view)
    elif view.head == "all":
        _all_heads(result, view)
    else:
        _ribbons(result, view)


def _ribbons(result: lesson.Result, view: lesson.View) -> None:
    """Draw ribbons between whole words, and how likely each word was."""
    whole = replace(view, merge=True, token=rail.kept_token(result))
    record = state.viewed_attention(result, whole)
    start, crossings = _start(record), readings.describe_ribbons(record)
    raw, record = record, name_tokens(record)
    title = words.map_title(whole)
    pinned = state.shown_row(result, whole) if whole.token and whole.site == "cross" else None

    def pin(row: int) -> None:
        if whole.site == "cross":
            rail.open_token(cross.token_of_row(result, cross.CrossOptions(merge=True, hide=whole.hide), row))

    said = t("Writing {query}, it looks at {key}.") if record.query_role == "produced" else t("{query} looks at {key}.")
    reading = crossings if pinned is None else readings.describe_selected(state.selected_row(result, whole))
    if record.weights.size:
        ribbons.PICTURE.show(
            "tr_ribbons",
            with_glosses(
                partial(
                    ribbons.pack,
                    raw,
                    sentence=said,
                    hint=t("Point at any word of the translation."),
                    start=start,
                    pinned=pinned,
                ),
                result,
                raw,
                whole.site,
            ),
            tells={"pinned": Action(pin, row=Index(len(raw.query_labels)))},
            title=title,
            reading=reading,
            table=lambda: tables.numbers(record),
            provenance=record.provenance,
        )
    else:
        picture.show_reading(reading)
    with st.expander(t("How likely was each word?"), icon=":material/bar_chart:", type="compact"):
        show_sureness(result, fits_screen=False)


def _start(record: AttentionRecord) -> int:
    """Return the word that asks first: of those whose look goes back, the one that looks hardest, if one does."""
    choices, weights = readings.first_choices(record), record.weights.mean(0)
    steps = zip(choices[1:], choices, strict=False)
    back = {row: weights[row, choice] for (row, choice), (_, before) in steps if choice < before}
    return max(back, key=lambda row: float(back[row]), default=0)


def _map(result: lesson.Result, view: lesson.View) -> None:
    """Draw the map; beside it one piece: where it looked, and what could have stood there."""
    first, second = st.columns([1.75, 1], gap="medium")
    with second:
        view = replace(view, token=rail.ask_token(result))
        row = state.selected_row(result, view)
        of = (finished.best_translation(result), view)
        picture.show_chart(
            "tr_row",
            partial(bars.looks, row.weights[0, 0], row.key_labels),
            title=t("It looked at"),
            reading=readings.describe_selected(row),
            provenance=row.provenance,
            of=of,
            fits_screen=False,
        )
        step = result.trace.steps[view.token]
        picture.show_chart(
            "tr_next",
            partial(bars.following, step.likeliest, step.chosen),
            title=t("What could have stood here"),
            reading=readings.describe_alternatives(step),
            provenance=result.provenance,
            of=of,
            fits_screen=False,
        )
    with first:
        record = state.viewed_attention(result, view)
        picture.show_chart(
            "tr_map",
            partial(
                maps.attention,
                record,
                row=state.shown_row(result, view),
                titles=words.axes(result, record),
            ),
            title=words.map_title(view),
            reading=readings.describe_map(record),
            table=lambda: tables.numbers(record),
            of=of,
            **explain(result, record, view.site),
        )


def _every_map(result: lesson.Result, view: lesson.View) -> None:
    """Draw the maps of all heads side by side."""
    drawn = state.viewed_attention(result, view)
    picture.show_chart(
        "tr_maps",
        partial(maps.every_head, drawn),
        title=words.map_title(view),
        reading=readings.describe_map(drawn),
        table=lambda: tables.numbers(drawn),
        of=(finished.best_translation(result), view),
    )


def _all_heads(result: lesson.Result, view: lesson.View) -> None:
    """Draw all heads over the text; one that is switched off on its tile changes the translation above."""
    view = replace(view, token=rail.kept_token(result))
    drawn, there = state.viewed_attention(result, view), cross.heads_of(result)
    off = [head for head in head_names(rail.note("tr_without", t("Heads switched off"))) if head in there]

    def pin(row: int) -> None:
        if view.site == "cross":
            rail.open_token(cross.token_of_row(result, cross.CrossOptions(merge=view.merge, hide=view.hide), row))

    def switch(head: int) -> None:
        heads = {*off} ^ {HeadName(part=view.site, layer=view.layer, head=head)}
        fields.set_values({"tr_without": codes(heads)})

    if off:
        change.anew(result, Change(off=tuple(off)), lambda record, _: change.draw_translation(result, record))
    picture.heading(words.map_title(view))
    text.PICTURE.show(
        "tr_heads",
        with_glosses(
            partial(
                text.pack,
                drawn,
                start=(_start(drawn),),
                pinned=state.shown_row(result, view) if view.token and view.site == "cross" else None,
                off=[head.head for head in off if (head.part, head.layer) == (view.site, view.layer)],
            ),
            result,
            drawn,
            view.site,
        ),
        tells={
            "pinned": Action(pin, row=Index(len(drawn.query_labels))),
            "switched": Action(switch, head=Index(drawn.n_heads)),
        },
        title=words.map_title(view),
        reading=readings.describe_map(drawn),
        table=lambda: tables.numbers(drawn),
        provenance=drawn.provenance,
    )


def answer() -> predict.Answer:
    """Compute whether the looks of noun and colour cross, on the sentence that the lesson begins with."""
    result = cache.compute(lesson.compute, lesson.Params(text=EXAMPLE))
    last = result.n_layers("cross") - 1
    record = state.viewed_attention(result, lesson.View(layer=last, merge=True))
    rows = [record.query_labels.index(word) for word in CROSSING]
    weights = record.weights[0, rows]
    first, second = weights.argmax(-1)
    return "cross" if second < first else "beside", {
        "first": CROSSING[0],
        "second": CROSSING[1],
        "coffee": record.key_labels[first],
        "black": record.key_labels[second],
        "coffee_share": f"{weights[0, first]:.0%}",
        "black_share": f"{weights[1, second]:.0%}",
    }
