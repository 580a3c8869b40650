"""Work beside a page: started, watched from a fragment, stopped.

A script run is cut off by any click, and keeps all others waiting for the interpreter, so work of about a second or
more does not live in one. A lesson offers it as a generator that yields ever more complete results; a thread walks
through it and can be stopped between two of them (`explorer.service.background_jobs`).
"""

import uuid
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Protocol, TypeVar

import streamlit as st

from explorer.records.language import t
from explorer.service.background_jobs import LOOK_EVERY_S, Job, background_jobs, short_jobs
from explorer.ui import cache, downloads, messages
from explorer.ui.paper.collected import collecting

P = TypeVar("P")


class Progress(Protocol):
    """A result of long work, as far as it is known after a step."""

    @property
    def done(self) -> int:
        """Return parts that are done."""

    @property
    def total(self) -> int:
        """Return parts in all."""


S = TypeVar("S", bound=Progress)
R = TypeVar("R")
#: How long a page waits for work that it starts by itself: where nothing else is at work, and where others come first.
ALONE_S, IN_LINE_S = 1.5, 0.2
#: When it looks again, and how much later for each who comes first: else a class would keep the server busy by looking.
SOON_S, EACH_S = 0.3, 0.2
#: Height of what stands in its place, in pixels.
_PICTURE = 400


def watch(
    key: str,
    compute: Callable[[P], Iterator[S]],
    params: P,
    draw: Callable[[S], None],
    *,
    label: str,
    note: str = "",
    before: Callable[[], None] = lambda: None,
) -> None:
    """Draw long work: a button that starts it, its progress with a way to stop, and its result as far as it is known.

    The result of equal parameters is there at once, whoever computed it.

    Args:
        key: English name, unique on the page.
        compute: a lesson's generator; it yields frozen results with `done` and `total`.
        params: its frozen parameters.
        draw: draws a result, complete or not.
        note: what it will cost, translated; stands beside the button.
        before: draws what stands there until there is a first result.
    """
    name = _name(compute, params)
    job = _mine(key, name)
    running = job is not None and not job.ended
    st.fragment(_watched, run_every=LOOK_EVERY_S if running else None)(
        key, name, compute, params, draw, label, note, before
    )


def _watched(
    key: str,
    name: str,
    compute: Callable[[P], Iterator[S]],
    params: P,
    draw: Callable[[S], None],
    label: str,
    note: str,
    before: Callable[[], None],
) -> None:
    job = _mine(key, name)
    if job is None or (job.ended and not job.complete):
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(label, key=f"{key}_start", icon=":material/play_arrow:")
            if note:
                st.caption(note)
        if pressed:
            st.session_state.pop(f"{key}_left", None)
            background_jobs().start(name, _me(), lambda: compute(params))
            st.rerun()  # the whole page, so that the fragment begins to look every moment
    if job is None:
        before()
        return
    _status(key, name, job)
    if job.latest is None:
        before()
    else:
        with downloads.while_updating(not job.ended):
            draw(job.latest)
    ended_before, st.session_state[f"{key}_ended"] = st.session_state.get(f"{key}_ended"), job.ended
    if job.ended and ended_before is False:
        st.rerun()  # and ceases to


def at_once(
    key: str,
    compute: Callable[[P], Iterator[R]],
    params: P,
    draw: Callable[[R], None],
    *,
    before: Callable[[], object],
    patience_s: float | None = None,
    whole: bool = False,
) -> None:
    """Draw work of about a second that starts by itself, and what is known of it before it ends.

    The page waits for it a moment. Where a class asks for forty such works they are done one after the other, beside
    the pages, which are drawn without them; work that its reader has passed by is left out.

    Args:
        key: English name, unique on the page.
        compute: a generator; it yields ever more complete results.
        params: its frozen parameters.
        draw: draws a result, complete or not.
        before: draws what stands there until there is a first result.
        patience_s: how long the page waits; if not given, long where nobody else does.
        whole: whether only a complete result is drawn, which may then fill containers of the page.

    Raises:
        Exception: what the work raised.
    """
    jobs, name = short_jobs(), _name(compute, params)
    passed = st.session_state.get(f"{key}_asked", name)
    st.session_state[f"{key}_asked"] = name
    given_up = jobs.find(passed, _me()) if passed != name else None
    if given_up is not None and not given_up.ended:
        jobs.leave(given_up, _me())
    job = jobs.find(name, _me())
    if job is None or job.stop.is_set():
        job = jobs.start(name, _me(), lambda: compute(params))
    position = jobs.place_in_line(job)
    if patience_s is None:
        patience_s = IN_LINE_S if position else ALONE_S
    if collecting():  # nobody looks again at what goes on paper
        while not job.over.wait(LOOK_EVERY_S):
            jobs.find(name, _me())  # so that it is not forgotten
    else:
        job.over.wait(patience_s)
    if job.error is not None:
        jobs.drop(name)
        raise job.error
    if job.ended:
        draw(job.latest)
    else:
        st.fragment(_soon, run_every=SOON_S + position * EACH_S)(name, job, None if whole else draw, before)


def _soon(name: str, job: Job, draw: Callable[[R], None] | None, before: Callable[[], object]) -> None:
    short_jobs().find(name, _me())  # so that it is not forgotten
    if job.ended:
        st.rerun()  # the whole page, which looks no more
    if draw is None or job.latest is None:
        before()
    else:
        with downloads.while_updating(True):
            draw(job.latest)


def compute_with_progress(
    key: str, function: Callable[[P], R], params: P, draw: Callable[[R], None], *, said: str
) -> None:
    """Draw what `cache.compute` returns, computed at once beside the page; a skeleton holds the picture's place.

    Args:
        said: what it waits for, translated.

    Raises:
        Exception: what the function raised.
    """

    @wraps(function)
    def once(params: P) -> Iterator[R]:
        yield cache.compute(function, params)

    def before() -> None:
        st.caption(said)
        st.skeleton(height=_PICTURE)

    at_once(key, once, params, draw, before=before, whole=True)


def _name(compute: Callable[..., object], params: object) -> str:
    return f"{compute.__module__}.{compute.__qualname__}({params!r})"


def _me() -> str:
    """Return the name of this session."""
    return str(st.session_state.setdefault("jobs_watcher", uuid.uuid4().hex))


def _mine(key: str, name: str) -> Job | None:
    """Return the job this session looks at: none if it has left it."""
    return None if st.session_state.get(f"{key}_left") == name else background_jobs().find(name, _me())


def _leave(key: str, name: str, job: Job) -> None:
    """Stop looking. What was computed stays with the job; if it goes on for others, this session can join again."""
    background_jobs().leave(job, _me())
    if not job.stop.is_set():
        st.session_state[f"{key}_left"] = name


def _status(key: str, name: str, job: Job) -> None:
    """Say how far the work has come."""
    if job.error is not None:
        messages.error(
            t("This broke off ({error}). Press the button to try again.").format(error=type(job.error).__name__)
        )
    elif job.complete:
        return
    elif job.stop.is_set():
        st.caption(f":material/stop_circle: {t('Stopped: what was computed until then is shown.')}")
    else:
        done, total = (job.latest.done, job.latest.total) if job.latest is not None else (0, 1)
        before = background_jobs().place_in_line(job)
        text = t("Waiting for {count} other computations …") if before else t("{done} of {total}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(done / max(total, 1), text.format(count=before, done=done, total=total))
            leave = (key, name, job)
            st.button(t("Stop"), key=f"{key}_stop", icon=":material/stop:", on_click=_leave, args=leave)
