"""The numbers behind the figures."""

import numpy as np
import pandas as pd

from explorer.lessons.queries_keys_values import readings
from explorer.lessons.queries_keys_values.figures import ways as figures
from explorer.lessons.queries_keys_values.records.lookup import AVERAGE, HARD, WAYS, LookupRecord, write_value
from explorer.lessons.queries_keys_values.records.scene import WITH, WITHOUT, SceneRecord
from explorer.records.journey import JourneyRecord
from explorer.records.language import t
from explorer.records.wording import token
from explorer.ui import tables


def journey(record: JourneyRecord, asks: int) -> pd.DataFrame:
    """Return a row per word: its key, the products with the query, score, weight and value; below them the output."""
    words = tables.number_labels(tuple(token(word) for word in record.words))
    names = readings.number_names()
    numbers = [names[each] for each in record.features] or [str(each) for each in range(record.key.shape[1])]
    blocks = {
        t("key"): record.key,
        t("query × key"): record.query[asks] * record.key,
        t("value"): record.value,
    }
    table = pd.DataFrame(
        {f"{title}, {name}": block[:, at] for title, block in blocks.items() for at, name in enumerate(numbers)},
        index=words,
    )
    table.insert(2 * len(numbers), t("score"), record.scores[asks])
    table.insert(2 * len(numbers) + 1, t("weight"), record.attention.weights[0, asks])
    table.loc[t("output"), [f"{t('value')}, {name}" for name in numbers]] = record.output[asks]
    return table


def scene(record: SceneRecord) -> pd.DataFrame:
    """Return a row per object: its key, its scores and its weights, unasked and with the query."""
    table = keys(record).iloc[1:].copy()
    for row, name in ((WITHOUT, t("unasked")), (WITH, t("with the query"))):
        table[f"{t('score')}, {name}"] = record.scores[row]
        table[f"{t('weight')}, {name}"] = record.weights[row]
    return table


def keys(record: SceneRecord) -> pd.DataFrame:
    """Return the query, and below it the key of each object."""
    objects, features = readings.object_names(), readings.feature_names()
    rows = (t("query"), *(objects[each] for each in record.objects))
    numbers = [record.queries[1], *record.keys]
    return pd.DataFrame(numbers, index=list(rows), columns=[features[each] for each in record.features])


def parts(record: SceneRecord) -> pd.DataFrame:
    """Return query and keys; to the right of each key what each feature adds to its score, the score and the weight."""
    table = keys(record)
    objects = table.index[1:]
    for position, feature in enumerate(table.columns):
        table.loc[objects, t("{feature} adds").format(feature=feature)] = record.parts[WITH][:, position]
    table.loc[objects, t("score")] = record.scores[WITH]
    table.loc[objects, t("weight")] = record.weights[WITH]
    return table


def lookup(record: LookupRecord) -> pd.DataFrame:
    """Return a row per entry: key, value, distance, score and the weight by each way; below them the answers."""
    names = figures.way_names()
    table = pd.DataFrame(
        {
            t("first number"): record.keys[:, 0],
            t("second number"): record.keys[:, 1],
            t("value"): [write_value(entry.value) for entry in record.entries],
            t("distance"): record.distances,
            t("score"): record.scores,
            **{names[way]: weights for way, weights in zip(WAYS, record.weights, strict=True)},
        },
        index=tables.number_labels(tuple(entry.name for entry in record.entries)),
    )
    answers = {names[way]: write_value(output) for way, output in zip(WAYS, record.outputs, strict=True)}
    whole = pd.concat([table.map(_written), pd.DataFrame([answers], index=[t("answer")])])
    return whole.fillna("")


def path(record: LookupRecord) -> pd.DataFrame:
    """Return a row per way of answering and per temperature: the weight of each key, and the answer."""
    entries, names = tuple(entry.name for entry in record.entries), figures.way_names()
    values = np.array([entry.value for entry in record.entries])
    rows = (names[HARD], *(f"T = {each:.4g}" for each in record.temperatures), names[AVERAGE])
    weights = np.vstack([record.weights[WAYS.index(HARD)], record.path, record.weights[WAYS.index(AVERAGE)]])
    table = tables.matrix(weights, rows, entries)
    table[t("answer")] = [write_value(output) for output in weights @ values]
    return table


def _written(cell: float | str) -> str:
    return cell if isinstance(cell, str) else f"{cell:.6g}"
