"""Widgets that the link carries, each with the default that its scene states; what is chosen by name is so by an id.

Streamlit writes what a choice *shows* into the address: “平均”, or “le” for the second of two equal tokens. A link made
in one language would then mean nothing in the other. Here a hidden bound text field carries a stable id, and the
visible control follows it.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar, cast

import streamlit as st

from explorer.records.language import t
from explorer.scenes import CONTROLS, DEFAULTS
from explorer.scenes.controls import Buttons, Select, SelectSlider, Slider, TextInput, Toggle
from explorer.ui import fields, stops
from explorer.ui.messages import plain

Number = TypeVar("Number", int, float)
_ID_CHARACTERS = 40
_BOUND: dict[str, Any] = {"bind": "query-params"}


def ask(key: str, **look: Any) -> Any:
    """Ask what the scenes declare by this key; `look` has further arguments of its widget.

    Raises:
        KeyError: if the scenes declare no such control.
    """
    control = CONTROLS[key]
    texts = {"label": t(control.label), "help": t(control.help) if control.help else None}
    look = {"key": key, **texts, **look}
    match control:
        case Slider(low=low, high=high, step=step, format=form):
            return slider(least=low, most=high, step=step, format=form, **look)
        case SelectSlider(options=options):
            return select_slider(options=options, **look)
        case Toggle():
            return toggle(**look)
        case TextInput(most=most, placeholder=hint):
            return text(most=most, placeholder=t(hint) if hint else None, **look)
        case Select(names=names):
            draw = buttons if isinstance(control, Buttons) else select
            return draw(names={each: t(name) for each, name in names.items()}, **look)
    raise KeyError(key)


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
    _hold_within(key, lambda held: min(max(held, least), most))
    fields.link(key, usual)
    value = _ask(st.slider, key, label, least, most, usual, step, **look)
    form = look.get("format") or stops.usual_format(least)
    stops.add(key, label, stops.between(least, most, step), form, value, disabled=look.get("disabled", False))
    return cast("Number", value)


def select_slider(label: str, options: Sequence[Number], *, key: str, **look: Any) -> Number:
    """Ask for one of some numbers; `look` has further arguments of `st.select_slider`."""
    _hold_within(key, lambda held: min(options, key=lambda option: abs(option - held)))
    value = _ask(st.select_slider, key, label, options, DEFAULTS[key], **look)
    stops.add(key, label, options, "%s", value, disabled=look.get("disabled", False))
    return cast("Number", value)


def toggle(label: str, *, key: str, **look: Any) -> bool:
    """Ask for yes or no; `look` has further arguments of `st.toggle`."""
    return bool(_ask(st.toggle, key, label, DEFAULTS[key], **look))


def text(label: str, most: int, *, key: str, **look: Any) -> str:
    """Ask for a line of at most so many characters; `look` has further arguments of `st.text_input`."""
    return _ask(st.text_input, key, label, DEFAULTS[key], most, **look) or ""


def area(label: str, most: int, *, key: str, **look: Any) -> str:
    """Ask for lines of at most so many characters; `look` has further arguments of `st.text_area`."""
    return _ask(st.text_area, key, label, DEFAULTS[key], max_chars=most, **look) or ""


def _hold_within(key: str, nearest: Callable[[Any], Any]) -> None:
    """Bring what a field holds to the nearest that it may: Streamlit draws none that holds anything else.

    A link that is followed, or data that has changed, may have left it so: who sets it does not know these bounds.
    """
    held = st.session_state.get(key)
    if isinstance(held, int | float) and (kept := nearest(held)) != held:
        fields.follow(key, kept)


def _ask(
    draw: Callable[..., Any],
    key: str,
    *given: Any,
    on_change: Callable[..., None] = lambda *_: None,
    args: tuple[Any, ...] = (),
    **look: Any,
) -> Any:
    """Draw a field that the link carries, and return what it holds."""
    fields.before_draw(key)
    value = draw(*given, key=key, on_change=fields.accept_unless_stale, args=(key, on_change, args), **_BOUND, **look)
    fields.after_draw(key, value)
    return value


def examples(texts: Sequence[str], key: str, shown: Callable[[str], str] = str, **also: Any) -> None:
    """Show texts to put into a box of this key, as `shown` writes them; `also` is what else is set in the session."""
    for number, each in enumerate(texts):
        new = {key: each, **also}
        said = plain(shown(each))
        st.button(said, key=f"example_{number}", type="tertiary", on_click=fields.set_values, args=(new,))


def buttons(
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
        names: stable id to what is shown (Markdown: what users wrote is made `plain`). Equal names stay apart.
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
    """Draw a choice as a drop-down list, whose names are no Markdown: nothing in them is made `plain`.

    `renamed` has ids that older links use, and what each is called now.
    """
    return _choose(st.selectbox, label, names, key, default, look, then, renamed=renamed)


def number(label: str, count: int, *, key: str, draw: Callable[..., str] = buttons, **look: Any) -> int:
    """Show the numbers from 0, one of them chosen; as a row of buttons, if `draw` is no other choice."""
    names = {str(each): str(each) for each in range(count)}
    return int(draw(label, names, key=key, default=str(min(int(DEFAULTS[key]), count - 1)), **look))


def hidden_param(label: str, *, key: str, most: int = _ID_CHARACTERS, default: str | None = None) -> str:
    """Return a text that the link carries and nobody sees, of at most so many characters."""
    usual = DEFAULTS[key] if default is None else default
    fields.link(key, usual)
    with st.container(key=f"{key}_in_url"):
        fields.before_draw(key)
        value = st.text_input(
            label, usual, most, key, label_visibility="collapsed", on_change=fields.keep, args=(key,), **_BOUND
        )
    fields.after_draw(key, value or "")
    return value or ""


def step(label: str, *, key: str, last: int, first: int = 0) -> int:
    """Return a step from 0 to `last` that the link carries and a film shows; whatever the link says, it exists.

    Args:
        label: of the hidden field.
        key: of the field; by default it is empty for the last step.
        last: step.
        first: what the link calls step 0.
    """
    asked = hidden_param(label, key=key, most=6)
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
    asked = hidden_param(label, key=key, default=default)
    asked = asked if asked in names else renamed.get(asked, asked)
    shown, distinct = f"{key}_shown", _distinct(names)
    usual = default if default in names else list(names)[0 if default else -1]
    chosen = asked if asked in names else usual
    st.session_state[shown] = chosen
    follow = {"on_change": _follow, "args": (key, shown, then)}
    draw(label, list(names), format_func=distinct.__getitem__, key=shown, **follow, **look)
    return chosen


def _follow(key: str, shown: str, then: Callable[[], None]) -> None:
    chosen = st.session_state[shown]
    if chosen is not None and not fields.is_outdated(key, chosen):
        fields.follow(key, chosen)
        then()


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Tell equal labels apart by zero-width spaces: Streamlit finds the option by its label."""
    seen: dict[str, int] = {}
    made = {}
    for each, name in names.items():
        seen[name] = seen.get(name, -1) + 1
        made[each] = name + "\u200b" * seen[name]
    return made
