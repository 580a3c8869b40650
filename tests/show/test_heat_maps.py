"""Heat maps for a notebook: every number where its title and its ticks say, from whatever holds the numbers."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch

from explorer import show
from explorer.figures.look import DARK, LIGHT
from explorer.show import heatmaps as show_heatmaps
from tests.figures.test_heatmap import HOSTILE
from tests.imports import imported_by

WEIGHTS = torch.softmax(torch.randn(2, 3, 4, 5, generator=torch.Generator().manual_seed(0)), -1)


def found(figure: Any, shape: tuple[int, ...]) -> np.ndarray:
    """The maps as they lie below their titles."""
    queries, keys = shape[-2:]
    corners = [(round(note.y + 0.5), round(note.x + 0.5)) for note in figure.layout.annotations]
    drawn = figure.data[0].z
    return np.stack([drawn[top : top + queries, left : left + keys] for top, left in corners]).reshape(shape)


def test_it_needs_neither_streamlit_nor_torch() -> None:
    there = imported_by("from explorer import show; show.heatmaps([[1, 0], [.5, .5]])")
    assert "explorer.show" in there
    assert not {"streamlit", "torch", "pandas"} & set(there)


@pytest.mark.parametrize(
    "given",
    [
        WEIGHTS,
        WEIGHTS.clone().requires_grad_(),
        WEIGHTS.numpy(),
        WEIGHTS.double().numpy()[::1],
        WEIGHTS.tolist(),
        [list(row) for row in WEIGHTS],
    ],
    ids=["tensor", "with gradient", "array", "float64", "list", "tensors in lists"],
)
def test_rows_and_heads_lie_where_their_titles_say(given: Any) -> None:
    figure = show.heatmaps(given)
    assert [note.text for note in figure.layout.annotations] == [
        f"[{row},\u00a0{head}]" for row in range(2) for head in range(3)
    ]
    np.testing.assert_allclose(found(figure, WEIGHTS.shape), WEIGHTS.numpy(), rtol=1e-6)
    assert np.isfinite(figure.data[0].z).sum() == WEIGHTS.numel()
    tops = {round(note.y + 0.5) for note in figure.layout.annotations}
    assert len(tops) == 2


def test_half_precision_is_read() -> None:
    figure = show.heatmaps(WEIGHTS.bfloat16())
    np.testing.assert_array_equal(found(figure, WEIGHTS.shape), WEIGHTS.bfloat16().float().numpy())


@pytest.mark.parametrize("shape", [(4, 5), (3, 4, 5), (1, 1), (13, 2, 2), (1, 512, 512), (12, 12, 20, 20)])
def test_two_and_three_dimensions_too(shape: tuple[int, ...]) -> None:
    given = np.random.default_rng(0).random(shape)
    figure = show.heatmaps(given, "keys", "queries", ())
    np.testing.assert_allclose(found(figure, shape), given, rtol=1e-6)
    x, y = figure.layout.xaxis, figure.layout.yaxis
    assert (x.title.text, y.title.text) == ("keys", "queries")
    ticks = dict(zip(y.tickvals, y.ticktext, strict=True))
    for note in figure.layout.annotations:
        assert ticks[round(note.y + 0.5)] == "0"
        assert ticks[round(note.y + 0.5) + shape[-2] - 1] == str(shape[-2] - 1)
    assert {(frame.x1 - frame.x0, frame.y1 - frame.y0) for frame in figure.layout.shapes} == {(shape[-1], shape[-2])}
    assert figure.layout.width < 1100
    assert figure.layout.height < 1500


def test_a_title_for_each_head_stands_in_every_row_and_is_not_obeyed() -> None:
    figure = show.heatmaps(WEIGHTS, titles=["a", "b", HOSTILE[0]])
    said = [note.text for note in figure.layout.annotations]
    assert said[:2] == said[3:5] == ["a", "b"]
    assert "<" not in "".join(said)


def test_weights_stand_on_a_fixed_scale_and_scores_around_0() -> None:
    weights, scores = show.heatmaps(WEIGHTS).data[0], show.heatmaps([[-3, 1], [2, 0]]).data[0]
    assert (weights.zmin, weights.zmax) == (0, 1)
    assert (scores.zmin, scores.zmax) == (-3, 3)
    assert weights.colorscale != scores.colorscale
    assert show.heatmaps([[0, 0]]).data[0].zmax == 1


def test_paper_is_light_or_dark_and_a_notebook_can_show_it() -> None:
    assert show.heatmaps(WEIGHTS).layout.paper_bgcolor == LIGHT.paper
    assert show.heatmaps(WEIGHTS, dark=True).layout.paper_bgcolor == DARK.paper
    assert "plotly" in show.heatmaps(WEIGHTS)._repr_html_()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([[0.5, float("nan")]], r"1 of 2 numbers are NaN or infinite, the first at \[0, 1\]"),
        (torch.tensor([[0.0, -torch.inf]]), "NaN or infinite"),
        ([[1e300, 0.0]], r"1e\+300 is too large"),
        ([1.0, 2.0], r"1 dimensions \(2,\)"),
        (3.0, "0 dimensions"),
        (np.zeros((1, 1, 1, 1, 1)), "5 dimensions"),
        ([[[[[1.0]]]]], "5 dimensions"),
        ([], "1 dimensions"),
        (np.zeros((0, 3)), "nothing to draw"),
        (torch.zeros(2, 0, 4), "nothing to draw"),
        ([[1.0, 2.0], [3.0]], "not equally long"),
        ([["a", "b"]], "numbers are wanted"),
        (np.ones((2, 2), complex), "numbers are wanted"),
        (None, "numbers are wanted"),
        (np.zeros((1000, 1000), np.float32), "too large: at most 256 maps, 500,000 cells"),
        (np.zeros((300, 1, 1), np.float32), "too large"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        show.heatmaps(given)


def test_too_few_titles_are_refused() -> None:
    with pytest.raises(ValueError, match="2 titles for 6 maps"):
        show.heatmaps(WEIGHTS, titles=["a", "b"])


@pytest.mark.parametrize("shape", [(12, 12, 1, 1024), (16, 16, 1, 1950), (2, 1, 1, 100_000)])
def test_gaps_between_long_low_maps_do_not_fill_the_memory(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="too long for their height"):
        show.heatmaps(np.zeros(shape, np.float32))


def test_one_title_may_be_given_as_it_is() -> None:
    assert show.heatmaps([[1, 0]], titles="Head 1").layout.annotations[0].text == "Head\u00a01"


def test_it_zooms() -> None:
    layout = show.heatmaps(WEIGHTS).layout
    assert layout.dragmode == "zoom"
    assert not layout.xaxis.fixedrange
    assert not layout.yaxis.fixedrange


def test_the_call_of_the_lecture_notes_runs_unchanged() -> None:
    attention = torch.softmax(torch.randn(50, 50, generator=torch.Generator().manual_seed(1)), -1)
    figure = show_heatmaps(
        attention.unsqueeze(0).unsqueeze(0), xlabel="Sorted training inputs", ylabel="Sorted testing inputs"
    )
    np.testing.assert_allclose(found(figure, (50, 50)), attention.numpy(), rtol=1e-6)
    whole = show_heatmaps(WEIGHTS, "Keys", "Queries", None, (7, 3.5), "Reds")
    np.testing.assert_allclose(found(whole, WEIGHTS.shape), WEIGHTS.numpy(), rtol=1e-6)
    named = show_heatmaps(matrices=WEIGHTS, xlabel="k", ylabel="q", titles=None, figsize=(2.5, 2.5), cmap="Reds")
    assert named.data[0].colorscale == whole.data[0].colorscale


@pytest.mark.parametrize("cmap", ["Reds", "viridis", "Greys_r"])
def test_a_named_colour_scale_is_plotlys_and_weights_stay_between_0_and_1(cmap: str) -> None:
    colours = show.heatmaps(WEIGHTS, cmap=cmap)
    expected = go.Heatmap(z=[[0]], colorscale=cmap).colorscale
    assert colours.data[0].colorscale == expected
    assert (colours.data[0].zmin, colours.data[0].zmax) == (0, 1)
    assert len(colours.data) == 1  # its ink is not known to the numbers
    others = show.heatmaps(WEIGHTS - 3, cmap=cmap)
    ends = (float(WEIGHTS.min()) - 3, float(WEIGHTS.max()) - 3)
    assert (others.data[0].zmin, others.data[0].zmax) == pytest.approx(ends)


@pytest.mark.parametrize(("figsize", "shape"), [((2.5, 2.5), (50, 50)), ((7, 3.5), (2, 3, 4, 5)), ((4, 8), (16, 4, 9))])
def test_a_figure_is_no_larger_than_asked_for(figsize: tuple[float, float], shape: tuple[int, ...]) -> None:
    given = np.random.default_rng(0).random(shape)
    figure = show.heatmaps(given, figsize=figsize)
    assert figure.layout.width <= figsize[0] * 96 + 1
    assert figure.layout.height <= figsize[1] * 96 + 1
    np.testing.assert_allclose(found(figure, shape), given, rtol=1e-6)


@pytest.mark.parametrize("figsize", [(1,), 3, (0, 2), (2, float("nan")), ("a", 2), (2, float("inf"))])
def test_a_size_that_is_none_is_refused(figsize: Any) -> None:
    with pytest.raises(ValueError, match="figsize is"):
        show.heatmaps(WEIGHTS, figsize=figsize)


@pytest.mark.parametrize("cmap", ["", "no such", "<b>", 3])
def test_an_unknown_colour_scale_is_refused(cmap: Any) -> None:
    with pytest.raises(ValueError, match="colour scale"):
        show.heatmaps(WEIGHTS, cmap=cmap)
