"""Translations that are drawn rather than searched: ancestral sampling with temperature, top-k and top-p."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.inference.search.decode import MAX_BEAM, DecodingOptions, Hypothesis, length_factor
from explorer.inference.search.protocols import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingOptions:
    """The options of sampling.

    Attributes:
        temperature: logits are divided by it: below 1 the likely become likelier, above 1 all become more alike.
        top_k: only so many likeliest tokens can be drawn; 0 lets all.
        top_p: only the likeliest that together have this probability can be drawn (Holtzman et al. 2020); 1 lets all.
        seed: the same seed draws the same on the same device.
        samples: how many are drawn, independently.

    Raises:
        ValueError: naming the field that is out of range.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    samples: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.temperature < math.inf:
            raise ValueError(f"temperature {self.temperature} is not above 0")
        if self.top_k < 0:
            raise ValueError(f"top_k {self.top_k} is below 0")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p {self.top_p} is not in 0…1")
        if not 1 <= self.samples <= MAX_BEAM:
            raise ValueError(f"samples {self.samples} is not in 1…{MAX_BEAM}")


@torch.inference_mode()
def sample(
    prepared: Engine, source: Sequence[int], options: DecodingOptions, sampling: SamplingOptions
) -> list[Hypothesis]:
    """Draw translations of one sentence.

    Args:
        source: tokens, `</s>` included.
        options: bounds of the length, and the penalty that scores are computed with; its beam is not used.

    Returns:
        The samples in the order in which they were drawn; two may be equal. Log-probabilities are the model's own,
        before temperature, top-k and top-p.
    """
    n, config = sampling.samples, prepared.config
    generator = torch.Generator().manual_seed(sampling.seed)  # of the CPU: a seed draws alike whatever the device
    most = min(options.max_length, config.max_length)
    cache = prepared.start(torch.tensor([list(source)], device=prepared.device), beam=n, max_steps=most)
    themselves = torch.arange(n, device=prepared.device)[None]
    tokens = torch.full((1, n), config.bos_id, device=prepared.device)
    steps: list[list[int]] = []
    given: list[list[float]] = []
    ended = torch.zeros(n, dtype=torch.bool, device=prepared.device)
    while len(steps) < most and not ended.all():
        logits = cache.advance(tokens)[0].float()
        if len(steps) < options.min_length:
            logits[:, config.eos_id] = -math.inf
        shares = probabilities(logits, sampling).cpu()
        drawn = torch.multinomial(shares, 1, generator=generator).to(prepared.device)  # [samples, 1]
        steps.append(drawn[:, 0].tolist())
        given.append(logits.log_softmax(-1).gather(1, drawn)[:, 0].tolist())
        ended |= drawn[:, 0] == config.eos_id
        cache.continue_from(themselves)
        tokens = drawn.T
    return [
        _hypothesis(ids, values, config.eos_id, options)
        for ids, values in zip(zip(*steps, strict=True), zip(*given, strict=True), strict=True)
    ]


def probabilities(logits: Float[Tensor, "*rows vocab"], sampling: SamplingOptions) -> Float[Tensor, "*rows vocab"]:
    """Return what the next token is drawn from: temperature first, then top-k, then top-p; what is left sums to 1.

    Of equal tokens at the border, those with the smaller id stay.
    """
    shares = (logits / sampling.temperature).softmax(-1)
    ordered, positions = torch.sort(shares, stable=True, dim=-1, descending=True)
    if sampling.top_k:
        ordered[..., sampling.top_k :] = 0
    ordered /= ordered.sum(-1, keepdim=True)
    # The token that crosses the border is still in: the others before it have less than top_p.
    ordered[ordered.cumsum(-1) - ordered >= sampling.top_p] = 0
    kept = torch.zeros_like(shares).scatter(-1, positions, ordered)
    return kept / kept.sum(-1, keepdim=True)


def _hypothesis(ids: Sequence[int], given: Sequence[float], eos_id: int, options: DecodingOptions) -> Hypothesis:
    """Return a sample up to its `</s>`: what was drawn after it is not part of it."""
    finished = eos_id in ids
    n = ids.index(eos_id) + 1 if finished else len(ids)
    total = math.fsum(given[:n])
    score = total / length_factor(n, options.length_penalty)
    return Hypothesis(ids=tuple(ids[:n]), log_probability=total, score=score, finished=finished)
