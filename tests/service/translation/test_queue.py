"""The translation queue: batches of all sessions, fair, bounded, dropped, and alive whatever happens to a worker."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch

from explorer.inference.search.batching import TOKENS_PER_BATCH
from explorer.inference.search.decode import DecodingOptions, Hypothesis
from explorer.inference.search.streaming import Begun, Event, SentenceDone, Shortage, SoFar
from explorer.service.translation import queue as module
from explorer.service.translation.messages import TranslationRequest, batch_order, event_line, read_batch, read_event
from explorer.service.translation.process import BatchFailed, WorkerLost
from explorer.service.translation.queue import TranslationQueue
from explorer.service.translation.ticket import QueueRefused, TranslatedSentence, tokens_a_second
from tests.support.waiting import until

GREEDY = DecodingOptions(beam=1)


def request(*source: int, options: DecodingOptions = GREEDY) -> TranslationRequest:
    return TranslationRequest(checkpoint="c", revision="r", source=source, options=options)


class Pretend:
    """A worker that echoes the source once it may."""

    def __init__(self, may: threading.Event | None = None) -> None:
        self.may, self.batches, self.dropped, self.closed = may, [], set(), False
        self.readied: list[str] = []
        self.alive = True

    def ready(self, checkpoint: str) -> None:
        self.readied.append(checkpoint)

    def translate(self, requests: tuple[TranslationRequest, ...]) -> Iterator[Event]:
        self.batches.append([each.source[0] for each in requests])
        self.dropped = set()
        if any(each.source[0] == 665 for each in requests):
            raise WorkerLost("exit code -9")
        yield SoFar({number: each.source[:1] for number, each in enumerate(requests)})
        if requests[0].source[0] == 666:
            raise WorkerLost("exit code -9")
        if requests[0].source[0] == 99:
            raise RuntimeError("can't start new thread")
        if requests[0].source[0] == 13:
            raise BatchFailed("no luck")
        if requests[0].source[0] == 512:
            yield Shortage((0,), "cpu")
        while self.may is not None and not self.may.wait(0.005) and len(self.dropped) < len(requests):
            pass
        for number, each in enumerate(requests):
            if number not in self.dropped:
                yield SentenceDone(
                    number, (Hypothesis(ids=each.source, log_probability=-1.0, score=-1.0, finished=True),)
                )

    def drop(self, numbers: Sequence[int]) -> None:
        self.dropped |= set(numbers)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def opened() -> Iterator[Callable[..., tuple[TranslationQueue, list[Pretend]]]]:
    """`opened(may)` gives a queue and the workers it has started."""
    made = []

    def make(may: threading.Event | None = None, **options: Any) -> tuple[TranslationQueue, list[Pretend]]:
        workers: list[Pretend] = []

        def start() -> Pretend:
            workers.append(Pretend(may))
            return workers[-1]

        made.append(TranslationQueue(start, **options))
        return made[-1], workers

    yield make
    for queue in made:
        queue.close()
        assert not any(thread.is_alive() for thread in queue._threads)


def test_what_is_asked_at_once_is_one_batch_and_answers_come_in_order(opened) -> None:
    queue, workers = opened()
    with queue.submit([request(number, 9) for number in range(5)]) as ticket:
        while not ticket.wait(5.0):
            pass
        assert [each.hypotheses[0].ids[0] for each in ticket.answers()] == [0, 1, 2, 3, 4]
    assert workers[0].batches == [[0, 1, 2, 3, 4]]


def test_equal_asks_share_one_computation_and_are_remembered(opened) -> None:
    may = threading.Event()
    queue, workers = opened(may)
    first, second = queue.submit([request(1), request(1)], "a"), queue.submit([request(1)], "b")
    may.set()
    until(lambda: first.done and second.done)
    with queue.submit([request(1)], "c") as third:
        assert third.wait(0.0)
    assert workers[0].batches == [[1]]
    assert first.answers()[1] == second.answers()[0] == third.answers()[0]


def test_other_options_are_another_batch(opened) -> None:
    queue, workers = opened()
    ticket = queue.submit([request(1), request(2, options=DecodingOptions(beam=2)), request(3)])
    until(lambda: ticket.done)
    assert workers[0].batches == [[1, 3], [2]]


def test_a_single_sentence_overtakes_a_document(opened) -> None:
    may = threading.Event()
    queue, workers = opened(may)
    document = queue.submit([request(number) for number in range(100)], "document")
    until(lambda: workers and workers[0].batches)
    single = queue.submit([request(1000, options=DecodingOptions(beam=2))], "single")
    may.set()
    until(lambda: single.done and document.done)
    assert workers[0].batches[1] == [1000]
    assert max(len(batch) for batch in workers[0].batches) == module.MOST_PER_BATCH


def test_cuda_is_given_hundreds_at_once(opened) -> None:
    queue, workers = opened(device=torch.device("cuda"))
    ticket = queue.submit(
        [request(1, 2, options=DecodingOptions(beam=4))] + [request(1000 + number) for number in range(300)]
    )
    until(lambda: ticket.done)
    assert max(len(batch) for batch in workers[0].batches) == module.MOST_ON_CUDA


def test_the_speed_is_that_of_the_time_in_which_anything_was_searched(opened) -> None:
    def found(n: int, begun: float, ended: float) -> TranslatedSentence:
        best = Hypothesis(ids=(7,) * n, log_probability=-1.0, score=-1.0, finished=True)
        return TranslatedSentence(hypotheses=(best,), shortage="", begun=begun, ended=ended)

    first = found(10, 1.0, 2.0)
    assert tokens_a_second([first]) == tokens_a_second([first, first]) == 10
    assert tokens_a_second([found(30, 1.5, 3.0), first, found(8, 9.0, 10.0)]) == 16
    assert tokens_a_second([found(10, 0.0, 0.0)]) == 0
    queue, _ = opened()
    ticket = queue.submit([request(1)])
    until(lambda: ticket.done)
    assert tokens_a_second(ticket.answers()) > 0


def test_what_nobody_waits_for_is_dropped_and_what_another_waits_for_is_not(opened) -> None:
    may = threading.Event()
    queue, workers = opened(may)
    first, second = queue.submit([request(1), request(2)], "a"), queue.submit([request(2)], "b")
    until(lambda: workers and workers[0].batches)
    later = queue.submit([request(3)], "a")
    later.close()
    first.close()
    until(lambda: workers[0].dropped == {0})
    may.set()
    until(lambda: second.done)
    with queue.submit([request(4)]) as last:
        until(lambda: last.done)
    assert workers[0].batches == [[1, 2], [4]]


class Turns:
    """Lets a worker end one batch for each turn."""

    def __init__(self) -> None:
        self.left = threading.Semaphore(0)

    def wait(self, seconds: float) -> bool:
        return self.left.acquire(timeout=seconds)


def test_a_sentence_that_ends_though_it_was_dropped_does_not_hide_the_same_asked_anew(opened) -> None:
    turns = Turns()
    queue, workers = opened(turns)
    dropped = queue.submit([request(1)], "a")
    until(lambda: workers and workers[0].batches)
    workers[0].drop = lambda numbers: None  # too late: it has ended
    dropped.close()
    again = queue.submit([request(1)], "b")
    queue._kept.clear()
    turns.left.release()
    until(lambda: len(workers[0].batches) == 2)
    queue._kept.clear()
    assert queue.submit([request(1)], "c").jobs == again.jobs
    turns.left.release()
    until(lambda: again.done)


def test_the_best_so_far_is_heard_before_the_end(opened) -> None:
    may = threading.Event()
    queue, _ = opened(may)
    with queue.submit([request(7, 8)]) as ticket:
        until(lambda: not ticket.wait(1.0) and ticket.so_far() == ((7,),))
        assert not ticket.done
        may.set()
        until(lambda: ticket.wait(1.0))
        assert ticket.so_far() == ((7, 8),)


def test_too_many_are_refused_with_a_message_and_those_before_are_served(opened) -> None:
    may = threading.Event()
    queue, _ = opened(may, most_waiting=3)
    ticket = queue.submit([request(1), request(2), request(3)])
    with pytest.raises(QueueRefused, match="Too many sentences are waiting") as refused:
        queue.submit([request(n) for n in range(10, 14)])
    assert refused.value.reason == "full"
    may.set()
    until(lambda: ticket.done)
    assert len(ticket.answers()) == 3


def test_a_lost_worker_is_replaced_and_the_sentence_in_flight_is_told(opened) -> None:
    queue, workers = opened()
    queue.warm("c", "r")
    until(lambda: workers and workers[0].readied == ["c"])
    with queue.submit([request(666)]) as ticket:
        until(lambda: ticket.done)
        with pytest.raises(QueueRefused, match="lost") as refused:
            ticket.answers()
    assert refused.value.reason == "lost"
    until(lambda: len(workers) == 2 and workers[1].readied == ["c"])
    assert workers[0].closed
    with queue.submit([request(1)]) as ticket:
        until(lambda: ticket.done)
        assert ticket.answers()


def test_what_a_lost_worker_had_not_begun_is_begun_once_more_and_alone(opened) -> None:
    queue, workers = opened()
    with queue.submit([request(1), request(665), request(2)]) as ticket:
        until(lambda: ticket.done)
        assert [getattr(each, "reason", "") for each in ticket.outcomes()] == ["", "lost", ""]
    assert [worker.batches for worker in workers] == [[[1, 665, 2]], [[1], [665]], [[2]]]


def test_a_worker_that_died_idle_is_replaced_before_anybody_asks(opened) -> None:
    queue, workers = opened()
    queue.warm("c", "r")
    until(lambda: workers and workers[0].readied == ["c"])
    workers[0].alive = False
    until(lambda: len(workers) == 2 and workers[1].readied == ["c"])
    assert workers[0].closed


def test_whatever_a_worker_raises_the_desk_stays_open(opened) -> None:
    queue, workers = opened(n_workers=1)
    for _ in range(2):
        with queue.submit([request(99)]) as ticket:
            until(lambda: ticket.done)
            assert ["thread" in each.detail for each in ticket.outcomes()] == [True]
    with queue.submit([request(1)]) as ticket:
        until(lambda: ticket.done)
        assert ticket.answers()
    assert [worker.closed for worker in workers] == [True, True, False]


def test_a_failed_batch_keeps_its_worker(opened) -> None:
    queue, workers = opened()
    with queue.submit([request(13)]) as ticket:
        until(lambda: ticket.done)
        assert [each.detail for each in ticket.outcomes()] == ["no luck"]
    with queue.submit([request(512)]) as ticket:
        until(lambda: ticket.done)
        assert ticket.answers()[0].shortage == "cpu"
    assert len(workers) == 1


def test_a_worker_that_cannot_be_started_is_an_error_and_tried_again(opened) -> None:
    tries = []

    def start() -> Pretend:
        tries.append(1)
        if len(tries) < 3:
            raise OSError("no process")
        return Pretend()

    queue = TranslationQueue(start)
    try:
        for expected in ("lost", "lost", None):
            with queue.submit([request(1)]) as ticket:
                until(lambda: ticket.done)
                assert getattr(ticket.outcomes()[0], "reason", None) == expected
    finally:
        queue.close()


@pytest.mark.parametrize("error", [WorkerLost("exit code -9"), OSError("no process")])
def test_a_worker_that_is_lost_while_it_gets_ready_is_not_tried_again_until_somebody_asks(error: Exception) -> None:
    tries: list[Exception] = []

    class Dying(Pretend):
        def ready(self, checkpoint: str) -> None:
            if len(tries) < 3:
                raise error

    def start() -> Pretend:
        tries.append(error)
        if isinstance(error, OSError) and len(tries) < 3:
            raise error
        return Dying()

    queue = TranslationQueue(start)
    try:
        queue.warm("c", "r")
        until(lambda: tries)
        time.sleep(0.2)
        assert len(tries) <= 2
        for _ in range(3):
            with queue.submit([request(1)]) as ticket:
                until(lambda: ticket.done)
        assert ticket.answers()
    finally:
        queue.close()


def test_closing_tells_who_waits(opened) -> None:
    queue, workers = opened(threading.Event())
    ticket = queue.submit([request(1)])
    until(lambda: workers and workers[0].batches)
    workers[0].may.set()
    queue.close()
    assert ticket.done
    with pytest.raises(QueueRefused, match="shutting down"):
        queue.submit([request(1)])


def test_silence_ends_a_wait(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.service.translation.ticket.MOST_WAIT_S", 0.05)
    may = threading.Event()
    queue, _ = opened(may)
    with queue.submit([request(1)]) as ticket:
        until(lambda: ticket.so_far() == ((1,),))
        time.sleep(0.1)
        ticket.wait(0.01)  # the news
        ticket._sign_of_life -= 1
        with pytest.raises(QueueRefused, match="overloaded"):
            ticket.wait(0.01)
    may.set()


def test_what_is_said_on_the_wire_is_what_arrives() -> None:
    requests = (request(1, 2), request(3))
    assert read_batch(json.loads(json.dumps(batch_order(requests)))) == requests
    found = SentenceDone(1, (Hypothesis(ids=(4, 5), log_probability=-0.1 - 1e-17, score=-1 / 3, finished=False),))
    for event in (Begun(), SoFar({0: (1, 2)}), Shortage((0, 1), "split"), found):
        assert read_event(json.loads(json.dumps(event_line(event)))) == event
    assert read_event({"is": "hello"}) is None


def test_two_documents_share_every_batch(opened) -> None:
    may = threading.Event()
    queue, workers = opened(may)
    blocker = queue.submit([request(500)])
    until(lambda: workers and workers[0].batches)
    tickets = [queue.submit([request(begin + number) for number in range(32)], str(begin)) for begin in (0, 100)]
    may.set()
    until(lambda: blocker.done and all(ticket.done for ticket in tickets))
    for batch in workers[0].batches[1:]:
        assert sum(number < 100 for number in batch) == len(batch) / 2, batch


def test_of_the_answers_those_that_were_asked_for_last_are_kept(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    queue, workers = opened()
    for number in (1, 2, 1, 3, 1, 2):
        with queue.submit([request(number)]) as ticket:
            until(lambda each=ticket: each.done)
    assert workers[0].batches == [[1], [2], [3], [2]]


def test_another_revision_and_too_many_tokens_are_another_batch(
    opened: Callable[..., tuple[TranslationQueue, list[Pretend]]],
) -> None:
    queue, workers = opened()
    long = tuple(range(1000))
    requests = [request(1), replace(request(3), revision="new"), *(request(number, *long) for number in range(10, 15))]
    ticket = queue.submit(requests)
    until(lambda: ticket.done)
    assert [3] in workers[0].batches
    most = max(sum(1001 for number in batch if number >= 10) for batch in workers[0].batches)
    assert 1001 < most <= TOKENS_PER_BATCH
