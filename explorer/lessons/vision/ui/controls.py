"""Widgets of “Vision”, all bound to the URL but the file: a picture that a reader brings cannot be in a link."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from explorer.lessons.vision import pictures, state
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes import DEFAULTS
from explorer.scenes.vision import LOOK, PUPIL
from explorer.ui import choice, fields, messages, plot_clicks
from explorer.ui.scene import link, own_picture, rail

#: Patches on each side, and layers and heads, of the Transformer that is shipped.
GRID, LAYERS, HEADS = 8, 6, 4
#: What fits into the boxes of patches and heads, and how many of each are read.
_CHARACTERS, _MOST = 300, 64
#: Words that were not understood and are named.
_SAID = 5


def picture(has_own: bool) -> str:
    """Ask which picture: one that comes along, or the reader's own where there is one."""
    names = ({own_picture.OWN: t("Your own")} if has_own else {}) | pictures.names()
    return choice.select(t("Which picture?"), names, key="vi_picture") if names else ""


def askers() -> None:
    """Let the pupil ask, or the class token; any other patch is clicked."""
    shown = {key: st.session_state.get(key, DEFAULTS[key]) for key in ("vi_picture", "vi_zoom", "vi_across", "vi_down")}
    named = {PUPIL: t("The pupil")} if all(shown[key] == DEFAULTS[key] for key in shown) else {}
    now = st.session_state.get("vi_query", PUPIL)
    with st.container(horizontal=True, gap="small"):
        for asks, name in (named | {0: t("Summary (class token)")}).items():
            look: dict[str, Any] = {"type": "primary" if asks == now else "secondary"}
            st.button(name, key=f"vi_asks_{asks}", on_click=fields.set_values, args=({"vi_query": asks},), **look)


def head(*, one: bool = True) -> tuple[int, int]:
    """Ask which layer, and which head if one alone is drawn."""
    first, second = st.columns(2, gap="small")
    with first:
        layer = choice.number(t("Layer"), LAYERS, key="vi_layer", draw=choice.select)
    with second:
        return layer, choice.number(t("Head"), HEADS, key="vi_head", draw=choice.select, disabled=not one)


def open_head(layer: int, head: int) -> None:
    """Show one head; in a callback."""
    fields.set_values({"vi_layer": str(layer), "vi_head": str(head), "vi_shown": "head"})
    st.session_state["vi_opened"] = True
    link.name(LOOK)


def open_query(query: int) -> None:
    """Let a patch look, or the class token again where the patch already does; in a callback."""
    fields.set_values({"vi_query": 0 if st.session_state.get("vi_query") == query else query})


def ask_removed() -> tuple[tuple[int, ...], tuple[state.HeadPlace, ...]]:
    """Ask what is taken away: numbers of patches, from 0 when returned, and heads such as 2.1."""
    with rail.more():
        patches = choice.text(t("Patches hidden (numbers from 1)"), _CHARACTERS, key="vi_hidden")
        heads = choice.text(t("Heads switched off (layer.head)"), _CHARACTERS, key="vi_off")

    def there(text: str) -> list[state.HeadPlace]:
        return [(layer, head) for layer, head in head_places(text) if layer < LAYERS and head < HEADS]

    _say_unread(patches, lambda word: patch_numbers(word, GRID**2))
    _say_unread(heads, there)
    hidden = tuple(each - 1 for each in patch_numbers(patches, GRID**2))
    off = tuple(there(heads))
    if hidden or off:
        st.button(t("Put everything back"), icon=":material/undo:", key="vi_back", on_click=nothing_taken)
    return hidden, off


def _say_unread(text: str, read: Callable[[str], Sequence[object]]) -> None:
    """Name the words of a box that are none of what it asks for."""
    words = [word for word in re.split(r"[\s,;，；、]+", text) if word and not read(word)]
    if words:
        said = " ".join(words[:_SAID]) + (" …" if len(words) > _SAID else "")
        messages.info(t("Not understood: {words}").format(words=said))


def patch_numbers(text: str, most: int) -> list[int]:
    """Return the numbers from 1 to `most` in what was typed, alone or as a range such as 9-12, each once, in order."""
    ends = re.findall(r"(?<!\d)(\d{1,3})(?:[-–](\d{1,3}))?(?!\d)", text, re.ASCII)
    spans = (sorted((int(one), int(two or one))) for one, two in ends)
    found = {each for least, last in spans for each in range(least, last + 1)}
    return sorted(each for each in found if 1 <= each <= most)[:_MOST]


def head_places(text: str) -> list[state.HeadPlace]:
    """Return layers and heads in what was typed, such as `2.1 3.0`, each once, in order."""
    pairs = re.findall(r"(?<![\d.])(\d{1,2})\.(\d{1,2})(?![\d.])", text, re.ASCII)
    return sorted({(int(layer), int(head)) for layer, head in pairs})[:_MOST]


def toggle_patch(patch: int, most: int) -> None:
    """Hide a patch (from 1), or show it again; in a callback."""
    now = set(patch_numbers(st.session_state.get("vi_hidden") or "", most)) ^ {patch}
    fields.set_values({"vi_hidden": " ".join(map(str, sorted(now)))})


def toggle_head(layer: int, head: int) -> None:
    """Switch a head off, or on again; in a callback."""
    now = set(head_places(st.session_state.get("vi_off") or "")) ^ {(layer, head)}
    fields.set_values({"vi_off": " ".join(f"{one}.{two}" for one, two in sorted(now))})


def nothing_taken() -> None:
    """Put everything back; in a callback."""
    fields.set_values({"vi_hidden": "", "vi_off": ""})


def site() -> int:
    """Ask which channel gate."""
    names = {str(stage): t("Stage {stage}").format(stage=stage + 1) for stage in range(3)}
    return int(choice.buttons(t("Channel gate"), names, key="vi_site"))


def clicked_patch(position: plot_clicks.Place) -> int:
    """Return the number of the patch that was clicked, from 0."""
    row, column = (clamp(round(position[axis]), GRID) for axis in ("y", "x"))
    return row * GRID + column
