"""A soft look-up under the pointer: query and temperature move the ribbons before their sliders are let go."""

from pathlib import Path
from typing import Any

from explorer.lessons.queries_keys_values.live.plane import looked_up
from explorer.lessons.queries_keys_values.records.lookup import LookupRecord
from explorer.records.language import t
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_dictionary(record: LookupRecord) -> dict[str, Any]:
    """Return how the query reaches the keys, and the values the answer."""
    said = {
        "title": t("From the query to the answer"),
        "hint": t("The wider the ribbon, the more weight; point at an entry."),
        "query": t("query"),
        "keys": t("keys"),
        "values": t("values"),
        "answer": t("answer"),
        "weight": t("weight"),
        "distance": t("distance"),
        "score": t("score"),
        "compared": t("distance {distance} · score {score}"),
        "entry": t("“{key}”: weight {weight} of its colour")
        if record.is_colour
        else t("“{key}”: weight {weight} of the value {value}"),
    }
    return looked_up(record) | {"said": said}
