"""A soft dictionary: every key answers as well as it fits."""

from functools import partial
from typing import Any

from explorer.attention.attend import attend
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import weights
from explorer.lessons.queries_keys_values.live import dictionary
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS
from explorer.lessons.queries_keys_values.ui import tables
from explorer.lessons.queries_keys_values.ui.controls import lookup
from explorer.records.language import t
from explorer.scenes.queries_keys_values import DICTIONARY, LESSON
from explorer.ui import cache
from explorer.ui.scene import heat_map, predict

CODE = (attend,)


def controls() -> lesson.Params:
    """Draw query and temperature; the dictionary in the fold."""
    return lookup()


def stage(params: lesson.Params) -> None:
    """Draw how the query reaches the keys, and the values the answer."""
    result = cache.compute(lesson.compute, params)
    settled = predict.is_settled(LESSON, DICTIONARY)
    shown: dict[str, Any] = {
        "title": t("From the query to the answer"),
        "reading": (readings.describe_lookup if settled else readings.describe_plane)(result),
        "table": lambda: tables.lookup(result.lookup),
        "provenance": result.lookup.provenance,
    }
    if heat_map.instead("qk_dictionary_map", partial(weights.answers, result.lookup), of=(params, settled), **shown):
        return
    dictionary.PICTURE.show("qk_dictionary", partial(dictionary.pack_dictionary, result.lookup), **shown)


def answer() -> predict.Answer:
    """Ask from a corner of the plane, and add the weights up."""
    record = cache.compute(lesson.compute, lesson.Params(lookup=state.Lookup(query=(-4.0, -4.0)))).lookup
    total = float(record.weights[WAYS.index(SOFT)].sum())
    right = "all" if total > 0.95 else "none" if total < 0.05 else "half"
    return right, {"distance": f"{record.distances.min():.2f}", "total": f"{total:.3g}"}
