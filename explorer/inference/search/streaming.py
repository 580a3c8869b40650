"""A batch decoded so that others can watch: after every step the best so far, and each sentence as soon as it is done.

Sentences can be dropped on the way. When the device's memory runs out the batch is halved, and a single sentence goes
to the CPU; both are told.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import torch

from explorer.inference.search.decode import DecodingOptions, Hypothesis, Search
from explorer.inference.search.hypotheses import bound_length
from explorer.inference.search.protocols import Engine

#: The best so far is told at most this often: nobody reads faster, and every line costs both sides.
TELL_EVERY_S = 0.03


@dataclass(frozen=True, slots=True)
class Begun:
    """The model is loaded, and the search begins: from now on the time is its own."""


@dataclass(frozen=True, slots=True)
class SoFar:
    """The likeliest unfinished translation of each sentence that is still searched, by its number."""

    best: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class SentenceDone:
    """One sentence is done."""

    number: int
    hypotheses: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True)
class Shortage:
    """The device's memory ran out: the batch is `split`, or a sentence goes to the `cpu`."""

    numbers: tuple[int, ...]
    remedy: Literal["split", "cpu"]


Event = Begun | SoFar | SentenceDone | Shortage
Dropped = Callable[[], frozenset[int]]


def walk(
    engine: Engine,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    dropped: Dropped = frozenset,
    *,
    numbers: Sequence[int] | None = None,
    tell_every_s: float = TELL_EVERY_S,
) -> Iterator[Event]:
    """Translate a batch step by step. Each translation is what it would be alone, bounded by its own source.

    Args:
        sources: tokens of each sentence, `</s>` included.
        dropped: numbers of the sentences that nobody waits for any more; asked before every step.
        numbers: of the sentences that are translated; all of them if not given.
        tell_every_s: seconds from one `SoFar` to the next.

    Yields:
        What happens. Every sentence that is not dropped is found once.
    """
    left = list(range(len(sources)) if numbers is None else numbers)
    try:
        for event in _attempt(engine, sources, tuple(left), options, dropped, tell_every_s):
            if isinstance(event, SentenceDone):
                left.remove(event.number)
            yield event
        return
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
    again = partial(walk, sources=sources, options=options, dropped=dropped, tell_every_s=tell_every_s)
    if len(left) > 1:
        yield Shortage(tuple(left), "split")
        half = len(left) // 2
        for part in (left[:half], left[half:]):
            yield from again(engine, numbers=part)
    elif left:
        yield Shortage(tuple(left), "cpu")
        yield from again(engine.on_cpu(), numbers=left)


def _attempt(
    engine: Engine,
    sources: Sequence[Sequence[int]],
    numbers: tuple[int, ...],
    options: DecodingOptions,
    dropped: Dropped,
    tell_every_s: float,
) -> Iterator[Event]:
    limits = {number: bound_length(options, len(sources[number])).max_length for number in numbers}
    longest = bound_length(options, max(len(sources[number]) for number in numbers))
    with torch.inference_mode():  # never around a `yield`: the mode belongs to the thread, not to the generator
        search = Search(engine, [sources[number] for number in numbers], longest)
    told, last = 0, 0.0
    while search.searched:
        gone = dropped()
        with torch.inference_mode():
            search.drop({row for row in search.searched if numbers[row] in gone})
            if not search.searched:
                return
            search.advance()
            most = search.max_steps
            search.cut({row for row in search.searched if search.step >= min(limits[numbers[row]], most)})
        for row in search.done[told:]:
            yield SentenceDone(numbers[row.number], tuple(row.found))
        told = len(search.done)
        if search.searched and time.monotonic() - last >= tell_every_s:
            last = time.monotonic()
            every = sorted([*(row.number for row in search.done), *search.searched])
            best = dict(zip(every, search.leading(), strict=True))
            yield SoFar({numbers[row]: best[row].ids for row in search.searched})
