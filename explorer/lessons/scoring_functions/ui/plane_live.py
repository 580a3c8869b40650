"""The plane under the pointer: landscape and weights follow the query while it is dragged or its sliders are moved."""

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.lessons.scoring_functions import plane, readings
from explorer.lessons.scoring_functions.figures.plane import SHOWN, WRITTEN
from explorer.lessons.scoring_functions.records import PlaneRecord
from explorer.ui import appearance, fields, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack

#: Least and most of the query's length, and the steps of length and direction.
LENGTHS = (0.2, 3.0)
STEPS = (0.1, 5)
_landscape = scripts.component(Path(__file__).with_name("landscape.js"))


def draw(
    record: PlaneRecord,
    params: plane.Plane,
    formula: str,
    *,
    hidden: Collection[str],
    nicknames: Mapping[str, str],
    key: str,
) -> None:
    """Draw one formula's landscape and every formula's weights; what is dragged is kept in the link.

    Args:
        record: of these params.
        formula: whose landscape.
        hidden: formulas whose answer is not shown yet.
        nicknames: what stands below a key, by letter.
    """
    names, look = readings.plane_names(t, short=True), appearance.current()
    head: dict[str, Any] = {
        "formulas": [{"name": name, "label": names[name], "written": WRITTEN[name]} for name in record.formulas],
        "formula": record.formulas.index(formula),
        "hidden": [record.formulas.index(name) for name in hidden],
        "letters": list(record.letters),
        "nicknames": [nicknames.get(letter, "") for letter in record.letters],
        "even": params.even,
        "reach": params.reach,
        "turn": params.turn,
        "lengths": LENGTHS,
        "named": plane.NAMED,
        "steps": STEPS,
        "span": SHOWN,
        "keys": {"reach": "sf_reach", "turn": "sf_turn"},
        "scale": look.weights,
        "paper": look.paper,
        "said": {
            "title": t("Where does a key fit?"),
            "rows": t("weights of each formula"),
            "query": t("query"),
            "at": t("{length} long, at {degrees}°"),
            "score": t("a key here would score {score}"),
            "hint": t("Drag the query. Point anywhere: what a key would score there."),
        },
    }

    def told() -> None:
        moved = read(getattr(st.session_state.get(key), "moved", None))
        if moved is not None:
            fields.put(dict(zip(("sf_reach", "sf_turn"), moved, strict=True)))

    data = pack(head, {"keys": record.keys, **plane.learned()})
    _landscape(data=data, key=key, on_moved_change=told)


def read(told: Any) -> tuple[float, int] | None:
    """Return the length and direction that the browser told, as the sliders say them; None if they are no numbers."""
    numbers: list[Any] = [told.get(name) for name in ("reach", "turn")] if isinstance(told, dict) else []
    if len(numbers) != 2 or not all(isinstance(each, int | float) and math.isfinite(each) for each in numbers):
        return None
    reach, turn = (round(number / step) * step for number, step in zip(numbers, STEPS, strict=True))
    return round(min(max(reach, LENGTHS[0]), LENGTHS[1]), 1), int(turn) % 360
