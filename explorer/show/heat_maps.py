"""Heat maps: a Plotly figure of any matrices."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.figures import tiles
from explorer.figures.look import DARK, LIGHT, apply_theme, drawing_in, look
from explorer.records.arrays import Float32
from explorer.show.given import read_numbers

#: Pixels of an inch on a screen.
PIXELS = 96
#: More would take a notebook longer than a glance, and its file megabytes.
MOST_MAPS, MOST_CELLS = 256, 500_000
_DIMENSIONS = "[queries, keys], [heads, queries, keys] or [rows, heads, queries, keys]"


def heatmaps(
    matrices: Any,
    xlabel: str = "keys",
    ylabel: str = "queries",
    titles: str | Sequence[str] | None = None,
    figsize: tuple[float, float] | None = None,
    cmap: str | None = None,
    *,
    dark: bool = False,
) -> Any:
    """Draw matrices as heat maps side by side; hover says more.

    Takes what `show_heatmaps` of *Dive into Deep Learning* takes, in the same order and by the same names, so that
    `from explorer.show import heatmaps as show_heatmaps` leaves its calls as they are.

    Args:
        matrices: a tensor, an array or a nested list, of two to four dimensions: queries and keys last, heads and then
            rows of maps (a batch, layers) before them.
        xlabel: what the columns are.
        ylabel: what the rows are.
        titles: one for each map, or one for each head; the places in `matrices` if none are given.
        figsize: width and height in inches that the figure at most takes, of 96 pixels each; as large as can be read
            if none is given.
        cmap: name of a colour scale, such as Reds or viridis; the app's own, whose 0 is the colour of the paper, if
            none is given.
        dark: for a notebook on dark paper.

    Returns:
        A Plotly figure; a notebook shows it when it ends a cell.

    Raises:
        ValueError: if the numbers are not 2-D to 4-D, not finite, none or too many, or the titles too few or too many,
            if the size is not two numbers above 0, or nobody knows the colour scale.
    """
    maps = _checked(matrices)
    *before, queries, keys = maps.shape
    flat = maps.reshape(-1, queries, keys)
    positions = [str(list(each)) for each in np.ndindex(*before)] if before else [""]
    columns = before[-1] if len(before) == 2 else tiles.columns_for(len(flat))
    given = [titles] if isinstance(titles, str) else list(titles or ())
    named = _titled(given, len(flat), before[-1] if before else 1) or positions
    size, colorscale = _in_pixels(figsize), _known(cmap)
    with drawing_in(DARK if dark else LIGHT):
        figure = tiles.heatmaps(
            flat,
            columns=columns,
            titles=named,
            query_title=ylabel,
            key_title=xlabel,
            size=size,
            colorscale=colorscale,
        )
        return apply_theme(figure).update_layout(paper_bgcolor=look().paper, plot_bgcolor=look().paper)


def _checked(weights: Any) -> Float32:
    """Return the numbers as float32, or say what is amiss."""
    limit = f"{MOST_MAPS} maps, {MOST_CELLS:,} cells"
    found = read_numbers(weights, range(2, 5), _DIMENSIONS, MOST_CELLS, limit)
    if found.size // (found.shape[-1] * found.shape[-2]) > MOST_MAPS:
        raise ValueError(f"{found.shape} is too large: at most {limit}; draw a part")
    return found


def _in_pixels(figsize: Any) -> tuple[float, float] | None:
    """Return a size in inches as pixels, or say what is amiss."""
    if figsize is None:
        return None
    try:
        width, height = (float(each) * PIXELS for each in figsize)
    except (TypeError, ValueError) as wrong:
        raise ValueError(f"figsize is {figsize!r}: give width and height in inches") from wrong
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise ValueError(f"figsize is {figsize!r}: both must be above 0")
    return width, height


def _known(cmap: Any) -> str | None:
    """Return the name of a colour scale that Plotly has, or say what is amiss."""
    if cmap is None:
        return None
    if not isinstance(cmap, str) or not tiles.is_colorscale(cmap):
        raise ValueError(f"nobody knows the colour scale {cmap!r}; Reds, Blues, Greys, viridis and cividis are some")
    return cmap


def _titled(titles: list[str], maps: int, heads: int) -> list[str]:
    """Return a title for each map: those of the heads stand in every row."""
    if len(titles) not in {0, heads, maps}:
        raise ValueError(f"{len(titles)} titles for {maps} maps: give one for each map or for each of {heads} heads")
    return titles * (maps // len(titles)) if titles else []
