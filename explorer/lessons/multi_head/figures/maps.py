"""Weights of heads as maps of square cells."""

import plotly.graph_objects as go

from explorer.figures import heatmap, weight_map
from explorer.records import AttentionRecord


def head(record: AttentionRecord, *, row: int | None = None, column: int | None = None) -> go.Figure:
    """Draw a record with one head: rows ask, columns are asked; what a mask forbids is hatched."""
    weights = heatmap.mask_values(record.weights.mean(0), record.allowed)
    return weight_map.draw_weights(weights, record.query_labels, record.key_labels, row=row, column=column)
