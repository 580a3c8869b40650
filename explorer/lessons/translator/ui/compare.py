"""“Compare”: two sentences, or two models, side by side."""

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from explorer.attention.attend import attend
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, readings, state
from explorer.lessons.translator.figures import maps
from explorer.lessons.translator.ui import model, rail, tables, words
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.language import t
from explorer.records.wording import capitalise, said_replaced
from explorer.scenes import DEFAULTS
from explorer.ui import choice, fields, messages
from explorer.ui.scene import beside, picture

CODE = (attend,)
#: Beside the first example of a language, a sentence of the same build.
SECONDS = {
    "en": DEFAULTS["tr_other"],
    "fr": "Mon frère veut habiter dans une petite maison rouge.",
    "de": "Mein Bruder möchte in einem kleinen roten Haus wohnen.",
    "zh": "我哥哥想住在一个小房子里。",
}
#: What fits into the box, and so into a link.
_CHARACTERS = 2000
#: Both stand above their maps, so not above both; the site has one page for all scenes, paper, too.
_STYLE = """.tr_pair{margin:0;overflow-wrap:anywhere;color:var(--muted)}
.tr_pair b{font-size:19px;line-height:1.35;color:var(--text)}
:is(.st-key-stage,.stage,.page):has(.tr_pair) .translated{display:none}"""
_LINES = """<p class="tr_pair" translate="no">{read}<br><b lang="{language}">{written}</b></p>"""


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw both translations, and the same attention of both on one scale."""
    params = _other(result, asked)
    view = rail.layer_and_head(result, asked)
    with st.spinner(t("Translating …")):
        other = messages.compute(lesson.compute, params, params.checkpoint)
    if other is None:
        return
    columns = st.columns(2, gap="medium")
    for column, key, each in zip(columns, ("tr_first", "tr_second"), (result, other), strict=True):
        with column:
            _one(key, each, view)


def _one(key: str, result: lesson.Result, view: lesson.View) -> None:
    """Show one of the two: what was read and written, and the map."""
    read, written = (html.escape(each) for each in (result.translation.typed, result.translation.said[0]))
    lines = _LINES.format(language=words.language(result), read=read, written=written or "∅")
    beside.show(lines, style=_STYLE)
    if key != "tr_first" and (said := said_replaced(result.translation.replaced)):
        beside.show_caption(messages.plain(capitalise(t("; ").join(said))))
    view = state.clamp_view(result, view)  # another model may have fewer layers
    record = state.viewed_attention(result, view)
    draw = (
        partial(maps.every_head, record)
        if view.head == "all"
        else partial(maps.attention, record, titles=words.axes(result, record), height=520)
    )
    picture.show_chart(
        key,
        draw,
        title=words.map_title(view),
        reading=readings.describe_map(record),
        table=lambda: tables.numbers(record),
        provenance=record.provenance,
        of=(finished.best_translation(result), view),
        height=picture.Height(less=108, less_low=144, across=49),
    )


def _other(result: lesson.Result, where: rail.Asked) -> lesson.Params:
    """Return what the translation is compared with, whatever the link says."""
    own = finished.direction(result)
    fitting = SECONDS.get(own.source if own else "", SECONDS["en"])
    model.make_readable("tr_other", SECONDS["en"], SECONDS.values(), (fitting,))
    with where.slot:
        hint = t("Type a sentence and press Enter")
        text = choice.text(t("A second sentence"), _CHARACTERS, key="tr_other", placeholder=hint)
        st.button(
            t("The same sentence"),
            key="tr_other_same",
            type="tertiary",
            on_click=fields.set_values,
            args=({"tr_other": result.params.text[:_CHARACTERS]},),
        )
        return replace(_reader(result), text=text)


def _reader(result: lesson.Result) -> lesson.Params:
    """Return the same model, or another that reads the same language, as far as their languages have names."""
    params, own = result.params, finished.direction(result)
    others = _others(params, own.source if own else "", str(own or ""))
    if not others:
        return params
    names = {"same": t("the same model")} | {key: each.name for key, each in others}
    chosen = choice.select(t("read by"), names, key="tr_other_model", renamed=model.RENAMED)
    if chosen == "same":
        return params
    found = dict(others)[chosen]
    return replace(params, checkpoint=found.checkpoint, direction=found.direction)


def _others(params: lesson.Params, source: str, own: str) -> Sequence[tuple[str, model.ChosenModel]]:
    return [
        (key, each)
        for key, each in model.models().items()
        if each.source == source and (each.checkpoint, each.direction) != (params.checkpoint, own)
    ]
