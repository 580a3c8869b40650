"""Text on the cells of a map asks for a width of the chart; what stands beside a map, or on no map, for none."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures import hatch, heatmap, theme
from explorer.figures.cell_text import find_least_width
from explorer.figures.look import apply_theme, to_json

NAMES = ("a", "b", "c")


def least(*traces: Any, **layout: Any) -> int:
    return find_least_width(to_json(apply_theme(theme.figure(*traces, **layout))))


def cells(columns: int, **more: Any) -> Any:
    return heatmap.cells(np.full((3, columns), 0.25, np.float32), [(0, "#ffffff"), (1, "#000000")], **more)


@pytest.mark.parametrize(
    ("alike", "wider"),
    [
        ({"texttemplate": "%{z:.2f}"}, {"texttemplate": "%{z:.4f}"}),
        (
            {"texttemplate": "%{z:.2f}", "textfont": {"size": 12}},
            {"texttemplate": "%{z:.2f}", "textfont": {"size": 16}},
        ),
        (
            {"texttemplate": "%{text}", "text": [["word"] * 8] * 3},
            {"texttemplate": "%{text}", "text": [["词词词词"] * 8] * 3},
        ),
        (
            {"texttemplate": "%{text}", "text": [["<b>word</b>"] * 8] * 3},
            {"texttemplate": "%{text}", "text": [["words"] * 8] * 3},
        ),
    ],
)
def test_longer_and_larger_text_needs_a_wider_chart(alike: dict[str, Any], wider: dict[str, Any]) -> None:
    assert 0 < least(cells(8, **alike)) < least(cells(8, **wider))


def test_more_columns_and_narrower_maps_need_a_wider_chart() -> None:
    numbers = {"texttemplate": "%{z:.2f}"}
    one = least(cells(8, **numbers))
    assert one < least(cells(16, **numbers))
    assert one < least(cells(8, **numbers), xaxis={"domain": (0, 0.5)})
    assert one < least(cells(8, **numbers), yaxis=theme.token_axis(("a long name",) * 3))


def test_numbers_that_are_a_trace_of_their_own_count_on_their_map_alone() -> None:
    numbers = hatch.numbers(np.full((3, 8), 0.25))
    assert least(numbers) == least(cells(8)) == 0
    assert least(cells(8), numbers) > 8 * 14
    beside = go.Scatter(x=[-0.5], y=[1], mode="text", text=["a long label"], textposition="middle left")
    assert least(cells(8), beside) == 0
    assert least(cells(8), go.Scatter(numbers, xaxis="x2", yaxis="y2")) == 0


def test_a_map_of_a_thousand_cells_that_says_nothing_is_left_alone() -> None:
    assert least(go.Heatmap(z=np.zeros((40, 40), np.float32))) == 0
