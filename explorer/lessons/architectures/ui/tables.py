"""The numbers behind the figures of “Architectures compared”, as tables."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from explorer.inference.benchmark.power_law import counted_law
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.figures.costs import quantities
from explorer.records.architectures import DRAWN, NAMES, CostCurves, PathRecord
from explorer.records.timing import PowerLaw, TimingRecord
from explorer.records.wording import FLOAT
from explorer.ui.language import t


def costs(curves: CostCurves) -> pd.DataFrame:
    """Return every cost along the axis: a row for each architecture and size."""
    names, titles = readings.names(t), quantities(t)
    rows = []
    for name in DRAWN:
        values = {quantity: curves.along(quantity, name) for quantity in titles}
        for column, size in enumerate(curves.values):
            found = {titles[quantity]: values[quantity][column] for quantity in titles}
            found[titles["peak"]] *= FLOAT / 2**20
            rows.append({t("architecture"): names[name], curves.axis: int(size)} | found)
    return pd.DataFrame(rows)


def paths(records: tuple[PathRecord, ...]) -> pd.DataFrame:
    """Return the nodes of each path as row:position, positions from 1."""
    names = readings.names(t)
    return pd.DataFrame(
        {
            t("steps"): ["–" if record.steps is None else str(record.steps) for record in records],
            t("way, as row:position"): [
                " → ".join(f"{row}:{at + 1}" for row, at in record.path.tolist()) or "–" for record in records
            ],
        },
        index=[names[record.name] for record in records],
    )


def measured(record: TimingRecord | None, curves: CostCurves) -> pd.DataFrame:
    """Return counts and measurements: a row for each architecture and size."""
    names, missing = readings.names(t), np.full((len(NAMES), len(curves.values)), np.nan)
    times = {
        share: missing if record is None else 1e3 * record.quantile(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    }
    peaks = missing if record is None else record.peak_bytes
    reasons = {"memory": t("left out: too much memory"), "time": t("left out: too long"), "": ""}
    rows = []
    for row, name in enumerate(NAMES):
        operations, peak = curves.along("operations", name), curves.along("peak", name)
        for column, size in enumerate(curves.values):
            rows.append(
                {
                    t("architecture"): names[name],
                    curves.axis: int(size),
                    t("multiply-adds"): int(operations[column]),
                    t("fastest, ms"): times[0.0][row, column],
                    t("lower quartile, ms"): times[0.25][row, column],
                    t("median, ms"): times[0.5][row, column],
                    t("upper quartile, ms"): times[0.75][row, column],
                    t("slowest, ms"): times[1.0][row, column],
                    t("rounds"): 0 if record is None else int(record.rounds[row, column]),
                    t("bytes by formula"): int(FLOAT * peak[column]),
                    t("bytes measured"): peaks[row, column],
                    t("note"): "" if record is None else reasons[record.left_out[row][column]],
                }
            )
    return pd.DataFrame(rows)


def exponents(
    record: TimingRecord, curves: CostCurves, laws: Mapping[str, PowerLaw | None]
) -> dict[str, dict[str, str]]:
    """Return the measured exponent, the count's over the same sizes, and table 1's, for each architecture."""
    table = {}
    for name in record.names:
        law = laws[name]
        counted = counted_law(curves, name, law)
        table[readings.names(t)[name]] = {
            t("measured"): "–" if law is None else f"{law.exponent:.2f}",
            t("counted, same sizes"): "–" if counted is None else f"{counted.exponent:.2f}",
            t("table 1"): str(readings.TABLE_1[record.axis][name]),
            t("fitted to"): "–" if law is None else f"{record.axis} = {law.first}…{law.last} ({law.points})",
        }
    return table
