"""The numbers behind a figure, as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from explorer.records import AttentionRecord, wording
from explorer.records.language import t
from explorer.records.residual_stream import StreamRecord
from explorer.records.timing import TimingRecord


def attention(record: AttentionRecord, head: int | None = None) -> pd.DataFrame:
    """Tabulate weights of one head, or the mean over heads: a row per query, a column per key."""
    return matrix(
        record.weights.mean(0) if head is None else record.weights[head], record.query_labels, record.key_labels
    )


def every_head(record: AttentionRecord) -> pd.DataFrame:
    """Tabulate the weights of all heads, one below the other."""
    every = {number: attention(record, number) for number in range(record.n_heads)}
    return pd.concat(every, names=[t("head"), ""]).reset_index(level=0)


def matrix(values: npt.NDArray[np.floating], rows: tuple[str, ...], columns: tuple[str, ...]) -> pd.DataFrame:
    """Tabulate any matrix with named rows and columns; equal names are numbered, so that every one stays."""
    return pd.DataFrame(values, index=number_labels(rows), columns=number_labels(columns))


def number_labels(labels: tuple[str, ...]) -> list[str]:
    """Return the labels as they are said, equal ones told apart by their place."""
    labels = tuple(wording.token(label) for label in labels)
    return [label if labels.count(label) == 1 else f"{label} ({position})" for position, label in enumerate(labels)]


def markdown(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Write a table as Markdown, which a projector shows larger than a data frame: a column for each key."""
    rows = list(next(iter(columns.values())))
    lines = [f"| {t('quantity')} | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    lines += [f"| {row} | " + " | ".join(column[row] for column in columns.values()) + " |" for row in rows]
    return "\n".join(lines)


def timing(record: TimingRecord, names: Mapping[str, str], title: str) -> pd.DataFrame:
    """Tabulate a measurement: a row for each of its names and sizes, `title` above the names."""
    spread = {
        t("fastest, ms"): 0.0,
        t("lower quartile, ms"): 0.25,
        t("median, ms"): 0.5,
        t("upper quartile, ms"): 0.75,
        t("slowest, ms"): 1.0,
    }
    reasons = {"memory": t("left out: too much memory"), "time": t("left out: too long"), "": ""}
    columns: dict[str, Any] = {heading: (1e3 * record.quantile(share)).ravel() for heading, share in spread.items()}
    columns |= {t("rounds"): record.rounds.ravel(), t("bytes measured"): record.peak_bytes.ravel()}
    columns[t("note")] = [reasons[why] for row in record.left_out for why in row]
    rows = [(names[name], size) for name in record.names for size in record.values]
    return pd.concat([pd.DataFrame(rows, columns=[title, record.axis]), pd.DataFrame(columns)], axis=1)


def lens_map(record: StreamRecord, names: Sequence[str]) -> pd.DataFrame:
    """Tabulate for every token and layer the lens's choice, its probability, and how the written token stands."""
    rows = []
    for position, token in enumerate(number_labels(record.written_labels)):
        for end, name in zip(record.layer_ends, names, strict=True):
            best = record.likeliest[end][position][0]
            share, rank = float(record.share[end, position]), int(record.rank[end, position]) + 1
            rows.append((token, name, wording.token(best.label), best.probability, share, rank))
    columns = [t("written token"), t("where"), t("likeliest token"), t("probability"), t("of the written token")]
    return pd.DataFrame(rows, columns=[*columns, t("its rank")])


def choices(record: StreamRecord, position: int, names: Sequence[str]) -> pd.DataFrame:
    """Return the lens's choices for one token, the best first, a row for each end of a layer and choice."""
    rows = [
        (name, number + 1, wording.token(each.label), each.probability)
        for end, name in zip(record.layer_ends, names, strict=True)
        for number, each in enumerate(record.likeliest[end][position])
    ]
    return pd.DataFrame(rows, columns=[t("where"), t("choice"), t("token"), t("probability")])


def on_picture(values: npt.NDArray[Any]) -> pd.DataFrame:
    """Return a map over the picture, rows and columns numbered from 1."""
    rows, columns = (range(1, n + 1) for n in values.shape)
    return pd.DataFrame(values, index=rows, columns=columns)


def per_head(maps: npt.NDArray[Any]) -> pd.DataFrame:
    """Return what one query gives every patch, a row for each layer and head."""
    layers, heads, grid, _ = maps.shape
    rows = pd.MultiIndex.from_product([range(layers), range(heads)], names=[t("layer"), t("head")])
    columns = [f"{row}, {column}" for row in range(1, grid + 1) for column in range(1, grid + 1)]
    return pd.DataFrame(maps.reshape(layers * heads, -1), index=rows, columns=columns).reset_index()
