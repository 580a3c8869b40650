"""Graph of which position reads which in each architecture, and the shortest way between two of them, by search."""

from collections import deque
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from explorer.attention.architectures_cost import longest_path
from explorer.records.architectures import PathRecord
from explorer.service.kept import made_once

Node = tuple[int, int]
Edge = tuple[Node, Node]


def connections(name: str, n: int, kernel: int, layers: int) -> list[Edge]:
    """Return every edge of a stack: ((row, position), (row, position)), the input in row 0.

    Convolutions are centred and see nothing outside the sequence. The dilated stack is causal, with gaps 1, k, k², …
    (van den Oord et al. 2016, WaveNet). A recurrence is one layer: each state reads its input and the state before it.

    Raises:
        KeyError: if there is no such architecture.
    """
    if name == "recurrence":
        states = [((1, at), (1, at + 1)) for at in range(n - 1)]
        return [((0, at), (1, at)) for at in range(n)] + states
    edges = []
    for layer in range(layers):
        offsets = {
            "convolution": range(-(kernel // 2), kernel // 2 + 1),
            "dilated": range(-(kernel - 1) * kernel**layer, 1, kernel**layer),
            "attention": range(-n + 1, n),
        }[name]
        edges += [((layer, at + by), (layer + 1, at)) for at in range(n) for by in offsets if 0 <= at + by < n]
    return edges


def shortest(edges: Iterable[Edge], start: Node, goal: Node) -> list[Node]:
    """Return the nodes of a shortest way from `start` to `goal`, by breadth-first search; empty if there is none."""
    onward: dict[Node, list[Node]] = {}
    for before, after in edges:
        onward.setdefault(before, []).append(after)
    came_from, waiting = {start: start}, deque([start])
    while waiting and goal not in came_from:
        here = waiting.popleft()
        for there in onward.get(here, []):
            if there not in came_from:
                came_from[there] = here
                waiting.append(there)
    if goal not in came_from:
        return []
    way = [goal]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


@made_once
def walk(name: str, n: int, kernel: int, source: int, target: int) -> PathRecord:
    """Find the fewest layers that carry a signal from input `source` to output `target`, and the way it takes.

    Where no number of layers does, the record holds as many as join any two positions, and no path.
    """
    most = 1 if name == "recurrence" else longest_path(name, n, kernel)
    for layers in range(1, most + 1):
        edges = connections(name, n, kernel, layers)
        path = shortest(edges, (0, source), (layers, target))
        if path:
            break
    return PathRecord(
        name=name,
        n=n,
        rows=layers + 1,
        edges=_array(edges, 4),
        path=_array(path, 2),
        source=source,
        target=target,
    )


def _array(rows: Iterable[object], width: int) -> npt.NDArray[np.int16]:
    return np.array(list(rows), np.int16).reshape(-1, width)
