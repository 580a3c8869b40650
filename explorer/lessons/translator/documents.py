"""A document, row by row: a few rows at a time are in the translation queue, so that others have their turn."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from explorer.inference.translator.piece import Piece
from explorer.inference.translator.pieces import NONE
from explorer.inference.translator.request import Params, translator_for
from explorer.inference.translator.translate import InputRefused
from explorer.lessons.translator.sentences import attempts, detokenize, join, requests, sentences
from explorer.records.language import t
from explorer.service.translation.queue import TranslationQueue
from explorer.service.translation.requests import translate
from explorer.service.translation.ticket import QueueRefused, Ticket, TranslatedSentence

#: Sentences of one document that are in the queue at the same time.
AT_THE_DESK = 16
State = Literal["waiting", "translating", "done", "empty", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a document.

    Attributes:
        source: what it says.
        state: `empty` if there is nothing to translate, `failed` if it could not be.
        target: the translation, once it is done; sentences joined.
        why: it failed.
        cut: whether a sentence was cut off because it did not come to an end.
        sure: geometric mean of the probabilities of its pieces; None as long as it is not translated.
    """

    source: str
    state: State = "waiting"
    target: str = ""
    why: InputRefused | QueueRefused | None = None
    cut: bool = False
    sure: float | None = None

    @property
    def ended(self) -> bool:
        """Return whether nothing more will come of it, unless it is tried again."""
        return self.state in ("done", "empty", "failed")

    def note(self) -> str:
        """Return what is to be said about it."""
        if self.why is not None:
            return self.why.explain()
        if self.cut:
            return t("did not come to an end")
        return {"translating": t("being translated"), "waiting": t("waiting")}.get(self.state, "")


class Document:
    """A document on its way. Belongs to one session, which walks it on; nothing happens while nobody does.

    Args:
        params: how to search; their text is not used.
        texts: its rows.
        queue: where translations are asked for; that of this process if not given.
        owner: the session.

    Attributes:
        answers: every sentence that was translated so far.
    """

    def __init__(
        self, params: Params, texts: Sequence[str], queue: TranslationQueue | None = None, owner: str = ""
    ) -> None:
        self.params, self._queue, self._owner = params, queue, owner
        self.answers: list[TranslatedSentence] = []
        self._rows = [Row(source=text, state="waiting" if text.strip() else "empty") for text in texts]
        self._tickets: dict[int, Ticket] = {}
        self._attempts: dict[int, Mapping[int, int]] = {}
        self.resting = False

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return the rows as they stand."""
        return tuple(self._rows)

    @property
    def done(self) -> int:
        """Return rows that have ended."""
        return sum(row.ended for row in self._rows)

    @property
    def total(self) -> int:
        """Return rows in all."""
        return len(self._rows)

    @property
    def failed(self) -> int:
        """Return rows that could not be translated."""
        return sum(row.state == "failed" for row in self._rows)

    def walk_on(self, patience_s: float) -> None:
        """Give the queue what it may have, wait a moment, and take what is finished."""
        if self.resting:
            return
        self._ask()
        first = next(iter(self._tickets.values()), None)
        if first is not None:
            try:
                first.wait_for_all(patience_s)
            except QueueRefused as refused:  # it takes too long
                self._set(next(iter(self._tickets)), state="failed", why=refused)
        for number in [number for number, ticket in self._tickets.items() if ticket.done]:
            self._take(number)

    def stop(self) -> None:
        """Rest; what is finished stays, and nothing stays in the queue."""
        self.resting = True
        for number in tuple(self._tickets):
            self._set(number, state="waiting")

    def go_on(self) -> None:
        """Go on where it stopped; what failed for no fault of its own is tried again."""
        self.resting = False
        for number, row in enumerate(self._rows):
            if isinstance(row.why, QueueRefused):
                self._rows[number] = Row(source=row.source)

    def _ask(self) -> None:
        """Hand waiting rows to the queue, in their order, while there is room."""
        room = AT_THE_DESK - sum(len(ticket.jobs) for ticket in self._tickets.values() if not ticket.done)
        for number, row in enumerate(self._rows):
            if room <= 0:
                return
            if row.state != "waiting":
                continue
            try:
                found = requests(self.params, self._pieces_of(number))
                self._tickets[number] = translate(found, self._owner, self._queue)
            except InputRefused as refused:
                state: State = "empty" if refused.reason == "empty" else "failed"
                self._set(number, state=state, why=None if state == "empty" else refused)
                continue
            except QueueRefused as refused:
                if refused.reason != "full":
                    self._set(number, state="failed", why=refused)
                return  # the queue is full: later
            self._rows[number] = replace(row, state="translating")
            room -= len(found)

    def _pieces_of(self, number: int) -> tuple[Piece, ...]:
        asked = replace(self.params, text=self._rows[number].source)
        return sentences(asked, attempts=self._attempts.get(number, NONE))

    def _take(self, number: int) -> None:
        outcomes = self._tickets[number].outcomes()
        refused = next((each for each in outcomes if isinstance(each, QueueRefused)), None)
        if refused is not None:
            self._set(number, state="failed", why=refused)
            return
        answers = [each for each in outcomes if isinstance(each, TranslatedSentence)]
        self.answers += answers
        best = [each.hypotheses[0] for each in answers]
        found, translator, ids = self._pieces_of(number), translator_for(self.params), [each.ids for each in best]
        if more := attempts(translator, ids, found):  # something cannot be put back: the row is read otherwise
            self._attempts[number] = more
            self._set(number, state="waiting")
            return
        target = join(detokenize(translator, ids, found))
        total, count = sum(each.log_probability for each in best), sum(len(each.ids) for each in best)
        cut, sure = not all(each.finished for each in best), math.exp(total / max(count, 1))
        self._set(number, state="done", target=target, cut=cut, sure=sure)

    def _set(
        self,
        number: int,
        *,
        state: State,
        target: str = "",
        why: InputRefused | QueueRefused | None = None,
        cut: bool = False,
        sure: float | None = None,
    ) -> None:
        """Set what has become of a row, which leaves the queue with it."""
        ticket = self._tickets.pop(number, None)
        if ticket is not None:
            ticket.close()
        source = self._rows[number].source
        self._rows[number] = Row(source=source, state=state, target=target, why=why, cut=cut, sure=sure)


def describe_document(rows: Sequence[Row]) -> str:
    """Say which translated row is the least sure; before there is one, how long the document is."""
    sure = {number: row.sure for number, row in enumerate(rows, 1) if row.sure is not None}
    if not sure and len(rows) == 1:
        return t("**{n}** row, not translated yet.").format(n=1)
    if not sure:
        return t("**{n}** rows, none of them translated yet.").format(n=len(rows))
    least = min(sure, key=lambda number: sure[number])
    return t("Read row **{row}** first: its pieces have a probability of **{share}** on average.").format(
        row=least, share=f"{sure[least]:.0%}"
    )
