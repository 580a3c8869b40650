"""A soft look-up under the pointer: query and temperature move the ribbons before their sliders are let go."""

from pathlib import Path

from explorer.lessons.queries_keys_values.records.lookup import LookupRecord
from explorer.lessons.queries_keys_values.ui import dragged
from explorer.ui import scripts
from explorer.ui.language import t

_dictionary = scripts.component(Path(__file__).with_name("dictionary.js"))


def draw(record: LookupRecord, *, key: str) -> None:
    """Draw how the query reaches the keys, and the values the answer."""
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
        "entry": t("“{key}”: weight {weight} of the value {value}")
        if len(record.entries[0].value) == 1
        else t("“{key}”: weight {weight} of its colour"),
    }
    _dictionary(data=dragged.dictionary(record) | {"said": said}, key=key)
