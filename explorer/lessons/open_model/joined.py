"""Weights of whole words: columns of the pieces of a word are added, rows of its pieces are averaged."""

from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.opened.look import OpenedTokens
from explorer.records.sequence import TokenRow


def join(weights: npt.NDArray[np.floating[Any]], queries: TokenRow, keys: TokenRow) -> npt.NDArray[np.floating[Any]]:
    """Return weights `[..., queries, keys]` of words; every row still sums to 1."""
    columns = np.add.reduceat(weights, _starts(keys), axis=-1)
    rows = np.add.reduceat(columns, _starts(queries), axis=-2)
    counts = np.array([len(word) for word in queries.words], np.float32)
    averaged: npt.NDArray[np.floating[Any]] = rows / counts[:, None]
    return averaged


def join_tokens(tokens: OpenedTokens) -> OpenedTokens:
    """Return words as tokens of their own; they have no numbers."""
    merged = tokens.row.merged()
    unknown = tuple(any(tokens.unknown[position] for position in word) for word in tokens.row.words if tokens.unknown)
    return OpenedTokens(row=merged, ids=(), unknown=unknown, left_off=tokens.left_off)


def _starts(row: TokenRow) -> list[int]:
    return [word[0] for word in row.words]
