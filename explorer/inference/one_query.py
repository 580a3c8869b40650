"""One query of a trained head past every key: what its journey shows, number by number."""

from dataclasses import replace

import torch

from explorer.attention.attend import attend
from explorer.nn.head_parts import Projected
from explorer.records.attention import AttentionRecord
from explorer.records.journey import JourneyRecord


@torch.inference_mode()
def one_query(parts: Projected, head: int, asker: str, keys: tuple[str, ...], traced: AttentionRecord) -> JourneyRecord:
    """Return the scores, weights and output of one query.

    Args:
        parts: of every head; one query, and the keys that it may look at.
        head: from 0.
        asker: name of the query.
        keys: names of the keys.
        traced: says whose attention it is; its weights and labels are replaced.
    """
    query, key, value = (part[head : head + 1].float() for part in parts)
    output, weights, scores = (part[0].cpu().numpy() for part in attend(query, key, value))
    whose = replace(traced, weights=weights[None], allowed=None, query_labels=(asker,), key_labels=keys)
    return JourneyRecord(
        attention=whose,
        query=query[0].cpu().numpy(),
        key=key[0].cpu().numpy(),
        value=value[0].cpu().numpy(),
        scores=scores,
        output=output,
        asker=asker,
    )
