"""Look at many texts, or with two models at one."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from explorer.opened.passes import looks, rules
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Attention, Given
from explorer.opened.refused import ModelRefused
from explorer.records.opened.look import OpenedTokens, Site
from explorer.records.opened.several import ComparedModels, CorpusLook, HeadExample, HeadOver, head_over


def over_texts(opened: OpenedModel, texts: Sequence[str], most: int) -> CorpusLook:
    """Look at each text in turn.

    Raises:
        ModelRefused: a text has no tokens, or there is none.
    """
    if not texts:
        raise ModelRefused("text")
    found: CorpusLook | None = None
    for text in texts:
        look = _one(opened, looks.read_text(opened, text, most))
        found = look if found is None else found.joined(look)
    assert found is not None
    return found


def _one(opened: OpenedModel, given: Given) -> CorpusLook:
    sites: list[Site] = []
    heads: list[tuple[HeadOver, ...]] = []

    def take(each: Attention) -> None:
        queries, keys = looks.tokens(given, each.site)
        judged = rules.judge(each.weights, queries, keys, each.allowed)
        strongest = _strongest(each.weights, queries, keys)
        sites.append(each.site)
        heads.append(tuple(map(head_over, judged, strongest)))

    looks.attend(opened, given.inputs, take)
    known = looks.provenance(opened, over_texts)
    return CorpusLook(texts=(given.keys,), sites=tuple(sites), heads=tuple(heads), provenance=known)


def _strongest(weights: Tensor, queries: OpenedTokens, keys: OpenedTokens) -> list[HeadExample | None]:
    """Return where each head looks hardest, neither from a resting place nor at one; None where it never does."""
    open_ = ~torch.tensor(keys.rest) & ~torch.tensor(queries.rest)[:, None]
    kept = (weights * open_).flatten(1)
    best, positions = kept.max(-1)
    return [
        HeadExample(text=0, query=position // len(keys), key=position % len(keys), weight=weight)
        if weight > 0
        else None
        for weight, position in zip(best.tolist(), positions.tolist(), strict=True)
    ]


def compare(one: OpenedModel, two: OpenedModel, text: str, most: int) -> ComparedModels:
    """Measure how far the maps of two models lie apart, head by head.

    Raises:
        ModelRefused: they do not cut the text alike, or have not the same heads.
    """
    given, other = (looks.read_text(each, text, most) for each in (one, two))
    mine, theirs = [], []
    looks.attend(one, given.inputs, lambda each: mine.append((each.site, each.weights)))
    looks.attend(two, other.inputs, lambda each: theirs.append(each.weights))
    shapes = [weights.shape for _, weights in mine], [weights.shape for weights in theirs]
    if given.keys.ids != other.keys.ids or shapes[0] != shapes[1]:
        raise ModelRefused("unlike", one=one.card.name, two=two.card.name)
    distance = np.full((len(mine), max(len(weights) for _, weights in mine)), np.nan, np.float32)
    for number, ((_, left), right) in enumerate(zip(mine, theirs, strict=True)):
        distance[number, : len(left)] = ((left - right).abs().sum(-1) / 2).mean(-1).numpy()
    return ComparedModels(
        tokens=given.keys,
        sites=tuple(site for site, _ in mine),
        distance=distance,
        provenance=looks.provenance(one, compare),
        other=looks.provenance(two, compare),
    )
