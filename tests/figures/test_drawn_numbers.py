"""What a figure draws is what can be taken away."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures import heatmap, theme
from explorer.figures.drawn_numbers import table

LONG = "Donaudampfschifffahrt"


def bars(shares: np.ndarray, names: tuple[str, ...], *, across: bool) -> go.Figure:
    """A bar for each token, upright or from the side, as the lessons draw them."""
    tokens, weights = theme.token_axis(names), {"title": {"text": "weight"}}
    positions, full = np.arange(len(names)), list(names)
    if across:
        return theme.figure(go.Bar(x=positions, y=shares, customdata=full), xaxis=tokens, yaxis=weights)
    trace = go.Bar(x=shares, y=positions, orientation="h", customdata=full)
    return theme.figure(trace, xaxis=weights, yaxis=tokens)


def test_a_map_keeps_its_cells_and_equal_tokens_apart() -> None:
    cells = np.array([[0.25, np.nan], [0.5, 0.5]], np.float32)
    found = table(heatmap.matrix(cells, rows=("the", "the"), columns=("</s>", "a b"), row_title="queries"))
    assert list(found.index) == ["the (0)", "the (1)"]
    assert list(found.columns) == ["end", "a b"]
    assert found.index.name == "queries"
    np.testing.assert_array_equal(found.to_numpy(), cells)


def test_several_maps_stand_one_below_the_other() -> None:
    maps = [go.Heatmap(z=[[position, 2]], name=name) for position, name in enumerate(("before", "after"))]
    found = table(theme.figure(*maps))
    assert found.loc["after"].to_numpy().tolist() == [[1, 2]]
    assert len(found) == 2


@pytest.mark.parametrize("across", [True, False])
def test_bars_are_named_in_full_by_their_tokens(across: bool) -> None:
    names, shares = ("of", LONG), np.array([0.25, 0.75])
    found = table(bars(shares, names, across=across))
    assert list(found.index) == list(names)
    assert list(found.columns) == ["weight"]
    assert found.iloc[:, 0].tolist() == shares.tolist()


def test_bars_of_equal_tokens_stay_apart() -> None:
    found = table(bars(np.array([0.25, 0.75]), ("the", "the"), across=True))
    assert found["weight"].to_dict() == {"the (0)": 0.25, "the (1)": 0.75}


def test_series_over_one_axis_are_columns_with_their_errors() -> None:
    lines = [
        go.Scatter(x=[1, 2], y=[3.0, 4.0], name="<b>a</b>", error_y={"array": [0.1, 0.2]}),
        go.Scatter(x=[2, 3], y=[5.0, None], name="b"),
        go.Scatter(x=[9], y=[9], hoverinfo="skip"),
        go.Scatter(x=[9], y=[9], visible=False),
    ]
    found = table(theme.figure(*lines, xaxis={"title": {"text": "step"}}))
    assert list(found.columns) == ["a", "± a", "b"]
    assert found.index.name == "step"
    assert found.loc[2].tolist() == [4.0, 0.2, 5.0]
    assert list(found.index) == [1, 2]


def test_one_name_in_two_panels_is_told_apart_by_the_axes() -> None:
    lines = [go.Scatter(x=[1], y=[2], name="run"), go.Scatter(x=[1], y=[3], name="run", yaxis="y2")]
    titles = {"yaxis": {"title": {"text": "loss"}}, "yaxis2": {"title": {"text": "accuracy"}}}
    assert list(table(theme.figure(*lines, **titles)).columns) == ["run · loss", "run · accuracy"]


def test_points_that_turn_back_are_rows() -> None:
    way = go.Scatter(x=[1, 2, 1], y=[0, 1, 2], name="way", error_y={"array": [0.1, 0.1, 0.1]})
    found = table(theme.figure(way, go.Scatter(x=[5], y=[6], name="end")))
    assert list(found.columns) == ["", "x", "y", "±"]
    assert found[""].tolist() == ["way"] * 3 + ["end"]
    assert found[["x", "y"]].to_numpy().tolist() == [[1, 0], [2, 1], [1, 2], [5, 6]]


def test_an_empty_figure_is_an_empty_table() -> None:
    assert table(theme.figure()).empty
