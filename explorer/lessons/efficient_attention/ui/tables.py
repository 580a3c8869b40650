"""The numbers behind the figures of “Efficient attention”, as tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from explorer.lessons.efficient_attention import measured as measured_of_lesson, readings
from explorer.lessons.efficient_attention.records.comparison import (
    FlashRecord,
    TaskPoint,
    TaskRecord,
    VariantCost,
    VariantRecord,
)
from explorer.records.language import t
from explorer.records.timing import PowerLaw, TimingRecord
from explorer.ui import tables


def weights(record: VariantRecord) -> pd.DataFrame:
    """Return a row for each query: first the exact weights, then the mechanism's."""
    names = readings.mechanism_names()
    labels = tables.number_labels(record.labels)
    return pd.concat(
        {
            names["plain"]: pd.DataFrame(record.exact, index=labels, columns=labels),
            names[record.cost.name]: pd.DataFrame(
                np.where(record.allowed, record.weights, np.nan), index=labels, columns=labels
            ),
        },
        axis=1,
    )


def errors(record: VariantRecord) -> pd.DataFrame:
    """Return a row for each query."""
    return pd.DataFrame(
        {t("output off by"): record.output_error, t("weight elsewhere"): record.weight_error},
        index=tables.number_labels(record.labels),
    )


def costs(records: Sequence[VariantCost]) -> pd.DataFrame:
    """Return a row for each mechanism."""
    names = readings.mechanism_names()
    return pd.DataFrame(
        {
            t("settings"): [readings.said_settings(each.settings) for each in records],
            t("cells used"): [np.nan if each.share is None else each.share for each in records],
            t("weight elsewhere"): [each.weight_error for each in records],
            t("output off by"): [each.output_error for each in records],
            t("multiply-adds"): [each.operations for each in records],
            t("held at once, bytes"): [each.peak_bytes for each in records],
            t("kept to go on, bytes"): [each.kept_bytes for each in records],
        },
        index=[names[each.name] for each in records],
    )


def tabulate_heads(records: Sequence[VariantCost]) -> pd.DataFrame:
    """Return a row for each head."""
    columns = {
        t("weight elsewhere"): [each.weight_error for each in records],
        t("output off by"): [each.output_error for each in records],
    }
    return pd.DataFrame(columns, index=[t("head {number}").format(number=each) for each in range(len(records))])


def tile(record: FlashRecord, step: int) -> pd.DataFrame:
    """Return the scores of one tile."""
    at, labels = record.steps[step], tables.number_labels(record.labels)
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
        index=tables.number_labels(record.labels)[slice(*at.queries)],
    )


def tabulate_measurements(record: TimingRecord) -> pd.DataFrame:
    """Return a row for each way and length."""
    return tables.timing(record, measured_of_lesson.way_names(), t("way"))


def laws(
    record: TimingRecord,
    time: Mapping[str, PowerLaw | None],
    memory: Mapping[str, PowerLaw | None],
    allowed: float,
) -> dict[str, dict[str, str]]:
    """Return rows of text, a column for each way: exponents, and the n at which the allowed memory is full."""
    names, why = measured_of_lesson.way_names(), {"memory": t("memory"), "time": t("time")}
    rows: dict[str, dict[str, str]] = {
        t("time grows as n to the"): {},
        t("memory grows as n to the"): {},
        t("memory full at n ≈"): {},
        t("fitted to n"): {},
        t("stopped by"): {},
    }
    counted = measured_of_lesson.memory_counts(record)
    for name, left_out in zip(record.names, record.left_out, strict=True):
        law, end = time[name], measured_of_lesson.longest(counted[name], allowed)
        found = (
            _exponent(law),
            _exponent(memory[name]),
            "–" if end is None else f"{end:,.0f}",
            "–" if law is None else f"{law.first:,}…{law.last:,}",
            t(", ").join(sorted({why[each] for each in left_out if each})) or "–",
        )
        for row, text in zip(rows.values(), found, strict=True):
            row[names[name]] = text
    return rows


def _exponent(law: PowerLaw | None) -> str:
    return "–" if law is None else f"{law.exponent:.2f}"


def task(record: TaskRecord, *more: TaskPoint) -> pd.DataFrame:
    """Return a row for each mechanism and setting, those that were computed besides at the end."""
    names = readings.mechanism_names()
    return pd.DataFrame(
        [
            {
                t("mechanism"): names[point.name],
                t("settings"): readings.said_settings(point.settings),
                t("positions seen, mean"): np.nan if point.cells is None else point.cells,
                t("loss, nats"): point.loss,
                t("more than exact"): point.added,
                t("standard error"): point.added_error,
            }
            for point in (*record.points, *(each for each in more if each not in record.points))
        ]
    )
