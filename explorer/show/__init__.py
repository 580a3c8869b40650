"""Our pictures from your numbers, in a notebook: `from explorer import show`, then `show.heads(weights, tokens)`.

`heatmaps` returns a Plotly figure. The others return a picture that is alive: a notebook shows it when it ends a cell,
`.html(path)` writes it as one file that needs no network, and where anywidget is installed, `.query`, `.head` and the
like hold what the reader has chosen, so that a cell below can go on with it. What cannot be drawn is a ValueError that
says why. Starts nothing; loads neither torch nor Streamlit: `model` alone uses those that the given model brought.
"""

from explorer.show.heat_maps import heatmaps
from explorer.show.models import model
from explorer.show.pictures import heads, journey, mask, regression, ribbons, text

__all__ = ["heads", "heatmaps", "journey", "mask", "model", "regression", "ribbons", "text"]
