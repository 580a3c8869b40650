"""Search for the likeliest translation: greedy and beam search over any model that writes token by token."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.inference.engine import VOCAB_BLOCK, Engine

MAX_BEAM = 16
#: From how many hypotheses on looking block by block is faster.
ROWS_FOR_BLOCKS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingOptions:
    """How to search.

    Attributes:
        beam: hypotheses kept at each step; 1 is greedy.
        length_penalty: exponent α of `length_factor`; 0 compares sums of log-probabilities, which favours short ones.
        max_length: most target tokens, `</s>` included; never more than the model can read.
        min_length: fewest target tokens before `</s>`.

    Raises:
        ValueError: naming the field that is out of range.
    """

    beam: int = 4
    length_penalty: float = 0.6
    max_length: int = 256
    min_length: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.beam <= MAX_BEAM:
            raise ValueError(f"beam {self.beam} is not in 1…{MAX_BEAM}")
        if not 0 <= self.length_penalty <= 5:
            raise ValueError(f"length_penalty {self.length_penalty} is not in 0…5")
        if not 0 <= self.min_length < self.max_length:
            raise ValueError(f"lengths {self.min_length}…{self.max_length} leave no target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """A translation that was found.

    Attributes:
        ids: target tokens without `<s>`, with `</s>` if it was reached.
        log_probability: sum over `ids`, in nats.
        score: `log_probability / length_factor(len(ids), α)`: what hypotheses are ranked by.
        finished: whether `</s>` was reached before the length ran out.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    finished: bool


def length_factor(n_tokens: int, alpha: float) -> float:
    """Divisor that makes sums of log-probabilities of different lengths comparable.

    lp(n) = ((5 + n) / 6)^α (Wu et al. 2016, eq. 14), n counting `</s>`.
    """
    return float(((5 + n_tokens) / 6) ** alpha)


@torch.inference_mode()
def decode(prepared: Engine, sources: Sequence[Sequence[int]], options: DecodingOptions) -> list[list[Hypothesis]]:
    """Translate a batch; sentences of different length may stand together and do not influence each other.

    A sentence is finished when it has `beam` finished hypotheses and the best unfinished one, if it ended now, would
    not be among them. Those still unfinished when the length runs out are returned as they are, after the finished.

    Args:
        prepared: the model.
        sources: tokens of each sentence, `</s>` included.
        options: how to search.

    Returns:
        For each sentence at most `beam` hypotheses, the best first.
    """
    if not sources:
        return []
    search = _Search(prepared, sources, options)
    while search.rows and search.step < search.max_steps:
        search.advance()
    return search.results()


@dataclass(slots=True)
class _Row:
    """One sentence of the batch that is still searched."""

    number: int
    found: list[Hypothesis] = field(default_factory=list)


class _Search:
    """The state of one call of `decode`."""

    def __init__(self, prepared: Engine, sources: Sequence[Sequence[int]], options: DecodingOptions) -> None:
        config = prepared.config
        self.prepared, self.options = prepared, options
        self.max_steps = min(options.max_length, config.max_length)
        self.step = 0
        source_ids = _padded(sources, config.pad_id).to(prepared.device)
        self.cache = prepared.start(source_ids, beam=options.beam, max_steps=self.max_steps)
        self.rows = [_Row(number) for number in range(len(sources))]
        self.done: list[_Row] = []
        self.tokens = torch.full((len(sources), options.beam), config.bos_id, device=prepared.device)
        # Hypotheses start alike, so all but one start impossible.
        self.live = torch.full((len(sources), options.beam), -math.inf, device=prepared.device)
        self.live[:, 0] = 0.0
        self.history: list[tuple[list[list[int]], list[list[int]]]] = []  # parents and tokens of each step

    def advance(self) -> None:
        """One more token for every hypothesis."""
        logits = self.cache.advance(self.tokens)
        if self.step < self.options.min_length:
            logits[..., self.prepared.config.eos_id] = -math.inf
        self.step += 1
        totals, parents, tokens = _candidates(self.live, logits)
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

    def _collect(self, totals: Tensor, parents: Tensor, ends: Tensor) -> None:
        """Keep the hypotheses that ended among the `beam` best candidates."""
        for row, rank in ends[:, : self.options.beam].nonzero().tolist():
            if math.isfinite(total := totals[row, rank].item()):
                ids = (*self._past(row, int(parents[row, rank])), self.prepared.config.eos_id)
                self.rows[row].found.append(self._hypothesis(ids, total, finished=True))

    def _past(self, row: int, beam: int) -> tuple[int, ...]:
        """Tokens of a hypothesis, from its newest back to the first."""
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
        self.history = [([parents[i] for i in kept], [tokens[i] for i in kept]) for parents, tokens in self.history]
        self.cache.keep(rows)

    def results(self) -> list[list[Hypothesis]]:
        """Hypotheses of every sentence, in the order of the sentences."""
        for i, row in enumerate(self.rows):
            row.found.sort(key=lambda each: -each.score)
            unfinished = [
                self._hypothesis(self._past(i, beam), total, finished=False)
                for beam, total in enumerate(self.live[i].tolist())
                if math.isfinite(total)
            ]
            row.found = [*row.found, *unfinished][: self.options.beam]
        return [row.found for row in sorted([*self.done, *self.rows], key=lambda row: row.number)]


def _candidates(
    live: Float[Tensor, "sentences beam"], logits: Float[Tensor, "sentences beam vocab"]
) -> tuple[Float[Tensor, "sentences ranks"], Int[Tensor, "sentences ranks"], Int[Tensor, "sentences ranks"]]:
    """The likeliest continuations of each sentence: total log-probability, parent, token, the best first.

    At most 2·beam, because up to `beam` of them may end; at most beam + 1 of one hypothesis, because only one of its
    continuations ends.
    """
    beam = live.shape[1]
    best, tokens = _largest(logits.log_softmax(-1, dtype=torch.float32), beam + 1)
    totals = (best + live[..., None]).flatten(1)
    totals, chosen = totals.topk(min(2 * beam, totals.shape[1]))
    return totals, chosen // best.shape[2], tokens.flatten(1).gather(1, chosen)


def _largest(
    logits: Float[Tensor, "sentences beam vocab"], n: int
) -> tuple[Float[Tensor, "sentences beam n"], Int[Tensor, "sentences beam n"]]:
    """`logits.topk(n)`, three times as fast on many rows: the n largest lie in the n blocks with the largest maxima."""
    blocks = logits.view(*logits.shape[:2], -1, VOCAB_BLOCK)
    if blocks.shape[2] <= n or blocks.shape[:2].numel() < ROWS_FOR_BLOCKS:
        return logits.topk(min(n, logits.shape[2]))
    chosen = blocks.amax(-1).topk(n).indices  # [sentences, beam, n]
    inside = blocks.gather(2, chosen[..., None].expand(*chosen.shape, VOCAB_BLOCK))
    values, places = inside.flatten(2).topk(n)
    return values, chosen.gather(2, places // VOCAB_BLOCK) * VOCAB_BLOCK + places % VOCAB_BLOCK


def _padded(rows: Sequence[Sequence[int]], pad_id: int) -> Int[Tensor, "rows longest"]:
    padded = torch.full((len(rows), max(len(row) for row in rows)), pad_id)
    for row, ids in zip(padded, rows, strict=True):
        row[: len(ids)] = torch.tensor(ids)
    return padded
