"""Where a token stands: position codes as pure functions."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def sinusoidal(n_positions: int, d_model: int) -> Float[Tensor, "positions d_model"]:
    """Code each position as sines and cosines of wavelengths from 2π to 10000·2π positions.

    P[i, 2j] = sin(i / 10000^(2j/d)), P[i, 2j+1] = cos(i / 10000^(2j/d)) (Vaswani et al. 2017, §3.5).

    Args:
        n_positions: how many positions, from 0.
        d_model: length of a code; an odd one leaves out the last cosine.
    """
    position = torch.arange(n_positions, dtype=torch.float64)[:, None]
    frequency = torch.exp(-math.log(10_000.0) * torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angle = position * frequency  # [positions, d_model/2]
    code = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # [positions, d_model (+1)]
    return code[:, :d_model].float()
