"""Scoring functions in the plane: which key each chooses, and where a key would fit as well."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention import scoring
from explorer.attention.attend import Score
from explorer.lessons.scoring_functions import rules
from explorer.lessons.scoring_functions.fitted_scorers import measure
from explorer.lessons.scoring_functions.records import PlaneRecord
from explorer.records.provenance import Provenance

#: The last two have parameters.
FORMULAS = ("dot", "scaled_dot", "cosine", "gaussian", "general", "additive")
#: Those that the scene begins with.
FIRST_FORMULAS = ("dot", "cosine", "gaussian")
LETTERS = "ABCDE"
#: Length of each key, and its angle in degrees to the left of the query as it first stands.
KEYS = ((3.15, -40.0), (1.72, -13.0), (0.85, 0.0), (2.0, 84.0), (1.7, 172.0))
#: Length and direction of the query as it first stands.
FIRST = (1.8, 35.0)
#: Lengths and directions of the query for which the keys' nicknames hold: near, far, the same way, aside, opposite.
NAMED = ((1.3, 2.3), (20.0, 50.0))
#: Length of every key once all are made equally long.
EVEN = 2.0
#: How far the field is sampled, and at how many places along each side.
REACH, SAMPLES = 8.0, 161


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """Direction and length of the query, and whether the keys are made equally long.

    Attributes:
        reach: length of the query.
        turn: its direction in degrees.
        even: whether every key has the length `EVEN`.
    """

    reach: float = FIRST[0]
    turn: float = FIRST[1]
    even: bool = False

    @property
    def named(self) -> bool:
        """Return whether keys may be called near or opposite: for a query about where it first stands."""
        (short, long), (right, left) = NAMED
        return not self.even and short <= self.reach <= long and right <= self.turn <= left


def compute(params: Plane) -> PlaneRecord:
    """Score the five keys, and every place of the plane, with every formula."""
    query = _vectors([(params.reach, params.turn)])
    lengths = [(EVEN if params.even else length, FIRST[1] + angle) for length, angle in KEYS]
    keys = _vectors(lengths)
    axis = torch.linspace(-REACH, REACH, SAMPLES)
    positions = torch.cartesian_prod(axis, axis).flip(-1)  # y by y, and x within
    with torch.inference_mode():
        scores = torch.stack([score(query, keys)[0] for score in formulas().values()])
        fields = torch.stack([score(query, positions)[0] for score in formulas().values()])
    return PlaneRecord(
        formulas=tuple(formulas()),
        letters=LETTERS,
        query=query[0].numpy(),
        keys=keys.numpy(),
        scores=scores.numpy(),
        weights=scores.softmax(-1).numpy(),
        axis=axis.numpy(),
        field=fields.reshape(-1, SAMPLES, SAMPLES).numpy(),
        right=_right(),
        provenance=Provenance.of(
            compute,
            seed=rules.SEED,
            detail=f"query {params.reach:g} long at {params.turn:g}°; "
            f"general and additive trained for {rules.STEPS} steps",
        ),
    )


def angle_aside(letter: str) -> float:
    """Return how far a key points away from the query as it first stands, in degrees."""
    return abs(KEYS[LETTERS.index(letter)][1])


def length(letter: str) -> float:
    """Return how long a key is as it first stands."""
    return KEYS[LETTERS.index(letter)][0]


def formulas() -> dict[str, Score]:
    """Return every formula by name; those with parameters were trained to turn left."""
    learned: dict[str, Score] = dict(zip(FORMULAS[-2:], rules.train_rule("left"), strict=True))
    return {name: learned.get(name) or getattr(scoring, name) for name in FORMULAS}


def read_learned_weights() -> dict[str, npt.NDArray[np.float32]]:
    """Return the weights of the learned formulas: `general`, and those of additive by their names."""
    general, additive = rules.train_rule("left")
    return {"general": general.weight.numpy(), **{name: part.numpy() for name, part in additive.named_parameters()}}


@lru_cache(maxsize=1)
def _right() -> np.ndarray:
    """Compute the share of unseen queries in which each formula chooses the key to the left."""
    with torch.inference_mode():
        return np.array([measure(score, rules.draw_unseen("left"))[1] for score in formulas().values()])


def _vectors(polar: list[tuple[float, float]]) -> Float[Tensor, "vectors 2"]:
    turned = [(long, math.radians(degrees)) for long, degrees in polar]
    return torch.tensor([[long * math.cos(angle), long * math.sin(angle)] for long, angle in turned])
