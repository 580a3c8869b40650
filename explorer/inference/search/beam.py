"""Beam search over any model that writes token by token; with a beam of one it is greedy."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.inference.search.hypotheses import DecodingOptions, Hypothesis, length_factor
from explorer.inference.search.protocols import Choosy, Engine
from explorer.inference.search.topk import continuations, pad_rows


@runtime_checkable
class Observer(Protocol):
    """An observer of a search; a search without one does nothing for it."""

    def __call__(
        self,
        sentences: Sequence[int],
        totals: Float[Tensor, "sentences ranks"],
        parents: Int[Tensor, "sentences ranks"],
        tokens: Int[Tensor, "sentences ranks"],
    ) -> object:
        """Receive, after every step, the candidates of each sentence that is still searched, the best first.

        Those among the first `beam` that are `</s>` finish; the first `beam` others are kept.

        Args:
            sentences: their numbers.
            totals: log-probability of each candidate; -inf where there is none.
            parents: the hypothesis of the step before that it continues.
            tokens: the token it adds.
        """


@dataclass(slots=True)
class _Row:
    """One sentence of the batch that is still searched."""

    number: int
    found: list[Hypothesis] = field(default_factory=list)


class Search:
    """The state of one search. Belongs to one call; never shared.

    Attributes:
        step: tokens that each hypothesis has so far.
        max_steps: most tokens it may have.
    """

    def __init__(
        self,
        prepared: Engine,
        sources: Sequence[Sequence[int]],
        options: DecodingOptions,
        *,
        prefixes: Sequence[Sequence[int]] = (),
        observer: Observer | None = None,
    ) -> None:
        config = prepared.config
        self.prepared, self.options, self.observer = prepared, options, observer
        self.max_steps = min(options.max_length, config.max_length)
        self.step = 0
        self.prefixes = _checked(prefixes, len(sources), self.max_steps, {config.pad_id, config.bos_id, config.eos_id})
        source_ids = pad_rows(sources, config.pad_id).to(prepared.device)
        self.cache = prepared.start(source_ids, beam=options.beam, max_steps=self.max_steps)
        self.writable = prepared.writable(source_ids) if isinstance(prepared, Choosy) else None
        self.rows = [_Row(number) for number in range(len(sources))]
        self.done: list[_Row] = []
        self.tokens = torch.full((len(sources), options.beam), config.bos_id, device=prepared.device)
        # Hypotheses start alike, so all but one start impossible.
        self.live = torch.full((len(sources), options.beam), -math.inf, device=prepared.device)
        self.live[:, 0] = 0.0
        self.history: list[tuple[list[list[int]], list[list[int]]]] = []  # parents and tokens of each step

    @property
    def is_over(self) -> bool:
        """Tell whether every sentence is finished or the length has run out."""
        return not self.rows or self.step >= self.max_steps

    def advance(self) -> None:
        """Add one token to every hypothesis."""
        logits = self.cache.advance(self.tokens)
        if self.step < self.options.min_length:
            logits[..., self.prepared.config.eos_id] = -math.inf
        allowed = self._in_prefix(logits.shape[-1])
        if self.writable is not None:
            allowed = self.writable if allowed is None else allowed & self.writable
        self.step += 1
        totals, parents, tokens = continuations(self.live, logits, allowed)
        if self.observer is not None:
            self.observer([row.number for row in self.rows], totals, parents, tokens)
        beam, eos = self.options.beam, self.prepared.config.eos_id
        if any(eos in row for row in tokens[:, :beam].tolist()):
            ends = tokens == eos
            self._collect(totals, parents, ends)
            order = ends.int().argsort(stable=True)
            totals, parents, tokens = (each.gather(1, order) for each in (totals, parents, tokens))
        self.live, parents, self.tokens = totals[:, :beam], parents[:, :beam], tokens[:, :beam]
        self.history.append((parents.tolist(), self.tokens.tolist()))
        self.cache.continue_from(parents)
        self._drop_done()

    def _in_prefix(self, n_vocab: int) -> Bool[Tensor, "sentences 1 vocab"] | None:
        """Return which tokens may be written next; None once every sentence is past its prefix."""
        forced = [self.prefixes[row.number][self.step : self.step + 1] for row in self.rows] if self.prefixes else []
        if not any(forced):
            return None
        allowed = torch.ones(len(forced), 1, n_vocab, dtype=torch.bool)
        for row, token in zip(allowed, forced, strict=True):
            if token:
                row[:] = False
                row[:, token] = True
        return allowed.to(self.prepared.device)

    def _collect(self, totals: Tensor, parents: Tensor, ends: Tensor) -> None:
        """Keep the hypotheses that ended among the `beam` best candidates."""
        for row, rank in ends[:, : self.options.beam].nonzero().tolist():
            if math.isfinite(total := totals[row, rank].item()):
                ids = (*self._past(row, int(parents[row, rank])), self.prepared.config.eos_id)
                self.rows[row].found.append(self._hypothesis(ids, total, finished=True))

    def _past(self, row: int, beam: int) -> tuple[int, ...]:
        """Return the tokens of a hypothesis, collected from its newest back to the first."""
        ids = []
        for parents, tokens in reversed(self.history):
            ids.append(tokens[row][beam])
            beam = parents[row][beam]
        return tuple(reversed(ids))

    def _hypothesis(self, ids: tuple[int, ...], total: float, *, finished: bool) -> Hypothesis:
        score = total / length_factor(len(ids), self.options.length_penalty)
        return Hypothesis(ids=ids, log_probability=total, score=score, finished=finished)

    def _drop_done(self) -> None:
        beam, now = self.options.beam, length_factor(self.step, self.options.length_penalty)
        if all(len(row.found) < beam for row in self.rows):
            return
        best_live = (self.live[:, 0] / now).tolist()
        kept = []
        for i, row in enumerate(self.rows):
            row.found = sorted(row.found, key=lambda each: -each.score)[:beam]
            if len(row.found) == beam and row.found[-1].score >= best_live[i]:
                self.done.append(row)
            else:
                kept.append(i)
        if len(kept) < len(self.rows):
            self._keep(kept)

    def _keep(self, kept: list[int]) -> None:
        rows = torch.tensor(kept, dtype=torch.long, device=self.live.device)
        self.rows = [self.rows[i] for i in kept]
        self.live, self.tokens = self.live[rows], self.tokens[rows]
        self.writable = None if self.writable is None else self.writable[rows]
        self.history = [([parents[i] for i in kept], [tokens[i] for i in kept]) for parents, tokens in self.history]
        self.cache.keep(rows)

    @property
    def searched(self) -> tuple[int, ...]:
        """Return the numbers of the sentences that are not finished."""
        return tuple(row.number for row in self.rows)

    def cut(self, numbers: Collection[int]) -> None:
        """Finish sentences with what they have: the finished hypotheses, then the unfinished."""
        for i, row in enumerate(self.rows):
            if row.number in numbers:
                row.found = self._standing(i)
                self.done.append(row)
        self.drop(numbers)

    def drop(self, numbers: Collection[int]) -> None:
        """Search sentences no further. Those that were not finished have no results."""
        kept = [i for i, row in enumerate(self.rows) if row.number not in numbers]
        if len(kept) < len(self.rows):
            self._keep(kept)

    def leading(self) -> list[Hypothesis]:
        """Return the best hypothesis so far of every sentence, in their order; in the end, of the results.

        Until then an unfinished one may lead. When the length has run out, those that finished come first.
        """
        if self.is_over:
            return [found[0] for found in self.results()]
        leaders = {row.number: row.found[0] for row in self.done}
        for i, row in enumerate(self.rows):
            leaders[row.number] = max([*row.found, *self._unfinished(i, 1)], key=lambda each: each.score)
        return [leaders[number] for number in sorted(leaders)]

    def results(self) -> list[list[Hypothesis]]:
        """Return the hypotheses of every sentence, in the order of the sentences."""
        found = {row.number: row.found for row in self.done}
        for i, row in enumerate(self.rows):
            found[row.number] = self._standing(i)
        return [found[number] for number in sorted(found)]

    def _standing(self, row: int) -> list[Hypothesis]:
        """Return what a sentence has: the finished hypotheses, then the unfinished."""
        finished = sorted(self.rows[row].found, key=lambda each: -each.score)
        return [*finished, *self._unfinished(row, self.options.beam)][: self.options.beam]

    def _unfinished(self, row: int, most: int) -> list[Hypothesis]:
        return [
            self._hypothesis(self._past(row, beam), total, finished=False)
            for beam, total in enumerate(self.live[row, :most].tolist())
            if math.isfinite(total)
        ]


def _checked(prefixes: Sequence[Sequence[int]], n_sentences: int, max_steps: int, special: set[int]) -> list[list[int]]:
    """Return the prefixes as lists; empty if there is none."""
    rows = [list(prefix) for prefix in prefixes]
    if rows and len(rows) != n_sentences:
        raise ValueError(f"{len(rows)} prefixes for {n_sentences} sentences")
    if any(len(row) >= max_steps for row in rows):
        raise ValueError(f"a prefix of {max(map(len, rows))} tokens leaves no room in {max_steps}")
    if any(special.intersection(row) for row in rows):
        raise ValueError("a prefix is text: it holds no special token")
    return rows if any(rows) else []
