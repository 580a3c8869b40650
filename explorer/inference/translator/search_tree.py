"""A search with a record of it: every hypothesis that was looked at, and what became of it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.inference.search.decode import DecodingOptions, Hypothesis, decode, length_factor
from explorer.inference.search.hypotheses import bound_length
from explorer.inference.translator.translate import LoadedTranslator
from explorer.records.search import Fate, SearchNode, SearchRecord

R = TypeVar("R")


@dataclass(slots=True)
class _Seen:
    """A hypothesis that was looked at."""

    ids: tuple[int, ...]
    rank: int
    parent: int | None
    total: float
    fate: Fate


@dataclass(slots=True)
class Recorder:
    """Notes down what a search of one sentence looks at; hand it over as the `observer`.

    Attributes:
        eos_id: ends a hypothesis.
        seen: every hypothesis with a probability, by step and rank.
    """

    beam: int
    eos_id: int
    seen: list[_Seen] = field(default_factory=list)
    _slots: list[int | None] = field(default_factory=lambda: [None])

    def __call__(
        self,
        sentences: Sequence[int],
        totals: Float[Tensor, "sentences ranks"],
        parents: Int[Tensor, "sentences ranks"],
        tokens: Int[Tensor, "sentences ranks"],
    ) -> None:
        """Note one step.

        Raises:
            ValueError: more than one sentence is searched.
        """
        if list(sentences) != [0]:
            raise ValueError("one sentence at a time is recorded")
        slots: list[int | None] = []
        before = len(self.seen)
        for rank, (total, slot, token) in enumerate(
            zip(totals[0].tolist(), parents[0].tolist(), tokens[0].tolist(), strict=True)
        ):
            ends = token == self.eos_id
            kept = not ends and len(slots) < self.beam
            if kept:
                slots.append(len(self.seen) if math.isfinite(total) else None)
            if math.isfinite(total):
                fate: Fate = "open" if kept else "finished" if ends and rank < self.beam else "dropped"
                self._see(rank, self._slots[slot], token, total, fate)
        self._settle(before)
        self._slots = slots

    def _see(self, rank: int, parent: int | None, token: int, total: float, fate: Fate) -> None:
        past = () if parent is None else self.seen[parent].ids
        self.seen.append(_Seen((*past, token), rank, parent, total, fate))

    def _settle(self, before: int) -> None:
        """Now it is known which of the step before went on."""
        went_on = {each.parent for each in self.seen[before:] if each.fate in ("open", "finished")}
        for number in self._slots:
            if number is not None:
                self.seen[number].fate = "continued" if number in went_on else "pruned"


def with_room(translator: LoadedTranslator, work: Callable[[LoadedTranslator], R]) -> R:
    """Work with a translator; where its device's memory runs out, once more on the CPU, as the provenance then says."""
    try:
        return work(translator)
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
    return work(replace(translator, prepared=translator.prepared.on_cpu()))


def record_search(
    translator: LoadedTranslator, source: Sequence[int], options: DecodingOptions, *, prefix: Sequence[int] = ()
) -> tuple[list[Hypothesis], SearchRecord]:
    """Search on from a `prefix`, as `explorer.inference.translator.translate.translate` does, and keep how it went.

    Returns:
        What `decode` returns for the sentence, and the tree.

    Raises:
        ValueError: the prefix leaves no room for a token, or holds a special one.
    """
    prepared = translator.prepared.allowing(prefix)
    within = bound_length(options, len(source))
    within = replace(within, max_length=min(within.max_length + len(prefix), prepared.config.max_length))
    recorder = Recorder(beam=options.beam, eos_id=prepared.config.eos_id)
    (found,) = decode(prepared, [source], within, prefixes=[prefix], observer=recorder)
    detail = f"beam {options.beam}, length penalty {options.length_penalty:g}"
    numbers = {each.ids: number for number, each in enumerate(recorder.seen)}
    nodes = tuple(_node(translator, recorder.seen, each, options) for each in recorder.seen)
    ended = [each.score for each in found if each.finished]
    to_beat = max((node.score for node in nodes if node.fate == "open"), default=-math.inf)
    return found, SearchRecord(
        nodes=nodes,
        found=tuple(numbers[each.ids] for each in found),
        beam=options.beam,
        stopped="beaten" if len(ended) == options.beam and ended[-1] >= to_beat else "length",
        provenance=translator.provenance.by(
            record_search, detail=f"{detail}, first {len(prefix)} tokens given" if prefix else detail
        ),
    )


def _node(translator: LoadedTranslator, seen: Sequence[_Seen], each: _Seen, options: DecodingOptions) -> SearchNode:
    tokenizer = translator.tokenizer
    before = 0.0 if each.parent is None else seen[each.parent].total
    return SearchNode(
        step=len(each.ids),
        rank=each.rank,
        parent=each.parent,
        label=tokenizer.pieces(each.ids[-1:])[0],
        text=tokenizer.decode(each.ids),
        log_probability=each.total - before,
        total=each.total,
        score=each.total / length_factor(len(each.ids), options.length_penalty),
        fate=each.fate,
    )
