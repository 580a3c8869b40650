"""Layer norm and batch norm on one batch: the same vectors, other groups of numbers with one mean and one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from explorer.inference.search.topk import pad_rows
from explorer.inference.translator.request import CHECKPOINT
from explorer.inference.translator.translate import load
from explorer.lessons.whole_transformer.records import NormalisedRecord, Over
from explorer.models.translator import Translator
from explorer.records.provenance import Provenance
from explorer.scenes.whole_transformer import BATCH

#: Sentences of a batch, tokens of each, and numbers of each vector that are kept.
MOST_SENTENCES, MOST_TOKENS, N_NUMBERS = 3, 6, 6
EPS = 1e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A batch and how it is normalised.

    Attributes:
        sentences: English, at least one with a letter; the first `MOST_SENTENCES` are kept.
        over: what shares a mean.
        pads: whether batch norm counts the padding.
    """

    sentences: tuple[str, ...] = tuple(BATCH.splitlines())
    over: Over = "layer"
    pads: bool = True


class _Batch(NamedTuple):
    vectors: Float[Tensor, "batch positions numbers"]
    padding: Bool[Tensor, "batch positions"]


def compute(params: Params) -> NormalisedRecord:
    """Read sentences as the translator does, cut each vector to a few numbers, and normalise them.

    Raises:
        CheckpointError: the translator cannot be used.
    """
    translator = load(CHECKPOINT)
    tokenizer, model = translator.tokenizer, translator.prepared.model
    rows = [_ids(tokenizer.encode(text), tokenizer.eos_id) for text in params.sentences[:MOST_SENTENCES]]
    with torch.inference_mode():
        whole = _read(model, rows)
        after, mean, scale = normalise(whole, params)
        alone = torch.full_like(after, torch.nan)
        if len(rows) > 1:
            without, _, _ = normalise(_read(model, rows[:-1]), params)
            kept = min(without.shape[1], after.shape[1])
            alone[:-1, :kept] = without[:, :kept] - after[:-1, :kept]
        alone[whole.padding] = torch.nan
    longest = whole.vectors.shape[1]
    labels = [[*tokenizer.pieces(row), *(["<pad>"] * (longest - len(row)))] for row in rows]
    padding = whole.padding.flatten().numpy()
    return NormalisedRecord(
        over=params.over,
        labels=tuple(label for row in labels for label in row),
        sentence=np.repeat(np.arange(len(rows)), longest),
        padding=padding,
        counted=_counted(whole, params).flatten().numpy(),
        before=whole.vectors.flatten(0, 1).numpy(),
        after=after.flatten(0, 1).numpy(),
        alone=alone.flatten(0, 1).numpy(),
        mean=mean.numpy(),
        scale=scale.numpy(),
        provenance=_provenance(translator.traced_by, params),
    )


def normalise(
    batch: _Batch, params: Params
) -> tuple[Float[Tensor, "batch positions numbers"], Float[Tensor, " groups"], Float[Tensor, " groups"]]:
    """Return the batch normalised, and mean and scale of each group, without learned weights.

    Padding that does not count for batch norm is left as it is: NaN.
    """
    vectors = batch.vectors
    if params.over == "layer":
        flat = vectors.flatten(0, 1)
        return F.layer_norm(vectors, vectors.shape[-1:], eps=EPS), flat.mean(1), _scale(flat, 1)
    counted = _counted(batch, params)
    group = vectors[counted]  # [rows, numbers]
    after = torch.full_like(vectors, torch.nan)
    after[counted] = F.batch_norm(group, None, None, training=True, eps=EPS)
    return after, group.mean(0), _scale(group, 0)


def _scale(values: Float[Tensor, "rows numbers"], dim: int) -> Float[Tensor, " groups"]:
    return (values.var(dim, correction=0) + EPS).sqrt()


def _counted(batch: _Batch, params: Params) -> Bool[Tensor, "batch positions"]:
    return torch.ones_like(batch.padding) if params.pads or params.over == "layer" else ~batch.padding


def _ids(ids: Sequence[int], eos_id: int) -> list[int]:
    return [*ids[: MOST_TOKENS - 1], eos_id]


def _read(model: Translator, rows: Sequence[Sequence[int]]) -> _Batch:
    ids = pad_rows(rows, model.config.pad_id)
    vectors = model.embed(ids.to(model.embedding.weight.device))
    return _Batch(vectors[..., :N_NUMBERS].cpu().clone(), ids == model.config.pad_id)


def _provenance(of: Provenance, params: Params) -> Provenance:
    function = "torch.nn.functional.layer_norm" if params.over == "layer" else "torch.nn.functional.batch_norm"
    return of.by(compute, detail=function)
