"""Wait for translations, and take what comes of them."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from explorer.inference.search.decode import Hypothesis
from explorer.records.language import t
from explorer.service.translation.messages import TranslationRequest

#: Nobody waits longer than this without a sign of life.
MOST_WAIT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedSentence:
    """The hypotheses that were found for one sentence.

    Attributes:
        hypotheses: the best first.
        shortage: what the device's running out of memory led to; empty if it did not.
        begun, ended: seconds of this process's clock between which its batch was searched until it was found.
    """

    hypotheses: tuple[Hypothesis, ...]
    shortage: Literal["", "split", "cpu"]
    begun: float = 0.0
    ended: float = 0.0


def tokens_a_second(answers: Iterable[TranslatedSentence]) -> float:
    """Return how fast sentences were written: their tokens by the time in which any of them was searched."""
    found = sorted(set(answers), key=lambda each: each.begun)
    seconds, until = 0.0, 0.0
    for each in found:
        seconds += max(each.ended - max(each.begun, until), 0)
        until = max(until, each.ended)
    tokens = sum(len(each.hypotheses[0].ids) for each in found)
    return tokens / seconds if seconds else 0.0


class QueueRefused(RuntimeError):
    """A sentence is not translated; `explain` says why and what to do.

    Attributes:
        reason: `full` if too many wait, `lost` if the worker was lost, `failed` if it could not do it, `late` if there
            was no sign of life for too long, `closed` at the end.
        limit: of those that may wait.
        detail: for who looks into it.
    """

    def __init__(
        self, reason: Literal["full", "lost", "failed", "late", "closed"], *, limit: int = 0, detail: str = ""
    ) -> None:
        self.reason, self.limit, self.detail = reason, limit, detail
        super().__init__(f"{self.explain()} {detail}".strip())

    def explain(self) -> str:
        """Return the message, in the reader's language."""
        if self.reason == "full":
            return t("Too many sentences are waiting ({limit}): try again in a moment.").format(limit=self.limit)
        if self.reason == "lost":
            return t("The process that translates was lost while it worked on this. A new one starts: try again.")
        if self.reason == "late":
            return t("No answer came for {seconds} seconds: the server is overloaded. Try again in a moment.").format(
                seconds=round(MOST_WAIT_S)
            )
        if self.reason == "failed":
            return t("This could not be translated.")
        return t("The server is shutting down.")


class SentenceJob:
    """One sentence on its way, for everybody who asked for it."""

    def __init__(self, request: TranslationRequest, owner: str) -> None:
        self.request, self.owner = request, owner
        self.asked = self._begun = time.monotonic()
        self.best: tuple[int, ...] = ()
        self.outcome: TranslatedSentence | QueueRefused | None = None
        self.shortage: Literal["", "split", "cpu"] = ""
        self.running = self.again = False
        self._tickets: list[Ticket] = []

    @property
    def ended(self) -> bool:
        """Return whether nothing more will come of it."""
        return self.outcome is not None

    @property
    def has_no_output(self) -> bool:
        """Return whether nothing has come of it yet, so that another worker may begin it without anybody's noticing."""
        return not (self.best or self.shortage or self.ended)

    @property
    def has_listeners(self) -> bool:
        """Return whether anybody waits for it."""
        return bool(self._tickets)

    def join(self, ticket: "Ticket") -> None:
        """Somebody waits for it."""
        self._tickets.append(ticket)

    def leave(self, ticket: "Ticket") -> None:
        """Somebody does not any more."""
        self._tickets = [each for each in self._tickets if each is not ticket]

    def begin(self) -> None:
        """Note that a worker has taken it, or has loaded its model now."""
        self.running, self._begun = True, time.monotonic()

    def update(self, best: tuple[int, ...]) -> None:
        """Note the best so far."""
        self.best = best
        self._tell()

    def answered(self, hypotheses: tuple[Hypothesis, ...]) -> TranslatedSentence:
        """Return the answer, if these were found now."""
        return TranslatedSentence(
            hypotheses=hypotheses, shortage=self.shortage, begun=self._begun, ended=time.monotonic()
        )

    def end(self, outcome: TranslatedSentence | QueueRefused) -> None:
        """Nothing more will come, unless it has ended before."""
        if self.outcome is None:
            self.outcome = outcome
            self._tell()

    def _tell(self) -> None:
        for ticket in tuple(self._tickets):
            ticket.tell()


class Ticket:
    """A wait for some sentences. Close it when the wait is over (`with` does), whatever ended it.

    Attributes:
        jobs: one for each sentence that was asked; equal ones are one.
    """

    def __init__(self, jobs: Sequence[SentenceJob], leave: Callable[["Ticket"], None]) -> None:
        self.jobs = tuple(jobs)
        self._leave = leave
        self._changed, self._news = threading.Condition(), False
        self._sign_of_life = time.monotonic()
        for job in set(jobs):
            job.join(self)

    def __enter__(self) -> "Ticket":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def done(self) -> bool:
        """Return whether everything has ended."""
        return all(job.ended for job in self.jobs)

    @property
    def running(self) -> bool:
        """Return whether a worker has begun with any of it."""
        return any(job.running or job.ended for job in self.jobs)

    def wait(self, timeout_s: float) -> bool:
        """Wait for news, or for everything to have ended; whether it has.

        Raises:
            QueueRefused: there was no news for too long.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._news or self.done, timeout_s)
            if self._news or self.done:
                self._sign_of_life = time.monotonic()
            self._news = False
        if time.monotonic() - self._sign_of_life > MOST_WAIT_S:
            raise QueueRefused("late")
        return self.done

    def wait_for_all(self, timeout_s: float) -> bool:
        """Wait until everything has ended, news or no; whether it has.

        Raises:
            QueueRefused: there was no news for too long.
        """
        until = time.monotonic() + timeout_s
        while not self.done and (rest := until - time.monotonic()) > 0:
            self.wait(rest)
        return self.done

    def so_far(self) -> tuple[tuple[int, ...], ...]:
        """Return the best translation of each sentence, as far as it is known."""
        return tuple(
            job.outcome.hypotheses[0].ids if isinstance(job.outcome, TranslatedSentence) else job.best
            for job in self.jobs
        )

    def outcomes(self) -> tuple[TranslatedSentence | QueueRefused, ...]:
        """Return what came of each sentence; the first that failed is no reason to lose the others."""
        assert self.done
        return tuple(job.outcome for job in self.jobs if job.outcome is not None)

    def answers(self) -> tuple[TranslatedSentence, ...]:
        """Return what was found for each sentence.

        Raises:
            QueueRefused: one of them failed.
        """
        found = []
        for outcome in self.outcomes():
            if isinstance(outcome, QueueRefused):
                raise outcome
            found.append(outcome)
        return tuple(found)

    def tell(self) -> None:
        """Wake whoever waits."""
        with self._changed:
            self._news = True
            self._changed.notify_all()

    def close(self) -> None:
        """Wait no longer."""
        self._leave(self)
