"""Widgets that the scenes share, all bound to the link; and a word where there is nothing to read."""

from collections.abc import Callable, Sequence

import streamlit as st

from explorer.attention.efficient.variants import SETTINGS
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import readings, state
from explorer.lessons.efficient_attention.compute import capture_qkv
from explorer.records.language import t
from explorer.ui import choice, messages
from explorer.ui.scene import rail

#: Settings that decide how much is computed; the others stand in the fold.
_MAIN = ("width", "stride", "block", "n_features", "groups")


def mechanism(names: Sequence[str], label: str) -> lesson.Params:
    """Ask which mechanism, its settings, and what it runs on."""
    said = readings.mechanism_names()
    name = choice.select(label, {each: said[each] for each in names}, key="ea_name")
    own = [each for each in SETTINGS[name] if each in (*state.REACH, *state.OPTIONS)]
    source, settings = ask_settings([each for each in own if each in _MAIN] or own[:1], own)
    return lesson.Params(source=source, name=name, **settings)


def ask_settings(
    main: Sequence[str],
    settings: Sequence[str],
    *,
    head: bool = True,
    folded: bool = False,
    more: Callable[[], None] = lambda: None,
) -> tuple[state.QKVSource, dict[str, int]]:
    """Ask for settings, layer and head; in the fold for the other settings and for what is read.

    Args:
        main: settings that stand above the fold.
        settings: all that are asked for.
        head: whether one head is looked at, or the whole layer.
        folded: whether layer and head stand in the fold too.
        more: draws what else stands there.
    """
    above, fold = st.container(key="ea_here"), rail.more()
    with fold:
        kind, text, seed = _read()
        layers, heads = state.SOURCES[kind]
        found = {each: _setting(each, heads) for each in settings if each not in main}
        more()
    with fold if folded else above:
        found |= {each: _setting(each, heads) for each in main}
        with st.container(horizontal=True, gap="small", key="ea_where"):
            layer = choice.number(t("Layer"), layers, key="ea_layer", draw=choice.select)
            chosen = choice.number(t("Head"), heads, key="ea_head", draw=choice.select) if head else 0
    return state.QKVSource(kind=kind, text=text, layer=layer, head=chosen, seed=seed), found


def _read() -> tuple[str, str, int]:
    """Ask where queries, keys and values come from: the kind, the text, or the seed of random numbers."""
    names = {
        "gpt": t("a language model reads"),
        "encoder": t("the translator’s encoder reads"),
        "random": t("random numbers"),
        "random_causal": t("random numbers, past only"),
    }
    kind = choice.select(t("Queries, keys and values of …"), names, key="ea_source")
    if kind.startswith("random"):
        seed = choice.ask("ea_seed")
        return kind, "", seed
    label, said = t("A text to read (English)"), t("Type a text and press Enter")
    return kind, choice.text(label, state.MOST_TEXT, key="ea_text", placeholder=said), 0


def readable(source: state.QKVSource) -> bool:
    """Return whether the source can be read; else say on the stage why not and what to do."""
    model = state.TRANSLATOR if source.kind == "encoder" else state.GPT
    nothing = t("Type a text: there is nothing to read yet.")
    with messages.explain(model, empty=nothing), st.spinner(t("Computing …")):
        capture_qkv(source)
        return True
    return False


def _setting(name: str, heads: int) -> int:
    """Ask for one setting of a mechanism."""
    if name == "groups":
        names = {str(each): str(each) for each in state.GROUPS if heads % each == 0}
        return int(choice.buttons(t("Heads of keys and values (groups)"), names, key=state.KEYS[name]))
    return int(choice.ask(state.KEYS[name]))
