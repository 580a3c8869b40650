"""Queries, keys and values: what catches the eye and what is looked for, and a dictionary that answers softly."""

from collections.abc import Iterable

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import one_hot

from explorer.attention.attend import Attended, Score, attend
from explorer.attention.scoring import dot, gaussian
from explorer.lessons.queries_keys_values.records.lookup import REACH, LookupRecord
from explorer.lessons.queries_keys_values.records.scene import SceneRecord
from explorer.lessons.queries_keys_values.state import FEATURES, OBJECTS, TEMPERATURES, Cues, Lookup, Params, Result
from explorer.records import AttentionRecord, Provenance
from explorer.service.kept import made_once

SCORE_FUNCTIONS: dict[str, Score] = {"distance": gaussian, "dot": dot}
#: Places along each axis at which the plane is asked, and temperatures along the path.
PLACES, STEPS = 65, 61


def compute(params: Params) -> Result:
    """Look at the scene, and look up in the dictionary; what did not change is taken from the last computations."""
    return Result(scene=_scene(params.cues), lookup=_lookup(params.lookup))


@made_once
def _scene(cues: Cues) -> SceneRecord:
    """Attend to the scene twice: asking for salience alone, and asking for features as well."""
    keys = torch.tensor([numbers for _, numbers in OBJECTS.values()], dtype=torch.float64)
    positions = torch.tensor([position for position, _ in OBJECTS.values()], dtype=torch.float64)
    nobody = (1.0, *(0.0,) * len(cues.query))
    queries = torch.tensor([nobody, (cues.salience, *cues.query)], dtype=torch.float64)
    with torch.inference_mode():
        attended = attend(queries, keys, positions, score=dot, temperature=cues.temperature)
        scores = dot(queries, keys)
    record = AttentionRecord(
        site="queries_keys_values.scene",
        kind="scored",
        weights=attended.weights[None].float().numpy(),
        query_labels=("without", "with"),
        key_labels=tuple(OBJECTS),
        query_role="read",
        provenance=_provenance(
            "dot", cues.temperature, f"queries {_written(nobody)} and {_written(queries[1].tolist())}"
        ),
    )
    return SceneRecord(
        features=FEATURES,
        keys=keys.numpy(),
        queries=queries.numpy(),
        positions=positions.numpy(),
        scores=scores.numpy(),
        attention=record,
        gaze=attended.output.numpy(),
        temperature=cues.temperature,
    )


@made_once
def _lookup(lookup: Lookup) -> LookupRecord:
    """Ask the dictionary in three ways; then attention everywhere in the plane, and at every temperature."""
    query = torch.tensor([lookup.query], dtype=torch.float64)
    key = torch.tensor([(entry.x, entry.y) for entry in lookup.entries], dtype=torch.float64)
    value = torch.tensor([entry.value for entry in lookup.entries], dtype=torch.float64)
    score = SCORE_FUNCTIONS[lookup.score]
    axis = torch.linspace(-REACH, REACH, PLACES, dtype=torch.float64)
    temperatures = np.geomspace(TEMPERATURES[0], TEMPERATURES[-1], STEPS)
    with torch.inference_mode():
        soft = attend(query, key, value, score=score, temperature=lookup.temperature)
        ways = (hard_lookup(query, key, value, score=score), soft, average_pooling(query, key, value))
        plane = torch.cartesian_prod(axis, axis).flip(-1)  # y runs slowly: [places², (x, y)]
        answers = attend(plane, key, value, score=score, temperature=lookup.temperature).output
        path = [attend(query, key, value, score=score, temperature=float(each)).weights[0] for each in temperatures]
    return LookupRecord(
        entries=lookup.entries,
        query=query[0].numpy(),
        score=lookup.score,
        temperature=lookup.temperature,
        scores=score(query, key)[0].numpy(),
        weights=torch.cat([way.weights for way in ways]).numpy(),
        outputs=torch.cat([way.output for way in ways]).numpy(),
        axis=axis.numpy(),
        answers=answers.reshape(PLACES, PLACES, -1).float().numpy(),
        temperatures=temperatures,
        path=torch.stack(path).numpy(),
        provenance=_provenance(
            lookup.score, lookup.temperature, f"{len(key)} keys, query ({lookup.query[0]:g}, {lookup.query[1]:g})"
        ),
    )


def hard_lookup(
    query: Float[Tensor, "queries d_key"],
    key: Float[Tensor, "keys d_key"],
    value: Float[Tensor, "keys d_value"],
    *,
    score: Score,
) -> Attended:
    """Answer with the value of the best key alone; of several that are equally good, the first."""
    scores = score(query, key)
    weights = one_hot(scores.argmax(-1), len(key)).to(value.dtype)
    return Attended(weights @ value, weights, scores)


def average_pooling(
    query: Float[Tensor, "queries d_key"], key: Float[Tensor, "keys d_key"], value: Float[Tensor, "keys d_value"]
) -> Attended:
    """Answer with the mean of all values: attention with a query of zeros, to which every key scores 0."""
    return attend(torch.zeros_like(query), key, value, score=dot)


def _written(vector: Iterable[float]) -> str:
    return f"({', '.join(f'{number:g}' for number in vector)})"


def _provenance(score: str, temperature: float, detail: str) -> Provenance:
    function = SCORE_FUNCTIONS[score].__name__
    return Provenance.of(attend, dtype="float64", detail=f"score {function}, temperature {temperature:g}, {detail}")
