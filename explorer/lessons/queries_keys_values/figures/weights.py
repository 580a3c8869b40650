"""Which word looks at which: the weights of all words, for paper."""

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap
from explorer.figures.look import LIGHT, Look
from explorer.records import AttentionRecord, Translate, english


def weights(
    record: AttentionRecord, *, secret: int | None = None, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw the weights as a matrix: rows ask, columns are asked; of a secret row a question mark."""
    figure = heatmap.attention(record, t=t).update_traces(colorscale=look.weights)
    if secret is not None:
        shown = record.weights.mean(0)
        shown[secret] = np.nan
        figure.update_traces(z=shown, customdata=None, hovertemplate=None)
        figure.add_annotation(x=(shown.shape[1] - 1) / 2, y=secret, text="?", showarrow=False, font={"size": 20})
    return figure
