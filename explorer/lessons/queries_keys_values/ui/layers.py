"""What attention has that a layer without queries has not: five layers on one sentence, then its words move."""

from functools import partial

import numpy as np
import pandas as pd

from explorer.lessons.queries_keys_values import layers as lesson, readings
from explorer.lessons.queries_keys_values.figures import layers as figures
from explorer.lessons.queries_keys_values.records.layers import LAYERS, LayersRecord
from explorer.records.language import t
from explorer.ui import cache, choice, figure_card, tables
from explorer.ui.scene import picture, predict

CODE = (lesson.fixed_layers,)


def controls() -> tuple[int, ...]:
    """Draw which order the words take, and which two change places."""
    names = {"written": t("as written"), "swapped": t("swapped"), "reversed": t("backwards")}
    kind = choice.buttons(t("Order of the words"), names, key="ql_order")
    words = {str(position): word for position, word in enumerate(lesson.WORDS)}
    first = choice.select(t("This word …"), words, key="ql_first")
    second = choice.select(t("… changes places with"), words, key="ql_second")
    return lesson.order(kind, int(first), int(second))


def stage(order: tuple[int, ...]) -> None:
    """Draw the maps of all five layers, before and after."""
    record = cache.compute(lesson.weigh, order)
    figure_card.at_least("qk_layers", 560)
    picture.show_chart(
        "qk_layers",
        partial(figures.layers, record),
        title=t("Who takes how much of which word"),
        note=t("a row for each place that asks"),
        reading=readings.describe_layers(record),
        table=lambda: _table(record),
        of=order,
    )


def answer() -> predict.Answer:
    """Swap “cat” and “milk”, and find the layer with a question for each place whose weights go along best."""
    record = cache.compute(lesson.weigh, lesson.order("swapped", 1, 5))
    strayed = np.where(record.alike, np.inf, record.strayed)
    shares = {layer: f"{share:.0%}" for layer, share in zip(LAYERS, record.strayed.tolist(), strict=True)}
    return LAYERS[int(strayed.argmin())], {each: shares[each] for each in ("full", "convolution", "attention")}


def _table(record: LayersRecord) -> pd.DataFrame:
    """Return every layer's weights in the new order."""
    words = tuple(record.words[old] for old in record.order)
    names = figures.layer_names()
    maps = zip(LAYERS, record.after, strict=True)
    return pd.concat({names[layer]: tables.matrix(each, words, words) for layer, each in maps})
