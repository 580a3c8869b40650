"""Both lanes under the pointer: length, query and temperature move them before the slider is let go."""

from pathlib import Path
from typing import Any

import streamlit as st

from explorer.lessons.scoring_functions import lanes
from explorer.lessons.scoring_functions.figures.lanes import WRITTEN
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.ui import appearance, fields, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read

_lanes = scripts.component(Path(__file__).with_name("lanes.js"))


def draw(record: LanesRecord, params: lanes.Lanes, *, whole: bool, key: str) -> None:
    """Draw scores, weights and gradient; what is dragged is kept in the link once it is let go.

    Args:
        record: of these params.
        whole: whether the curves are drawn to the longest d; else to the chosen one.
    """
    head: dict[str, Any] = {
        "lengths": record.lengths,
        "place": record.place,
        "which": params.which,
        "temperature": params.draws.temperature,
        "limit": lanes.FROZEN,
        "whole": whole,
        "lanes": WRITTEN,
        "draws": (params.draws.seed, params.draws.n_keys),
        "keys": {"place": "sf_long", "which": "sf_which", "temperature": "sf_t"},
        "scale": appearance.current().weights,
        "said": {
            "title": t("Scores, weights, gradient"),
            "legend": t("grey: all scores; sticks: the keys of one query"),
            "plain": t("as they are"),
            "divided": t("divided by {root}"),
            "weights": t("weights of its keys"),
            "heated": t("weights, T = {temperature}"),
            "left": t("gradient that is left"),
            "frozen": t("frozen: {share} of the queries"),
            "across": t("d, length of the vectors"),
        },
    }

    def told() -> None:
        place = read(getattr(st.session_state.get(key), "moved", None), len(record.lengths), "place")
        if place is not None:
            fields.put({"sf_long": record.lengths[place]})

    _lanes(data=pack(head, {"scores": record.every}), key=key, on_moved_change=told)
