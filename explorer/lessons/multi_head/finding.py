"""“Multi-head and self-attention”: heads found by what they do, so that no number of a head is written down."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from explorer.lessons.multi_head.ablation import SMALL
from explorer.lessons.multi_head.state import Result, View, clamp_view, one_head
from explorer.records.ablation import AblationSweepRecord
from explorer.records.heads import HeadName, Label, head_names
from explorer.records.wording import parse_int
from explorer.service.kept import made_once

#: A place of a token in words: the query whose row holds the largest weight; the key looked at most or least.
AUTO, MOST, LEAST = "auto", "most", "least"
NEEDED, HARMLESS = "most", "harmless"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Two neighbouring words of the translation whose head looks at two source words in the opposite order.

    Attributes:
        head: a head of cross-attention.
        first: places of the first word among the target's words, and of the source word it looks at most.
        second: the same of the next one.
        weights: of both looks.
    """

    head: HeadName
    first: tuple[int, int]
    second: tuple[int, int]
    weights: tuple[float, float]


def label_heads(result: Result) -> Mapping[Label, HeadName]:
    """Return for each label the head that earns it with the largest score."""
    found: dict[Label, tuple[float, HeadName]] = {}
    for row in result.measures:
        for label in row.labels:
            if label.name not in found or label.score > found[label.name][0]:
                found[label.name] = (label.score, row.head)
    return {name: head for name, (_, head) in found.items()}


@made_once
def swaps(result: Result) -> tuple[Swap, ...]:
    """Return every swap of neighbouring words that a head of cross-attention follows, the surest first."""
    found = []
    for layer in range(result.n_layers("cross")):
        for head in range(result.n_heads):
            view = View(site="cross", layer=layer, head=head, merge=True)
            record = one_head(result, view)
            words = [row for row, label in enumerate(record.query_labels) if label.isalpha()]
            weights = record.weights[0]
            for first, second in pairwise(words):
                columns = int(weights[first].argmax()), int(weights[second].argmax())
                if second == first + 1 and columns[0] == columns[1] + 1:
                    sure = float(weights[first, columns[0]]), float(weights[second, columns[1]])
                    name = HeadName(part="cross", layer=layer, head=head)
                    found.append(Swap(head=name, first=(first, columns[0]), second=(second, columns[1]), weights=sure))
    return tuple(sorted(found, key=lambda swap: -min(swap.weights)))


def find(result: Result, what: str, view: View) -> View:
    """Return the view with the head that does this on this sentence; the view itself where none does.

    For a swap the view's query is the word that comes second.
    """
    if what == "swap":
        known = swaps(result)
        if not known:
            return clamp_view(result, view)
        position = result.trace.tokens("cross")[0].words[known[0].second[0]][0]
        return replace(_of(known[0].head, view), query=position)
    heads: dict[str, HeadName] = {str(name): head for name, head in label_heads(result).items()}
    free = [row for row in result.measures if row.head.part != "decoder"]  # a mask leaves first rows few keys
    heads["even"] = max(free, key=lambda row: np.nan_to_num(row.evenness, nan=-1.0)).head
    return clamp_view(result, _of(heads[what], view) if what in heads else view)


def positions(result: Result, view: View, query: str, key: str) -> View:
    """Return the view with its pair of tokens: by number, or as `AUTO`, `MOST` and `LEAST` say."""
    view = clamp_view(result, view)
    record = one_head(result, replace(view, merge=False, hide=False))
    free = np.ones(record.weights.shape[1:], bool) if record.allowed is None else record.allowed
    if query == AUTO:
        labels = record.query_labels
        choosing = [row for row in range(len(labels)) if labels[row].strip("‑").isalnum() and free[row].sum() > 1]
        query = str(max(choosing or [0], key=lambda row: record.weights[0, row].max()))
    row = clamp_view(result, replace(view, query=parse_int(query) or 0)).query
    seen = np.flatnonzero(free[row])
    order = seen[record.weights[0, row, seen].argsort(kind="stable")]
    column = {MOST: int(order[-1]), LEAST: int(order[0])}.get(key)
    return clamp_view(result, replace(view, query=row, key=parse_int(key) or 0 if column is None else column))


def _of(head: HeadName, view: View) -> View:
    return replace(view, site=head.part, layer=head.layer, head=head.head)


def parse_removed(result: Result, text: str, measure: Callable[[], AblationSweepRecord]) -> tuple[HeadName, ...]:
    """Return the heads that a text such as `E0.3 C2.1` names, or that a measurement finds.

    Args:
        result: whose heads they are; others are ignored.
        text: `NEEDED` is the head whose absence costs most, `HARMLESS` all that cost next to nothing alone.
        measure: returns what each head alone costs; asked for these two only.
    """
    if text not in (NEEDED, HARMLESS):
        there = {row.head for row in result.measures}
        return tuple(head for head in head_names(text) if head in there)
    record = measure()
    cells = [(row, column) for row in range(len(record.sites)) for column in range(record.change.shape[1])]
    if text == NEEDED:
        return (record.head(*min(cells, key=lambda cell: float(record.change[cell]))),)
    return tuple(record.head(*cell) for cell in cells if abs(record.change[cell]) < SMALL)
