"""Two lanes, q·k and q·k/√d: the weights of one query at every length."""

import plotly.graph_objects as go

from explorer.figures import weight_map
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.records.language import t

#: The lanes, as they are written.
WRITTEN = ("q·k", "q·k / √d")


def weights(record: LanesRecord, lane: int, *, whole: bool) -> go.Figure:
    """Draw the weights of the query's keys at every length, or up to the chosen one, which is framed."""
    count = len(record.lengths) if whole else record.position + 1
    rows = tuple(f"d = {each}" for each in record.lengths[:count])
    columns = tuple(f"k{key + 1}" for key in range(record.course.shape[2]))
    said = t("{row} · {column}: {value}").format(row="%{y}", column="%{x}", value="%{z:.4f}")
    drawn = record.course[lane, :count]
    return weight_map.draw_weights(drawn, rows, columns, row=record.position, hover=said, square=False)
