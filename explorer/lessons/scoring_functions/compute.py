"""“Scoring functions”: seven scoring functions on the same queries, keys and values."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention import masking, scoring, scoring_cost, softmax_measures
from explorer.attention.attend import Attended, Score, attend
from explorer.lessons.scoring_functions import identities as pairs
from explorer.lessons.scoring_functions.identities import identities
from explorer.lessons.scoring_functions.records import SidesRecord
from explorer.lessons.scoring_functions.state import D_VALUE, LONGEST, MOST_KEYS, QUERIES, Params, Result
from explorer.nn.scorers import Additive, Concat, General
from explorer.records.attention import AttentionRecord
from explorer.records.provenance import Computation, Provenance
from explorer.records.scoring import ScoreMeasures, ScoringRecord


def compute(params: Params) -> Result:
    """Score, weigh and average with every function on one draw of queries, keys and values."""
    with torch.inference_mode():
        query, key, value = draw(params)
        allowed = mask(params)
        scored: list[ScoringRecord] = []
        refused: list[str] = []
        for name, score in scorers(params).items():
            try:
                attended = attend(query, key, value, score=score, allowed=allowed, temperature=params.temperature)
                attended = attended._replace(scores=score(query, key))  # as the formula has them, not yet over T
            except scoring.LengthMismatchError:
                refused.append(name)
                continue
            scored.append(_record(params, name, attended, allowed))
        facts = identities(query, key, seed=params.seed, temperature=params.temperature)
    return Result(
        params=params,
        records=tuple(scored),
        refused=tuple(refused),
        identities=facts,
        provenance=_provenance(params, compute),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPair:
    """Two functions on the vectors of `params`; `pair` is a name of `identities.PAIRS`."""

    pair: str
    params: Params


def sides(asked: ScoredPair) -> SidesRecord | None:
    """Compute what both functions of a pair say; None where they need queries and keys of one length."""
    params = asked.params
    with torch.inference_mode():
        query, key, _ = draw(params)
        both = pairs.sides(asked.pair, query, key, seed=params.seed, temperature=params.temperature)
    if both is None:
        return None
    source = replace(_provenance(params, pairs.sides), dtype="float64")
    return SidesRecord(one=both[0].numpy(), other=both[1].numpy(), provenance=source)


def draw(
    params: Params,
) -> tuple[Float[Tensor, "queries d_query"], Float[Tensor, "keys d_key"], Float[Tensor, "keys d_value"]]:
    """Draw queries, keys and values with independent standard normal components (Vaswani et al. 2017, footnote 4)."""
    generator = torch.Generator().manual_seed(params.seed)
    query = torch.randn(QUERIES, LONGEST, generator=generator)[:, : params.d_query]
    key = torch.randn(MOST_KEYS, LONGEST, generator=generator)[: params.n_keys, : params.d_key]
    value = torch.randn(MOST_KEYS, D_VALUE, generator=generator)[: params.n_keys]
    return query, key, value


def scorers(params: Params) -> dict[str, Score]:
    """Return every scoring function, those with parameters untrained, as `xavier` draws them."""
    generator = torch.Generator().manual_seed(params.seed + 1)
    sizes = (params.d_query, params.d_key)
    return {
        "dot": scoring.dot,
        "scaled_dot": scoring.scaled_dot,
        "general": General(*sizes, generator=generator),
        "additive": Additive(*sizes, params.d_query, generator=generator),
        "concat": Concat(*sizes, params.d_query, generator=generator),
        "cosine": scoring.cosine,
        "gaussian": scoring.gaussian,
    }


def mask(params: Params) -> Bool[Tensor, "queries keys"] | None:
    """Return which key each query may attend to, by its valid length; None where all may."""
    if not params.valid_lengths:
        return None
    lengths = [params.valid_lengths[min(i, len(params.valid_lengths) - 1)] for i in range(QUERIES)]
    return masking.valid(torch.tensor(lengths), params.n_keys)


def _record(
    params: Params, name: str, attended: Attended, allowed: Bool[Tensor, "queries keys"] | None
) -> ScoringRecord:
    weights = attended.weights.double()
    seeing = torch.ones(QUERIES, dtype=torch.bool) if allowed is None else allowed.any(-1)
    some = weights[seeing] if seeing.any() else weights
    sizes = scoring_cost.ScorerSizes(
        queries=QUERIES, keys=params.n_keys, d_query=params.d_query, d_key=params.d_key, d_hidden=params.d_query
    )
    return ScoringRecord(
        name=name,
        scores=attended.scores.numpy(),
        attention=AttentionRecord(
            site=f"scoring.{name}",
            kind="scored",
            weights=attended.weights.unsqueeze(0).numpy(),
            query_labels=tuple(f"q{i + 1}" for i in range(QUERIES)),
            key_labels=tuple(f"k{i + 1}" for i in range(params.n_keys)),
            query_role="read",
            provenance=_provenance(params, getattr(scoring, name)),
            allowed=None if allowed is None else allowed.numpy(),
        ),
        output=attended.output.numpy(),
        measures=ScoreMeasures(
            variance=float(softmax_measures.score_variance(attended.scores.double(), allowed)),
            entropy=float(softmax_measures.entropy(some).mean()),
            largest=float(some.amax(-1).mean()),
            gradient=float(softmax_measures.gradient_size(some).mean()),
            parameters=scoring_cost.parameters(name, sizes),
            flops=scoring_cost.flops(name, sizes),
        ),
    )


def _provenance(params: Params, function: Computation) -> Provenance:
    lengths = ",".join(map(str, params.valid_lengths))
    detail = f"d_query {params.d_query}, d_key {params.d_key}, {params.n_keys} keys, temperature {params.temperature:g}"
    return Provenance.of(function, seed=params.seed, detail=f"{detail}, valid lengths {lengths}" if lengths else detail)
