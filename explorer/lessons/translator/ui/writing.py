"""A translation while it is being written, and a way to stop it."""

import html
from collections.abc import Sequence
from typing import Self

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.inference.translator.piece import Piece
from explorer.inference.translator.request import Params
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons.translator import sentences as texts
from explorer.records.language import t
from explorer.service.translation.requests import translate
from explorer.service.translation.ticket import QueueRefused, Ticket, TranslatedSentence
from explorer.ui import messages
from explorer.ui.scene import beside
from explorer.ui.streamlit_internals import script_run

#: A translation that is there within this time is drawn once, finished.
SOON_S = 0.15
#: How often what is written is drawn, and after how long it can be stopped.
DRAW_EVERY_S, STOPPABLE_AFTER = 0.1, 3
_WRITING = """<p class="translated writing" translate="no">{text}<span aria-hidden="true">▍</span></p>"""
#: Keys of what was being written when it was stopped, and of what the text was read as then.
_STOPPED, _READ = "tr_stopped", "tr_read"


def follow(
    translator: LoadedTranslator, name: str, params: Params, found: Sequence[Piece], position: str
) -> tuple[Sequence[Piece], tuple[TranslatedSentence, ...]] | None:
    """Have a text translated, showing what is written meanwhile; None if it was stopped or refused (which it says).

    A sentence that was read with something else in the place of what must be copied, which cannot be put back, is read
    otherwise; the pieces that were read in the end are returned with what was written.

    Whatever ends the script run (a click, a closed tab, another text) ends the wait, and what nobody waits for is not
    computed any further.

    Args:
        name: of the text and how it is searched: what was stopped stays stopped until it changes.
        params: how it is searched.
        found: the text as it is read.
        position: style sheet of the translation.

    Raises:
        InputRefused: one sentence is too long.
    """
    if st.session_state.get(_STOPPED, ("",))[0] == name:
        _stopped(translator, position)
        return None
    try:
        with _Board() as board:
            while True:
                with translate(texts.requests(params, found), owner=script_run.session_id()) as ticket:
                    if not ticket.done and not ticket.wait_for_all(SOON_S):
                        board.write(translator, name, found, ticket, position)
                    answers = ticket.answers()
                more = texts.attempts(translator, [each.hypotheses[0].ids for each in answers], found)
                if not more:
                    return found, answers
                found = texts.sentences(params, attempts=more)
    except QueueRefused as refused:
        _refused(refused)
        return None


class _Board:
    """The place in which a text is drawn while it is written; wiped in the end.

    It is made once, however often the text is read otherwise: a button may be drawn once in a run.
    """

    def __init__(self) -> None:
        self._whole: DeltaGenerator | None = None
        self._looks = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wipe it, unless the run is broken off: the next one draws over it."""
        if self._whole is not None and (kind is None or issubclass(kind, Exception)):
            self._whole.empty()

    def write(
        self, translator: LoadedTranslator, name: str, found: Sequence[Piece], ticket: Ticket, position: str
    ) -> None:
        """Draw what is written until all of it is."""
        if self._whole is None:
            self._whole = st.empty()
            with self._whole.container():
                # The button stands above what grows: below, it would move away from under the pointer.
                self._button, self._text, self._below = st.empty(), st.empty(), st.empty()
        while not ticket.wait_for_all(DRAW_EVERY_S):
            self._looks += 1
            ids = ticket.so_far()
            st.session_state["tr_so_far"] = name, ids
            st.session_state[_READ] = found
            so_far = texts.join(texts.detokenize(translator, ids, found, ended=False))
            self._text.html(f"<style>{position}</style>" + _WRITING.format(text=html.escape(so_far)))
            self._below.caption(_where(ticket))
            if self._looks == STOPPABLE_AFTER:
                self._button.button(t("Stop"), key="tr_stop", icon=":material/stop:", on_click=_stop)
            if _has_gone():
                st.stop()


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


def _stopped(translator: LoadedTranslator, position: str) -> None:
    """Draw what had been written, and the way on."""
    _, ids = st.session_state[_STOPPED]
    found = st.session_state[_READ]
    text = html.escape(texts.join(texts.detokenize(translator, ids, found, ended=False))) or "∅"
    beside.show(f'<p class="translated" translate="no">{text} …</p>', style=position)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/stop_circle: {t('Stopped: this is the best that was found until then.')}")
        st.button(t("Translate to the end"), key="tr_go_on", icon=":material/play_arrow:", on_click=_go_on)


def _refused(refused: QueueRefused) -> None:
    messages.error(refused.explain())
    st.button(t("Try again"), key="tr_again", icon=":material/refresh:")
    if refused.detail:
        messages.exactly([refused.detail])


def shortages(answers: Sequence[TranslatedSentence]) -> None:
    """Say it where the device's memory ran out."""
    kinds = {each.shortage for each in answers}
    if "cpu" in kinds:
        messages.warning(
            t("The graphics card ran out of memory, so this was translated on the CPU."), ":material/memory:"
        )
    elif "split" in kinds:
        messages.warning(
            t("The graphics card ran out of memory, so this was translated in smaller batches."), ":material/memory:"
        )


def _has_gone() -> bool:
    """Return whether the browser has closed the connection. Without a server there is none."""
    return script_run.has_server() and not script_run.is_connected(script_run.session_id())
