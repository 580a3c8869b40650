"""“Additive beside dot”: two scores of the same queries and keys, trained for the same rule."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import numpy as np
import streamlit as st

from explorer.attention import scoring
from explorer.lessons.scoring_functions import beside, beside_readings, rules
from explorer.lessons.scoring_functions.figures import beside as figures
from explorer.lessons.scoring_functions.live import beside as plane
from explorer.lessons.scoring_functions.records import BesideRecord
from explorer.lessons.scoring_functions.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import BESIDE, LESSON
from explorer.ui import cache, choice, messages
from explorer.ui.live.told import Told
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (scoring.scaled_dot, scoring.additive, beside.vector_sum)
Chosen = tuple[beside.Beside, str]


def controls() -> Chosen:
    """Ask for the rule, and for what stands beside the dot product; the rest in the fold."""
    names = {"ahead": t("ahead"), "nearest": t("nearest"), "left": t("left"), beside.UNTRAINED: t("untrained")}
    meant = t("Ahead: the key whose direction is nearest to the query’s. Left: the same, a quarter turn to the left.")
    rule = choice.buttons(t("Both trained to find the key …"), names, key="sf_rule", help=meant)
    seconds = {"additive": t("additive"), "sum": t("sum of both")}
    second = choice.buttons(t("Beside the dot product"), seconds, key="sf_second")
    with rail.more():
        shows = {"weights": t("weights"), "scores": t("scores"), "difference": t("difference")}
        shown = choice.buttons(t("Heat maps of"), shows, key="sf_maps")
        lengths = widgets.read_lengths(choice.ask("sf_valid"))
        queries = _points(t("Queries, each as x y"), "queries", beside.QUERIES)
        keys = _points(t("Keys, each as x y"), "keys", beside.KEYS)
        seed = choice.slider(t("Seed of untrained weights"), 0, 99, key="sf_start", disabled=rule != beside.UNTRAINED)
    params = beside.Beside(rule=rule, second=second, queries=queries, keys=keys, valid_lengths=lengths, seed=seed)
    return params, shown


def stage(chosen: Chosen) -> dict[str, str]:
    """The plane and the row of one query; or beside the plane heat maps of all of them."""
    params, _ = chosen
    record = cache.compute(beside.compute, params)
    alone = not heat_map.ask_heat_map()
    costs, waits = not alone or predict.is_settled(LESSON, BESIDE), predict.is_held_back()
    drawn = partial(plane.pack, record, params.rule, alone=alone, costs=costs, waits=waits)
    tells = {"points": plane.keep_points()}
    if alone:
        plane.PICTURE.show(
            "sf_beside",
            drawn,
            tells=tells,
            title=t("Queries and keys"),
            reading=beside_readings.describe(record),
            table=lambda: tables.beside(record),
            provenance=record.provenance,
        )
    else:
        _maps(record, drawn, tells, chosen)
    found = cache.compute(beside.compute, beside.Beside(rule="left"))
    shares = {name: f"{share:.0%}" for name, share in zip(("dot", "additive"), _shares(found), strict=True)}
    return shares | {"hidden": str(rules.HIDDEN)}


def _maps(record: BesideRecord, drawn: Callable[[], dict[str, Any]], tells: Mapping[str, Told], chosen: Chosen) -> None:
    """Draw the plane, and beside it heat maps of all queries."""
    shown = cast("figures.Shown", chosen[1])
    names, short = (beside_readings.score_names(record, short=each) for each in (False, True))
    first, second = st.columns([1, 1.5], gap="medium")
    with first, st.container(key="sf_beside"):
        picture.heading(t("Queries and keys"), t("drag them"))
        plane.PICTURE.draw("sf_beside_live", drawn, tells=tells)
    with second:
        picture.show_chart(
            "sf_beside_maps",
            partial(figures.maps, record, shown, names=names, short=short),
            title=t("Scores of both") if shown == "scores" else t("Weights: the same queries, the same keys"),
            note=t("dashed: the right key") if (record.right >= 0).any() else "",
            reading=beside_readings.describe(record),
            table=lambda: tables.beside(record),
            of=chosen,
        )


def answer() -> predict.Answer:
    """Say which of both scores finds the right key of the query that is followed, and how often they do."""
    record = cache.compute(beside.compute, beside.Beside())
    query = int(np.abs(record.difference).max(-1).argmax())
    dot, additive = record.weights[:, query]
    first, second = (int(row.argmax()) == int(record.right[query]) for row in (dot, additive))
    right = ("both" if second else "dot") if first else "additive" if second else "neither"
    shares = {name: f"{share:.0%}" for name, share in zip(("dot", "additive"), _shares(record), strict=True)}
    return right, shares | {"far": record.letters[int(dot.argmax())], "share": f"{dot.max():.0%}"}


def _shares(record: BesideRecord) -> tuple[float, float]:
    assert record.found is not None, "a rule has a right key"
    return record.found


def _points(label: str, what: str, usual: beside.Points) -> beside.Points:
    """Ask for points; the usual ones, and a message, where they cannot be read."""
    key, most = plane.FIELDS[what]
    try:
        return beside.parse_points(choice.text(label, 200, key=key), most)
    except beside.PlacesError:
        said = t(
            "Points must be 1 to {most} pairs of numbers from −3.5 to 3.5, such as 2.2 0.7, −1.2 1.5. "
            "Until then the points of the example are used."
        )
        messages.info(said.format(most=most))
        return usual
