"""The montage by structure: one trace, every head where its heading says."""

import numpy as np
import pytest

from explorer.figures import head_grid
from explorer.records import AttentionRecord
from tests.figures.test_heatmap import HOSTILE, REPEATED, record, sent


def tiles(made: AttentionRecord) -> list[np.ndarray]:
    """Each head's part of the canvas, found by its heading."""
    figure = head_grid.montage(made)
    queries, keys = made.weights.shape[1:]
    corners = [(round(note.y + 0.5), round(note.x + 0.5)) for note in figure.layout.annotations]
    return [figure.data[0].z[top : top + queries, left : left + keys] for top, left in corners]


@pytest.mark.parametrize("n_heads", [1, 3, 8, 12, 13])
def test_every_head_lies_under_its_heading_in_one_trace(n_heads: int) -> None:
    made = record(("a",) * 4, REPEATED, heads=n_heads)
    figure = head_grid.montage(made)
    assert len(figure.data) == 1
    assert [note.text for note in figure.layout.annotations] == [f"head {head}" for head in range(n_heads)]
    for head, tile in enumerate(tiles(made)):
        np.testing.assert_array_equal(tile, made.weights[head])
    assert np.isfinite(figure.data[0].z).sum() == made.weights.size


def test_hover_names_head_and_tokens_without_a_string_for_each_cell() -> None:
    made = record(("a", "b", "c"), REPEATED, heads=8)
    figure = head_grid.montage(made)
    trace = sent(figure)
    assert trace["customdata"]["dtype"] == "u1"
    assert trace["z"]["dtype"] == "f4"
    x, y = figure.layout.xaxis, figure.layout.yaxis
    column = dict(zip(x.tickvals, x.ticktext, strict=True))
    line = dict(zip(y.tickvals, y.ticktext, strict=True))
    drawn = figure.data[0].z
    for head, position in enumerate(figure.layout.annotations):
        top, left = round(position.y + 0.5), round(position.x + 0.5)
        assert [line[top + i] for i in range(3)] == ["a", "b", "c"]
        assert [column[left + i] for i in range(5)] == list(REPEATED)
        assert (figure.data[0].customdata[top : top + 3, left : left + 5] == head).all()
    assert set(column) == {i for i in range(drawn.shape[1]) if np.isfinite(drawn[:, i]).any()}


def test_144_heads_are_one_trace_of_bounded_size() -> None:
    made = record(("q",) * 32, ("k",) * 32, heads=144)
    figure = head_grid.montage(made)
    assert len(figure.data) == 1
    assert len(figure.to_json()) < 2_000_000
    assert not figure.layout.xaxis.showticklabels


def test_forbidden_cells_are_missing_in_every_head() -> None:
    for tile in tiles(record(causal=True, heads=4)):
        np.testing.assert_array_equal(np.isnan(tile), ~np.tri(5, dtype=bool))


def test_hostile_labels_are_not_obeyed_and_the_record_is_left_alone() -> None:
    made = record(HOSTILE, HOSTILE)
    before = made.weights.copy()
    figure = head_grid.montage(made)
    figure.data[0].z[:] = 3
    np.testing.assert_array_equal(made.weights, before)
    assert "<" not in "".join(figure.layout.xaxis.ticktext)


def test_the_grid_has_no_empty_tile_where_it_can() -> None:
    for n_heads in (4, 6, 8, 12, 16):
        z = head_grid.montage(record(heads=n_heads)).data[0].z
        columns = np.isfinite(z[0]).sum() // 5
        assert n_heads % columns == 0
