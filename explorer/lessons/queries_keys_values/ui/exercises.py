"""Numbers in the answers of the exercises."""

import torch
from torch.autograd.functional import jacobian

from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS
from explorer.lessons.queries_keys_values.records.scene import WITH
from explorer.ui import cache

#: Of all the weight: from here on one key “has nearly everything”.
NEARLY_ALL = 0.99


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_thirsty(), **_on_a_key(), **_at_the_origin(), **_covariance()}


def _thirsty() -> dict[str, str]:
    """Look for something to drink, with and without avoiding red."""
    said = {}
    for position, red in (("thirsty", 0.0), ("not_red", -1.0)):
        cues = state.Cues(query=(0.0, red, 1.0, 0.0, 0.0))
        scene = cache.compute(lesson.compute, lesson.Params(cues=cues)).scene
        best = int(scene.weights[WITH].argmax())
        said[position] = readings.object_names()[scene.objects[best]]
        said[f"{position}_weight"] = f"{scene.weights[WITH, best]:.2f}"
    return said


def _on_a_key() -> dict[str, str]:
    """Ask with the key b itself: how much it gets, and how cold it must be until it has nearly everything."""
    entry = state.Lookup().entries[1]
    weights = {
        each: float(_soft(state.Lookup(query=(entry.x, entry.y), temperature=each))[1]) for each in state.TEMPERATURES
    }
    return {
        "on_key": f"{weights[1.0]:.2f}",
        "sure": f"{max(each for each, weight in weights.items() if weight >= NEARLY_ALL):g}",
    }


def _at_the_origin() -> dict[str, str]:
    """Ask with a query of zeros, by dot product and by distance."""
    by_dot, by_distance = (_soft(state.Lookup(query=(0.0, 0.0), score=score)) for score in ("dot", "distance"))
    return {
        "by_dot": ", ".join(f"{weight:.2f}" for weight in by_dot),
        "by_distance": ", ".join(f"{weight:.2f}" for weight in by_distance),
    }


def _covariance() -> dict[str, str]:
    """Compare the gradient of attention by the query with the covariance of the keys under its weights."""
    numbers = torch.Generator().manual_seed(0)
    keys = torch.randn(6, 4, generator=numbers, dtype=torch.float64)
    query = torch.randn(4, generator=numbers, dtype=torch.float64)
    gradient = jacobian(lambda q: torch.softmax(keys @ q, 0) @ keys, query, strict=True)  # type: ignore[no-untyped-call]
    covariance = torch.cov(keys.T, correction=0, aweights=torch.softmax(keys @ query, 0))
    return {"covariance_gap": f"{(gradient - covariance).abs().max():.0e}"}


def _soft(lookup: state.Lookup) -> list[float]:
    """Return the weights of attention."""
    weights: list[float] = (
        cache.compute(lesson.compute, lesson.Params(lookup=lookup)).lookup.weights[WAYS.index(SOFT)].tolist()
    )
    return weights
