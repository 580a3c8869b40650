"""Widgets that the link carries, each with the default that its scene states; what is chosen by name is so by an id.

Streamlit writes what a choice *shows* into the address: “平均”, or “le” for the second of two equal tokens. A link made
in one language would then mean nothing in the other. Here a hidden bound text field carries a stable id, and the
visible control follows it.

Every message of the browser says what all fields hold, and one that it sends before it has heard of a change says the
value from before it: of two quick choices, or two points dragged one after the other, the first would be lost. What the
page has `put` therefore stays where a message says what the field held before; in a hidden field, always.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.scenes import DEFAULTS
from explorer.ui.figure_card import escape

Number = TypeVar("Number", int, float)
_ID_CHARACTERS = 40
_BOUND: dict[str, Any] = {"bind": "query-params"}
#: How long after a field was drawn the browser may not yet have heard of it.
_HEARD_S = 1.0
#: Session key of what the page has put into fields.
_PUT = "put_by_page"
#: When a field was drawn of which the browser itself has said what it holds.
_EVER = -math.inf


@dataclass(slots=True)
class _Put:
    """A value that a field of the link holds.

    Attributes:
        value: the value.
        before: what it held before the page has set it, which is what the browser may still say.
        linked: what the browser's address says of it, or soon will.
        drawn: when it was drawn since; None if it was not.
    """

    value: Any
    before: tuple[Any, ...] = ()
    linked: Any = None
    drawn: float | None = None

    def heard(self) -> bool:
        """Return whether the browser has heard of it."""
        return self.drawn is not None and time.monotonic() - self.drawn > _HEARD_S


def put(values: Mapping[str, Any]) -> None:
    """Set fields of the link, by their keys; in a callback."""
    for key, value in values.items():
        last = _puts().get(key)
        before = () if last is None or last.heard() else last.before
        _hold(key, value, (*before, st.session_state.get(key)))
    _complete_link()


def _hold(key: str, value: Any, before: tuple[Any, ...] = ()) -> None:
    last = _puts().get(key)
    _puts()[key] = _Put(value, before, None if last is None else last.linked)
    st.session_state[key] = value


def _complete_link() -> None:
    """Have the link of this request say what the browser was told, though it had not heard of it.

    Streamlit takes a request's link for the page's, and tells the browser of what differs from it.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as link:
        for key, last in list(_puts().items()):  # the run that this one breaks off may still draw
            by_hand = last.drawn is not None and st.session_state.get(key) != last.value
            if last.linked is None or last.heard() or by_hand:
                continue
            if last.linked == DEFAULTS.get(key):
                link.discard_param_no_forward_msg(key)
            elif isinstance(last.linked, str):
                link.set_with_no_forward_msg(key, last.linked)


def _puts() -> dict[str, _Put]:
    return cast("dict[str, _Put]", st.session_state.setdefault(_PUT, {}))


def _outdated(key: str, said: Any) -> bool:
    """Return whether the browser says this because it has not heard of what was put."""
    last = _puts().get(key)
    return last is not None and said in last.before and not last.heard()


def _told(key: str, then: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Leave a field as it was put if the browser has not heard of it; else go on."""
    if _outdated(key, st.session_state[key]):
        st.session_state[key] = _puts()[key].value
    else:
        then(*args)


def _drawing(key: str) -> None:
    """Note that the browser's address is told: before the field is, where the run may be broken off."""
    last = _puts().get(key)
    if last is not None:
        last.linked = last.value


def _drawn(key: str, value: Any) -> None:
    last = _puts().get(key)
    if last is None or last.value != value:
        _puts()[key] = _Put(value, linked=value, drawn=_EVER)
    elif last.drawn is None:
        last.drawn = time.monotonic()


def slider(
    label: str,
    least: Number,
    most: Number,
    step: Number | None = None,
    *,
    key: str,
    default: Number | None = None,
    **look: Any,
) -> Number:
    """Ask for a number; `look` has further arguments of `st.slider`."""
    usual = DEFAULTS[key] if default is None else default
    return cast("Number", _ask(st.slider, key, label, least, most, usual, step, **look))


def stops(label: str, options: Sequence[Number], *, key: str, **look: Any) -> Number:
    """Ask for one of some numbers; `look` has further arguments of `st.select_slider`."""
    return cast("Number", _ask(st.select_slider, key, label, options, DEFAULTS[key], **look))


def toggle(label: str, *, key: str, **look: Any) -> bool:
    """Ask for yes or no; `look` has further arguments of `st.toggle`."""
    return bool(_ask(st.toggle, key, label, DEFAULTS[key], **look))


def text(label: str, most: int, *, key: str, **look: Any) -> str:
    """Ask for a line of at most so many characters; `look` has further arguments of `st.text_input`."""
    return _ask(st.text_input, key, label, DEFAULTS[key], most, **look) or ""


def area(label: str, most: int, *, key: str, **look: Any) -> str:
    """Ask for lines of at most so many characters; `look` has further arguments of `st.text_area`."""
    return _ask(st.text_area, key, label, DEFAULTS[key], max_chars=most, **look) or ""


def _ask(
    draw: Callable[..., Any],
    key: str,
    *given: Any,
    on_change: Callable[..., None] = lambda *_: None,
    args: tuple[Any, ...] = (),
    **look: Any,
) -> Any:
    """Draw a field that the link carries, and return what it holds."""
    _drawing(key)
    value = draw(*given, key=key, on_change=_told, args=(key, on_change, args), **_BOUND, **look)
    _drawn(key, value)
    return value


def examples(texts: Sequence[str], key: str, shown: Callable[[str], str] = str, **also: Any) -> None:
    """Show texts to put into a box of this key, as `shown` writes them; `also` is what else is set in the session."""
    for number, each in enumerate(texts):
        new = {key: each, **also}
        said = escape(shown(each))
        st.button(said, key=f"example_{number}", type="tertiary", on_click=put, args=(new,))


def segmented(
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: str | None = None,
    then: Callable[[], None] = lambda: None,
    **look: Any,
) -> str:
    """Show a row of buttons, one of them chosen.

    Args:
        label: what is chosen, translated.
        names: stable id to what is shown (Markdown: escape what users wrote). Equal names stay apart.
        key: of the id in session state and in the address.
        default: an id; an empty text stands for the last one; what the scene states if not given.
        then: is called when the reader has chosen another.
        look: further arguments of `st.segmented_control`.

    Returns:
        An id that is in `names`, whatever the address said; the first if the default is not.
    """
    return _choose(st.segmented_control, label, names, key, default, {"required": True, "wrap": True, **look}, then)


def pills(label: str, names: Mapping[str, str], *, key: str, **look: Any) -> str:
    """Draw a choice as small buttons that wrap."""
    return _choose(st.pills, label, names, key, None, {"required": True, **look})


def select(
    label: str,
    names: Mapping[str, str],
    *,
    key: str,
    default: str | None = None,
    renamed: Mapping[str, str] = MappingProxyType({}),
    then: Callable[[], None] = lambda: None,
    **look: Any,
) -> str:
    """Draw a choice as a drop-down list; `renamed` has ids that older links use, and what each is called now."""
    return _choose(st.selectbox, label, names, key, default, look, then, renamed=renamed)


def number(label: str, count: int, *, key: str, draw: Callable[..., str] = segmented, **look: Any) -> int:
    """Show the numbers from 0, one of them chosen; as a row of buttons, if `draw` is no other choice."""
    names = {str(each): str(each) for each in range(count)}
    return int(draw(label, names, key=key, default=str(min(int(DEFAULTS[key]), count - 1)), **look))


def note(label: str, *, key: str, most: int = _ID_CHARACTERS, default: str | None = None) -> str:
    """Return a text that the link carries and nobody sees, of at most so many characters."""
    usual = DEFAULTS[key] if default is None else default
    with st.container(key=f"{key}_in_url"):
        _drawing(key)
        value = st.text_input(
            label, usual, most, key, label_visibility="collapsed", on_change=_keep, args=(key,), **_BOUND
        )
    _drawn(key, value or "")
    return value or ""


def _keep(key: str) -> None:
    """Leave a hidden field as it is; the browser's history does not come this way."""
    st.session_state[key] = _puts()[key].value


def step(label: str, *, key: str, last: int, first: int = 0) -> int:
    """Return a step from 0 to `last` that the link carries and a film shows; whatever the link says, it exists.

    Args:
        label: of the hidden field.
        key: of the field; by default it is empty for the last step.
        last: step.
        first: what the link calls step 0.
    """
    asked = note(label, key=key, most=6)
    if not (asked.isascii() and asked.isdigit()):
        asked = DEFAULTS[key]
    return min(max(int(asked) - first, 0), last) if asked else last


def _choose(
    draw: Callable[..., Any],
    label: str,
    names: Mapping[str, str],
    key: str,
    default: str | None,
    look: Mapping[str, Any],
    then: Callable[[], None] = lambda: None,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    default = DEFAULTS[key] if default is None else default
    asked = note(label, key=key, default=default)
    asked = renamed.get(asked, asked)
    shown, distinct = f"{key}_shown", _distinct(names)
    usual = default if default in names else list(names)[0 if default else -1]
    chosen = asked if asked in names else usual
    st.session_state[shown] = chosen
    follow = {"on_change": _follow, "args": (key, shown, then)}
    draw(label, list(names), format_func=distinct.__getitem__, key=shown, **follow, **look)
    return chosen


def _follow(key: str, shown: str, then: Callable[[], None]) -> None:
    chosen = st.session_state[shown]
    if chosen is not None and not _outdated(key, chosen):
        _hold(key, chosen)
        _complete_link()
        then()


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Tell equal labels apart by zero-width spaces: Streamlit finds the option by its label."""
    seen: dict[str, int] = {}
    made = {}
    for each, name in names.items():
        seen[name] = seen.get(name, -1) + 1
        made[each] = name + "\u200b" * seen[name]
    return made
