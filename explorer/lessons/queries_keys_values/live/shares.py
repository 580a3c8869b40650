"""The shares of the keys under the pointer: temperature and query move them before their sliders are let go."""

from pathlib import Path
from typing import Any

from explorer.lessons.queries_keys_values.figures.ways import way_names
from explorer.lessons.queries_keys_values.live.plane import looked_up
from explorer.lessons.queries_keys_values.records.lookup import WAYS, LookupRecord
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_shares(record: LookupRecord) -> dict[str, Any]:
    """Return whose share the answer is at every temperature."""
    names = way_names()
    return looked_up(record) | {"temperatures": record.temperatures, "ways": [names[way] for way in WAYS]}
