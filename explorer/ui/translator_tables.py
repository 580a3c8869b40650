"""Page 09: the numbers behind its figures, as tables."""

from collections.abc import Sequence

import pandas as pd

from explorer.records.stream import StreamRecord
from explorer.ui import tables
from explorer.ui.language import t


def lens_map(record: StreamRecord, names: Sequence[str]) -> pd.DataFrame:
    """For every token and end of a layer: the lens's choice, its probability, and how the written token stands."""
    rows = []
    for place, token in enumerate(tables.numbered(record.written_labels)):
        for end, name in zip(record.layer_ends, names, strict=True):
            best = record.likeliest[end][place][0]
            share, rank = float(record.share[end, place]), int(record.rank[end, place]) + 1
            rows.append((token, name, best.label, best.probability, share, rank))
    columns = [t("written token"), t("where"), t("likeliest token"), t("probability"), t("of the written token")]
    return pd.DataFrame(rows, columns=[*columns, t("its rank")])


def lengths(record: StreamRecord, place: int, names: Sequence[str]) -> pd.DataFrame:
    """Every point of one token's way: lengths, and how the written token stands under the lens."""
    return pd.DataFrame(
        {
            t("where"): list(names),
            t("length of what is added"): record.added[:, place],
            t("length of the vector after it"): record.norm[:, place],
            t("probability of the written token"): record.share[:, place],
            t("its rank"): record.rank[:, place] + 1,
        }
    )


def choices(record: StreamRecord, place: int, names: Sequence[str]) -> pd.DataFrame:
    """The lens's choices for one token, the best first, a row for each end of a layer and choice."""
    rows = [
        (name, number + 1, each.label, each.probability)
        for end, name in zip(record.layer_ends, names, strict=True)
        for number, each in enumerate(record.likeliest[end][place])
    ]
    return pd.DataFrame(rows, columns=[t("where"), t("choice"), t("token"), t("probability")])
