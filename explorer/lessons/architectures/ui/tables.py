"""The numbers behind the figures of “Architectures compared”, as tables."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from explorer.inference.benchmark.power_law import counted_law
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.figures.costs import quantities
from explorer.records.architectures import DRAWN, NAMES, CostCurves, PathRecord
from explorer.records.language import t
from explorer.records.timing import PowerLaw, TimingRecord
from explorer.records.wording import FLOAT
from explorer.ui import tables


def costs(curves: CostCurves) -> pd.DataFrame:
    """Return every cost along the axis: a row for each architecture and size."""
    names, titles = readings.names(), quantities()
    columns = {
        title: np.concatenate([curves.along(quantity, name) for name in DRAWN]) for quantity, title in titles.items()
    }
    columns[titles["peak"]] = columns[titles["peak"]] * FLOAT / 2**20
    rows = [(names[name], int(size)) for name in DRAWN for size in curves.values]
    return pd.concat([pd.DataFrame(rows, columns=[t("architecture"), curves.axis]), pd.DataFrame(columns)], axis=1)


def paths(records: tuple[PathRecord, ...]) -> pd.DataFrame:
    """Return the nodes of each path as row:position, positions from 1."""
    names = readings.names()
    return pd.DataFrame(
        {
            t("steps"): ["–" if record.steps is None else str(record.steps) for record in records],
            t("way, as row:position"): [
                " → ".join(f"{row}:{at + 1}" for row, at in record.path.tolist()) or "–" for record in records
            ],
        },
        index=[names[record.name] for record in records],
    )


def tabulate_measurements(record: TimingRecord, curves: CostCurves) -> pd.DataFrame:
    """Return counts and measurements: a row for each architecture and size."""
    table = tables.timing(record, readings.names(), t("architecture"))
    operations, peaks = (
        np.concatenate([curves.along(each, name) for name in NAMES]) for each in ("operations", "peak")
    )
    table.insert(2, t("multiply-adds"), operations.astype(np.int64))
    table.insert(list(table).index(t("bytes measured")), t("bytes by formula"), (FLOAT * peaks).astype(np.int64))
    return table


def exponents(
    record: TimingRecord, curves: CostCurves, laws: Mapping[str, PowerLaw | None]
) -> dict[str, dict[str, str]]:
    """Return the measured exponent, the count's over the same sizes, and table 1's, for each architecture."""
    table = {}
    for name in record.names:
        law = laws[name]
        counted = counted_law(curves, name, law)
        table[readings.names()[name]] = {
            t("measured"): "–" if law is None else f"{law.exponent:.2f}",
            t("counted, same sizes"): "–" if counted is None else f"{counted.exponent:.2f}",
            t("table 1"): str(readings.TABLE_1[record.axis][name]),
            t("fitted to"): "–" if law is None else f"{record.axis} = {law.first}…{law.last} ({law.points})",
        }
    return table
