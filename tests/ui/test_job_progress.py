"""Long work: shared, stopped, forgotten, broken off, and never more at once than stated."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from explorer.service import background_jobs as office_module
from explorer.service.background_jobs import (
    LOOK_EVERY_S,
    LOOKED_AWAY_AFTER_S,
    BackgroundJobs,
    Job,
    background_jobs,
    short_jobs,
)
from explorer.service.kept import Kept, list_kept
from explorer.ui import job_progress
from tests.support.waiting import until


@dataclass(frozen=True)
class Count:
    done: int
    total: int


class Slow:
    """Work whose every step waits until the test lets it go."""

    def __init__(self, steps: int = 3) -> None:
        self.steps, self.gate, self.closed = steps, threading.Semaphore(0), False

    def __call__(self) -> Iterator[Count]:
        try:
            for number in range(self.steps):
                self.gate.acquire()
                yield Count(number + 1, self.steps)
        finally:
            self.closed = True

    def go(self, steps: int = 1) -> None:
        self.gate.release(steps)


def test_ever_more_complete_results() -> None:
    office, slow = BackgroundJobs(), Slow()
    job = office.start("a", "me", slow)
    slow.go()
    until(lambda: job.latest == Count(1, 3))
    assert not job.ended
    slow.go(2)
    until(lambda: job.ended)
    assert job.complete
    assert office.find("a", "you") is job
    assert office.start("a", "you", Slow()) is job


def test_two_who_ask_for_the_same_share_one_and_one_leaving_does_not_stop_it() -> None:
    office, slow = BackgroundJobs(), Slow()
    job = office.start("a", "me", slow)
    assert office.start("a", "you", Slow()) is job
    job.leave("you")
    assert not job.stop.is_set()
    job.leave("me")
    slow.go()
    until(lambda: job.ended)
    assert not job.complete
    assert job.latest == Count(1, 3)
    until(lambda: slow.closed)


def test_stopped_work_can_be_started_again() -> None:
    office, slow = BackgroundJobs(), Slow()
    first = office.start("a", "me", slow)
    first.leave("me")
    slow.go()
    until(lambda: first.ended)
    again = Slow(1)
    second = office.start("a", "me", again)
    assert second is not first
    again.go()
    until(lambda: second.complete)


def test_what_is_stopped_in_line_has_ended_and_can_be_started_again() -> None:
    office, first = BackgroundJobs(most_running=1), Slow(1)
    running = office.start("a", "me", first)
    waiting, last = office.start("b", "you", Slow(1)), office.start("c", "they", Slow(1))
    office.leave(waiting, "you")
    assert waiting.ended
    assert not waiting.complete
    assert office.place_in_line(last) == 1
    assert office.start("b", "you", Slow(1)) is not waiting
    assert not running.stop.is_set()
    first.go()


def test_who_looked_a_moment_ago_keeps_a_job_going() -> None:
    office = BackgroundJobs()
    job = office.start("a", "me", Slow())
    office.start("a", "you", Slow())
    job.watchers["you"] -= 3 * LOOK_EVERY_S
    office.leave(job, "me")
    assert not job.stop.is_set()
    job.watchers["you"] -= LOOKED_AWAY_AFTER_S
    office.leave(job, "me")
    assert job.stop.is_set()


def test_no_more_at_once_than_stated() -> None:
    office, works = BackgroundJobs(most_running=1), [Slow(1), Slow(1), Slow(1)]
    running = [office.start(str(number), "me", work) for number, work in enumerate(works)]
    assert [office.place_in_line(job) for job in running] == [0, 1, 2]
    running[1].leave("me")
    works[2].go()
    works[0].go()
    until(lambda: running[2].ended)
    assert running[1].ended
    assert running[1].latest is None
    assert running[2].complete


def test_readers_take_turns() -> None:
    office, works = BackgroundJobs(most_running=1), [Slow(1) for _ in range(4)]
    jobs = [office.start(str(number), "abaa"[number], work) for number, work in enumerate(works)]
    jobs += [office.start("late", "c", Slow(1)), office.start("second", "b", Slow(1))]
    assert [office.place_in_line(job) for job in jobs] == [0, 1, 3, 5, 2, 4]
    office.close(patience_s=0.0)
    works[0].go()


def test_forgotten_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    office, slow = BackgroundJobs(), Slow()
    job = office.start("a", "me", slow)
    monkeypatch.setattr(office_module, "FORGOTTEN_AFTER_S", -1.0)
    slow.go()
    until(lambda: job.ended)
    assert not job.complete


def test_a_closed_office_has_stopped_what_ran_and_starts_nothing_more() -> None:
    office, works = BackgroundJobs(), [Slow(5), Slow(5)]
    running, waiting = (office.start(str(number), "me", work) for number, work in enumerate(works))
    works[0].go(5)
    office.close()
    assert running.ended
    assert waiting.ended
    assert waiting.latest is None


def test_work_that_breaks_off_says_so_and_the_next_is_served() -> None:
    def broken() -> Iterator[Count]:
        yield Count(1, 2)
        raise MemoryError

    office, slow = BackgroundJobs(), Slow(1)
    job, after = office.start("a", "me", broken), office.start("b", "me", slow)
    slow.go()
    until(lambda: after.complete)
    assert isinstance(job.error, MemoryError)
    assert job.latest == Count(1, 2)
    assert office.start("a", "me", Slow(1)) is not job


def test_a_job_that_gets_no_thread_has_failed_and_the_next_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    office, slow = BackgroundJobs(), Slow(1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        job = office.start("a", "me", slow)
    assert job.ended
    assert not job.complete
    after = office.start("a", "me", slow)
    slow.go()
    until(lambda: after.complete)


def test_a_hundred_jobs_leave_no_thread_and_few_results(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Kept(200_000)
    monkeypatch.setattr(office_module, "list_kept", lambda: room)
    office, before = BackgroundJobs(), threading.active_count()
    for number in range(100):
        slow = Slow(1)
        slow.go()
        job = office.start(str(number), "me", slow)
        until(lambda job=job: job.complete)
    until(lambda: threading.active_count() <= before)
    found = [office.find(str(number), "me") is not None for number in range(100)]
    assert found[-1]
    assert sum(found) < 50


def page() -> None:
    """A page with one piece of work, as Streamlit runs it."""
    import streamlit as st

    from explorer.ui import job_progress
    from tests.ui.test_job_progress import counting

    job_progress.watch(
        "up", counting, st.session_state.get("n", 3), lambda count: st.write(f"at {count.done}"), label="Count"
    )


def counting(n: int) -> Iterator[Count]:
    """Three steps, the last of them an error for a negative number."""
    for number in range(abs(n)):
        yield Count(number + 1, abs(n))
    if n < 0:
        raise ValueError("negative")


@pytest.fixture
def app() -> Iterator[AppTest]:
    background_jobs.cache_clear()
    yield AppTest.from_function(page, default_timeout=30)
    background_jobs.cache_clear()


def finished() -> Job:
    """Return the only job, once it has ended and nothing runs."""
    office = background_jobs()
    until(lambda: not office._line and not office._running)
    (found,) = [
        *office._jobs.values(),
        *(each.value for key, each in list_kept()._entries.items() if key[:2] == ("job", office._number)),  # type: ignore[index]
    ]
    assert found.ended
    return found


def test_the_page_starts_it_and_shows_the_end(app: AppTest) -> None:
    app.run()
    app.button(key="up_start").click().run()
    finished()
    app.run()
    assert not app.exception
    assert [each.value for each in app.markdown] == ["at 3"]
    assert [each.key for each in app.button] == []


def test_another_session_finds_it_done(app: AppTest) -> None:
    app.run()
    app.button(key="up_start").click().run()
    finished()
    other = AppTest.from_function(page, default_timeout=30).run()
    assert [each.value for each in other.markdown] == ["at 3"]


def test_who_leaves_shared_work_is_offered_it_again(app: AppTest) -> None:
    slow = Slow()
    app.run()
    job = background_jobs().start(job_progress._name(counting, 3), "another", slow)
    app.run()
    app.button(key="up_stop").click().run()
    assert not job.stop.is_set(), "the other one looks on"
    assert "up_start" in {each.key for each in app.button}
    assert "up_stop" not in {each.key for each in app.button}
    slow.go(3)


def test_the_page_says_that_it_broke_off_and_offers_it_again(app: AppTest) -> None:
    app.session_state["n"] = -2
    app.run()
    app.button(key="up_start").click().run()
    finished()
    app.run()
    assert not app.exception
    assert "ValueError" in app.error[0].value
    assert [each.value for each in app.markdown] == ["at 2"]
    assert [each.key for each in app.button] == ["up_start"]


def short_page() -> None:
    """A page with work that starts by itself."""
    import streamlit as st

    from explorer.ui import job_progress
    from tests.ui.test_job_progress import counting, gated

    compute = gated if st.session_state.get("gated") else counting
    job_progress.at_once(
        "up",
        compute,
        st.session_state.get("n", 3),
        lambda count: st.write(f"at {count.done}"),
        before=lambda: st.write("not yet"),
        patience_s=st.session_state.get("patience", 30.0),
    )


GATE = Slow(2)


def gated(n: int) -> Iterator[Count]:
    """Two steps that wait for the test."""
    yield from GATE()


@pytest.fixture
def short() -> Iterator[AppTest]:
    short_jobs.cache_clear()
    yield AppTest.from_function(short_page, default_timeout=60)
    GATE.go(100)
    short_jobs().close()
    short_jobs.cache_clear()
    GATE.gate = threading.Semaphore(0)


def shown(app: AppTest) -> list[str]:
    return [each.value for each in app.markdown]


def test_short_work_starts_by_itself_and_the_page_waits_for_it(short: AppTest) -> None:
    assert shown(short.run()) == ["at 3"]
    short.session_state["n"] = 5
    assert shown(short.run()) == ["at 5"]


def test_the_page_does_not_wait_long_and_shows_what_is_known_so_far(short: AppTest) -> None:
    short.session_state["gated"], short.session_state["patience"] = True, 0.0
    assert shown(short.run()) == ["not yet"]
    (job,) = short_jobs()._jobs.values()
    GATE.go()
    until(lambda: job.latest)
    assert shown(short.run()) == ["at 1"]
    GATE.go()
    until(lambda: job.ended)
    assert shown(short.run()) == ["at 2"]


def test_what_a_reader_has_passed_by_is_not_done(short: AppTest) -> None:
    short.session_state["gated"], short.session_state["patience"] = True, 0.0
    for n in (1, 2, 3):
        short.session_state["n"] = n
        short.run()
    first, second, third = short_jobs()._jobs.values()
    assert second.ended  # it waited in line
    assert second.latest is None
    GATE.go(4)
    until(lambda: third.complete)
    assert first.stop.is_set()
    short.session_state["n"] = 2
    GATE.go(2)
    short.session_state["patience"] = 30.0
    assert shown(short.run()) == ["at 2"]


def test_what_goes_on_paper_is_waited_for_however_long_the_line(
    short: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_module, "FORGOTTEN_AFTER_S", 1.0)
    monkeypatch.setattr(job_progress, "LOOK_EVERY_S", 0.05)
    before = Slow(1)
    first = short_jobs().start("a", "another", before)
    look = threading.Event()

    def keep() -> None:
        for _ in range(50):  # longer than work is kept of which nobody asks
            short_jobs().find("a", "another")
            look.wait(0.05)
        before.go()

    threading.Thread(target=keep).start()
    monkeypatch.setattr(job_progress, "collecting", lambda: True)
    assert shown(short.run()) == ["at 3"]
    assert first.complete


def test_short_work_that_breaks_off_raises_on_the_page_and_is_tried_again(short: AppTest) -> None:
    short.session_state["n"] = -2
    assert short.run().exception
    assert not short_jobs()._jobs
    short.session_state["n"] = 2
    assert shown(short.run()) == ["at 2"]
