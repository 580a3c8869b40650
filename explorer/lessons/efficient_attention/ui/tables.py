"""The numbers behind the figures of “Efficient attention”, as tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from explorer.lessons.efficient_attention import measured as measured_of_lesson
from explorer.lessons.efficient_attention import readings
from explorer.lessons.efficient_attention.records.comparison import (
    FeatureSweep,
    FlashRecord,
    TaskPoint,
    TaskRecord,
    VariantCost,
    VariantRecord,
)
from explorer.records.timing import PowerLaw, TimingRecord
from explorer.ui import tables
from explorer.ui.language import t


def weights(record: VariantRecord) -> pd.DataFrame:
    """Return a row for each query: first the exact weights, then the mechanism's."""
    names = readings.mechanism_names(t)
    labels = tables.numbered(record.labels)
    return pd.concat(
        {
            names["plain"]: pd.DataFrame(record.exact, index=labels, columns=labels),
            names[record.cost.name]: pd.DataFrame(
                np.where(record.allowed, record.weights, np.nan), index=labels, columns=labels
            ),
        },
        axis=1,
    )


def features(sweep: FeatureSweep) -> pd.DataFrame:
    """Return a row for each length, draw and number of features."""
    rows = [
        (length, draw, count, sweep.errors[row, draw, column])
        for row, length in enumerate(sweep.lengths)
        for draw in range(sweep.errors.shape[1])
        for column, count in enumerate(sweep.features)
    ]
    return pd.DataFrame(rows, columns=[t("length of q and k"), t("seed"), t("features m"), t("output off by")])


def errors(record: VariantRecord) -> pd.DataFrame:
    """Return a row for each query."""
    return pd.DataFrame(
        {t("output off by"): record.output_error, t("weight elsewhere"): record.weight_error},
        index=tables.numbered(record.labels),
    )


def costs(records: Sequence[VariantCost]) -> pd.DataFrame:
    """Return a row for each mechanism."""
    names = readings.mechanism_names(t)
    return pd.DataFrame(
        {
            t("settings"): [readings.said_settings(each, t) for each in records],
            t("cells used"): [np.nan if each.share is None else each.share for each in records],
            t("weight elsewhere"): [each.weight_error for each in records],
            t("output off by"): [each.output_error for each in records],
            t("multiply-adds"): [each.operations for each in records],
            t("held at once, bytes"): [each.peak_bytes for each in records],
            t("kept to go on, bytes"): [each.kept_bytes for each in records],
        },
        index=[names[each.name] for each in records],
    )


def shared(records: Sequence[VariantCost]) -> pd.DataFrame:
    """Return a row for each head."""
    columns = {
        t("weight elsewhere"): [each.weight_error for each in records],
        t("output off by"): [each.output_error for each in records],
    }
    return pd.DataFrame(columns, index=[t("head {number}").format(number=each + 1) for each in range(len(records))])


def tile(record: FlashRecord, step: int) -> pd.DataFrame:
    """Return the scores of one tile."""
    at, labels = record.steps[step], tables.numbered(record.labels)
    rows, columns = slice(*at.queries), slice(*at.keys)
    return pd.DataFrame(record.scores[rows, columns], index=labels[rows], columns=labels[columns])


def running(record: FlashRecord, step: int) -> pd.DataFrame:
    """Return what is known of each query of a tile, before and after it."""
    at = record.steps[step]
    return pd.DataFrame(
        {
            t("largest score before"): at.maximum_before,
            t("largest score"): at.maximum,
            t("sum before"): at.total_before,
            t("multiplied by"): at.rescale,
            t("sum"): at.total,
            t("output off by"): at.error,
        },
        index=tables.numbered(record.labels)[slice(*at.queries)],
    )


def measured(record: TimingRecord) -> pd.DataFrame:
    """Return a row for each way and length."""
    names, rows = measured_of_lesson.way_names(t), []
    reasons = {"memory": t("left out: too much memory"), "time": t("left out: too long"), "": ""}
    times = [(share, 1e3 * record.quantile(share)) for share in (0.25, 0.5, 0.75)]
    titles = {0.25: t("lower quartile, ms"), 0.5: t("median, ms"), 0.75: t("upper quartile, ms")}
    for row, name in enumerate(record.names):
        for column, n in enumerate(record.values):
            found = {titles[share]: values[row, column] for share, values in times}
            rows.append(
                {t("way"): names[name], "n": n}
                | found
                | {
                    t("rounds"): int(record.rounds[row, column]),
                    t("bytes measured"): record.peak_bytes[row, column],
                    t("note"): reasons[record.left_out[row][column]],
                }
            )
    return pd.DataFrame(rows)


def laws(
    record: TimingRecord,
    time: Mapping[str, PowerLaw | None],
    memory: Mapping[str, PowerLaw | None],
    allowed: float,
) -> dict[str, dict[str, str]]:
    """Return exponents of time and memory, and the n at which the allowed memory is full: a column for each way."""
    names, table = measured_of_lesson.way_names(t), {}
    for name in record.names:
        end = measured_of_lesson.longest(memory[name], allowed)
        law, left_out = time[name], set(record.left_out[record.names.index(name)]) - {""}
        table[names[name]] = {
            t("time grows as n to the"): _exponent(law),
            t("memory grows as n to the"): _exponent(memory[name]),
            t("memory full at n ≈"): "–" if end is None else f"{end:,.0f}",
            t("fitted to n"): "–" if law is None else f"{law.first:,}…{law.last:,}",
            t("stopped by"): t(", ").join(sorted({"memory": t("memory"), "time": t("time")}[why] for why in left_out))
            or "–",
        }
    return _turned(table)


def _exponent(law: PowerLaw | None) -> str:
    return "–" if law is None else f"{law.exponent:.2f}"


def _turned(table: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Return rows for columns: the ways are many, and a phone is narrow."""
    rows = next(iter(table.values()))
    return {row: {name: column[row] for name, column in table.items()} for row in rows}


def task(record: TaskRecord, *more: TaskPoint) -> pd.DataFrame:
    """Return a row for each mechanism and setting, those that were computed besides at the end."""
    names, settings = readings.mechanism_names(t), readings.setting_names(t)
    return pd.DataFrame(
        [
            {
                t("mechanism"): names[point.name],
                t("settings"): t(", ").join(f"{settings[name]} {value}" for name, value in point.settings) or "–",
                t("positions seen, mean"): np.nan if point.cells is None else point.cells,
                t("loss, nats"): point.loss,
                t("more than exact"): point.added,
                t("standard error"): point.added_error,
            }
            for point in (*record.points, *(each for each in more if each not in record.points))
        ]
    )
