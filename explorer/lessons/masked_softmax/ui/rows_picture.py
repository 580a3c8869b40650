"""The picture that three deeper scenes share: one query's weights, computed in several ways."""

from functools import partial

import pandas as pd

from explorer.lessons.masked_softmax.figures import masks
from explorer.lessons.masked_softmax.records import RowsRecord, display_tokens, way_names
from explorer.records.language import t
from explorer.ui import tables
from explorer.ui.scene import picture


def show(
    key: str, rows: RowsRecord, title: str, reading: str, of: object, height: picture.Height = picture.USUAL
) -> None:
    """Draw the ways one below the other."""
    picture.show_chart(
        key,
        partial(masks.rows, rows),
        title=title.format(query=display_tokens((rows.query_label,))[0]),
        note=t("struck out: forbidden"),
        reading=reading,
        table=lambda: table(rows),
        of=(key, of),
        height=height,
    )


def table(record: RowsRecord) -> pd.DataFrame:
    """Return one query's weights, a row for each way, and what else is known of each way. NaN is written out."""
    facts = {
        "stored as": t("fill as stored"),
        "NaN rows after one more layer": t("NaN rows one layer later"),
        "finite gradient": t("gradient is finite"),
        "largest difference": t("largest difference from this app"),
    }
    made = tables.matrix(record.weights, way_names(record.ways), display_tokens(record.key_labels)).map(
        lambda weight: f"{weight:.7g}"
    )
    for name, column in record.facts.items():
        made[facts[name]] = [f"{value:.7g}" if isinstance(value, float) else str(value) for value in column]
    return made
