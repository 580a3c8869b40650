"""A batch decoded so that others can watch: after every step the best so far, and each sentence as soon as it is done.

Sentences can be dropped on the way. When the device's memory runs out the batch is halved, and a single sentence goes
to the CPU; both are told.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch

from explorer.inference.batching import bounded
from explorer.inference.decoding import DecodingOptions, Hypothesis, _Row, _Search
from explorer.inference.engine import Engine


@dataclass(frozen=True, slots=True)
class SoFar:
    """The likeliest unfinished translation of each sentence that is still searched, by its number."""

    best: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Found:
    """One sentence is done."""

    number: int
    hypotheses: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True)
class Shortage:
    """The device's memory ran out: the batch is `split`, or a sentence goes to the `cpu`."""

    numbers: tuple[int, ...]
    remedy: Literal["split", "cpu"]


Event = SoFar | Found | Shortage
Dropped = Callable[[], frozenset[int]]


def walk(
    engine: Engine,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    dropped: Dropped = frozenset,
) -> Iterator[Event]:
    """Translate a batch step by step. Each translation is what it would be alone, bounded by its own source.

    Args:
        engine: the model.
        sources: tokens of each sentence, `</s>` included.
        options: how to search.
        dropped: numbers of the sentences that nobody waits for any more; asked before every step.

    Yields:
        What happens. Every sentence that is not dropped is found once.
    """
    yield from _walk(engine, sources, tuple(range(len(sources))), options, dropped)


def _walk(
    engine: Engine,
    sources: Sequence[Sequence[int]],
    numbers: tuple[int, ...],
    options: DecodingOptions,
    dropped: Dropped,
) -> Iterator[Event]:
    left = list(numbers)
    try:
        for event in _attempt(engine, sources, numbers, options, dropped):
            if isinstance(event, Found):
                left.remove(event.number)
            yield event
        return
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
    if len(left) > 1:
        yield Shortage(tuple(left), "split")
        half = len(left) // 2
        for part in (left[:half], left[half:]):
            yield from _walk(engine, sources, tuple(part), options, dropped)
    elif left:
        yield Shortage(tuple(left), "cpu")
        yield from _walk(engine.on_cpu(), sources, tuple(left), options, dropped)


def _attempt(
    engine: Engine,
    sources: Sequence[Sequence[int]],
    numbers: tuple[int, ...],
    options: DecodingOptions,
    dropped: Dropped,
) -> Iterator[Event]:
    limits = {number: bounded(options, len(sources[number])).max_length for number in numbers}
    longest = bounded(options, max(len(sources[number]) for number in numbers))
    with torch.inference_mode():  # never around a `yield`: the mode belongs to the thread, not to the generator
        search = _Search(engine, [sources[number] for number in numbers], longest)
    told = 0
    while search.rows:
        gone = dropped()
        with torch.inference_mode():
            _keep(search, [row for row in search.rows if numbers[row.number] not in gone])
            if not search.rows:
                return
            search.advance()
            cut = [row for row in search.rows if search.step >= min(limits[numbers[row.number]], search.max_steps)]
            found = [(row.number, tuple(row.found)) for row in search.done[told:]]
            found += [(row.number, _cut_off(search, row)) for row in cut]
            _keep(search, [row for row in search.rows if row not in cut])
        told = len(search.done)
        for number, hypotheses in found:
            yield Found(numbers[number], hypotheses)
        yield SoFar({numbers[row.number]: search._past(place, 0) for place, row in enumerate(search.rows)})


def _keep(search: _Search, rows: list[_Row]) -> None:
    if len(rows) < len(search.rows):
        search._keep([place for place, row in enumerate(search.rows) if row in rows])


def _cut_off(search: _Search, row: _Row) -> tuple[Hypothesis, ...]:
    """What a sentence has when its length runs out: the finished, then the unfinished."""
    place = search.rows.index(row)
    totals = search.live[place].tolist()
    unfinished = [
        search._hypothesis(search._past(place, beam), total, finished=False)
        for beam, total in enumerate(totals)
        if total > -float("inf")
    ]
    finished = sorted(row.found, key=lambda each: -each.score)
    return (*finished, *unfinished)[: search.options.beam]
