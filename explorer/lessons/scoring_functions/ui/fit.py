"""“How well does it fit?”: one formula's landscape, and whom each formula chooses."""

from functools import partial

import streamlit as st

from explorer.attention import scoring
from explorer.lessons.scoring_functions import plane, readings
from explorer.lessons.scoring_functions.figures import plane as figures
from explorer.lessons.scoring_functions.ui import plane_live, tables
from explorer.scenes.scoring_functions import FIT, LESSON
from explorer.ui import cache, choice
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (scoring.dot, scoring.cosine, scoring.gaussian)
#: The formulas whose answer the prediction asks for.
ASKED = ("dot", "scaled_dot")
Chosen = tuple[str, plane.Plane]


def controls() -> Chosen:
    """Formula, and length and direction of the query."""
    names = readings.plane_names(t)
    formula = choice.select(t("Which formula?"), names, key="sf_formula")
    (least, most), (step, degrees) = plane_live.LENGTHS, plane_live.STEPS
    reach = choice.slider(t("Length of the query"), least, most, step, key="sf_reach")
    turn = choice.slider(t("Direction of the query"), 0, 360, degrees, format="%d°", key="sf_turn")
    even = choice.toggle(t("Make all keys equally long"), key="sf_even")
    return formula, plane.Plane(reach=reach, turn=float(turn), even=even)


def stage(chosen: Chosen) -> dict[str, str]:
    """The plane, and beside it every formula's weights."""
    formula, params = chosen
    record = cache.compute(plane.compute, params)
    open_ = predict.settled(LESSON, FIT) or formula in ASKED
    hidden = () if open_ else ASKED
    nicknames = {} if params.even else readings.nicknames(t)
    with st.container(key="sf_fit"):
        plane_live.draw(record, params, formula, hidden=hidden, nicknames=nicknames, key="sf_fit_live")
        first, second = st.columns([1.3, 1], gap="medium")
        with first:
            picture.remark(
                "sf_plane",
                partial(figures.landscape, record, formula, nicknames=nicknames if params.named else {}, t=t),
                title=t("Where does a key fit?"),
                reading=readings.describe_plane(record, formula, t),
                table=lambda: tables.plane(record),
            )
        with second:
            picture.remark(
                "sf_rows",
                partial(figures.rows, record, formula, names=readings.plane_names(t, short=True), hidden=hidden),
                title=t("Who wins?"),
                reading=readings.describe_rows(record, hidden, t),
                table=lambda: tables.plane(record),
            )
    shares = dict(zip(record.formulas, record.right, strict=True))
    return {f"{name}_right": f"{shares[name]:.0%}" for name in ("dot", "general", "additive")}


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
