"""Widgets that the scenes share, all bound to the link; and a word where there is nothing to read."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from explorer.attention.efficient.variants import SETTINGS
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import readings, state, task
from explorer.lessons.efficient_attention.compute import captured
from explorer.scenes.efficient_attention import LESSON
from explorer.ui import choice, refusals
from explorer.ui.language import t
from explorer.ui.scene import rail

DEFAULTS: dict[str, Any] = LESSON.every_default
_URL: dict[str, Any] = {"bind": "query-params"}
#: Settings that decide how much is computed; the others stand in the fold.
_MAIN = ("width", "stride", "block", "n_features", "groups")


def mechanism(names: Sequence[str], label: str) -> lesson.Params:
    """Ask which mechanism, its settings, and what it runs on."""
    said = readings.mechanism_names(t)
    name = choice.select(label, {each: said[each] for each in names}, key="ea_name", default=DEFAULTS["ea_name"])
    own = [each for each in SETTINGS[name] if each in _WIDGETS]
    source, settings = asked([each for each in own if each in _MAIN] or own[:1], own)
    return lesson.Params(source=source, name=name, **settings)


def asked(
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
        found = {each: _WIDGETS[each](heads) for each in settings if each not in main}
        more()
    with fold if folded else above:
        found |= {each: _WIDGETS[each](heads) for each in main}
        with st.container(horizontal=True, gap="small", key="ea_where"):
            layer = _number(t("Layer"), layers, "ea_layer")
            chosen = _number(t("Head"), heads, "ea_head") if head else 0
    return state.QKVSource(kind=kind, text=text, layer=layer, head=chosen, seed=seed), found


def _read() -> tuple[str, str, int]:
    """Ask where queries, keys and values come from: the kind, the text, or the seed of random numbers."""
    names = {
        "gpt": t("a language model reads"),
        "encoder": t("the translator’s encoder reads"),
        "random": t("random numbers"),
        "random_causal": t("random numbers, past only"),
    }
    kind = choice.select(t("Queries, keys and values of …"), names, key="ea_source", default=DEFAULTS["ea_source"])
    if kind.startswith("random"):
        seed = st.slider(t("Seed of the numbers"), 0, state.MOST_SEED, DEFAULTS["ea_seed"], key="ea_seed", **_URL)
        return kind, "", int(seed)
    label, said = t("A text to read (English)"), t("Type a text and press Enter")
    most, usual = state.MOST_TEXT, DEFAULTS["ea_text"]
    return kind, st.text_input(label, usual, max_chars=most, key="ea_text", placeholder=said, **_URL) or "", 0


def _number(label: str, count: int, key: str) -> int:
    """Ask for a layer or a head, from 0."""
    names = {str(each): str(each) for each in range(count)}
    return int(choice.select(label, names, key=key, default=str(min(int(DEFAULTS[key]), count - 1))))


def readable(source: state.QKVSource) -> bool:
    """Return whether the source can be read; else say on the stage why not and what to do."""
    model = state.TRANSLATOR if source.kind == "encoder" else state.GPT
    nothing = t("Type a text: there is nothing to read yet.")
    with refusals.explained(model, empty=nothing), st.spinner(t("Computing …"), show_time=False):
        captured(source)
        return True
    return False


def _slider(setting: str, key: str, label: str, help_: str) -> int:
    least, most = state.REACH[setting]
    return int(st.slider(label, least, most, DEFAULTS[key], key=key, help=help_, **_URL))


def _options(options: tuple[int, ...], key: str, label: str, help_: str) -> int:
    return int(st.select_slider(label, options, DEFAULTS[key], key=key, help=help_, **_URL))


def _groups(heads: int) -> int:
    names = {str(each): str(each) for each in state.GROUPS if heads % each == 0}
    label = t("Heads of keys and values (groups)")
    return int(choice.segmented(label, names, key="ea_groups", default=DEFAULTS["ea_groups"]))


_WIDGETS: dict[str, Callable[[int], int]] = {
    "width": lambda _: _slider(
        "width", "ea_width", t("How wide?"), t("Positions that are seen in each direction, one’s own included.")
    ),
    "gap": lambda _: _slider(
        "gap", "ea_gap", t("Gap"), t("From one seen position to the next; 1 is the plain window.")
    ),
    "stride": lambda _: _slider(
        "stride", "ea_stride", t("Stride"), t("The last few positions, and every so many-th before them.")
    ),
    "n_global": lambda _: _slider(
        "n_global", "ea_global", t("Global"), t("First positions (BigBird: blocks) that see all and are seen by all.")
    ),
    "block": lambda _: _options(state.BLOCKS, "ea_block", t("Block"), t("Positions to a block.")),
    "reach": lambda _: _slider("reach", "ea_reach", t("Blocks to each side"), t("0: each block sees itself alone.")),
    "n_random": lambda _: _slider(
        "n_random", "ea_random", t("Random blocks"), t("Drawn once for each block of queries.")
    ),
    "n_features": lambda _: _options(
        state.FEATURES,
        "ea_features",
        t("Random features m"),
        t("The cost grows as m. The error falls as 1/√m only where queries and keys are short."),
    ),
    "seed": lambda _: _slider(
        "seed", "ea_draw", t("Seed of the draw"), t("Another seed, other random blocks or features.")
    ),
    "groups": _groups,
}


def of_sample(key: str) -> int:
    """Ask how much of the held-out text is read again, or which of it."""
    least, most, label = {
        "ea_windows": (2, task.MOST_WINDOWS, t("Texts to read")),
        "ea_sample": (0, state.MOST_SEED, t("Seed of their choice")),
    }[key]
    return int(st.slider(label, least, most, DEFAULTS[key], key=key, **_URL))
