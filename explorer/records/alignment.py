"""Alignment: which source word stands for which target word, and which heads of a cross-attention say so."""

import numpy as np

from explorer.records.arrays import Float64
from explorer.records.attention import AttentionRecord
from explorer.records.heads import HeadName
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import TokenRow


@record
class HeadAlignments:
    """Every head of the cross-attention measured against the others (`explorer.attention.alignment_measures`).

    Attributes:
        score: weight on the others' consensus, `[layers, heads]`; NaN where nothing can be compared.
        agreement: share of words for which the head's own choice is the consensus, `[layers, heads]`.
        largest: mean largest weight on a word, `[layers, heads]`.
        entropy: of a row, in nats, `[layers, heads]`.
        words: over how many written words the means go.
    """

    score: Float64
    agreement: Float64
    largest: Float64
    entropy: Float64
    words: int
    provenance: Provenance

    @property
    def best(self) -> HeadName | None:
        """The head with the highest score; None where there is none."""
        if not np.isfinite(self.score).any():
            return None
        layer, head = np.unravel_index(int(np.nanargmax(self.score)), self.score.shape)
        return HeadName(part="cross", layer=int(layer), head=int(head))


def hard_pairs(alignment: AttentionRecord, source: TokenRow, written: TokenRow) -> tuple[tuple[int, int], ...]:
    """The hard alignment: for each written token the source token it weighs most, as (source, written).

    Special tokens are left out, on both sides; a written token that weighs `</s>` most stands with none.

    Args:
        alignment: one head.
        source: the tokens of its columns.
        written: the tokens of its rows.
    """
    best = alignment.weights[0].argmax(-1).tolist() if alignment.key_labels else []
    return tuple(
        (position, row)
        for row, position in enumerate(best)
        if not written.special[row] and not source.special[position]
    )


def count_from_zero(
    pairs: tuple[tuple[int, int], ...], source: TokenRow, written: TokenRow
) -> tuple[tuple[int, int], ...]:
    """Return the pairs, each side counted from 0 without its special tokens.

    Args:
        pairs: of `hard_pairs`.
        source: the tokens of the first side.
        written: the tokens of the second.
    """
    positions, rows = (np.cumsum(~np.array(tokens.special, bool)) - 1 for tokens in (source, written))
    return tuple((int(positions[position]), int(rows[row])) for position, row in pairs)


def pharaoh(pairs: tuple[tuple[int, int], ...]) -> str:
    """Pairs as aligners write them, `0-0 1-2 …`: source, target, counted from 0."""
    return " ".join(f"{source}-{target}" for source, target in pairs)
