"""Controls of a change. Hidden text fields of the link carry what is changed; what is seen follows them."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.lessons import translator as lesson
from explorer.lessons.translator import change_state, cross
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail
from explorer.records.heads import HeadName, head_names, in_order
from explorer.records.language import t
from explorer.records.wording import head_title
from explorer.scenes.translator import CHANGE
from explorer.ui import choice, fields


def change(result: lesson.Result, where: rail.Asked) -> change_state.Change:
    """Return what is changed: words and a row, which the picture offers too, heads and temperature, in the fold."""
    with where.more:
        masked = _masked(result)
        step, word = _row(result)
        layer = _row_layer(result) if step is not None else None
        off = _off(result)
        warmed, temperature = _warmed(result)
    with where.slot:
        st.button(
            t("Undo all changes"),
            key="tr_reset",
            icon=":material/undo:",
            on_click=fields.set_values,
            args=(CHANGE.defaults,),
        )
    return change_state.Change(
        masked=masked, off=off, warmed=warmed, temperature=temperature, step=step, word=word, layer=layer
    )


def _masked(result: lesson.Result) -> tuple[int, ...]:
    labels = result.trace.source.word_labels
    label = t("Source words nobody may look at")
    masked = change_state.read_words(rail.note("tr_mask", label), len(labels))
    st.session_state["tr_mask_shown"] = list(masked)
    st.multiselect(
        label,
        range(len(labels)),
        format_func=_named(labels),
        key="tr_mask_shown",
        placeholder=t("none: choose words"),
        on_change=_follow_words,
    )
    return masked


def _off(result: lesson.Result) -> tuple[HeadName, ...]:
    there, label = cross.heads_of(result), t("Heads switched off")
    off = [head for head in head_names(rail.note("tr_off", label)) if head in there]
    st.session_state["tr_off_shown"] = off
    st.multiselect(
        label,
        there,
        format_func=lambda head: head_title(head),
        key="tr_off_shown",
        placeholder=t("none: choose heads"),
        on_change=_follow_heads,
    )
    return tuple(off)


def _warmed(result: lesson.Result) -> tuple[str, float]:
    """Ask for one layer's attention, and its temperature."""
    titles = {
        "E": t("Encoder, self-attention {layer}"),
        "D": t("Decoder, self-attention {layer}"),
        "C": t("Cross-attention {layer}"),
    }
    there = dict.fromkeys(head.code.partition(".")[0] for head in cross.heads_of(result))
    names = {"none": t("none")} | {code: titles[code[0]].format(layer=code[1:]) for code in there}
    warmed = choice.select(t("Change the temperature of"), names, key="tr_warmed")
    said = t("Scores are divided by it: below 1 the attention gets sharper, above 1 more even.")
    temperature = choice.select_slider(t("Temperature"), change_state.TEMPERATURES, key="tr_warmth", help=said)
    return ("" if warmed == "none" else warmed), temperature


def _row(result: lesson.Result) -> tuple[int | None, int | None]:
    """Return the written token whose row is overwritten, and the source word that gets it."""
    written, words = result.trace.written.labels, result.trace.source.word_labels
    found = change_state.read_row(rail.note("tr_row", t("Overwritten row")))
    if found is None or found[0] >= len(written) or found[1] >= len(words):
        found = None
    step = found[0] if found else st.session_state.get("tr_row_step_kept", 0)
    st.session_state["tr_row_step"] = min(step, len(written) - 1)
    st.session_state["tr_row_word"] = found[1] if found else None
    first, second = st.columns(2, gap="small")
    first.selectbox(
        t("While writing"), range(len(written)), format_func=_named(written), key="tr_row_step", on_change=_follow_row
    )
    second.selectbox(
        t("look only at"),
        range(len(words)),
        format_func=_named(words),
        key="tr_row_word",
        placeholder=t("own choice"),
        on_change=_follow_row,
    )
    return found or (None, None)


def _row_layer(result: lesson.Result) -> int | None:
    layers = {"all": t("all layers")}
    layers |= {str(each): t("layer {layer}").format(layer=each) for each in range(result.n_layers("cross"))}
    asked = choice.buttons(t("in"), layers, key="tr_row_layer")
    return None if asked == "all" else int(asked)


def cross_out(word: int) -> None:
    """Let nobody look at a source word, or everybody again; in a callback."""
    masked = {*change_state.read_words(st.session_state.get("tr_mask") or "", 10**6)} ^ {word}
    fields.set_values({"tr_mask": " ".join(map(str, sorted(masked)))})


def force(step: int, word: int) -> None:
    """Have a written token look at a source word alone, or where it likes again; in a callback."""
    row = f"{step}@{word}"
    fields.set_values({"tr_row": "" if st.session_state.get("tr_row") == row else row})


def _named(labels: Sequence[str]) -> Any:
    """Name the words; equal ones are told apart by their place."""
    return lambda position: (
        f"{position + 1} · {name(labels[position])}" if position is not None and position < len(labels) else ""
    )


def _follow_words() -> None:
    fields.set_values({"tr_mask": " ".join(map(str, sorted(st.session_state["tr_mask_shown"])))})


def _follow_heads() -> None:
    heads = sorted(st.session_state["tr_off_shown"], key=in_order)
    fields.set_values({"tr_off": " ".join(head.code for head in heads)})


def _follow_row() -> None:
    step, word = st.session_state["tr_row_step"], st.session_state["tr_row_word"]
    st.session_state["tr_row_step_kept"] = step  # a token without a word changes nothing, so no link carries it
    fields.set_values({"tr_row": "" if word is None else f"{step}@{word}"})
