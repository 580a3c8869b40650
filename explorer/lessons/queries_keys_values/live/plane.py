"""The plane under the pointer: query and keys are dragged, and the browser draws every answer anew."""

from pathlib import Path
from typing import Any

from explorer.lessons.queries_keys_values import state
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.lookup import REACH, LookupRecord
from explorer.ui.live.live import Live
from explorer.ui.scene import picture

PICTURE = Live(Path(__file__).with_suffix(".js"))


def looked_up(record: LookupRecord) -> dict[str, Any]:
    """Return entries, query, how scores and colours are made of them, and their sliders, as `looked_up.js` reads it."""
    return {
        "entries": record.entries,
        "query": record.query.tolist(),
        "score": record.score,
        "temperature": record.temperature,
        "span": (0, 255) if record.is_colour else colours.span(record),
        "tints": [colour for _, colour in colours.scale()],
        "keys": {"temperature": "qk_t", "x": "qk_x", "y": "qk_y"},
        "choices": state.TEMPERATURES,
        "zoom": picture.live_zoom(),
    }


def pack_plane(record: LookupRecord) -> dict[str, Any]:
    """Return keys and query on the colours of the answers."""
    return looked_up(record) | {"reach": REACH}
