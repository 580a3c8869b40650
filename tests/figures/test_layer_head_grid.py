"""The overview by structure: one trace of cells for each site, every head where its numbers say."""

import json
from dataclasses import replace

import numpy as np
import pytest

from explorer.figures import heatmap, layer_head_grid as overview
from explorer.records import AttentionRecord
from tests.figures.test_heatmap import HOSTILE, REPEATED, record


def layers(count: int, *, causal: bool = False, heads: int = 4) -> list[AttentionRecord]:
    """Layers of one site with different weights."""
    made = record(heads=heads * count, causal=causal)
    return [
        replace(made, layer=layer, weights=made.weights[layer * heads : (layer + 1) * heads]) for layer in range(count)
    ]


@pytest.mark.parametrize("causal", [False, True])
def test_every_head_of_every_layer_lies_where_the_grid_says(causal: bool) -> None:
    records = layers(3, causal=causal)
    (cells, names), position = overview.overview(records).data, overview.grid(records)
    assert cells.z.shape == position.shape
    for layer, made in enumerate(records):
        for head in range(4):
            row, column = position.corner(layer, head)
            tile = np.s_[row : row + 5, column : column + 5]
            allowed = True if made.allowed is None else made.allowed
            np.testing.assert_array_equal(cells.z[tile], np.where(allowed, made.weights[head], np.nan))
            assert (cells.customdata[tile] == (layer, head)).all()
    drawn = sum(int((np.ones((5, 5)) if made.allowed is None else made.allowed).sum()) for made in records)
    assert np.isfinite(cells.z).sum() == drawn * 4
    said = [text.strip() for text in names.text]
    assert said == ["head 0", "head 1", "head 2", "head 3", "layer 0", "layer 1", "layer 2"]


def test_hover_reads_the_tokens_from_the_ticks_though_they_repeat() -> None:
    records = layers(4)
    figure, position = overview.overview(records), overview.grid(records)
    for axis, tiles, corner in ((figure.layout.xaxis, 4, 1), (figure.layout.yaxis, 4, 0)):
        named = dict(zip(axis.tickvals, axis.ticktext, strict=True))
        assert len(named) == tiles * 5
        for tile in range(tiles):
            begin = position.corner(tile, tile)[corner]
            assert tuple(named[begin + token] for token in range(5)) == REPEATED
    hover = figure.data[0].hovertemplate
    for part in ("%{customdata[0]}", "%{customdata[1]}", "%{x}", "%{y}", "%{z"):
        assert part in hover


def test_a_click_anywhere_on_a_tile_finds_its_head() -> None:
    position = overview.grid(layers(4))
    for layer in range(4):
        for head in range(4):
            row, column = position.corner(layer, head)
            assert {position.tile(row + i, column + j) for i in (-0.5, 4.4) for j in (-0.5, 4.4)} == {(layer, head)}
    assert position.tile(-1e9, -5.0) == (0, 0)
    assert position.tile(1e9, 1e9) == (3, 3)


def test_80_heads_of_40_tokens_are_one_picture_of_bounded_size() -> None:
    names = tuple(f"w{position}" for position in range(40))
    made = record(names, names, heads=8)
    figure = overview.overview([made] * 10)
    assert len(figure.data) == 2
    assert len(figure.to_json()) < 1_500_000
    trace = json.loads(figure.to_json())["data"][0]
    assert (trace["z"]["dtype"], trace["customdata"]["dtype"]) == ("f4", "u1")


def test_the_scale_goes_above_and_the_cells_stay() -> None:
    made = record()
    figure = overview.scale_above(heatmap.attention(made, head=0))
    assert figure.data[0].colorbar.orientation == "h"
    assert figure.data[0].colorbar.y == 1
    assert figure.layout.margin.t >= 60
    np.testing.assert_array_equal(figure.data[0].z, made.weights[0])


def test_hostile_labels_and_layers_of_different_shape() -> None:
    figure = overview.overview([record(HOSTILE, HOSTILE)])
    assert "<" not in "".join(figure.layout.xaxis.ticktext)
    with pytest.raises(ValueError, match="one shape"):
        overview.grid([record(), record(HOSTILE, REPEATED, heads=3)])
