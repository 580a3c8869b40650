"""Batches change nothing, and running out of memory is survived and said."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import torch

from explorer.inference.engine.prepared import Prepared
from explorer.inference.search import batching, streaming
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions, Hypothesis, decode
from explorer.inference.search.hypotheses import bound_length

SOURCES = [[9, 8, 7, 2], [40, 2], [8, 101, 2], [9] * 40 + [2], [11, 12, 13, 2]]
OPTIONS = DecodingOptions(beam=2, max_length=12)


def ids(found: list[list[Hypothesis]]) -> list[list[tuple[int, ...]]]:
    return [[each.ids for each in hypotheses] for hypotheses in found]


def test_in_batches_as_one_by_one(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [ids(decode(prepared, [source], OPTIONS))[0] for source in SOURCES]
    assert ids(decode_all(prepared, SOURCES, OPTIONS)) == expected
    monkeypatch.setattr(batching, "TOKENS_PER_BATCH", 9)
    assert ids(decode_all(prepared, SOURCES, OPTIONS)) == expected


@pytest.mark.parametrize("beam", [1, 3])
def test_a_long_neighbour_makes_no_translation_longer(prepared: Prepared, beam: int) -> None:
    """This model hardly ever ends by itself, so that a sentence has all the tokens that its source allows."""
    options = DecodingOptions(beam=beam, max_length=256)
    together = ids(decode_all(prepared, SOURCES, options))
    assert together == [ids(decode_all(prepared, [source], options))[0] for source in SOURCES]
    assert max(map(len, together[1])) == 2 * len(SOURCES[1]) + 10 < max(map(len, together[3]))


def test_progress_counts_every_sentence(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "TOKENS_PER_BATCH", 16)
    seen: list[int] = []
    decode_all(prepared, SOURCES, OPTIONS, on_progress=seen.append)
    assert sum(seen) == len(SOURCES)
    assert len(seen) > 1


def test_length_is_bounded_by_the_source() -> None:
    assert bound_length(DecodingOptions(max_length=256), 5).max_length == 20
    assert bound_length(DecodingOptions(max_length=8), 5).max_length == 8
    assert bound_length(DecodingOptions(max_length=256, min_length=50), 5).max_length == 51


def test_out_of_memory_halves_the_batch_and_then_moves_to_the_cpu(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ids(decode_all(prepared, SOURCES, OPTIONS))
    tried: list[int] = []

    class Small(streaming.Search):
        def __init__(self, where: Prepared, sources: Sequence[Sequence[int]], options: DecodingOptions) -> None:
            tried.append(len(sources))
            if where is prepared and (len(sources) > 1 or len(sources[0]) > 10):
                raise torch.OutOfMemoryError
            super().__init__(where, sources, options)

    monkeypatch.setattr(streaming, "Search", Small)
    with pytest.warns(UserWarning, match="out of memory") as said:
        assert ids(decode_all(prepared, SOURCES, OPTIONS)) == expected
    assert tried[0] == len(SOURCES)
    assert any("CPU" in str(each.message) for each in said)


def test_a_batch_holds_as_many_hypotheses_as_fit(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []

    def note(engine: Any, sources: Sequence[Sequence[int]], *rest: Any, **options: Any) -> Iterator[Any]:
        batches.append(len(sources))
        return iter(())

    monkeypatch.setattr(batching, "TOKENS_PER_BATCH", 60)
    monkeypatch.setattr(batching, "walk", note)
    for beam, expected in ((1, [10, 2, 1]), (2, [5, 5, 1, 1, 1])):
        batches.clear()
        decode_all(prepared, [[5] * 6] * 10 + [[5] * 30] * 2 + [[5] * 200], DecodingOptions(beam=beam))
        assert batches == expected
