"""Records of the page “Architectures compared”: what a layer costs by formula, and how a signal travels through it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.readonly import record

#: What is compared, in the order of Vaswani et al. (2017), table 1, read from the bottom.
NAMES = ("convolution", "recurrence", "attention")
#: What is drawn: the dilated stack is another way to place the same convolutions.
DRAWN = ("convolution", "dilated", "recurrence", "attention")


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSizes:
    """The sizes of a layer and its input; the input is `[1, n, d]`.

    Attributes:
        n: positions of the sequence.
        d: numbers for each position, before and after the layer.
        kernel: positions that a convolution reads at once; odd and at least 3, centred on its own.
        heads: of the attention; divides d.

    Raises:
        ValueError: if a number is too small, the kernel is even, or d no multiple of the heads.
    """

    n: int
    d: int
    kernel: int = 3
    heads: int = 4

    def __post_init__(self) -> None:
        if min(self.n, self.d, self.heads) < 1 or self.d % self.heads:
            raise ValueError(f"{self}: n, d and heads must be at least 1, and d a multiple of the heads")
        if self.kernel < 3 or self.kernel % 2 == 0:
            raise ValueError(f"{self}: the kernel must be odd and at least 3: one of 1 joins no positions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The costs of one layer at given sizes, by formula.

    Attributes:
        name: of the architecture, one of `DRAWN`.
        operations: multiply-adds of all matrix products, biases, gates and softmax left out.
        term: the part that table 1 of Vaswani et al. (2017) names: k·n·d², n·d², n²·d.
        sequential: operations that must wait for one another within a layer.
        longest_path: steps between the two positions that are farthest apart.
        peak: numbers alive at once in a forward pass, input and parameters not counted.
        matrix: numbers in one attention matrix, all heads; 0 where there is none.
    """

    name: str
    operations: int
    term: int
    sequential: int
    longest_path: int
    parameters: int
    peak: int
    matrix: int

    @property
    def compared(self) -> int:
        """Multiply-adds with which self-attention compares pairs and adds up: what is no projection; else 0."""
        return 2 * self.term if self.name == "attention" else 0

    @property
    def operations_across(self) -> int:
        """Multiply-adds until the last position depends on the first: one recurrent layer, of others the path."""
        return self.operations * (1 if self.name == "recurrence" else self.longest_path)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCurves:
    """The costs along n or along d.

    Attributes:
        axis: `n` or `d`: what grows.
        at: the reader's value on that axis.
        sizes: one for each column, ascending along the axis.
        costs: one row for each of `DRAWN`, one column for each of `sizes`.
    """

    axis: str
    at: int
    sizes: tuple[LayerSizes, ...]
    costs: tuple[tuple[Cost, ...], ...]
    provenance: Provenance

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """The sizes along the axis."""
        return np.array([getattr(each, self.axis) for each in self.sizes], np.int64)

    def only(self, values: Sequence[int]) -> "CostCurves":
        """Return the curves at some of their sizes."""
        kept = [position for position, value in enumerate(self.values) if value in values]
        return replace(
            self,
            sizes=tuple(self.sizes[position] for position in kept),
            costs=tuple(tuple(row[position] for position in kept) for row in self.costs),
        )

    def along(self, quantity: str, name: str) -> npt.NDArray[np.float64]:
        """One quantity of `Cost` for one architecture, a number for each size."""
        return np.array([float(getattr(cost, quantity)) for cost in self.costs[DRAWN.index(name)]])


@record
class PathRecord:
    """The way of a signal from one position to another in one architecture.

    A node is (row, position). Row 0 is the input. Rows above are layers; in a recurrence row 1 is the hidden states.

    Attributes:
        name: of the architecture, one of `DRAWN`.
        n: positions.
        rows: rows of nodes, the input counted.
        edges: int `[edges, 4]`: from row, from position, to row, to position.
        path: int `[steps + 1, 2]`, from the input to the top; empty if there is no way.
        source: position where the signal enters, from 0.
        target: position where it is wanted, from 0.

    Raises:
        ValueError: if the path uses an edge that is not there, or does not join source and target.
    """

    name: str
    n: int
    rows: int
    edges: npt.NDArray[Any]
    path: npt.NDArray[Any]
    source: int
    target: int

    def __post_init__(self) -> None:
        there = set(map(tuple, self.edges.tolist()))
        steps = [(*before, *after) for before, after in pairwise(self.path.tolist())]
        if not all(step in there for step in steps):
            raise ValueError(f"{self.name}: the path uses an edge that is not there")
        if len(self.path) and (self.path[0, 1] != self.source or self.path[-1, 1] != self.target):
            raise ValueError(f"{self.name}: the path does not join {self.source} and {self.target}")

    @property
    def waits(self) -> int | None:
        """Computing steps until the signal has arrived; a recurrence reads what stands before, too. None: no way."""
        return self.target + 1 if self.name == "recurrence" and len(self.path) else self.steps

    @property
    def steps(self) -> int | None:
        """Edges on the path; None if there is no way."""
        return len(self.path) - 1 if len(self.path) else None
