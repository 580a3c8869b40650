"""Widgets of “Open a model”: the model, its text, its head. A folder is never in a link: models have names."""

import re
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import streamlit as st

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import models, state, wording
from explorer.opened import ask, limits, sources
from explorer.opened.queue import has_library
from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.language import t
from explorer.records.opened.card import ModelCard, ModelKind
from explorer.records.wording import parse_int
from explorer.scenes import DEFAULTS
from explorer.ui import cache, choice, fields
from explorer.ui.scene import link
from explorer.ui.streamlit_internals import script_run

#: Characters of a text, of the name of a model, and of a revision.
MOST_TEXT, _NAME, _REVISION = 1500, 200, 40
#: Models that read text.
READ_TEXT: tuple[ModelKind, ...] = ("encoder", "decoder", "encoder-decoder", "unknown")
#: Session key of what the link shall say of a model that was fetched.
_OPENED = "om_opened"
_HEAD = re.compile(r"(\d{1,4})\.(\d{1,4})", re.ASCII)


class Keys(NamedTuple):
    """Keys of a model in the link: its name, and its revision if it is one of the Hub."""

    name: str
    revision: str


#: Of the model that most scenes look at, of one that translates, and of one that sees.
MODEL = Keys("om_model", "om_revision")
TRANSLATOR = Keys("om_translator", "om_translator_revision")
SEER = Keys("om_seer", "om_seer_revision")
#: In the link, for the mean of a layer's heads.
MEAN = "mean"


def model(keys: Keys = MODEL, *kinds: ModelKind) -> tuple[str, str]:
    """Ask which model; return its name, and its revision if it is one of the Hub.

    Args:
        kinds: that are offered; all that read text if none is named. An address may be typed of any.
    """
    fields.set_values(st.session_state.pop(_OPENED, {}))
    asked = choice.hidden_param(t("Model"), key=keys.name, most=_NAME)
    revision = choice.hidden_param(t("Revision"), key=keys.revision, most=_REVISION)
    names, shown = list(models.names(*(kinds or READ_TEXT))), f"{keys.name}_shown"
    st.session_state[shown] = asked or str(DEFAULTS[keys.name])
    st.selectbox(
        t("Model"),
        names if asked in names else [*names, st.session_state[shown]],
        key=shown,
        accept_new_options=may_open(),
        on_change=_picked,
        args=(keys,),
        help=_sources(),
    )
    return asked, revision


def say_opened(keys: Keys, name: str, revision: str) -> None:
    """Let the link name a model that was fetched, and its commit, when the scene runs next."""
    st.session_state[_OPENED] = {keys.name: name, keys.revision: revision}


def _sources() -> str:
    """Say where models can come from."""
    if may_open():
        return t("One of these, or type the address of a model on the Hugging Face Hub, such as org/name.")
    return t("Two models come recorded. The owner of this server can name folders of others in EXPLORER_MODELS.")


def _picked(keys: Keys) -> None:
    name = st.session_state[f"{keys.name}_shown"] or DEFAULTS[keys.name]
    fields.set_values({keys.name: str(name), keys.revision: ""})


def may_open() -> bool:
    """Return whether readers may open models of the Hub on this server."""
    return has_library() and limits.allows_hub(public=link.is_public())


def text(key: str = "om_text", height: int = 96) -> str:
    """Ask for the text."""
    return choice.area(t("Text"), MOST_TEXT, key=key, height=height).strip()


def params(key: str = "om_text", height: int = 96) -> lesson.Params:
    """Ask for the model and the text: the first two controls of every scene."""
    name, revision = model()
    return lesson.Params(model=name, revision=revision, text=text(key, height))


def rest(key: str = "om_rest") -> bool:
    """Ask whether the places where heads rest are left out."""
    return choice.toggle(
        t("Leave out where heads rest"),
        key=key,
        help=t("Start and end marks or, where a model adds none, the first word. What is left becomes 100%."),
    )


def head(key: str = "om_head") -> tuple[int, int]:
    """Return site and head that the link says, which may be beyond what there is."""
    found = _HEAD.fullmatch(choice.hidden_param(t("Head"), key=key)) or _HEAD.fullmatch(str(DEFAULTS[key]))
    assert found is not None
    return int(found[1]), int(found[2])


def layer_and_head(card: ModelCard | None, part: Part, key: str) -> tuple[int, int | None]:
    """Ask for a head of a part, or for the mean of a layer's: then the second is None.

    Args:
        card: of the model; None where it is not here yet.
    """
    layers, heads = (1, 1) if card is None else (card.layers if part == "encoder" else card.decoder_layers, card.heads)
    names = {
        f"{layer}.{MEAN if head is None else head}": wording.layer_and_head(layer, head)
        for layer in range(max(layers, 1))
        for head in (None, *range(heads))
    }
    chosen, _, head = choice.select(t("Layer and head"), names, key=key).partition(".")
    return int(chosen), parse_int(head)


def card_of(name: str, revision: str) -> ModelCard | None:
    """Return a model's card; None where nobody has had it fetched yet."""
    return sources.card_of(models.find(name, revision)) if models.is_here(name, revision) else None


def cell(key: str) -> tuple[int, int] | None:
    """Return row and column that the link says, which may be beyond what there is; None if it says none."""
    found = _HEAD.fullmatch(choice.hidden_param(t("Cell"), key=key))
    return (int(found[1]), int(found[2])) if found else None


def word(key: str) -> int | None:
    """Return the word that the reader has kept; None if none is."""
    return parse_int(choice.hidden_param(t("Word"), key=key, most=6))


def look_at(params: lesson.Params) -> lesson.Result:
    """Return every head on a text; raise a refusal, which the page explains."""
    with st.spinner(t("The model reads …")):
        return cache.once(partial(lesson.compute, params, script_run.session_id()), "open_model", params)


def maps(params: lesson.Params, site: int) -> AttentionRecord:
    """Return the maps of one attention, whole; raise a refusal, which the page explains."""
    of = models.MapParams(of=params, site=site)
    with st.spinner(t("The model reads …")):
        return cache.once(partial(models.attention, of, script_run.session_id()), "open_model", of)


def every_place(result: lesson.Result) -> list[tuple[int, int]]:
    """Return site and head of every head, in the order of the pass."""
    return [(site.number, head) for site in result.look.sites for head in range(site.heads)]


def every_head(result: lesson.Result) -> list[str]:
    """Return every head as the link says it, in the same order."""
    return [f"{site}.{head}" for site, head in every_place(result)]


def every_word(tokens: Iterable[int]) -> tuple[list[str], list[tuple[int]]]:
    """Return words as the link says them, by their tokens, and as a picture numbers them; first, that there is none."""
    said = ["", *map(str, tokens)]
    return said, [(position - 1,) for position in range(len(said))]


def pick_head(result: lesson.Result, view: state.View, key: str = "om_head") -> None:
    """Ask for the head by its numbers: what is clicked in a picture."""
    shown = f"{key}_picked"
    site, number = state.clamp_head(result, view.site, view.head)
    st.session_state[shown] = f"{site}.{number}"
    names = dict(zip(every_head(result), map(partial(_named, result), every_place(result)), strict=True))
    st.selectbox(
        t("Layer and head"),
        list(names),
        key=shown,
        format_func=names.__getitem__,
        label_visibility="collapsed",
        width=300,
        on_change=lambda: fields.set_values({key: st.session_state[shown]}),
    )


def _named(result: lesson.Result, position: tuple[int, int]) -> str:
    site = result.look.sites[position[0]]
    several = len({each.part for each in result.look.sites}) > 1
    said = t("layer {layer}, head {head}").format(layer=site.layer, head=position[1])
    return f"{said} ({wording.part_name(site)})" if several else said


def warm() -> None:
    """Have the worker started, so that it is there when somebody asks for another text."""
    if script_run.has_server():
        ask.warm()
