"""Many sentences at once: batches of like length, and what to do when the device's memory runs out."""

import math
import warnings
from collections.abc import Callable, Sequence

import torch

from explorer.inference.search.decode import DecodingOptions, Hypothesis
from explorer.inference.search.protocols import Engine
from explorer.inference.search.streaming import SentenceDone, Shortage, walk

#: Source tokens times hypotheses decoded together. More gains nothing on a CPU and costs memory everywhere; CUDA, whose
#: cores wait where rows are few, takes hundreds of sentences (not measured yet: `tests/benchmarks/test_gpu_speed.py`).
TOKENS_PER_BATCH, TOKENS_ON_CUDA = 4096, 65_536


def decode_all(
    prepared: Engine,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    *,
    on_progress: Callable[[int], object] = lambda _: None,
) -> list[list[Hypothesis]]:
    """Translate any number of sentences, in batches of like length.

    Each translation is what it would be alone, and has at most `GROWTH * source + ALLOWANCE` tokens. When CUDA runs
    out of memory the batch is halved, and a single sentence goes to the CPU; both are said in a warning.

    Args:
        sources: tokens of each sentence, `</s>` included.
        on_progress: is called with the number of sentences that each batch finished.

    Returns:
        Hypotheses of each sentence, in the order of `sources`.
    """
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    found: list[list[Hypothesis]] = [[] for _ in sources]
    start, most = 0, most_tokens(prepared.device)
    while start < len(order):
        n = _batch_size([len(sources[i]) for i in order[start : start + most]], options.beam, most)
        rows = order[start : start + n]
        for event in walk(prepared, [sources[i] for i in rows], options, tell_every_s=math.inf):
            if isinstance(event, SentenceDone):
                found[rows[event.number]] = list(event.hypotheses)
            elif isinstance(event, Shortage):
                what = f"{len(event.numbers)} sentences are split"
                what = what if event.remedy == "split" else "a sentence is translated on the CPU"
                warnings.warn(f"{prepared.device} is out of memory: {what}", stacklevel=2)
        on_progress(len(rows))
        start += n
    return found


def most_tokens(device: torch.device) -> int:
    """Return how many source tokens times hypotheses a device decodes together."""
    return TOKENS_ON_CUDA if device.type == "cuda" else TOKENS_PER_BATCH


def _batch_size(lengths: Sequence[int], beam: int, most: int) -> int:
    """Return how many of the sorted lengths fit; at least one."""
    fitting = [n for n, longest in enumerate(lengths, 1) if n * longest * beam <= most]
    return max(fitting, default=1)
