"""The height of a figure on a phone."""

import numpy as np
import pytest

from explorer.figures import heatmap, theme
from explorer.lessons.translator.figures import maps
from explorer.ui.scene.picture import square_height
from tests.figures.test_heatmap import record


def test_a_map_of_square_cells_is_as_tall_as_its_width_lets_it() -> None:
    wide = record(("a", "b"), ("one", "two", "three", "four"))
    assert square_height(maps.attention(wide)) == "calc((100vw - 58px)*0.500 + 104px)"


@pytest.mark.parametrize("figure", [theme.figure(), theme.figure(heatmap.cells(np.eye(2), "Blues"))])
def test_any_other_figure_is_as_tall_as_its_page_wants(figure: object) -> None:
    assert square_height(figure) == ""
