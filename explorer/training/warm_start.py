"""Begin with what another model has learned, though its vocabulary is another one, or with its vocabulary too."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from explorer.checkpoints.store import load
from explorer.data.subword_sampling import cut_word
from explorer.data.tokenizer import Tokenizer
from explorer.models.translator import Translator

TABLE = "embedding.weight"


@torch.no_grad()
def inherit(model: Translator, tokenizer: Tokenizer, parent: Path) -> int:
    """Copy a trained translator into a fresh one (Zoph et al. 2016, arXiv:1604.02201).

    Layers are copied as they are. Sub-words that both vocabularies have keep their vectors; each of the others begins
    with the mean of those of the parts that the parent cuts it into. Tags that the parent lacks stay as they are.

    Args:
        model: of the parent's shape, apart from its vocabulary; is changed.
        parent: folder of the parent's checkpoint.

    Returns:
        How many sub-words the two have in common.

    Raises:
        CheckpointError: the parent cannot be used.
        ValueError: it is no translator, or one of another shape.
    """
    loaded = load(parent)
    theirs, ours = loaded.model.state_dict(), model.state_dict()
    table = theirs.pop(TABLE, None)
    layers = {name: each.shape for name, each in ours.items() if name != TABLE}
    alike = layers == {name: each.shape for name, each in theirs.items()}
    if table is None or not alike or not isinstance(loaded.tokenizer, Tokenizer):
        raise ValueError(f"{parent} is no translator of this shape; it is {loaded.manifest.config}")
    known, parts = loaded.tokenizer.ids, parents_parts(loaded.tokenizer)
    table_here = ours[TABLE].clone()
    for text, token in tokenizer.ids.items():
        if text in known or token not in tokenizer.special_ids:
            table_here[token] = table[[known[text]] if text in known else parts(text)].mean(0)
    model.load_state_dict({**theirs, TABLE: table_here})
    return len(known.keys() & tokenizer.ids.keys())


def parents_parts(tokenizer: Tokenizer) -> Callable[[str], list[int]]:
    """Return a function that cuts a stretch of text, in the byte alphabet, into ids as a tokenizer merges its bytes."""
    model = json.loads(tokenizer.to_json())["model"]
    ranks = {tuple(pair): rank for rank, pair in enumerate(model["merges"])}
    draw = random.Random(0)  # noqa: S311 (nothing is drawn at rate 0)
    return lambda text: [model["vocab"][piece] for piece in cut_word(text, ranks, 0.0, draw)]


def parents_vocabulary(parent: Path, tags: Sequence[str]) -> Tokenizer:
    """Return the tokenizer of a trained translator.

    Args:
        parent: folder of its checkpoint.
        tags: those it must have, no more and no less.

    Raises:
        CheckpointError: the parent cannot be used.
        ValueError: it is no translator of sub-words, or its tags are others.
    """
    tokenizer = load(parent).tokenizer
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(f"{parent} has no vocabulary of sub-words")
    if sorted(tokenizer.tags) != sorted(tags):
        raise ValueError(f"{parent} was made for other languages: its vocabulary has the tags {sorted(tokenizer.tags)}")
    return tokenizer
