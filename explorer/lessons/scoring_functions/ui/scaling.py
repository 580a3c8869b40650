"""“Why divide by √d?”: scores and weights of two lanes, and what is left of the gradient."""

from functools import partial

import numpy as np
import streamlit as st

from explorer.attention import scoring, softmax_measures
from explorer.lessons.scoring_functions import lanes, readings
from explorer.lessons.scoring_functions.figures import lanes as figures
from explorer.lessons.scoring_functions.live import lanes as drawn
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.lessons.scoring_functions.saturation import Draws
from explorer.lessons.scoring_functions.ui import tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import LESSON, MEASURED, SCALING
from explorer.ui import cache
from explorer.ui.live.told import Link, OneOf
from explorer.ui.scene import experiment as trial, heat_map, picture, predict, rail

CODE = (scoring.scaled_dot, softmax_measures.gradient_size)


def controls() -> lanes.Lanes:
    """Ask how many numbers a vector has, and which query is shown; the draws lie in the fold."""
    asked = rail.ask(SCALING.controls)
    d, which = asked.pop("d"), asked.pop("which")
    return lanes.Lanes(d=d, which=which - 1, draws=Draws(**asked))


def stage(params: lanes.Lanes) -> None:
    """Both lanes; the curve to its end once the question is answered."""
    record = cache.compute(lanes.compute, params)
    whole = predict.is_settled(LESSON, SCALING)
    if heat_map.ask_heat_map():
        _maps(record, params, whole=whole)
        return
    drawn.PICTURE.show(
        "sf_lanes",
        partial(drawn.pack, record, params, whole=whole),
        tells={"position": Link("sf_long", OneOf(record.lengths))},
        title=t("Scores, weights, gradient"),
        reading=readings.describe_lanes(record),
        table=lambda: tables.lanes(record),
        provenance=record.provenance,
    )


def _maps(record: LanesRecord, params: lanes.Lanes, *, whole: bool) -> None:
    """Draw the weights of the query at every length, a map for each lane."""
    for lane, column in enumerate(st.columns(2, gap="medium")):
        with column:
            picture.show_chart(
                f"sf_lane_map_{lane}",
                partial(figures.weights, record, lane, whole=whole),
                title=t("Weights of {score}").format(score=figures.WRITTEN[lane]),
                reading=readings.describe_lane(record, lane),
                of=(params, whole),
            )


def answer() -> predict.Answer:
    """Say whether the divided scores spread further where vectors have more numbers, and what the others do."""
    before, record = (
        cache.compute(lanes.compute, lanes.Lanes(d=d)) for d in (SCALING.defaults["sf_long"], MEASURED[-1])
    )
    plain, divided = (lanes.spread(record, lane) for lane in (0, 1))
    grown = divided / lanes.spread(before, 1)
    return "wider" if grown > 1.5 else "narrower" if grown < 1 / 1.5 else "same", {
        "divided": f"{divided:.1f}",
        "spread": f"{plain:.0f}",
        "left": f"{record.left[0, -1]:.0%}",
        "frozen": f"{record.frozen[0, -1]:.0%}",
    }


def experiment() -> trial.BestNumber:
    """Find the length from which on half of the queries are frozen."""
    record = cache.compute(lanes.compute, lanes.Lanes(d=MEASURED[-1]))
    lengths, frozen = np.array(record.lengths), record.frozen[0]
    best = float(f"{np.exp(np.interp(0.5, frozen, np.log(lengths))):.2g}")
    return trial.BestNumber(
        right=best,
        x=lengths,
        y=frozen,
        says=t("share of queries that give over 99% to one key"),
        values={
            "best": f"{best:g}",
            "usual": f"{frozen[record.lengths.index(64)]:.0%}",
            "divided": f"{record.frozen[1].max():.0%}",
        },
        reveals={"sf_long": min(MEASURED, key=lambda each: abs(np.log(each / best)))},
    )
