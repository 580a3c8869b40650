"""The maps of the textbook's layer: a tile for each sentence and head."""

from functools import partial

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, head_grid
from explorer.figures.look import look
from explorer.lessons.multi_head.records import SplitRecord
from explorer.lessons.multi_head.split_readings import block_title


def maps(record: SplitRecord) -> go.Figure:
    """Draw the weights of every block; what the valid length hides is missing, and hatched."""
    blocks, queries, keys = record.weights.shape
    titles, seen = [block_title(record, block) for block in range(blocks)], seen_weights(record)
    draw = partial(head_grid.grid, query_labels=positions("q", queries), key_labels=positions("k", keys), titles=titles)
    figure, hidden = draw(seen), draw(np.isnan(seen).astype(np.float32)).data[0].z
    figure.update_layout(shapes=hatch.cells(np.asarray(hidden) == 1))
    drawn = figure.data[0]
    drawn.customdata = np.array(titles, object)[np.asarray(drawn.customdata, int)]
    drawn.hovertemplate = "%{customdata}: %{y} → %{x}: %{z:.3f}<extra></extra>"
    return figure.update_traces(colorscale=look().weights, showscale=False).update_layout(margin={"t": 30})


def seen_weights(record: SplitRecord) -> npt.NDArray[np.float32]:
    """Return the weights; NaN where the valid length of a block hides a key."""
    hidden = np.arange(record.weights.shape[-1]) >= np.array(record.lengths)[:, None, None]
    return np.where(hidden, np.float32(np.nan), record.weights)


def positions(letter: str, count: int) -> tuple[str, ...]:
    """Name queries or keys by a letter and their place, from 1."""
    return tuple(f"{letter}{position}" for position in range(1, count + 1))
