"""Accuracy at a task with one right answer: the share of examples that a model writes without a mistake."""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from explorer.data.parallel.pairs import Batch
from explorer.inference.device import device_of
from explorer.models.seq2seq import Seq2Seq
from explorer.models.translator import Translator


@torch.inference_mode()
def exact_match(model: Seq2Seq | Translator, batches: Sequence[Batch]) -> tuple[float, float]:
    """Mean loss of a target token in nats, and the share of examples that greedy decoding would get right.

    One parallel pass tells it: where the likeliest token is the right one at every place while the right ones are read,
    writing token by token reads the right ones too; at the first place where it is not, writing goes wrong.
    """
    pad_id, training = model.config.pad_id, model.training
    model.eval()
    total, n_tokens, n_right = 0.0, 0, 0
    for batch in (each.to(device_of(model)) for each in batches):
        logits = writable(model, model(batch.source, batch.target_in))
        padding = batch.target_out == pad_id
        n_right += int(((logits.argmax(-1) == batch.target_out) | padding).all(-1).sum())
        total += float(F.cross_entropy(logits[~padding], batch.target_out[~padding], reduction="sum"))
        n_tokens += int((~padding).sum())
    model.train(training)
    return total / n_tokens, n_right / sum(len(batch.source) for batch in batches)


def writable(model: Seq2Seq | Translator, logits: Float[Tensor, "*batch vocab"]) -> Float[Tensor, "*batch vocab"]:
    """Return the logits with -inf for `<pad>` and `<s>`, which decoding never writes."""
    logits[..., [model.config.pad_id, model.config.bos_id]] = -math.inf
    return logits
