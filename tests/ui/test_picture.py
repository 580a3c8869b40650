"""The height of a figure on a phone."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.figures import heatmap, theme
from explorer.figures.look import LIGHT, apply_theme, drawing_in
from explorer.lessons.translator.figures import maps
from explorer.ui.scene.picture import square_height
from tests.figures.test_heatmap import record


def test_a_map_of_square_cells_is_as_tall_as_its_width_lets_it() -> None:
    figure = maps.attention(record(("a", "b"), ("one", "two", "three", "four")))
    for zoom in (1.0, 1.5):  # an enlarged figure holds its numbers as Plotly writes them down
        with drawing_in(replace(LIGHT, zoom=zoom)):
            dressed_figure = apply_theme(figure)
        assert square_height(dressed_figure) == "calc((100vw - 58px)*0.500 + 104px)"


@pytest.mark.parametrize("figure", [theme.figure(), theme.figure(heatmap.cells(np.eye(2), "Blues"))])
def test_any_other_figure_is_as_tall_as_its_page_wants(figure: object) -> None:
    assert square_height(figure) == ""
