"""A soft look-up under the pointer: query and temperature move the ribbons before their sliders are let go."""

from pathlib import Path
from typing import Any

from explorer.lessons.queries_keys_values.live.plane import looked_up
from explorer.lessons.queries_keys_values.records.lookup import LookupRecord
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_dictionary(record: LookupRecord) -> dict[str, Any]:
    """Return how the query reaches the keys, and the values the answer."""
    return looked_up(record) | {"colours": record.is_colour}
