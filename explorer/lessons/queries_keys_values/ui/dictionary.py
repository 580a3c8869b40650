"""A soft dictionary: every key answers as well as it fits."""

from functools import partial
from typing import Any

import numpy as np

from explorer.attention.attend import attend
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import weights
from explorer.lessons.queries_keys_values.live import dictionary
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS, Entry
from explorer.lessons.queries_keys_values.ui import tables
from explorer.lessons.queries_keys_values.ui.controls import lookup
from explorer.records.language import t
from explorer.scenes.queries_keys_values import DICTIONARY, LESSON, LINE
from explorer.ui import cache
from explorer.ui.scene import experiment as trial, heat_map, predict

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


def experiment() -> trial.BestNumber:
    """Ask a dictionary of numbers everywhere on its line, and find where its answer is largest."""
    held = [line.split() for line in LINE.splitlines()]
    entries = tuple(Entry(name=name, x=float(x), y=float(y), value=(float(value),)) for name, x, y, value in held)
    asked = state.Lookup(entries=entries, query=(0.0, 0.0), temperature=0.5)
    record = cache.compute(lesson.compute, lesson.Params(lookup=asked)).lookup
    answers = record.answers[len(record.axis) // 2, :, 0]
    position, top = int(answers.argmax()), max(entries, key=lambda entry: entry.value)
    best = round(float(record.axis[position]), 1)
    values = {"most": answers[position], "on": np.interp(top.x, record.axis, answers)}
    return trial.BestNumber(
        right=best,
        x=record.axis,
        y=answers,
        says=t("answer"),
        values={"best": f"{best:.1f}", **{name: f"{value:.2f}" for name, value in values.items()}},
        reveals={"qk_keys": LINE, "qk_x": best, "qk_y": 0.0, "qk_t": 0.5},
    )
