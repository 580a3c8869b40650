"""A batch at once: the product of weights and values for several sentences."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from explorer.lessons.queries_keys_values import batches as lesson, readings
from explorer.lessons.queries_keys_values.figures import batches as figures
from explorer.lessons.queries_keys_values.records.batches import BatchesRecord
from explorer.records.language import t
from explorer.scenes.queries_keys_values import BATCHES
from explorer.ui import cache
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (lesson.multiply,)


def controls() -> lesson.Batches:
    """Draw the numbers and three sizes; the queries and the seed in the fold."""
    asked = rail.ask(BATCHES.controls)
    sizes = asked["batch"], asked["queries"], asked["keys"], asked["length"]
    return lesson.Batches(sizes=sizes, numbers=asked["numbers"], seed=asked["seed"])


def stage(asked: lesson.Batches) -> None:
    """Draw the blocks of every batch, or the weights of every sentence as a heat map."""
    record = cache.compute(lesson.multiply, asked)
    shown: dict[str, Any] = {"reading": readings.describe_batches(record), "table": lambda: _table(record)}
    draw = partial(figures.weights, record)
    if heat_map.instead("qk_batches_map", draw, title=t("The weights of each sentence"), of=asked, **shown):
        return
    picture.show_chart(
        "qk_batches",
        partial(figures.batches, record),
        title=t("Each sentence by itself, all at once"),
        of=asked,
        height=picture.Height(phone="75vw", phone_type=11),
        **shown,
    )


def answer() -> predict.Answer:
    """Average 0…9 and 10…19 with ten equal weights each."""
    output = cache.compute(lesson.multiply, lesson.Batches(sizes=(2, 1, 10, 1), numbers="mean")).output.ravel()
    said = {"first": f"{output[0]:g}", "second": f"{output[1]:g}"}
    apart = not np.isclose(output[0], output[1])
    return ("apart" if output[0] < 10 else "sums") if apart else "mixed", said


def _table(record: BatchesRecord) -> pd.DataFrame:
    """Return a row for each number: of which tensor, where, and how much."""
    parts = {t("weights"): record.weights, t("values"): record.values, t("output"): record.output}
    head = [t("tensor"), t("sentence"), t("row"), t("column"), t("entry")]
    rows = [(name, *at, number) for name, each in parts.items() for at, number in np.ndenumerate(each)]
    return pd.DataFrame(rows, columns=head)
