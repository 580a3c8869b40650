"""Search for the likeliest translation: greedy and beam search over any model that writes token by token."""

from collections.abc import Iterator, Sequence

import torch

from explorer.inference.search.beam import Observer, Search
from explorer.inference.search.hypotheses import MAX_BEAM, DecodingOptions, Hypothesis, length_factor
from explorer.inference.search.protocols import Engine

__all__ = ["MAX_BEAM", "DecodingOptions", "Hypothesis", "Observer", "Search", "decode", "length_factor", "search_steps"]


@torch.inference_mode()
def decode(
    prepared: Engine,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    *,
    prefixes: Sequence[Sequence[int]] = (),
    observer: Observer | None = None,
) -> list[list[Hypothesis]]:
    """Translate a batch; sentences of different length may stand together and do not influence each other.

    A sentence is finished when it has `beam` finished hypotheses and the best unfinished one, if it ended now, would
    not be among them. Those still unfinished when the length runs out are returned as they are, after the finished.

    Args:
        sources: tokens of each sentence, `</s>` included.
        prefixes: tokens that every hypothesis of a sentence begins with, one row for each sentence; none if not given.

    Returns:
        For each sentence at most `beam` hypotheses, the best first.

    Raises:
        ValueError: a prefix leaves no room for a token, or holds a special one.
    """
    if not sources:
        return []
    search = Search(prepared, sources, options, prefixes=prefixes, observer=observer)
    while not search.is_over:
        search.advance()
    return search.results()


def search_steps(prepared: Engine, sources: Sequence[Sequence[int]], options: DecodingOptions) -> Iterator[Search]:
    """Search as `decode` does, and hand the search over after each step: whoever stops asking stops it.

    Each time, `leading()` is the best hypothesis so far of each sentence; when the steps are over, `results()` is what
    `decode` returns. Asking for neither costs nothing.
    """
    if not sources:
        return
    with torch.inference_mode():
        search = Search(prepared, sources, options)
    while not search.is_over:
        with torch.inference_mode():  # which belongs to the thread: whoever follows must not be left in it
            search.advance()
        yield search
