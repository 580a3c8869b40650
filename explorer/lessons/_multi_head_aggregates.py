"""Page 06: many heads in one map: mean, maximum, rollout, flow."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.lessons._multi_head_state import Result, View
from explorer.records.attention import AttentionRecord


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AggregateMap:
    """One map made of many heads.

    Attributes:
        weights: `[queries, keys]`.
        sums: of the rows; not 1 where the map is no distribution (the maximum).
        query_labels: one per row.
        key_labels: one per column.
        record: the same as an attention with one head; None where the map is no distribution.
        from_source: rollout and flow into the source from the decoder: share of a row that ends in the source (the
            rest stays with target tokens read before); the rows of `weights` are scaled to 1. None elsewhere.
        computed: how, for the provenance.
    """

    weights: npt.NDArray[np.float32]
    sums: npt.NDArray[np.float32]
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    record: AttentionRecord | None
    from_source: npt.NDArray[np.float32] | None
    computed: str


def aggregate(result: Result, view: View) -> AggregateMap:
    """The summary the view asks for, over the view's site: `mean` and `max` over the heads of the view's layer.

    `layers` is the mean over all heads of all layers of the site. `rollout` and `flow` follow the site's layers down
    to its input (Abnar & Zuidema 2020); for cross-attention through the decoder and the encoder to the source tokens.
    Words are merged and special tokens hidden as the view asks, except for the maximum and flow.
    """
    raise NotImplementedError
