"""Every head over many sentences: ours, or lines of the reader's own."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.lessons.open_model import models
from explorer.opened import ask, corpus
from explorer.records.opened.look import RuleName
from explorer.records.opened.several import CorpusLook, HeadOver
from explorer.records.provenance import Provenance

#: Sentences of a reader's own that are read.
MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusParams:
    """A model and its sentences.

    Attributes:
        lines: of the reader's own; ours if there is none.
    """

    model: str
    revision: str
    lines: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the sentences that are read."""
        return self.lines[:MOST] or corpus.sentences()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverTexts:
    """Every head, over as many sentences as have been read."""

    look: CorpusLook
    total: int

    @property
    def done(self) -> int:
        """Return how many sentences have been read."""
        return len(self.look.texts)

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the look."""
        return self.look.provenance

    def head(self, site: int, head: int) -> HeadOver:
        """Return the nearest head there is."""
        heads = self.look.heads[min(site, len(self.look.heads) - 1)]
        return heads[min(head, len(heads) - 1)]

    def shares(self, rule: RuleName | None) -> npt.NDArray[np.float32]:
        """Return on what share of the sentences each head keeps a rule; how much of its weight rests, if it is None."""
        most = max(map(len, self.look.heads))
        found = np.full((len(self.look.heads), most), np.nan, np.float32)
        for site, heads in enumerate(self.look.heads):
            found[site, : len(heads)] = [self.of(each, rule) for each in heads]
        return found

    def of(self, head: HeadOver, rule: RuleName | None) -> float:
        """Return the same of one head."""
        return head.rest if rule is None else head.rules.get(rule, 0) / self.done


def read(params: CorpusParams) -> Iterator[OverTexts]:
    """Yield every head over ever more sentences.

    Raises:
        ModelRefused: the model is refused.
    """
    found = models.find(params.model, params.revision)
    for look in ask.over_texts(found, params.texts):
        yield OverTexts(look=look, total=len(params.texts))


def read_recorded(params: CorpusParams) -> OverTexts | None:
    """Return what was recorded; None where it must be read."""
    if params.lines:
        return None
    found = models.find(params.model, params.revision)
    known = ask.recorded_corpus(found)
    return OverTexts(look=known, total=len(known.texts)) if known else None
