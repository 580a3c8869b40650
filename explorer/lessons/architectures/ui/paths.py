"""How a signal travels: four networks, one clock."""

from functools import partial

import streamlit as st

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, state
from explorer.lessons.architectures.compute import walks
from explorer.lessons.architectures.figures import paths as figures
from explorer.lessons.architectures.signal_paths import walk
from explorer.lessons.architectures.ui import controls as widgets
from explorer.lessons.architectures.ui import tables
from explorer.records import Provenance
from explorer.records.provenance import name_of
from explorer.ui import choice, player
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (walk,)


Chosen = lesson.View


def controls() -> Chosen:
    """Ask for the step by slider, buttons, arrow keys or Play; for both words, and the kernel."""
    step = _step()
    source, target = widgets.position(t("From word"), "ar_from"), widgets.position(t("To word"), "ar_to")
    return Chosen(kernel=widgets.kernel(), source=source, target=target, step=step)


def _step() -> int:
    last = state.POSITIONS
    with st.container(key="ar_step_in_url"):
        asked = st.text_input(
            t("Step"),
            widgets.DEFAULTS["ar_step"],
            max_chars=4,
            key="ar_step",
            label_visibility="collapsed",
            bind="query-params",
        )
    now = min(int(asked), last) if asked and asked.isascii() and asked.isdigit() else 0
    st.session_state["ar_step_shown"] = now
    st.slider(t("Step"), 0, last, key="ar_step_shown", on_change=_slid)
    with st.container(horizontal=True, gap="small", key="ar_stepper"):
        player.play("ar_play", now, last, _go, around="ar_stepper")
        choice.move(t("Step back"), ":material/chevron_left:", "ar_previous", _go, now - 1, off=now == 0)
        choice.move(t("Step on"), ":material/chevron_right:", "ar_next", _go, now + 1, off=now == last)
    return now


def _slid() -> None:
    _go(int(st.session_state["ar_step_shown"]))


def _go(step: int) -> None:
    st.session_state["ar_step"] = str(max(step, 0))


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the networks, with the way that the signal has gone so far."""
    records = walks(lesson.Params(kernel=chosen.kernel), chosen.source, chosen.target)
    picture.show(
        "ar_paths",
        partial(figures.paths, records, chosen.step, names=readings.names(t), t=t),
        title=t("After {step} steps").format(step=chosen.step),
        note=t("strong: the way of the signal · faint: connections"),
        reading=readings.describe_paths(records, chosen.step, t),
        table=lambda: tables.paths(records),
        provenance=Provenance(
            computed_by=name_of(walk),
            dtype="integers",
            detail=f"{state.POSITIONS} positions, kernel {chosen.kernel}",
        ),
        of=chosen,
    )
    return {}


def answer() -> predict.Answer:
    """Say how many layers join the ends, by searching the connections."""
    found = {each.name: each for each in walks(lesson.Params(), 0, state.POSITIONS - 1)}
    layers = found["convolution"].steps or 0
    right = min(("1", "7", "15"), key=lambda each: abs(int(each) - layers))
    read = found["recurrence"].waits
    return right, {"layers": str(layers), "read": str(read), "attention": str(found["attention"].steps)}
