"""The numbers behind the figures of the page, as tables."""

from typing import Any

import numpy as np
import pandas as pd

from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import beside_readings, readings
from explorer.lessons.scoring_functions.records import BesideRecord, LanesRecord, PlaneRecord, SidesRecord
from explorer.records.language import t
from explorer.records.scoring import FittedScorersRecord, SaturationRecord
from explorer.ui import tables


def tabulate_functions(result: lesson.Result, view: lesson.View) -> pd.DataFrame:
    """Weights, scores or output of every function: a row for each function and query."""
    names = readings.names()
    each = [one(result, lesson.View(shown=view.shown, function=record.name)) for record in result.records]
    for record, table in zip(result.records, each, strict=True):
        table.index = pd.Index([f"{names[record.name]} · {query}" for query in table.index])
    return pd.concat(each)


def one(result: lesson.Result, view: lesson.View) -> pd.DataFrame:
    """Weights, scores or output of one function: a row for each query."""
    record = result.record(view.function)
    queries, keys = record.attention.query_labels, record.attention.key_labels
    if view.shown == "output":
        return tables.matrix(record.output, queries, tuple(f"o{i + 1}" for i in range(record.output.shape[1])))
    return tables.matrix(record.weights if view.shown == "weights" else record.scores, queries, keys)


def measures(result: lesson.Result) -> pd.DataFrame:
    """Every measure of every function."""
    names, titles = readings.names(), readings.measure_names()
    return pd.DataFrame(
        [[getattr(record.measures, measure) for measure in readings.MEASURES] for record in result.records],
        index=[names[record.name] for record in result.records],
        columns=[titles[measure] for measure in readings.MEASURES],
    )


def saturation(record: SaturationRecord) -> pd.DataFrame:
    """A row for each function and length."""
    names, titles = readings.names(), readings.measure_names()
    grid = pd.MultiIndex.from_product([[names[scorer] for scorer in record.scorers], record.lengths])
    columns = {titles["variance"]: record.variance, t("theory"): record.expected_variance}
    columns |= {titles[name]: getattr(record, name) for name in ("entropy", "largest", "gradient")}
    table = pd.DataFrame({title: values.ravel() for title, values in columns.items()})
    table.insert(0, t("function"), grid.get_level_values(0))
    table.insert(1, "d", grid.get_level_values(1))
    return table


def curves(record: FittedScorersRecord) -> pd.DataFrame:
    """Return the measures of the best possible score and of every fitted one, a row for each moment."""
    names = readings.names()
    measures = {
        t("loss"): record.loss,
        t("accuracy"): record.accuracy,
        t("correlation with the dot product"): record.correlation,
        t("same key as the dot product"): record.agreement,
    }
    table = pd.DataFrame({t("step"): record.steps})
    for column, name in enumerate(("best", *record.scorers)):
        for measure, values in measures.items():
            table[f"{names[name]}: {measure}"] = values[:, column]
    return table


def example(record: FittedScorersRecord, moment: int) -> pd.DataFrame:
    """Example weights: a row for each scorer and query."""
    names, keys = readings.names(), record.weights.shape[-1]
    rows = [f"{names[name]} · q{i + 1}" for name in ("best", *record.scorers) for i in range(keys)]
    columns = [f"k{i + 1}" for i in range(keys)]
    return pd.DataFrame(record.weights[moment].reshape(-1, keys), index=rows, columns=columns)


def bilinear(record: FittedScorersRecord, moment: int) -> pd.DataFrame:
    """W of the bilinear score: a row for each component of the query."""
    w = record.bilinear[moment]
    query, key = (tuple(f"{side}{i + 1}" for i in range(count)) for side, count in zip("qk", w.shape, strict=True))
    return tables.matrix(w, query, key)


def plane(record: PlaneRecord) -> pd.DataFrame:
    """A row for each formula and key: where the key lies, its score and its weight."""
    names = readings.plane_names()
    grid = pd.MultiIndex.from_product([[names[name] for name in record.formulas], list(record.letters)])
    columns: dict[str, Any] = {t("function"): grid.get_level_values(0), t("key"): grid.get_level_values(1)}
    columns |= {axis: np.tile(record.keys[:, position], len(record.formulas)) for position, axis in enumerate("xy")}
    return pd.DataFrame({**columns, t("score"): record.scores.ravel(), t("weight"): record.weights.ravel()})


def beside(record: BesideRecord) -> pd.DataFrame:
    """A row for each query and key: where both lie, scores and weights of both functions, and their difference."""
    queries, keys = np.indices(record.allowed.shape).reshape(2, -1)
    columns: dict[str, Any] = {t("query"): queries + 1, t("key"): [record.letters[key] for key in keys]}
    for what, points, of in ((t("query"), record.queries, queries), (t("key"), record.keys, keys)):
        columns |= {f"{what} {axis}": points[of, position] for position, axis in enumerate("xy")}
    for position, name in enumerate(beside_readings.score_names(record)):
        columns[f"{name}: {t('score')}"] = record.scores[position].ravel()
        columns[f"{name}: {t('weight')}"] = record.weights[position].ravel()
    return pd.DataFrame({**columns, t("difference"): record.difference.ravel()})


def lanes(record: LanesRecord) -> pd.DataFrame:
    """A row for each length: what is left of the gradient, and how many queries are frozen, in both lanes."""
    columns = {"d": record.lengths}
    for lane, name in enumerate(("q·k", "q·k/√d")):
        columns[f"{name}: {t('how much a score still changes the weights')}"] = record.left[lane]
        columns[f"{name}: {t('share of frozen queries')}"] = record.frozen[lane]
    return pd.DataFrame(columns)


def sides(record: SidesRecord, names: tuple[str, str]) -> pd.DataFrame:
    """A row for each query and key: both sides."""
    queries, keys = np.indices(record.one.shape)
    columns = {t("query"): [f"q{i + 1}" for i in queries.ravel()], t("key"): [f"k{i + 1}" for i in keys.ravel()]}
    return pd.DataFrame({**columns, names[0]: record.one.ravel(), names[1]: record.other.ravel()})


def steps(result: lesson.Result, function: str) -> pd.DataFrame:
    """Scores, weights and outputs of one function: a row for each query."""
    named = {"scores": t("scores"), "weights": t("weights"), "output": t("output")}
    parts = [
        one(result, lesson.View(shown=shown, function=function)).add_prefix(f"{named[shown]} ")
        for shown in ("scores", "weights", "output")
    ]
    return pd.concat(parts, axis=1)
