"""Which word looks at which: the weights of all words, for paper."""

import plotly.graph_objects as go

from explorer.figures import heatmap
from explorer.figures.look import LIGHT, Look
from explorer.records import AttentionRecord, Translate, english


def weights(record: AttentionRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the weights as a matrix: rows ask, columns are asked."""
    return heatmap.attention(record, t=t).update_traces(colorscale=look.weights)
