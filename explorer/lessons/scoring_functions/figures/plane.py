"""The plane of queries and keys: the weights that every formula gives."""

from collections.abc import Collection, Mapping

import numpy as np
import plotly.graph_objects as go

from explorer.figures import weight_map
from explorer.lessons.scoring_functions.records import PlaneRecord

#: How each formula is written.
WRITTEN = {
    "dot": "q·k",
    "scaled_dot": "q·k / √d",
    "cosine": "q·k / ‖q‖‖k‖",
    "gaussian": "−½‖q − k‖²",
    "general": "qᵀW k",
    "additive": "vᵀtanh(W[q;k]+b)",
}
#: Half the width that is drawn.
SHOWN = 3.7


def weights(record: PlaneRecord, formula: str, *, names: Mapping[str, str], hidden: Collection[str] = ()) -> go.Figure:
    """Draw every formula's weights for the same keys, the row of one framed; those that are hidden are hatched."""
    secret = np.array([[name in hidden] for name in record.formulas])
    drawn, row = np.where(secret, np.nan, record.weights), record.formulas.index(formula)
    rows, said = tuple(names[name] for name in record.formulas), "%{y}, %{x}: %{z:.3f}"
    return weight_map.draw_weights(drawn, rows, tuple(record.letters), row=row, hover=said, square=False)
