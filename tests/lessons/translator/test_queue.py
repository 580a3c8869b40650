"""The translator's page in the queue: several sentences, streaming, stop, and what happens when a worker fails."""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.inference.search.decode import Hypothesis
from explorer.inference.search.streaming import Event, SentenceDone, Shortage, SoFar
from explorer.lessons.translator import sentences
from explorer.service.translation import requests, ticket
from explorer.service.translation.messages import TranslationRequest
from explorer.service.translation.process import BatchFailed, LocalWorker, WorkerLost
from explorer.service.translation.queue import TranslationQueue
from tests.lessons.translator.test_page import PAGE, said, tiny, typed
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage

__all__ = ["tiny"]
SEVERAL = "The cat saw Mr. Brown. Did the dog see him? No!"


class Sluggish(LocalWorker):
    """Translates when it may; what it does until then can be chosen."""

    may = threading.Event()
    fails: Exception | None = None
    first: Event | None = None
    seen: list[TranslationRequest] = []  # noqa: RUF012 - one queue at a time

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        type(self).seen += requests
        self._dropped = frozenset()
        if self.first is not None:
            yield self.first
        yield SoFar({number: each.source[:-1] for number, each in enumerate(requests)})
        while not self.may.wait(0.01) and len(self._dropped) < len(requests):
            pass
        if self.fails is not None:
            raise self.fails
        for number, each in enumerate(requests):
            if number not in self._dropped:
                yield SentenceDone(
                    number, (Hypothesis(ids=each.source, log_probability=-3.0, score=-1.0, finished=True),)
                )

    def drop(self, numbers: Sequence[int]) -> None:
        self._dropped |= frozenset(numbers)


@pytest.fixture
def sluggish(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Sluggish]]:
    """The queue has a worker that copies the source, when it may."""

    class Mine(Sluggish):
        may = threading.Event()
        seen: list[TranslationRequest] = []  # noqa: RUF012

    queue = TranslationQueue(Mine)
    monkeypatch.setattr(requests, "translation_queue", lambda: queue)
    yield Mine
    Mine.may.set()
    queue.close()


def big(app: AppTest) -> str:
    """The translation."""
    return next(each.proto.body for each in app.get("html") if 'class="translated' in each.proto.body)


def test_several_sentences_are_translated_and_one_is_looked_into(open_page: OpenPage, sluggish: type[Sluggish]) -> None:
    sluggish.may.set()
    app = open_page(PAGE, tr_text=SEVERAL)
    assert healthy(app)
    assert [len(each.source) > 1 for each in sluggish.seen] == [True] * 3
    assert "<mark>The cat saw Mr. Brown.</mark> Did the dog see him? No!" in big(app)
    app = open_page(PAGE, tr_text=SEVERAL, tr_sentence="1")
    assert "The cat saw Mr. Brown. <mark>Did the dog see him?</mark> No!" in big(app)
    assert len(sluggish.seen) == 3  # the queue remembers
    assert 'lang="und"' in big(app)  # a random model's languages have no names
    app = open_page(PAGE, tr_text=SEVERAL, tr_sentence="99")
    assert "<mark>The cat" in big(app)


def test_too_many_sentences_are_sent_to_the_documents(open_page: OpenPage) -> None:
    app = open_page(PAGE, tr_text="A cat. " * 60)
    assert healthy(app)
    assert "60 sentences" in app.info[0].value


def test_stop_shows_what_there_was_and_it_can_go_on(open_page: OpenPage, sluggish: type[Sluggish]) -> None:
    app = open_page("app.py")
    app.switch_page(PAGE)
    run = threading.Thread(target=app.run)
    run.start()
    while not sluggish.seen:
        pass
    timer = threading.Timer(1.0, sluggish.may.set)
    timer.start()
    run.join()
    name, ids = app.session_state["tr_so_far"]
    assert ids[0] == sluggish.seen[0].source[:-1]
    sluggish.may.clear()
    app.session_state["tr_stopped"] = (name, (ids[0][:2],))
    app.run()
    assert healthy(app)
    assert "Stopped" in said(app)
    assert big(app).endswith(" …</p>")
    app.button(key="tr_go_on").click().run()
    assert healthy(app)
    assert "Stopped" not in said(app)
    sluggish.may.set()
    app.session_state["tr_stopped"] = (name, ids)
    typed(app.run(), "The dog.")
    assert "Stopped" not in said(app)


def test_what_is_read_otherwise_is_written_on_and_can_be_stopped_still(
    open_page: OpenPage, sluggish: type[Sluggish], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both times it is written long enough for the button that stops to appear."""
    ticks, more, read = cycle([*[0.01] * 80, 0]), iter([{0: 1}, {}]), sentences.sentences
    monkeypatch.setattr(sluggish.may, "wait", lambda _: time.sleep(pause := next(ticks)) or not pause)
    monkeypatch.setattr(sentences, "attempts", lambda *_: next(more))
    monkeypatch.setattr(
        sentences, "sentences", lambda asked, **how: read(replace(asked, text="A dog.") if how else asked)
    )
    app = open_page(PAGE, tr_text="A cat.")
    assert healthy(app)
    assert len(sluggish.seen) == 2
    assert "A dog." in big(app)
    assert "read again in another way" in said(app)
    assert "tr_stop" not in [each.key for each in app.button]


@pytest.mark.parametrize("error", [WorkerLost("exit code -9"), BatchFailed("RuntimeError: no")], ids=["lost", "failed"])
def test_a_failed_translation_is_a_message_and_trying_again_works(
    open_page: OpenPage, sluggish: type[Sluggish], error: Exception
) -> None:
    sluggish.may.set()
    sluggish.fails = error
    app = open_page(PAGE, lang="zh")
    assert healthy(app)
    assert len(app.error) == 1
    assert "translat" not in app.error[0].value
    assert str(error) in "".join(each.value for each in app.text)
    sluggish.fails = None
    app.button(key="tr_again").click().run()
    assert healthy(app)
    assert not app.error
    assert big(app)


@pytest.mark.parametrize(("remedy", "words"), [("cpu", "on the CPU"), ("split", "smaller batches")])
def test_a_shortage_of_memory_is_announced(
    open_page: OpenPage, sluggish: type[Sluggish], remedy: str, words: str
) -> None:
    sluggish.may.set()
    sluggish.first = Shortage((0,), remedy)  # type: ignore[arg-type]
    app = open_page(PAGE)
    assert healthy(app)
    assert words in app.warning[0].value
    assert big(app)


def test_a_full_desk_is_a_message(open_page: OpenPage, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = TranslationQueue(LocalWorker, most_waiting=0)
    monkeypatch.setattr(requests, "translation_queue", lambda: queue)
    app = open_page(PAGE)
    assert healthy(app)
    assert "Too many sentences are waiting" in app.error[0].value
    queue.close()


def test_who_waited_in_vain_is_told_and_nothing_waits_any_more(
    open_page: OpenPage, sluggish: type[Sluggish], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticket, "MOST_WAIT_S", 0.8)  # long enough for the button that stops to appear
    app = open_page(PAGE, tr_text=SEVERAL)
    assert len(app.error) == 1
    assert ticket.QueueRefused("late").explain() in said(app)
    assert [each.key for each in app.button if each.key in ("tr_stop", "tr_again")] == ["tr_again"]
    assert "tokens so far" not in said(app)
