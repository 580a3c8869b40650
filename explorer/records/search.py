"""Course of a search: every hypothesis and what became of it; and what a model gave each token of a text."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Candidate

#: What became of a hypothesis: it was kept and continued; kept, but none of its continuations was; not even kept;
#: ended with `</s>`; or still unfinished when the search was over.
Fate = Literal["continued", "pruned", "dropped", "finished", "open"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchNode:
    """A hypothesis as a node of the tree: all tokens on the way to it, and one more.

    Attributes:
        step: number of its tokens.
        rank: place among the candidates of its step, from 0.
        parent: number of the node it continues; None for a first token.
        label: of its newest token.
        text: what it reads so far.
        log_probability: of the newest token given those before it, in nats.
        total: log-probability of all its tokens.
        score: `total` over the length factor.
        fate: what became of it in the end.
    """

    step: int
    rank: int
    parent: int | None
    label: str
    text: str
    log_probability: float
    total: float
    score: float
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """The tree of one search.

    Attributes:
        nodes: by step, then by rank; a node's number is its place here.
        found: nodes of the hypotheses that were returned, the best first.
        beam: hypotheses kept at each step.
        stopped: whether nothing unfinished could have won any more (`beaten`), or the length ran out.

    Raises:
        ValueError: if a node stands before its parent, or none was found.
    """

    nodes: tuple[SearchNode, ...]
    found: tuple[int, ...]
    beam: int
    stopped: Literal["beaten", "length"]
    provenance: Provenance

    def __post_init__(self) -> None:
        for node in self.nodes:
            if node.step != (1 if node.parent is None else self.nodes[node.parent].step + 1):
                raise ValueError(f"a node of step {node.step} does not continue one of the step before")
        if not self.found:
            raise ValueError("a search that found nothing is none")

    @property
    def n_steps(self) -> int:
        """Return how often every hypothesis grew by a token."""
        return self.nodes[-1].step

    @property
    def finished(self) -> tuple[int, ...]:
        """Every node that ended with `</s>`, in the order in which they were found."""
        return tuple(number for number, node in enumerate(self.nodes) if node.fate == "finished")

    def path(self, number: int) -> tuple[int, ...]:
        """The nodes from the first token to this one."""
        way: list[int] = []
        at: int | None = number
        while at is not None:
            way.append(at)
            at = self.nodes[at].parent
        return tuple(reversed(way))

    def at(self, step: int) -> Iterator[tuple[int, SearchNode]]:
        """The nodes of one step, with their numbers, the likeliest first."""
        first, after = (bisect_left(self.nodes, each, key=lambda node: node.step) for each in (step, step + 1))
        return ((number, self.nodes[number]) for number in range(first, after))

    def kept(self, step: int) -> tuple[int, ...]:
        """The nodes that went on into the next step, the likeliest first."""
        return tuple(number for number, node in self.at(step) if node.fate in ("continued", "pruned", "open"))

    def fate(self, number: int, step: int) -> Fate:
        """Return what was known after `step` steps of what became of a node."""
        node = self.nodes[number]
        return "open" if node.step >= step and node.fate in ("continued", "pruned") else node.fate

    def cutoff(self, step: int) -> float | None:
        """The lowest log-probability that was kept at a step; None if there was none to keep."""
        kept = self.kept(step)
        return self.nodes[kept[-1]].total if kept else None


@record
class ScoredText:
    """A translation, and what the model gave each of its tokens.

    Attributes:
        name: how it was written; stable, of no language.
        surface: what each token adds to the text; together they are the text.
        log_probabilities: one for each token given those before it, in nats, whatever drew it.

    Raises:
        ValueError: if there is not one for each token.
    """

    name: str
    candidate: Candidate
    surface: tuple[str, ...]
    log_probabilities: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.log_probabilities.shape != (len(self.candidate.labels),):
            raise ValueError(
                f"{self.log_probabilities.shape} log-probabilities for {len(self.candidate.labels)} tokens"
            )

    @property
    def running(self) -> npt.NDArray[np.float64]:
        """Log-probability of the first token, of the first two, … of all."""
        return self.log_probabilities.cumsum()
