"""“Positional encoding”: sinusoidal codes as a matrix, as a counter, by their inner products and as rotations."""

import math
from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention import positions
from explorer.lessons.positional_encoding.records.sinusoidal import (
    CodesRecord,
    CounterRecord,
    LikenessRecord,
    RotationRecord,
)
from explorer.lessons.positional_encoding.state import Params, View
from explorer.records import Provenance

#: A wave is drawn through at least so many points, and so many to a position; the counter counts this far.
POINTS, TO_A_PLACE, COUNTED = 600, 4, 32
N_BITS = COUNTED.bit_length() - 1
#: Circles of the rotation that are drawn at most.
CIRCLES = 6


def codes(params: Params) -> CodesRecord:
    """Return the matrix that is added to the embeddings, and its waves between the positions."""
    points = max(POINTS, TO_A_PLACE * params.length)
    fine = torch.linspace(0, params.length - 1, points, dtype=torch.float64)
    angles = positions.rotary_angles(fine, params.d_model, params.base)  # [points, pairs]
    return CodesRecord(
        code=positions.sinusoidal(params.length, params.d_model, params.base).numpy(),
        wavelengths=positions.wavelengths(params.d_model, params.base).numpy(),
        fine=fine.float().numpy(),
        waves=torch.stack([angles.sin(), angles.cos()]).mT.float().numpy(),  # [2, pairs, points]
        provenance=provenance(positions.sinusoidal, params),
    )


def counter(params: Params) -> CounterRecord:
    """Count from 0 in binary, beside the waves whose lengths come nearest to doubling."""
    lengths = positions.wavelengths(params.d_model, params.base)
    pairs = tuple(sorted({int((lengths / (2 * math.pi * 2**bit)).log().abs().argmin()) for bit in range(N_BITS)}))
    numbers = np.arange(COUNTED)
    code = positions.sinusoidal(COUNTED, params.d_model, params.base).numpy()
    return CounterRecord(
        bits=(numbers[:, None] >> np.arange(N_BITS) & 1).astype(np.uint8),
        pairs=pairs,
        wavelengths=tuple(float(lengths[pair]) for pair in pairs),
        sines=code[:, [2 * pair for pair in pairs]],
        provenance=provenance(positions.sinusoidal, params),
    )


def likeness(params: Params, view: View) -> LikenessRecord:
    """Compare one code with its neighbours by inner products, and all of them with a function of the offset."""
    position, reach = view.position, params.length - 1
    far = torch.arange(-reach, reach + 1)
    by_offset = positions.similarity(params.d_model, far.double(), params.base)
    offsets = torch.arange(max(-reach, -position), reach + 1)
    code = exact(torch.arange(position + reach + 1), params)
    of_all = exact(torch.arange(params.length), params)
    ahead = torch.arange(params.length)[None, :] - torch.arange(params.length)[:, None]
    residual = (of_all @ of_all.T - by_offset[ahead + reach]).abs().max()
    return LikenessRecord(
        position=position,
        offsets=offsets.numpy(),
        products=(code[position + offsets] @ code[position]).numpy(),
        offsets_all=far.numpy(),
        by_offset=by_offset.numpy(),
        residual=float(residual),
        pairs_checked=params.length**2,
        provenance=provenance(positions.similarity, params, "float64"),
    )


def rotation(params: Params, view: View) -> RotationRecord:
    """Rotate every position by an offset; the residual says how exactly it arrives."""
    matrix = positions.rotation(params.d_model, view.offset, params.base)
    first = max(0, -view.offset)
    code = exact(torch.arange(max(params.length, view.position + 1) + abs(view.offset) + 1), params)
    starts = torch.arange(first, max(params.length, view.position + 1))
    residual = (code[starts] @ matrix.T - code[starts + view.offset]).abs().max()
    drawn = drawn_pairs(params.n_pairs)
    lengths = positions.wavelengths(params.d_model, params.base)

    def points(vector: Float[Tensor, " d_model"]) -> np.ndarray:
        return vector.view(-1, 2)[list(drawn)].flip(-1).numpy()  # the code holds (sine, cosine)

    return RotationRecord(
        position=view.position,
        offset=view.offset,
        pairs=drawn,
        wavelengths=tuple(float(lengths[pair]) for pair in drawn),
        before=points(code[view.position]),
        after=points(code[view.position + view.offset]),
        turned=points(matrix @ code[view.position]),
        residual=float(residual),
        provenance=provenance(positions.rotation, params, "float64"),
    )


def hands(params: Params, length: int) -> np.ndarray:
    """Return sine and cosine of the pairs that are drawn, at so many positions, `[positions, pairs, 2]`."""
    code = exact(torch.arange(length), params).view(length, -1, 2)
    return code[:, list(drawn_pairs(params.n_pairs))].float().numpy()


def drawn_pairs(n_pairs: int) -> tuple[int, ...]:
    """Return pairs spread over all, the fastest first."""
    return tuple(np.linspace(0, n_pairs - 1, min(CIRCLES, n_pairs)).round().astype(int).tolist())


def span(position: int) -> int:
    """Return how many positions are drawn, so that this one is among them."""
    return next(length for length in (64, 128, 256, 512) if position < length)


def exact(indices: Float[Tensor, " positions"] | Tensor, params: Params) -> Float[Tensor, "places d_model"]:
    """Return sinusoidal codes in float64, where a residual means something."""
    angles = positions.rotary_angles(indices, params.d_model, params.base)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def provenance(function: Callable[..., object], params: Params, dtype: str = "float32") -> Provenance:
    """Return what computed a figure of sinusoidal codes."""
    return Provenance.of(
        function, dtype=dtype, detail=f"base {params.base:g}, d_model {params.d_model}, {params.length} positions"
    )
