"""The plane under the pointer: landscape and weights follow the query while it is dragged or its sliders are moved."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.figures.look import look
from explorer.lessons.scoring_functions import plane, readings
from explorer.lessons.scoring_functions.figures.plane import SHOWN, WRITTEN
from explorer.lessons.scoring_functions.records import PlaneRecord
from explorer.scenes.scoring_functions import REACH, TURN
from explorer.ui.live.live import Live
from explorer.ui.live.told import Link, Number, OneOf

PICTURE = Live(Path(__file__).with_suffix(".js"))
#: What is done with a query that is dragged: the link keeps its length and its direction.
TELLS = {
    "reach": Link("sf_reach", Number(REACH.low, REACH.high, REACH.step)),
    "turn": Link("sf_turn", OneOf(range(0, 360, int(TURN.step or 1)))),
}


def pack(
    record: PlaneRecord,
    params: plane.Plane,
    formula: str,
    *,
    rows: Sequence[str],
    hidden: Collection[str],
    nicknames: Mapping[str, str],
) -> dict[str, Any]:
    """Return one formula's landscape and the weights of several.

    Args:
        record: of these params.
        params: of the query.
        formula: whose landscape.
        rows: formulas whose weights are drawn; where they are not all, each says in words what counts.
        hidden: formulas whose answer is not shown yet.
        nicknames: what stands below a key, by letter.
    """
    names, counts = readings.plane_names(short=True), readings.what_counts()
    written = WRITTEN if set(rows) == set(record.formulas) else WRITTEN | counts
    return {
        "points": record.keys,
        "learned": plane.read_learned_weights(),
        "formulas": [{"name": name, "label": names[name], "written": written[name]} for name in rows],
        "formula": rows.index(formula),
        "hidden": [at for at, name in enumerate(rows) if name in hidden],
        "letters": list(record.letters),
        "nicknames": [nicknames.get(letter, "") for letter in record.letters],
        "even": params.even,
        "reach": params.reach,
        "turn": params.turn,
        "lengths": (REACH.low, REACH.high),
        "named": plane.NAMED,
        "steps": (REACH.step, TURN.step),
        "span": SHOWN,
        "keys": {"reach": "sf_reach", "turn": "sf_turn"},
        "scale": look().weights,
        "paper": look().paper,
    }
