"""From the hard look-up to the average: whose share the answer is, at every temperature."""

from functools import partial
from typing import Any

import numpy as np

from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.compute import average_pooling, hard_lookup
from explorer.lessons.queries_keys_values.figures import weights
from explorer.lessons.queries_keys_values.live import shares
from explorer.lessons.queries_keys_values.records.lookup import AVERAGE, HARD, SOFT, WAYS
from explorer.lessons.queries_keys_values.ui import tables
from explorer.lessons.queries_keys_values.ui.controls import lookup
from explorer.records.language import t
from explorer.ui import cache, messages
from explorer.ui.live.told import Link, OneOf
from explorer.ui.scene import experiment as trial, heat_map, predict

CODE = (hard_lookup, average_pooling)


def controls() -> lesson.Params:
    """Draw query and temperature; the dictionary in the fold."""
    return lookup()


def stage(params: lesson.Params) -> dict[str, str]:
    """Draw the shares of the keys between both ends, and the answers below them."""
    result = cache.compute(lesson.compute, params)
    said: dict[str, str] = {"ways": messages.plain(readings.describe_ways(result))}
    shown: dict[str, Any] = {"title": t("Whose share the answer is"), "reading": readings.describe_path(result)}
    shown |= {"table": lambda: tables.path(result.lookup), "provenance": result.lookup.provenance}
    if heat_map.instead("qk_path_map", partial(weights.course, result.lookup), of=params, **shown):
        return said
    tells = {"position": Link("qk_t", OneOf(state.TEMPERATURES))}
    shares.PICTURE.show("qk_path", partial(shares.pack_shares, result.lookup), tells=tells, **shown)
    return said


def answer() -> predict.Answer:
    """Ask on the first key, and say whether either end of the picture has stayed as it was."""
    first = state.Lookup().entries[0]
    asked = (state.Lookup(), state.Lookup(query=(first.x, first.y)))
    before, after = (cache.compute(lesson.compute, lesson.Params(lookup=each)).lookup.weights for each in asked)
    stays = [np.allclose(before[way], after[way]) for way in (WAYS.index(HARD), WAYS.index(AVERAGE))]
    right = {(True, False): "hard", (False, True): "average"}.get((stays[0], stays[1]), "neither")
    return right, {
        "first": first.name,
        "share": f"{after[WAYS.index(AVERAGE), 0]:.2f}",
        "now": f"{moved_weight(1.0):.2f}",
        "hot": f"{moved_weight(1000.0):.3f}",
    }


def moved_weight(temperature: float) -> float:
    """Return how much weight changes hands, ½ Σ |Δw|, between a query on the first key and one on the second."""
    keys = [(entry.x, entry.y) for entry in state.Lookup().entries[:2]]
    asked = [lesson.Params(lookup=state.Lookup(query=key, temperature=temperature)) for key in keys]
    first, second = (cache.compute(lesson.compute, each).lookup.weights[WAYS.index(SOFT)] for each in asked)
    return float(np.abs(first - second).sum() / 2)


def experiment() -> trial.BestNumber:
    """Find the temperature at which the best key has half of the weight."""
    record = cache.compute(lesson.compute, lesson.Params()).lookup
    share = record.path[:, record.path[0].argmax()]
    best = float(f"{np.interp(-0.5, -share, record.temperatures):.2g}")
    cold, hot = (f"{np.interp(at, record.temperatures, share):.0%}" for at in (0.1, 100.0))
    return trial.BestNumber(
        right=best,
        x=record.temperatures,
        y=share,
        says=t("weight of the nearest key"),
        values={"best": f"{best:g}", "cold": cold, "hot": hot},
        reveals={"qk_t": min(state.TEMPERATURES, key=lambda each: abs(np.log(each / best)))},
    )
