"""Position codes, rotations and biases as pure functions."""

import math
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

#: Wavelengths grow from 2π to almost base · 2π positions (Vaswani et al. 2017, §3.5).
BASE = 10_000.0
#: Where a code has its cosines: each behind its sine, or all behind all sines (as in Marian).
SineOrder = Literal["pairs", "halves"]


def sinusoidal(
    n_positions: int, d_model: int, base: float = BASE, *, order: SineOrder = "pairs"
) -> Float[Tensor, "positions d_model"]:
    """Code each position as sines and cosines of wavelengths from 2π to almost base · 2π positions.

    P[i, 2j] = sin(i / base^(2j/d)), P[i, 2j+1] = cos(i / base^(2j/d)) (Vaswani et al. 2017, §3.5, base 10000).

    Args:
        n_positions: how many positions, from 0.
        d_model: length of a code; an odd one leaves out the last cosine.
        base: > 0; the larger, the longer the slowest wave.
        order: of sines and cosines; the numbers are the same.
    """
    position = torch.arange(n_positions, dtype=torch.float64)[:, None]
    angle = position * _frequencies(d_model, base)  # [positions, d_model/2]
    waves = torch.stack([angle.sin(), angle.cos()], dim=-1)  # [positions, d_model/2, 2]
    code = (waves if order == "pairs" else waves.mT).flatten(1)  # [positions, d_model (+1)]
    return code[:, :d_model].float()


def wavelengths(d_model: int, base: float = BASE) -> Float[Tensor, " waves"]:
    """Positions until each sine-cosine pair of `sinusoidal` repeats: 2π · base^(2j/d), float64."""
    return 2 * math.pi / _frequencies(d_model, base)


def rotation(d_model: int, offset: int | float, base: float = BASE) -> Float[Tensor, "d_model d_model"]:
    """The matrix R that moves any sinusoidal code by an offset: R p(i) = p(i + offset), whatever i.

    One block [[cos ωδ, sin ωδ], [−sin ωδ, cos ωδ]] for each wave ω (Vaswani et al. 2017, §3.5: "a linear function of
    PE(pos)"); orthogonal, float64.

    Args:
        d_model: even.
        offset: δ in positions, either way.
        base: as for `sinusoidal`.

    Raises:
        ValueError: if `d_model` is odd: the last sine has no cosine to turn with.
    """
    angle = offset * _frequencies(_even(d_model), base)
    cosine, sine = angle.cos(), angle.sin()
    sines, cosines = torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)
    turned = torch.zeros(d_model, d_model, dtype=torch.float64)
    turned[sines, sines] = turned[cosines, cosines] = cosine
    turned[sines, cosines], turned[cosines, sines] = sine, -sine
    return turned


def similarity(d_model: int, offsets: Float[Tensor, " offsets"], base: float = BASE) -> Float[Tensor, " offsets"]:
    """Inner product p(i)·p(i + δ) of two sinusoidal codes: Σ cos(ω δ), the same for every i; d/2 at δ = 0.

    Args:
        d_model: even.
        offsets: each δ, in positions.
        base: as for `sinusoidal`.

    Raises:
        ValueError: if `d_model` is odd.
    """
    return (offsets.double()[:, None] * _frequencies(_even(d_model), base)).cos().sum(-1)


def rotary_angles(
    positions: Int[Tensor, " positions"] | Float[Tensor, " positions"], d_key: int, base: float = BASE
) -> Float[Tensor, "positions pairs"]:
    """Return the angle by which each pair of components is turned at each position, in radians: i / base^(2j/d).

    θ of RoFormer (Su et al. 2021, eq. 15); the same waves as `sinusoidal`. float64, so that far positions keep digits.

    Args:
        positions: any numbers, negative ones too.
        d_key: of one head; even.
        base: of the wavelengths.

    Raises:
        ValueError: if `d_key` is odd.
    """
    position = positions if positions.device.type in ("cpu", "cuda") else positions.cpu()  # others have no float64
    return position.double()[:, None] * _frequencies(_even(d_key), base).to(position.device)


def turn(
    x: Float[Tensor, "*batch positions d_key"], angles: Float[Tensor, "positions pairs"]
) -> Float[Tensor, "*batch positions d_key"]:
    """Turn neighbouring pairs of components, (x[2j], x[2j+1]), by the angles of their position.

    The interleaved convention of RoFormer (Su et al. 2021, eq. 34) and GPT-J. GPT-NeoX pairs x[j] with x[j + d/2]
    instead, which is the same after a fixed reordering of the components of queries and keys alike.
    """
    cosine, sine = angles.cos().to(x), angles.sin().to(x)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cosine - odd * sine, even * sine + odd * cosine], dim=-1).flatten(-2)


def rotate(
    x: Float[Tensor, "*batch positions d_key"],
    positions: Int[Tensor, " positions"] | Float[Tensor, " positions"],
) -> Float[Tensor, "*batch positions d_key"]:
    """Turn queries or keys by their positions, so that their product knows only how far apart they are.

    rotate(q, m) · rotate(k, n) depends on m − n alone (Su et al. 2021, §3.2). Lengths stay; position 0 is left alone.

    Args:
        x: queries or keys of a head; `d_key` even. Pairs are neighbours, see `turn`.
        positions: where each stands.

    Raises:
        ValueError: if `d_key` is odd.
    """
    return turn(x, rotary_angles(positions, x.shape[-1]))


def alibi_slopes(n_heads: int) -> Float[Tensor, " heads"]:
    """Return how steeply each head's scores fall with distance, in units of score per position.

    2^(−8h/n) for h = 1…n where n is a power of two. Otherwise the slopes of the next lower power of two, then every
    other slope of twice that (Press et al. 2022, §3, and the authors' `get_slopes`).

    Raises:
        ValueError: if there is no head.
    """
    if n_heads < 1:
        raise ValueError(f"n_heads is {n_heads}; it must be at least 1")
    lower = 1 << (n_heads.bit_length() - 1)
    slopes = _geometric(lower)
    return torch.cat([slopes, _geometric(2 * lower)[0::2][: n_heads - lower]]).float()


def alibi_bias(
    n_queries: int, n_keys: int, slopes: Float[Tensor, " heads"], *, causal: bool = False
) -> Float[Tensor, "heads queries keys"]:
    """Return what ALiBi adds to the scores: −slope · distance (Press et al. 2022, §3).

    Args:
        n_queries: the last query stands at the last key.
        slopes: one for each head.
        causal: −inf for keys after the query. Without it they are as far as those before; a mask must forbid them.
    """
    own = torch.arange(n_keys - n_queries, n_keys, device=slopes.device)[:, None]
    ahead = torch.arange(n_keys, device=slopes.device) - own  # [queries, keys]
    bias = -slopes[:, None, None] * ahead.abs()
    return bias.masked_fill(ahead > 0, -math.inf) if causal else bias


def _geometric(n: int) -> Float[Tensor, " heads"]:
    """The slopes of a power of two: float64."""
    return torch.exp2(-8.0 * torch.arange(1, n + 1, dtype=torch.float64) / n)


def _frequencies(d: int, base: float) -> Float[Tensor, " waves"]:
    """Radians per position of each pair of components, the fastest (1) first; float64."""
    return torch.exp(-math.log(base) * torch.arange(0, d, 2, dtype=torch.float64) / d)


def _even(d: int) -> int:
    if d < 2 or d % 2:
        raise ValueError(f"components are turned in pairs: {d} is no even number of them")
    return d
