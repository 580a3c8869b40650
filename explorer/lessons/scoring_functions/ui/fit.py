"""“How well does it fit?”: one formula's landscape, and whom each formula chooses."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.attention import scoring
from explorer.lessons.scoring_functions import plane, readings
from explorer.lessons.scoring_functions.figures import plane as figures
from explorer.lessons.scoring_functions.live import landscape
from explorer.lessons.scoring_functions.ui import tables
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes.scoring_functions import FIT, LESSON
from explorer.ui import cache, choice, fields
from explorer.ui.scene import heat_map, predict, rail, state

CODE = (scoring.dot, scoring.cosine, scoring.gaussian)
#: The formulas whose answer the prediction asks for.
ASKED = ("dot", "scaled_dot")
Chosen = tuple[str, plane.Plane, bool]


def controls() -> Chosen:
    """Formula, length and direction of the query, and whether every formula has a row."""
    names = readings.plane_names()
    formula = choice.select(t("Which formula?"), names, key="sf_formula")
    asked = rail.ask(FIT.controls)
    every = asked.pop("every")
    return formula, plane.Plane(**asked | {"turn": float(asked["turn"])}), every


def stage(chosen: Chosen) -> dict[str, str]:
    """The plane, and beside it the weights of the first formulas, or of all."""
    formula, params, every = chosen
    record = cache.compute(plane.compute, params)
    waits = not predict.is_settled(LESSON, FIT) and state.holds(LESSON, FIT, {})
    hidden = ASKED if waits else ()
    rows = [name for name in record.formulas if every or name in (*plane.FIRST_FORMULAS, formula)]
    nicknames = {} if params.even else readings.nicknames()
    shares = dict(zip(record.formulas, record.right, strict=True))
    said = {f"{name}_right": f"{shares[name]:.0%}" for name in ("dot", "general", "additive")}
    if heat_map.instead(
        "sf_fit_map",
        partial(figures.weights, record, formula, names=readings.plane_names(short=True), hidden=hidden),
        title=t("Who wins?"),
        reading=readings.describe_rows(record, record.formulas, hidden),
        table=lambda: tables.plane(record),
        of=(chosen, hidden),
        on_click=lambda position: fields.set_values(
            {"sf_formula": record.formulas[clamp(round(position["y"]), len(record.formulas))]}
        ),
    ):
        return said
    drawn = partial(landscape.pack, record, params, formula, rows=rows, hidden=hidden, nicknames=nicknames)
    common: dict[str, Any] = {"table": lambda: tables.plane(record), "provenance": record.provenance}
    with st.container(key="sf_fit"):
        landscape.PICTURE.draw("sf_plane_live", drawn, tells=landscape.TELLS)
        first, second = st.columns([1.3, 1], gap="medium")
        with first:
            title = t("Where does a key fit?")
            reading = predict.prompt() if waits else readings.describe_plane(record, formula)
            landscape.PICTURE.remark("sf_plane", drawn, title=title, reading=reading, **common)
        with second:
            title, reading = t("Who wins?"), readings.describe_rows(record, rows, hidden)
            landscape.PICTURE.remark("sf_rows", drawn, title=title, reading=reading, on_paper=False, **common)
    return said


def answer() -> predict.Answer:
    """Compute which key the dot product prefers, and by how much the lengths differ."""
    record = cache.compute(plane.compute, plane.Plane())
    winner = record.order("dot")[0]
    return winner, {
        "winner": winner,
        "weight": f"{record.weight('dot', winner):.0%}",
        "longer": f"{plane.length(winner) / plane.length('B'):.1f}",
        "aside": f"{plane.angle_aside(winner):.0f}",
    }
