"""Widgets that several scenes share, all bound to the link, and the text that they describe."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from explorer.figures import theme
from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings, state
from explorer.lessons.text_generation.live import live_text
from explorer.records.language import t
from explorer.records.wording import parse_int
from explorer.scenes.text_generation import PROMPTS, SLIDERS
from explorer.ui import cache, choice, fields, job_progress, messages
from explorer.ui.live.told import Action, Index, Told
from explorer.ui.scene import rail, runs_on

#: Where each kind of beginning is kept: a model of verse and one of plays have a box each.
TEXTS: dict[str, str] = {"plays": "tg_text", "verse": "tg_line", "letters": "tg_letters"}
EXAMPLES = {
    "plays": (PROMPTS["tg_text"], "To be, or not to be, ", "KING RICHARD III:\nMy horse", "First Citizen:\n", ""),
    "verse": (PROMPTS["tg_line"], "白日依山尽，", "春风又绿江南岸，", "故人西辞黄鹤楼，", ""),
    "letters": (PROMPTS["tg_letters"], "abcdefghabc", "aaaaaa", "qwertyqwe", ""),
}
#: Signs that stand for what cannot be typed into a line.
READ = {"␣": " ", "⏎": "\n", "⇥": "\t"}


def ask_writer(*shown: str, beginning: bool = False) -> lesson.Params | None:
    """Ask who writes what and how; what is not shown in the rail stands in the fold.

    Args:
        shown: sliders of the rail, in order: names of `lesson.Params`.
        beginning: whether the beginning of the text stands in the rail.

    Returns:
        None, and a message, if there is no model.
    """
    models = {each.name: each for each in state.models()}
    if not models:
        messages.no_checkpoints(state.find_unusable())
        return None
    position = st.container()
    said = {name: choice.ask(f"tg_{name}") for name in shown}
    with rail.more():
        names = {each: _named(model) for each, model in models.items()}
        name = choice.select(t("Model"), names, key="tg_model", default=next(iter(models)))
        messages.left_out(state.find_unusable())
        key = TEXTS[models[name].writes]
        with position if beginning else st.container():
            hint = t("Leave it empty and the model begins by itself")
            label = t("Beginning of the text")
            prompt = choice.area(label, state.MOST_CHARACTERS, key=key, height=68, placeholder=hint)
        _examples(models[name].writes, key)
        said |= rail.ask({key: each for key, each in SLIDERS.items() if each.field_of(key) not in shown})
    choice.hidden_param("tg_place", key="tg_place", most=6)
    return lesson.Params(checkpoint=name, prompt=prompt, **said)


def text_beside(params: lesson.Params | None, draw: Callable[[lesson.Result], None]) -> None:
    """Draw what stands on a stage as soon as the text is written: a class does not wait for each other's texts."""
    if params is None:
        return
    with messages.explain(params.checkpoint):
        draws = partial(_drawn, draw)
        job_progress.compute_with_progress("tg_written_text", _text, params, draws, said=t("Writing …"))


def _text(params: lesson.Params) -> lesson.Result:
    """Write a text, and compute all that its live pictures show."""
    result = cache.compute(lesson.compute, params)
    live_text.steps(result)
    return result


def _drawn(draw: Callable[[lesson.Result], None], result: lesson.Result) -> None:
    by = result.provenance
    runs_on.note(runs_on.describe_device(by.device, by.dtype, result.done / result.seconds))
    _remarks(result)
    draw(result)


def _remarks(result: lesson.Result) -> None:
    """Say what of the beginning the model cannot read."""
    if result.unknown:
        named = ", ".join(theme.visible(each, 12) for each in result.unknown[:12])
        more = " …" if len(result.unknown) > 12 else ""
        said = t("This model has never seen {characters}: it reads each of them as one and the same unknown character.")
        messages.warning(said.format(characters=f"{named}{more}"), ":material/help:")
    if result.dropped:
        said = t("This model sees {window} characters: the first {n} of the text are left out.")
        messages.info(said.format(window=result.window, n=f"{result.dropped:,}"), ":material/content_cut:")


def asked_position(result: lesson.Result, usual: int) -> int:
    """Return the place that the link or a click asks for.

    Args:
        usual: the place if nobody asks.
    """
    position = parse_int(st.session_state.get("tg_place") or "")
    return state.clamp_place(result, usual if position is None else position)


def open_place(position: int) -> None:
    """Look at this token from now on; in a callback."""
    fields.set_values({"tg_place": str(position)})


def tells(result: lesson.Result) -> dict[str, Told]:
    """Return what a text tells that can be asked."""
    return {"asked": Action(open_place, position=Index(len(result.ids) + 1))}


def step(result: lesson.Result, position: int) -> None:
    """Show two buttons that go to the token before and after."""
    last, named = len(result.text.labels), readings.token_at(result, position)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        back: dict[str, Any] = {"on_click": open_place, "args": (position - 1,), "disabled": position == 1}
        st.button("←", key="tg_back", help=t("The character before"), **back)
        st.markdown(f"{t('Character')} **{position} · {messages.plain(named)}**", width="content")
        on: dict[str, Any] = {"on_click": open_place, "args": (position + 1,), "disabled": position == last}
        st.button("→", key="tg_forth", help=t("The character after"), **on)


def head(checkpoint: str, *, every: bool = True) -> tuple[int | None, int | None]:
    """Ask for a layer and a head of it, or for the mean over all.

    Args:
        every: whether the mean over all layers can be chosen.
    """
    n_layers, n_heads = look.shape(checkpoint)
    layers = {"all": t("all")} if every else {}
    layers |= {str(each): str(each) for each in range(n_layers)}
    layer = choice.buttons(t("Layer"), layers, key="tg_layer", default=next(iter(layers)))
    if layer == "all":
        choice.hidden_param("tg_head", key="tg_head", most=6)
        return None, None
    heads = {"mean": t("mean")} | {str(each): str(each) for each in range(n_heads)}
    number = choice.buttons(t("Head"), heads, key="tg_head")
    return int(layer), None if number == "mean" else int(number)


def open_head(layer: int, number: int) -> None:
    """Look at this head from now on; in a callback."""
    fields.set_values({"tg_layer": str(layer), "tg_head": str(number)})


def instead() -> str:
    """Ask for the character that stands at the chosen place instead; an empty text stands for the likeliest other."""
    typed = choice.text(t("Another character"), 4, key="tg_instead")
    return READ.get(typed, typed)[:1]


def likely(characters: Sequence[str]) -> None:
    """Show characters that can be put at the chosen place by a click."""
    with st.container(horizontal=True, gap="small"):
        for number, each in enumerate(characters):
            st.button(
                messages.plain(each),
                key=f"tg_likely_{number}",
                help=t("Put this one there"),
                on_click=fields.set_values,
                args=({"tg_instead": READ.get(each, each)},),
            )


def model(first: str = "") -> str | None:
    """Ask for the model alone, at first the one of this name. None, and a message, if there is none."""
    models = {each.name: each for each in state.models()}
    if not models:
        messages.no_checkpoints(state.find_unusable())
        return None
    names = {each: _named(found) for each, found in models.items()}
    return choice.select(t("Model"), names, key="tg_model", default=first if first in models else next(iter(models)))


def _named(found: state.TextModel) -> str:
    said = {"plays": t("Shakespeare"), "verse": t("Chinese verse"), "letters": t("repeated letters")}
    return f"{found.name} · {said[found.writes]} · " + t("window {n}").format(n=found.window)


def _examples(writes: state.Writes, key: str) -> None:
    nothing = t("nothing")
    with st.popover(t("Other beginnings"), icon=":material/lightbulb:"):
        choice.examples(EXAMPLES[writes], key, lambda text: text.replace("\n", " ⏎ ").strip() or nothing, tg_place="")
