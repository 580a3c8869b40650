"""Look at a model that is in memory already, as in a notebook, and leave it as it was."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from explorer.opened.cards import card
from explorer.opened.cards.weights_header import Counted
from explorer.opened.passes import capture, sites
from explorer.opened.passes.loader import EAGER, OpenedModel
from explorer.opened.refused import ModelRefused


@contextmanager
def adopt_attention(model: Any, tokenizer: Any, name: str = "") -> Iterator[OpenedModel]:
    """Have a model's attention pass through our function for a while.

    Args:
        model: of transformers, on the CPU.
        tokenizer: a fast one, which says where its tokens lie in the text; None for a model of pictures.
        name: for the provenance; the model's own if none is given.

    Raises:
        ModelRefused: it has no attention, or is none of transformers' models.
    """
    if not hasattr(model, "set_attn_implementation"):
        raise ModelRefused("no_model", kind=type(model).__name__)
    dtypes = Counter[str]()
    for each in model.parameters():
        dtypes[str(each.dtype).removeprefix("torch.")] += each.numel()
    stored = sum(each.numel() * each.element_size() for each in model.parameters())
    counted = Counted(sum(dtypes.values()), stored, dict(dtypes), "")
    config = json.loads(model.config.to_json_string(use_diff=False))
    found = card.describe(config, name=name or str(model.config.name_or_path), counted=counted)
    before, training = model.config._attn_implementation, model.training
    try:
        model.eval().set_attn_implementation(capture.NAME)
        ours = sites.through_ours(model, found)
        if ours is None:
            model.set_attn_implementation(EAGER)
        first = sites.by_name(model, found) if ours is None else ours
        if not first.sites:
            raise ModelRefused("no_attention", family=found.family)
        with torch.no_grad():
            yield OpenedModel(
                card=found,
                model=model,
                trunk=first.trunk,
                tokenizer=tokenizer,
                predicts=model.get_output_embeddings() is not None,
                own=ours is not None,
                sites=first.sites,
            )
    finally:
        model.set_attn_implementation(before)
        model.train(training)
