"""A translation while it is being written, and a way to stop it."""

import html
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.runtime import exists
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.inference.translator.pieces import Piece
from explorer.inference.translator.request import Params
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons.translator import sentences as sentences_of_lesson
from explorer.service.translation.requests import translate
from explorer.service.translation.ticket import QueueRefused, Ticket, TranslatedSentence
from explorer.ui import figure_card, visitors
from explorer.ui.language import t

#: A translation that is there within this time is drawn once, finished.
SOON_S = 0.15
#: How often what is written is drawn, and after how long it can be stopped.
DRAW_EVERY_S, STOPPABLE_AFTER = 0.1, 3
_WRITING = """<p class="translated writing">{text}<span aria-hidden="true">▍</span></p>"""
_STOPPED = "tr_stopped"


def follow(
    translator: LoadedTranslator, name: str, found: Sequence[Piece], sentences: Sequence[Params], place: str
) -> tuple[TranslatedSentence, ...] | None:
    """Have sentences translated, showing what is written meanwhile; None if it was stopped or refused (which it says).

    Whatever ends the script run (a click, a closed tab, another text) ends the wait, and what nobody waits for is not
    computed any further.

    Args:
        name: of the text and how it is searched: what was stopped stays stopped until it changes.
        sentences: what is asked for them.
        place: CSS of the translation.

    Raises:
        InputRefused: one sentence is too long.
    """
    if st.session_state.get(_STOPPED, ("",))[0] == name:
        _stopped(translator, found, place)
        return None
    try:
        with translate(sentences, owner=session()) as ticket:
            if not ticket.done and not ticket.wait_for_all(SOON_S):
                _write(translator, name, found, ticket, place)
            return ticket.answers()
    except QueueRefused as refused:
        _refused(refused)
        return None


def _write(translator: LoadedTranslator, name: str, found: Sequence[Piece], ticket: Ticket, place: str) -> None:
    """Draw what is written until all of it is."""
    where = st.empty()
    with where.container():
        # The button stands above what grows: below, it would move away from under the pointer.
        button, text, below = st.empty(), st.empty(), st.empty()
    looks = 0
    while not _all_there(ticket, where):
        looks += 1
        ids = ticket.so_far()
        st.session_state["tr_so_far"] = (name, ids)
        so_far = sentences_of_lesson.join(sentences_of_lesson.detokenize(translator, ids, found))
        text.html(place + _WRITING.format(text=html.escape(so_far)))
        below.caption(_where(ticket))
        if looks == STOPPABLE_AFTER:
            button.button(t("Stop"), key="tr_stop", icon=":material/stop:", on_click=_stop)
        if _has_gone():
            st.stop()
    where.empty()


def _all_there(ticket: Ticket, where: Any) -> bool:
    """Wait a moment; what stands there of the waiting goes if it was in vain."""
    try:
        return ticket.wait_for_all(DRAW_EVERY_S)
    except QueueRefused:
        where.empty()
        raise


def _where(ticket: Ticket) -> str:
    """Return what it waits for."""
    if not ticket.running:
        return f":material/hourglass_top: {t('Waiting for a free translator …')}"
    written = sum(len(ids) for ids in ticket.so_far())
    return f":material/edit: {t('Translating … {n} tokens so far').format(n=written)}"


def _stop() -> None:
    st.session_state[_STOPPED] = st.session_state.get("tr_so_far", ("", ()))


def _go_on() -> None:
    st.session_state.pop(_STOPPED, None)


def _stopped(translator: LoadedTranslator, found: Sequence[Piece], place: str) -> None:
    """Draw what had been written, and the way on."""
    _, ids = st.session_state[_STOPPED]
    text = html.escape(sentences_of_lesson.join(sentences_of_lesson.detokenize(translator, ids, found))) or "∅"
    st.html(place + f'<p class="translated">{text} …</p>')
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/stop_circle: {t('Stopped: this is the best that was found until then.')}")
        st.button(t("Translate to the end"), key="tr_go_on", icon=":material/play_arrow:", on_click=_go_on)


def _refused(refused: QueueRefused) -> None:
    st.error(figure_card.escape(refused.explain(t)), icon=":material/error:")
    st.button(t("Try again"), key="tr_again", icon=":material/refresh:")
    if refused.detail:
        with st.expander(t("What exactly is wrong")):
            st.text(refused.detail)


def shortages(answers: Sequence[TranslatedSentence]) -> None:
    """Say it where the device's memory ran out."""
    kinds = {each.shortage for each in answers}
    if "cpu" in kinds:
        st.warning(
            t("The graphics card ran out of memory, so this was translated on the CPU."), icon=":material/memory:"
        )
    elif "split" in kinds:
        st.warning(
            t("The graphics card ran out of memory, so this was translated in smaller batches."),
            icon=":material/memory:",
        )


def session() -> str:
    """Return the name of the session whose script this is."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def _has_gone() -> bool:
    """Return whether the browser has closed the connection. Without a server there is none."""
    return exists() and not visitors.connected(session())
