"""Settings of how to train; what to train is the model's own configuration."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """The course of a training run.

    Attributes:
        seed: of weights, order, sub-words and dropout.
        steps: optimiser steps; ignored where `minutes` is given.
        minutes: wall-clock time of this process; the number of steps follows from its speed.
        tokens_per_batch: target positions in a batch, over all processes.
        learning_rate: at its peak.
        warmup: steps.
        decay_share: of the steps, at the end, in which the rate falls to 0.
        smoothing: of the labels.
        average_decay: of the exponential moving average of the weights, per step.
        weight_decay: share of each weight taken away per step and unit of learning rate (Loshchilov & Hutter 2019).
        report_every: steps between evaluations, saved states and rows of the history.
        bf16: autocast to bfloat16.

    Raises:
        ValueError: naming the field that is out of range.
    """

    seed: int = 1
    steps: int = 6000
    minutes: float | None = None
    tokens_per_batch: int = 4096
    learning_rate: float = 1.5e-3
    warmup: int = 600
    decay_share: float = 0.3
    smoothing: float = 0.1
    average_decay: float = 0.998
    weight_decay: float = 0.0
    report_every: int = 500
    bf16: bool = True

    def __post_init__(self) -> None:
        for name in ("steps", "tokens_per_batch", "warmup", "report_every", "learning_rate", "minutes"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueError(f"{name} is {value}; it must be above 0, and finite")
        for name in ("decay_share", "smoothing", "average_decay", "weight_decay"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)} is not in [0, 1)")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed {self.seed} is not in [0, 2**63)")
