"""“Write on”: a piece of the translation is replaced, and the translator writes on from there."""

from functools import partial

import streamlit as st

from explorer.inference.search import constrained
from explorer.lessons import translator as lesson
from explorer.lessons.translator import search, search_edit, search_readings
from explorer.lessons.translator.figures import search_lines as lines
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail, texts, words
from explorer.lessons.translator.ui.result import of_translation, show_sureness
from explorer.records.language import t
from explorer.records.wording import percent
from explorer.scenes.translator import WRITE_ON
from explorer.ui import cache, choice, fields
from explorer.ui.scene import beside, picture

CODE = (constrained.Prefix,)


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the translation before and after a piece of it was replaced; before, how sure each piece was."""
    with asked.slot:
        edit = _edit(result)
    if edit is None:
        show_sureness(result)
        return
    with st.spinner(t("Writing on …")):
        found = cache.compute(search_edit.rewrite, edit)
    _compared(found, words.language(result), edit)


def _compared(found: search_edit.Rewritten, language: str, edit: search_edit.EditParams) -> None:
    names, both = {"before": t("before"), "after": t("after")}, (found.before, found.after)
    beside.show(texts.side_by_side(both, found.kept, names, language, given=(0, found.given)), style=texts.STYLE)
    beside.show_caption(t("Marked: pieces that do not stand in the other. Underlined: what you kept or put there."))
    picture.show_chart(
        "tr_rewritten",
        partial(lines.running, both, names=names, at=found.position + 1),
        title=t("How likely the text is, piece by piece"),
        reading=search_readings.describe_rewritten(found),
        table=lambda: texts.tokens(both, names),
        provenance=found.provenance,
        of=edit,
        fits_screen=False,
    )


def _edit(result: lesson.Result) -> search_edit.EditParams | None:
    """Return which piece is replaced, and by what; None as long as that is not said."""
    at = _place(result)
    if at is None:
        return None
    by = _by(at)
    label, hint = t("Words to put there"), t("Type and press Enter")
    most = search_edit.MOST_EDIT_CHARACTERS
    text = choice.text(label, most, key="tr_edit_text", placeholder=hint) if by == "text" else ""
    usual = WRITE_ON.defaults
    reset = fields.set_values
    st.button(
        t("Reset"), key="tr_edit_reset", icon=":material/restart_alt:", type="tertiary", on_click=reset, args=(usual,)
    )
    if by == "none" or (by == "text" and not text.strip()):
        return None
    return search_edit.EditParams(at=at, token=None if by == "text" else int(by), text=text)


def _place(result: lesson.Result) -> search_edit.PlaceParams | None:
    target = result.trace.written_ids
    ids = [search_edit.place_id(target, position) for position in range(len(target))]
    pieces = rail.number_pieces(result.trace.written.labels)
    names = {"none": t("(none)"), **dict(zip(ids, pieces, strict=True))}
    chosen = choice.select(t("Replace this piece of the translation"), names, key="tr_edit_at")
    if chosen == "none":
        return None
    return search_edit.PlaceParams(asked=search.SearchParams.of(result), target=target, position=ids.index(chosen))


def _by(at: search_edit.PlaceParams) -> str:
    """Return the id of a token that could stand there, `text` for the reader's own words, or `none`."""
    others = {
        str(each.id): f"{name(each.label)} · {percent(each.probability)}"
        for each in cache.compute(search_edit.alternatives, at)
    }
    names = {"none": t("(nothing yet)"), **others, "text": t("my own words")}
    return choice.select(t("by what could also have stood here"), names, key="tr_edit_by")
