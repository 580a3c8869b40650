"""Masks and what became of single rows under them, and the notation for masks in a link."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.records.readonly import record

#: (query, key), both from 0.
Cell = tuple[int, int]
#: Why a cell is forbidden, in the order in which they are named.
REASONS = ("padding", "future", "window", "hand")
_RUN = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?:(\d{1,3})(?:-(\d{1,3}))?", re.ASCII)
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
#: Full-width punctuation, as a Chinese keyboard types it.
_WIDE = str.maketrans("：；，－　", ":;,- ")


class NotationError(ValueError):
    """A piece of a typed mask that cannot be read.

    Attributes:
        piece: the text that was not understood, as typed.
    """

    def __init__(self, piece: str) -> None:
        super().__init__(f"not understood: {piece!r}; write for example 3:1-4, or lengths such as 5 3 4")
        self.piece = piece


@record
class MaskRecord:
    """Permissions of a mask, with the reasons for every refusal. Read-only.

    Attributes:
        allowed: boolean `[queries, keys]`, True = may attend.
        forbidden_by: each of `padding`, `future` and `window`: the cells that rule forbids.
        by_hand: cells that were flipped by hand after the rules.
        query_labels: one per row.
        key_labels: one per column.

    Raises:
        ValueError: if a shape does not fit the labels, or `allowed` is not what the rules and the hand say.
    """

    allowed: npt.NDArray[np.bool_]
    forbidden_by: dict[str, npt.NDArray[np.bool_]]
    by_hand: npt.NDArray[np.bool_]
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.query_labels), len(self.key_labels))
        for name, mask in {"allowed": self.allowed, "by hand": self.by_hand, **self.forbidden_by}.items():
            if mask.shape != shape:
                raise ValueError(f"mask {name}: {mask.shape} does not fit labels {shape}")
            mask.setflags(write=False)
        rules = ~np.logical_or.reduce([np.zeros(shape, bool), *self.forbidden_by.values()])
        if not np.array_equal(self.allowed, rules ^ self.by_hand):
            raise ValueError("allowed is not what the rules and the hand say")

    def reasons(self, query: int, key: int) -> tuple[str, ...]:
        """Return why a cell is forbidden; empty if it is allowed."""
        if self.allowed[query, key]:
            return ()
        named = {**self.forbidden_by, "hand": self.by_hand}
        return tuple(reason for reason in REASONS if reason in named and named[reason][query, key])

    @property
    def blind(self) -> npt.NDArray[np.intp]:
        """Return the queries that may see nothing."""
        return np.flatnonzero(~self.allowed.any(-1))


@record
class HeadRecord:
    """A head's weights over one sequence, without its mask and with it.

    Attributes:
        scores: float32 `[n, n]`, before the softmax.
        before: their softmax over all keys.
        after: their softmax over the allowed keys.
        allowed: boolean, True = may attend.
        labels: tokens, one per row and column.
        n_words: how many come before the padding.

    Raises:
        ValueError: if a shape does not fit.
    """

    scores: npt.NDArray[np.float32]
    before: npt.NDArray[np.float32]
    after: npt.NDArray[np.float32]
    allowed: npt.NDArray[np.bool_]
    labels: tuple[str, ...]
    n_words: int
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.labels),) * 2
        if any(each.shape != shape for each in (self.scores, self.before, self.after, self.allowed)):
            raise ValueError(f"scores and weights do not fit {shape[0]} labels")

    @property
    def lost(self) -> npt.NDArray[np.float32]:
        """Return, by row, the weight that lay on forbidden keys before the mask."""
        lost: npt.NDArray[np.float32] = np.where(self.allowed, np.float32(0), self.before).sum(-1)
        return lost

    def factor(self, row: int) -> float:
        """Return by what the mask multiplies the weights that stay: 1 / (1 - lost), infinite if none does."""
        kept = float(self.before[row, self.allowed[row]].sum(dtype=np.float64))
        return 1 / kept if kept > 0 else float("inf")


@record
class RowsRecord:
    """One query's weights, computed in several ways. A weight may be NaN: that is what is to be shown.

    Attributes:
        ways: name of each way, one per row; dotted or code names, not translated.
        weights: float32 `[ways, keys]`.
        query_label: whose weights these are.
        key_labels: one per column.
        allowed: boolean `[keys]`, what the query may see.
        facts: further columns, one entry per way.

    Raises:
        ValueError: if a shape does not fit.
    """

    ways: tuple[str, ...]
    weights: npt.NDArray[np.float32]
    query_label: str
    key_labels: tuple[str, ...]
    allowed: npt.NDArray[np.bool_]
    facts: dict[str, tuple[Any, ...]]
    provenance: Provenance

    def __post_init__(self) -> None:
        shape = (len(self.ways), len(self.key_labels))
        if self.weights.shape != shape or self.allowed.shape != shape[1:]:
            raise ValueError(f"weights {self.weights.shape} and allowed {self.allowed.shape} do not fit labels {shape}")
        for name, column in self.facts.items():
            if len(column) != shape[0]:
                raise ValueError(f"{name}: {len(column)} entries for {shape[0]} ways")


def names(record: HeadRecord) -> tuple[str, ...]:
    """Return the tokens of a record as a reader may see them."""
    return display_tokens(record.labels)


def display_tokens(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return tokens as a reader may see them: those without a meaning of their own by name."""
    said = {"<s>": t("start"), "</s>": t("end"), "<pad>": t("pad"), "‹pad›": t("pad")}
    return tuple(said.get(label, label) for label in labels)


def read_cells(text: str, size: int) -> tuple[Cell, ...]:
    """Read cells from their notation: `3:1-4 5:2` is query 3 with keys 1 to 4, query 5 with key 2, counted from 1.

    A range of queries works too: `2-3:1`. Cells beyond `size` are left out: the sentence may have been shortened.

    Args:
        text: pieces separated by spaces or commas.
        size: number of queries and of keys there can be.

    Raises:
        NotationError: if a piece is not a cell or a range of cells.
    """
    cells: set[Cell] = set()
    for piece in re.split(r"[\s,]+", text.translate(_WIDE).strip()):
        if not piece:
            continue
        match = _RUN.fullmatch(piece)
        if match is None:
            raise NotationError(piece)
        query, query_end, key, key_end = (int(part) if part else 0 for part in match.groups())
        queries = range(max(1, query), min(size, query_end or query) + 1)
        keys = range(max(1, key), min(size, key_end or key) + 1)
        cells.update((i - 1, j - 1) for i in queries for j in keys)
    return tuple(sorted(cells))


def write_cells(cells: Iterable[Cell]) -> str:
    """Write the shortest notation in rows that `read_cells` reads back: neighbours in a row become one range."""
    runs: list[list[int]] = []
    for query, key in sorted(set(cells)):
        if runs and runs[-1][0] == query and runs[-1][2] == key - 1:
            runs[-1][2] = key
        else:
            runs.append([query, key, key])
    return " ".join(
        f"{query + 1}:{first + 1}" + (f"-{last + 1}" if last > first else "") for query, first, last in runs
    )


def read_lengths(text: str) -> tuple[tuple[int, ...], ...]:
    """Read valid lengths from their notation: rows of the batch separated by `;`, each one number or one per query.

    `5; 3` is a length for each of two sentences, `1 2 3; 3` gives the first sentence one per query.

    Raises:
        NotationError: if something is not a number.
    """
    if not text.strip():
        return ()
    rows = text.translate(_WIDE).rstrip("; \n").split(";")
    pieces = [[piece for piece in re.split(r"[\s,]+", row) if piece] for row in rows]
    for piece in (piece for row in pieces for piece in row):
        if not _NUMBER.fullmatch(piece):
            raise NotationError(piece)
    return tuple(tuple(int(piece) for piece in row) for row in pieces)


def way_names(ways: Iterable[str]) -> tuple[str, ...]:
    """Return the ways of a `RowsRecord` in words; a name that is not known as it is."""
    fills = {"-1e6": "−10⁶", "-1e9": "−10⁹", "finfo.min": t("least number"), "-inf": "−∞", "ours": t("this app")}
    said = {
        "masked_softmax": t("this app"),
        "SDPA": t("PyTorch’s function"),
        "MHA": t("PyTorch’s layer"),
        "MHA no weights": t("the layer (output only)"),
        "ours(allowed)": t("this app"),
        "SDPA(allowed)": t("PyTorch’s function"),
        "MHA(~allowed)": t("the layer (mask inverted)"),
        "MHA(allowed)": t("the layer (mask as it is)"),
    }
    said |= {f"fill {fill}": t("filled with {number}").format(number=name) for fill, name in fills.items()}
    dtypes = ("float32", "bfloat16", "float16")
    said |= {f"{dtype} {fill}": f"{dtype}, {name}" for dtype in dtypes for fill, name in fills.items()}
    return tuple(said.get(way, way) for way in ways)
