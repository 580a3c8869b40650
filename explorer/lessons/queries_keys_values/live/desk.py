"""The desk under the pointer: what is wanted moves the discs before its slider is let go."""

from pathlib import Path
from typing import Any

from explorer.figures.look import look
from explorer.lessons.queries_keys_values import readings
from explorer.lessons.queries_keys_values.figures import drawings
from explorer.lessons.queries_keys_values.live import sums
from explorer.lessons.queries_keys_values.records.scene import SceneRecord
from explorer.ui.live.live import Live

#: Left, right, low and high edge of the desk in its own units, and the radius of the halo of an object that has all the
#: weight.
EDGES, RADIUS = (-0.7, 12.7, 0.0, 8.0), 1.55
#: The wood, on light and on dark paper, and the halo, which lies on it in both.
WOOD = {False: "#ecdfc9", True: "#b39c7b"}
HALO = "#3450b4"
PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_desk(record: SceneRecord) -> dict[str, Any]:
    """Return the objects with the weights that they get, without the query and with it."""
    names = readings.object_names()
    return sums.list_sliders(record) | {
        "keys": record.keys,
        "queries": record.queries,
        "positions": record.positions,
        "objects": [names[each] for each in record.objects],
        "drawings": [[outline._asdict() for outline in drawings.DRAWINGS[each]] for each in record.objects],
        "edges": EDGES,
        "radius": RADIUS,
        "wood": WOOD[look().dark],
        "halo": HALO,
    }
