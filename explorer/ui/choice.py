"""A choice among named things whose link says the same in every language.

Streamlit writes what a choice *shows* into the address: “平均”, or “le” for the second of two equal tokens. A link made
in one language would then mean nothing in the other. Here a hidden bound text field carries a stable id, and the
visible control follows it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import streamlit as st

from explorer.ui.language import t

_ID_CHARACTERS = 40


def segmented(
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: str,
    then: Callable[[], None] = lambda: None,
    **look: Any,
) -> str:
    """Show a row of buttons, one of them chosen.

    Args:
        label: what is chosen, translated.
        names: stable id to what is shown (Markdown: escape what users wrote). Equal names stay apart.
        key: of the id in session state and in the address.
        default: an id; an empty text stands for the last one.
        then: is called when the reader has chosen another.
        look: further arguments of `st.segmented_control`.

    Returns:
        An id that is in `names`, whatever the address said.
    """
    return _choose(st.segmented_control, label, names, key, default, {"required": True, "wrap": True, **look}, then)


def pills(label: str, names: Mapping[str, str], *, key: str, default: str, **look: Any) -> str:
    """Draw a choice as small buttons that wrap."""
    return _choose(st.pills, label, names, key, default, {"required": True, **look})


def select(
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: str,
    renamed: Mapping[str, str] = MappingProxyType({}),
    then: Callable[[], None] = lambda: None,
    **look: Any,
) -> str:
    """Draw a choice as a drop-down list; `renamed` has ids that older links use, and what each is called now."""
    return _choose(st.selectbox, label, names, key, default, look, then, renamed=renamed)


def number(label: str, count: int, *, key: str, default: str) -> int:
    """Show the numbers from 0 as a row of buttons, one of them chosen."""
    names = {str(each): str(each) for each in range(count)}
    return int(segmented(label, names, key=key, default=str(min(int(default), count - 1))))


def move(label: str, icon: str, key: str, go: Callable[[int], None], to: int, *, off: bool) -> None:
    """Show a button that goes to a step, `go(to)`, beside a `player` that hears the arrow keys."""
    st.button(label, key=key, icon=icon, on_click=go, args=(to,), disabled=off, help=t("or the arrow keys ← →"))


def note(label: str, default: str, *, key: str, most: int = _ID_CHARACTERS) -> str:
    """Return a text that the link carries and nobody sees, of at most so many characters."""
    hidden: dict[str, Any] = {"bind": "query-params", "label_visibility": "collapsed"}
    with st.container(key=f"{key}_in_url"):
        return st.text_input(label, default, max_chars=most, key=key, **hidden) or ""


def step(label: str, default: str, *, key: str, last: int, first: int = 0) -> int:
    """Return a step from 0 to `last` that the link carries and a film shows; whatever the link says, it exists.

    Args:
        label: of the hidden field.
        default: as the link writes it; empty for the last one.
        key: of the field.
        last: step.
        first: what the link calls step 0.
    """
    asked = note(label, default, key=key, most=6)
    if not (asked.isascii() and asked.isdigit()):
        asked = default
    return min(max(int(asked) - first, 0), last) if asked else last


def _choose(
    draw: Callable[..., Any],
    label: str,
    names: Mapping[str, str],
    key: str,
    default: str,
    look: Mapping[str, Any],
    then: Callable[[], None] = lambda: None,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    asked = note(label, default, key=key)
    shown, distinct = f"{key}_shown", _distinct(names)
    asked = renamed.get(asked, asked)
    chosen = asked if asked in names else default or list(names)[-1]
    st.session_state[shown] = chosen
    follow = {"on_change": _follow, "args": (key, shown, then)}
    draw(label, list(names), format_func=distinct.__getitem__, key=shown, **follow, **look)
    return chosen


def _follow(key: str, shown: str, then: Callable[[], None]) -> None:
    if st.session_state[shown] is not None:
        st.session_state[key] = st.session_state[shown]
        then()


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Tell equal labels apart by zero-width spaces: Streamlit finds the option by its label."""
    seen: dict[str, int] = {}
    made = {}
    for each, name in names.items():
        seen[name] = seen.get(name, -1) + 1
        made[each] = name + "\u200b" * seen[name]
    return made
