"""Which query may attend to which key, and a softmax that respects it.

A mask is boolean, is called `allowed`, and True means *may attend*.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def masked_softmax(
    scores: Float[Tensor, "*batch queries keys"],
    allowed: Bool[Tensor, "..."] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """Turn scores into weights that sum to 1 over the allowed keys.

    Forbidden scores are filled with the least finite number of their dtype before the softmax and the forbidden
    weights set to exactly 0 after it: a constant such as -1e6 would give padding weight in a row that is masked
    everywhere, and is -inf in float16. A row with no allowed key has weights 0.

    Args:
        scores: any floating dtype.
        allowed: broadcasts to `scores`; None allows everything.
    """
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    filled = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim=-1).masked_fill(~allowed, 0.0)
