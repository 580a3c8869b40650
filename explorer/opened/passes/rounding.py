"""Round the weights of an opened model to a few bits, as files do that are made small."""

from dataclasses import replace

import torch
from torch import nn

from explorer.opened.passes.loader import OpenedModel

#: Numbers of a row that share a scale.
BLOCK = 32


def round_weights(opened: OpenedModel, bits: int) -> OpenedModel:
    """Round every matrix but the embeddings in place, and return the model under a name that says so.

    Each block of 32 numbers of a row becomes whole multiples of its largest over 2ᵇⁱᵗˢ⁻¹ − 1, as in the formats Q4_0
    and Q8_0 of llama.cpp, whose four bits reach one step further on one side.
    """
    embedding = opened.model.get_input_embeddings().weight.data_ptr()
    with torch.no_grad():
        for module in opened.model.modules():
            if isinstance(module, nn.Linear) and module.weight.data_ptr() != embedding:
                module.weight.copy_(_rounded(module.weight, bits))
    return replace(opened, card=replace(opened.card, name=f"{opened.card.name}, {bits} bits"))


def _rounded(weight: torch.Tensor, bits: int) -> torch.Tensor:
    blocks = weight.reshape(-1, BLOCK if weight.shape[1] % BLOCK == 0 else weight.shape[1])
    step = blocks.abs().amax(-1, keepdim=True).clamp(min=1e-12) / (2 ** (bits - 1) - 1)
    rounded: torch.Tensor = ((blocks / step).round() * step).reshape(weight.shape)
    return rounded
