"""Controls that every scene has: direction, sentence, how the translation is searched."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from explorer.inference.translator.request import BOX_CHARACTERS, said_example
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import hub_model, model
from explorer.records.heads import Part
from explorer.records.language import t
from explorer.records.wording import parse_int
from explorer.scenes import DEFAULTS
from explorer.ui import choice, fields
from explorer.ui.scene import rail

#: Key of the field that says whether nothing is read as something else.
AS_TYPED = "tr_as_typed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request of the rail, and its places that are filled once it is translated.

    Attributes:
        note: below the sentence.
        slot: for controls that depend on the translation.
        examples: sentences that the model can read.
    """

    params: lesson.Params
    note: Any
    slot: Any
    more: Any
    examples: tuple[str, ...]


def ask_sentence(*, typed: bool = True) -> Asked:
    """Ask for direction and sentence; in the fold, for the search.

    Args:
        typed: whether the sentence is seen; the link carries it all the same.
    """
    chosen = model.draw()
    model.make_readable("tr_text", DEFAULTS["tr_text"], model.ALL_EXAMPLES, chosen.examples)
    with st.container(key="tr_text_box" if typed else "tr_text_in_url"):
        hint = t("Type a sentence and press Enter")
        text = choice.text(chosen.label, BOX_CHARACTERS, key="tr_text", placeholder=hint)
    note, slot, fold = st.container(key="tr_note"), st.container(key="tr_slot"), rail.more()
    with fold:
        more = st.container()
        params = _search(others=chosen.others)
        hub_model.draw()
        if typed:
            st.caption(t("Examples"))
            shown = partial(said_example)
            choice.examples(chosen.examples, "tr_text", shown, tr_token=DEFAULTS["tr_token"], tr_sentence="0")
    params = replace(params, text=text, checkpoint=chosen.checkpoint, direction=chosen.direction)
    return Asked(params=params, note=note, slot=slot, more=more, examples=chosen.examples)


def _search(*, others: bool) -> lesson.Params:
    beam, penalty = choice.ask("tr_beam"), choice.ask("tr_penalty")
    said = t("Names, numbers and slips are not read as anything else: see what the model makes of them itself.")
    as_typed = not others and choice.toggle(t("Read as typed"), key=AS_TYPED, help=said)
    params = lesson.Params(beam=beam, length_penalty=penalty, as_typed=as_typed)
    said = t("Search with linear maps rounded to integers of eight bits: less memory, almost the same text.")
    if finished.eight_bits() and choice.toggle(t("Eight bits"), key="tr_int8", help=said):
        return replace(params, precision="int8")
    return params


def layer_and_head(result: lesson.Result, where: Asked) -> lesson.View:
    """Ask for layer and head; in the fold, for the kind of attention, words and special tokens."""
    names: dict[str, str] = {"cross": t("Cross"), "encoder": t("Encoder self"), "decoder": t("Decoder self")}
    with where.more:
        site: Part = choice.buttons(t("Attention"), names, key="tr_site")  # type: ignore[assignment]
        merge, hide = choice.ask("tr_merge"), choice.ask("tr_hide")
    layers = {str(number): str(number) for number in range(result.n_layers(site))}
    usual = DEFAULTS["tr_layer"] if DEFAULTS["tr_layer"] in layers else str(len(layers) - 1)
    heads = {"mean": t("mean of all"), "all": t("side by side")}
    heads |= {str(number): str(number) for number in range(result.n_heads)}
    with where.slot:
        first, second = st.columns(2, gap="small")
        with first:
            layer = choice.buttons(t("Layer"), layers, key="tr_layer", default=usual)
        with second:
            head: Any = choice.select(t("Head"), heads, key="tr_head")
    return lesson.View(site=site, layer=int(layer), head=int(head) if head.isdigit() else head, merge=merge, hide=hide)


def ask_token(result: lesson.Result) -> int:
    """Ask for the place of the written piece that is looked at."""
    names = {str(position): said for position, said in enumerate(number_pieces(result.trace.written.labels))}
    return int(choice.select(t("Which piece asks?"), names, key="tr_token"))


def kept_token(result: lesson.Result) -> int:
    """Return the place of that piece where a picture chooses it; the link carries it all the same."""
    return min(parse_int(note("tr_token", t("Which piece asks?"))) or 0, len(result.trace.steps) - 1)


def number_pieces(labels: tuple[str, ...]) -> list[str]:
    """Name the pieces; equal ones are told apart by their place."""
    return [f"{position + 1} · {name(label)}" for position, label in enumerate(labels)]


def open_token(position: int) -> None:
    """Look at this written token from now on; in a callback."""
    fields.set_values({"tr_token": str(position)})


def note(key: str, label: str) -> str:
    """Return what a hidden text field of the link says."""
    return choice.hidden_param(label, key=key, most=5000)


def pick(names: Mapping[str, str], key: str, label: str, *, hidden: bool = False) -> str:
    """Ask which of several pictures stands on the stage."""
    seen: Any = "collapsed" if hidden else "visible"
    return choice.buttons(label, names, key=key, label_visibility=seen)
