"""“Why divide by √d?”: scores and weights of two lanes, and what is left of the gradient."""

from functools import partial

import streamlit as st

from explorer.attention import scoring, softmax_measures
from explorer.lessons.scoring_functions import lanes, readings
from explorer.lessons.scoring_functions.figures import lanes as figures
from explorer.lessons.scoring_functions.saturation import LENGTHS
from explorer.lessons.scoring_functions.ui import controls as widgets, lanes_live, tables
from explorer.scenes.scoring_functions import LESSON, SCALING
from explorer.ui import cache, choice
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (scoring.scaled_dot, softmax_measures.gradient_size)


def controls() -> lanes.Lanes:
    """Length of the vectors, and which query is shown; draws in the fold."""
    top, bottom = st.container(key="sf_here"), st.container(key="sf_rest")
    with bottom:
        draws = widgets.draws()
    with top:
        label = t("Length of the vectors, d")
        d = choice.stops(label, LENGTHS, key="sf_long")
        which = choice.slider(t("Which query?"), 1, lanes.EXAMPLES, key="sf_which")
    return lanes.Lanes(d=d, which=which - 1, draws=draws)


def stage(params: lanes.Lanes) -> None:
    """Both lanes; the curve to its end once the question is answered."""
    record = cache.compute(lanes.compute, params)
    whole = predict.settled(LESSON, SCALING)
    with st.container(key="sf_lanes"):
        lanes_live.draw(record, params, whole=whole, key="sf_lanes_live")
        picture.remark(
            "sf_lanes",
            partial(figures.lanes, record, whole=whole, t=t),
            title=t("Scores, weights, gradient"),
            reading=readings.describe_lanes(record, t),
            table=lambda: tables.lanes(record),
        )


def answer() -> predict.Answer:
    """Compute which of the three shares lies nearest to the gradient that is left at d = 512."""
    record = cache.compute(lanes.compute, lanes.Lanes(d=LENGTHS[-1]))
    left = float(record.left[0, -1])
    shares = {"half": 1 / 2, "quarter": 1 / 4, "eighth": 1 / 8}
    right = min(shares, key=lambda name: abs(shares[name] - left))
    variance = f"{lanes.spread(record, 0) ** 2:.0f}"
    return right, {"left": f"{left:.0%}", "variance": variance, "frozen": f"{record.frozen[0, -1]:.0%}"}
