"""The translation queue: sentences of all sessions, gathered into batches and given to workers.

A worker is a process with one thread, so decoding neither waits for the lock that the pages' Python holds nor holds
theirs. Owners take turns sentence by sentence, so a long document does not keep a single sentence waiting; equal
requests share one computation; what nobody waits for any more is dropped.
"""

import atexit
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache

import torch

from explorer.inference.device import pick_device
from explorer.inference.search.batching import most_tokens
from explorer.inference.search.streaming import Begun, Event, SentenceDone, Shortage, SoFar
from explorer.service.fair_queue import round_robin
from explorer.service.metrics import METRICS, note_loss
from explorer.service.translation.messages import TranslationRequest, reason
from explorer.service.translation.process import (
    BatchFailed,
    LocalWorker,
    ProcessWorker,
    StartWorker,
    Worker,
    WorkerLost,
    start_worker,
    suitable_number,
)
from explorer.service.translation.ticket import QueueRefused, SentenceJob, Ticket, TranslatedSentence

#: A sentence waits this long for others to share its batch.
GATHER_S = 0.004
#: Sentences of a batch: more make each of them wait longer than they save on a CPU. CUDA reads hundreds as fast as few.
MOST_PER_BATCH, MOST_ON_CUDA = 16, 256
#: Sentences that may wait, of everybody together.
MOST_WAITING = 400
#: Answers that are kept.
MOST_KEPT = 4096
#: How often the queue sees whether a worker without work still runs.
WORKER_POLL_S = 2.0
_LOG = logging.getLogger(__name__)


class TranslationQueue:
    """Takes requests, hands out tickets. Any thread may call anything.

    Args:
        start_worker: makes a worker when one is needed.
        n_workers: how many there may be.
        most_waiting: sentences.
        device: of the workers, which says how much a batch holds; the CPU if not given.
    """

    def __init__(
        self,
        start_worker: StartWorker = ProcessWorker,
        *,
        n_workers: int = 1,
        most_waiting: int = MOST_WAITING,
        device: torch.device | None = None,
    ) -> None:
        self._start_worker, self._n_workers, self._most_waiting = start_worker, n_workers, most_waiting
        device = device or torch.device("cpu")
        self._most_tokens = most_tokens(device)
        self._most_per_batch = MOST_ON_CUDA if device.type == "cuda" else MOST_PER_BATCH
        self._changed = threading.Condition(threading.RLock())
        self._jobs: dict[TranslationRequest, SentenceJob] = {}
        self._waiting: list[SentenceJob] = []
        self._kept: OrderedDict[TranslationRequest, TranslatedSentence] = OrderedDict()
        self._at: dict[SentenceJob, tuple[Worker, int]] = {}
        self._workers: set[Worker] = set()
        self._threads: list[threading.Thread] = []
        self._usual: tuple[str, str] | None = None
        self._closed = False

    @property
    def n_waiting(self) -> int:
        """Return how many sentences wait for a worker."""
        return len(self._waiting)

    def warm(self, checkpoint: str, revision: str) -> None:
        """Have a worker started and a model loaded before anybody asks; and again when a worker is lost."""
        with self._changed:
            if self._usual != (checkpoint, revision):
                self._usual = (checkpoint, revision)
                self._open()

    def submit(self, requests: Sequence[TranslationRequest], owner: str = "") -> Ticket:
        """Have sentences translated.

        Args:
            owner: whose turn it is; the sentences of one owner stand in line behind the first of every other.

        Raises:
            QueueRefused: too many wait, or the queue is closed.
        """
        with self._changed:
            if self._closed:
                raise QueueRefused("closed")
            fresh = [each for each in dict.fromkeys(requests) if each not in self._kept and each not in self._jobs]
            if len(self._waiting) + len(fresh) > self._most_waiting:
                raise QueueRefused("full", limit=self._most_waiting)
            for each in fresh:
                self._jobs[each] = job = SentenceJob(each, owner)
                self._waiting.append(job)
            ticket = Ticket([self._job(each) for each in requests], self._leave)
            if fresh:
                self._open()
        return ticket

    def close(self) -> None:
        """End everything; who still waits is told so."""
        with self._changed:
            self._closed = True
            jobs, self._waiting = [*self._jobs.values()], []
            workers, threads = tuple(self._workers), tuple(self._threads)
            self._jobs.clear()
            self._changed.notify_all()
        for job in jobs:
            job.end(QueueRefused("closed"))
        for worker in workers:
            worker.close()
        for thread in threads:
            thread.join(10)

    def _job(self, request: TranslationRequest) -> SentenceJob:
        if request in self._kept:
            self._kept.move_to_end(request)
            done = SentenceJob(request, "")
            done.end(self._kept[request])
            return done
        return self._jobs[request]

    def _open(self) -> None:
        """See that there are threads, and wake them."""
        while len(self._threads) < self._n_workers:
            self._threads.append(threading.Thread(target=self._work, name="translation queue", daemon=True))
            self._threads[-1].start()
        self._changed.notify_all()

    def _leave(self, ticket: Ticket) -> None:
        """Somebody no longer waits; drop what nobody waits for."""
        with self._changed:  # the worker is told in here: outside, it might already be at the next batch
            for job in set(ticket.jobs):
                job.leave(ticket)
                if job.has_listeners or job.ended:
                    continue
                self._forget(job)
                if job in self._waiting:
                    self._waiting.remove(job)
                if job in self._at:
                    worker, number = self._at[job]
                    worker.drop([number])

    def _work(self) -> None:
        """Send batch after batch through one worker, which is started anew when it is lost."""
        worker: Worker | None = None
        usual: tuple[str, str] | None = None
        while True:
            batch = self._next(usual, worker)
            if self._closed:
                return
            if worker is not None and not worker.alive:  # it died while it had nothing to do
                note_loss("translation")
                self._dismiss(worker)
                worker = usual = None
                if not batch:
                    continue
            try:
                if worker is None:
                    worker = self._engaged()
                if batch:
                    self._translate_each(worker, batch)
                elif self._usual is not None:
                    usual = self._usual
                    worker.ready(usual[0])
            except BatchFailed as error:
                self._end(batch, QueueRefused("failed", detail=str(error)))
            except Exception as error:  # whatever it is, it ends one batch and not the queue
                self._broke_off(batch, error, begun=worker is not None)
                usual = self._usual if not batch else None  # one that is lost while it gets ready is not tried again
                self._dismiss(worker)
                worker = None

    def _broke_off(self, batch: list[SentenceJob], error: Exception, *, begun: bool) -> None:
        lost = isinstance(error, WorkerLost | OSError)
        if lost:
            note_loss("translation")
        else:
            _LOG.error("a batch broke off", exc_info=error)
        ended = self._once_more(batch) if lost and begun else batch
        self._end(ended, QueueRefused("lost" if lost else "failed", detail=reason(error)))

    def _once_more(self, batch: list[SentenceJob]) -> list[SentenceJob]:
        """Put sentences of which nobody has seen anything back to the front, each once and then alone; the others."""
        with self._changed:
            again = [
                job for job in batch if job.has_no_output and job.has_listeners and not job.again and not self._closed
            ]
            for job in again:
                job.again, job.running = True, False
            self._waiting[:0] = again
        return [job for job in batch if job not in again]

    def _engaged(self) -> Worker:
        worker = self._start_worker()
        with self._changed:
            self._workers.add(worker)
            if self._closed:
                worker.close()
        return worker

    def _dismiss(self, worker: Worker | None) -> None:
        if worker is not None:
            worker.close()
            with self._changed:
                self._workers.discard(worker)

    def _next(self, ready_for: tuple[str, str] | None, worker: Worker | None) -> list[SentenceJob]:
        """Wait for work: the next batch, or nothing when a worker is to get ready, or is dead."""
        with self._changed:
            while not self._closed:
                if self._waiting:
                    rest = GATHER_S - (time.monotonic() - min(job.asked for job in self._waiting))
                    if rest <= 0:
                        return self._gather()
                    self._changed.wait(rest)
                elif ready_for != self._usual or not (worker is None or worker.alive):
                    return []
                else:
                    self._changed.wait(None if worker is None else WORKER_POLL_S)
        return []

    def _gather(self) -> list[SentenceJob]:
        """Return the sentences whose turn it is and that go with each other."""
        line = round_robin(self._waiting, lambda job: job.owner, [job.owner for job in self._at], small_first=True)
        batch: list[SentenceJob] = []
        longest = 0
        for job in line:  # who wants little comes before who wants much
            longest_then = max(longest, len(job.request.source))
            fits = (len(batch) + 1) * longest_then * job.request.options.beam <= self._most_tokens
            if not batch or (fits and not (job.again or batch[0].again) and job.request.goes_with(batch[0].request)):
                batch.append(job)
                longest = longest_then
            if len(batch) == self._most_per_batch:
                break
        self._waiting = [job for job in self._waiting if job not in batch]
        return batch

    def _translate_each(self, worker: Worker, batch: list[SentenceJob]) -> None:
        """Translate a batch; if that fails, each sentence alone, so that one cannot spoil it for the others."""
        try:
            self._translate(worker, batch)
        except BatchFailed:
            if len(batch) == 1:
                raise
            for job in batch:
                if not job.ended and job.has_listeners:
                    try:
                        self._translate(worker, [job])
                    except BatchFailed as error:
                        self._end([job], QueueRefused("failed", detail=str(error)))
            self._end(batch, QueueRefused("lost"))

    def _translate(self, worker: Worker, batch: list[SentenceJob]) -> None:
        with self._changed:
            self._at.update({job: (worker, number) for number, job in enumerate(batch)})
        for job in batch:
            job.begin()
        try:
            for event in worker.translate(tuple(job.request for job in batch)):
                self._note(batch, event)
        finally:
            with self._changed:
                for job in batch:
                    self._at.pop(job, None)
        self._end(batch, QueueRefused("lost"))  # of those that were not found: none, unless they were dropped

    def _note(self, batch: list[SentenceJob], event: Event) -> None:
        if isinstance(event, Begun):
            for job in batch:
                job.begin()
        elif isinstance(event, SoFar):
            for number, ids in event.best.items():
                batch[number].update(ids)
        elif isinstance(event, Shortage):
            for number in event.numbers:
                batch[number].shortage = event.remedy
        elif isinstance(event, SentenceDone):
            job = batch[event.number]
            answer = job.answered(event.hypotheses)
            METRICS.time("explorer_translation_seconds", answer.ended - job.asked)
            with self._changed:
                self._forget(job)
                self._kept[job.request] = answer
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
            job.end(answer)

    def _end(self, batch: list[SentenceJob], why: QueueRefused) -> None:
        with self._changed:
            for job in batch:
                self._forget(job)
        for job in batch:
            job.end(why)

    def _forget(self, job: SentenceJob) -> None:
        """Ask for it no more; another that was asked for the same since then stays."""
        if self._jobs.get(job.request) is job:
            del self._jobs[job.request]


@lru_cache(maxsize=1)
def translation_queue() -> TranslationQueue:
    """Return the translation queue of this process."""
    n, device = suitable_number(), pick_device()
    made = TranslationQueue(start_worker if n else LocalWorker, n_workers=n or 1, device=device)
    METRICS.watch("explorer_waiting", lambda: made.n_waiting, 'queue="translation"')
    atexit.register(made.close)
    return made
