"""Many sentences at once: batches of like length, and what to do when the device's memory runs out."""

import warnings
from collections.abc import Callable, Sequence

import torch

from explorer.inference.decoding import DecodingOptions, Hypothesis, decode
from explorer.inference.engine import Engine

#: Source tokens times hypotheses decoded together. More gains nothing on a CPU and costs memory everywhere.
TOKENS_PER_BATCH = 4096
#: A translation may have this many tokens per source token, and this many more.
GROWTH, ALLOWANCE = 2, 10


def decode_all(
    prepared: Engine,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    *,
    on_progress: Callable[[int], object] = lambda _: None,
) -> list[list[Hypothesis]]:
    """Translate any number of sentences, in batches of like length.

    Each translation is bounded by `GROWTH * source + ALLOWANCE` tokens too. When CUDA runs out of memory the batch is
    halved, and a single sentence goes to the CPU; both are said in a warning.

    Args:
        prepared: the model.
        sources: tokens of each sentence, `</s>` included.
        options: how to search.
        on_progress: is called with the number of sentences that each batch finished.

    Returns:
        Hypotheses of each sentence, in the order of `sources`.
    """
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    found: list[list[Hypothesis]] = [[] for _ in sources]
    start = 0
    while start < len(order):
        n = _batch_size([len(sources[i]) for i in order[start : start + TOKENS_PER_BATCH]], options.beam)
        rows = order[start : start + n]
        for i, hypotheses in zip(rows, _decode_safely(prepared, [sources[i] for i in rows], options), strict=True):
            found[i] = hypotheses
        on_progress(len(rows))
        start += n
    return found


def bounded(options: DecodingOptions, n_source: int) -> DecodingOptions:
    """The same search with the length a source of `n_source` tokens may grow to."""
    most = max(options.min_length + 1, min(options.max_length, GROWTH * n_source + ALLOWANCE))
    return DecodingOptions(
        beam=options.beam, length_penalty=options.length_penalty, max_length=most, min_length=options.min_length
    )


def _batch_size(lengths: Sequence[int], beam: int) -> int:
    """How many of the sorted lengths fit; at least one."""
    fitting = [n for n, longest in enumerate(lengths, 1) if n * longest * beam <= TOKENS_PER_BATCH]
    return max(fitting, default=1)


def _decode_safely(
    prepared: Engine, sources: Sequence[Sequence[int]], options: DecodingOptions
) -> list[list[Hypothesis]]:
    try:
        return decode(prepared, sources, bounded(options, max(len(source) for source in sources)))
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
    if len(sources) > 1:
        warnings.warn(f"{prepared.device} is out of memory: {len(sources)} sentences are split", stacklevel=2)
        half = len(sources) // 2
        return [*_decode_safely(prepared, sources[:half], options), *_decode_safely(prepared, sources[half:], options)]
    warnings.warn(f"{prepared.device} is out of memory: a sentence is translated on the CPU", stacklevel=2)
    return _decode_safely(prepared.on_cpu(), sources, options)
