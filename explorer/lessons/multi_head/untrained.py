"""“Multi-head and self-attention”: the same sentence through a layer that has learned nothing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn import functional as F

from explorer.attention.attend import Attended
from explorer.attention.positions import sinusoidal
from explorer.inference.translator.request import Params
from explorer.inference.translator.trace import token_row
from explorer.inference.translator.translate import clean, encode_source, load
from explorer.lessons.multi_head.measures import measure_record
from explorer.lessons.multi_head.state import Result
from explorer.nn.attention import MultiHeadAttention
from explorer.records.attention import AttentionRecord
from explorer.records.heads import MEASURES, HeadMeasures
from explorer.records.provenance import Provenance
from explorer.records.readonly import record

WIDTHS = (16, 32, 64, 100, 128, 256, 512)
HEADS = (1, 2, 4, 5, 8, 16)
MOST_SEED = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class UntrainedParams:
    """A sentence and the fresh layer that reads it; numbers are clamped to what is offered.

    Attributes:
        params: the translation whose source is read.
        d_model: one of `WIDTHS` (the nearest is taken).
        n_heads: one of `HEADS` that divides the width (the nearest is taken).
        seed: of the embeddings and of the layer, 0…`MOST_SEED`.
    """

    params: Params = Params()  # noqa: RUF009 - frozen
    d_model: int = 256
    n_heads: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "d_model", min(WIDTHS, key=lambda width: abs(width - self.d_model)))
        object.__setattr__(self, "n_heads", nearest_heads(self.d_model, self.n_heads))
        object.__setattr__(self, "seed", min(max(self.seed, 0), MOST_SEED))


def nearest_heads(d_model: int, n_heads: int) -> int:
    """Return the number of heads next to the one asked for that cuts the width into equal parts."""
    return min((each for each in HEADS if d_model % each == 0), key=lambda heads: abs(heads - n_heads))


@record
class Untrained:
    """A fresh layer's self-attention over the source, and what each of its heads measures.

    Attributes:
        record: labels are those of the encoder's self-attention.
        measures: one per head, named as heads of the encoder's layer 0.
    """

    params: UntrainedParams
    record: AttentionRecord
    measures: tuple[HeadMeasures, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One measure, mean over heads: the view's trained layer beside the untrained one."""

    measure: str
    trained: float
    untrained: float


def attend_untrained(params: UntrainedParams) -> Untrained:
    """Let a fresh layer attend over the same tokens.

    The layer reads what the first layer of a fresh translator would: √d_model times a random embedding of each token
    (the same token has the same one) plus its sinusoidal position, normalised.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint, whose tokenizer is needed, cannot be used.
    """
    translator = load(params.params.checkpoint)
    ids = encode_source(translator, clean(params.params.text))
    tokens = token_row(translator.tokenizer, ids)
    record = AttentionRecord(
        site="untrained.self",
        kind="self",
        layer=0,
        weights=_weights(torch.tensor(ids), translator.prepared.config.vocab_size, params),
        query_labels=tokens.labels,
        key_labels=tokens.labels,
        query_role="read",
        provenance=Provenance.of(
            MultiHeadAttention,
            seed=params.seed,
            detail=f"untrained, d_model {params.d_model}, {params.n_heads} heads, random embeddings + positions",
        ),
    )
    return Untrained(params=params, record=record, measures=measure_record(record, tokens, part="encoder"))


def comparison(result: Result, fresh: Untrained, layer: int) -> tuple[Comparison, ...]:
    """Return measures of one trained encoder layer and of the untrained one, each the mean over its heads."""
    trained = [row for row in result.measures if (row.head.part, row.head.layer) == ("encoder", layer)]
    return tuple(
        Comparison(measure=name, trained=_mean(trained, name), untrained=_mean(fresh.measures, name))
        for name in MEASURES
        if not math.isnan(_mean(trained, name))
    )


@torch.inference_mode()
def _weights(ids: Int[Tensor, " n"], vocab_size: int, params: UntrainedParams) -> npt.NDArray[np.float32]:
    generator = torch.Generator().manual_seed(params.seed)
    table = torch.randn(vocab_size, params.d_model, generator=generator)  # √d_model times the usual 1/√d_model
    x = F.layer_norm(table[ids] + sinusoidal(len(ids), params.d_model), (params.d_model,))[None]
    layer = MultiHeadAttention(params.d_model, params.n_heads, generator=generator)
    attended: Attended = layer(x, x)
    return attended.weights[0].numpy()


def _mean(rows: Sequence[HeadMeasures], name: str) -> float:
    return float(np.mean([getattr(row, name) for row in rows]))
