"""Figures of the page by their structure."""

import numpy as np
import pytest

from explorer.figures import patches as vision_patches, small_maps
from explorer.figures.look import LIGHT
from explorer.lessons.vision.figures import answers as figures, gates
from explorer.records import Provenance
from explorer.records.image import ChannelGates, Classification, Hidden, PatchAttention, Picture, PositionCodes

BY = Provenance(computed_by="a test")
RNG = np.random.default_rng(0)


def picture() -> Picture:
    seen = np.full((6, 6, 3), 90, np.uint8)
    return Picture(name="p", side=60, uri="data:image/png;base64,A", thumbnail="data:t", seen=seen, seen_uri="data:s")


def weights(*shape: int) -> np.ndarray:
    raw = RNG.random(shape).astype(np.float32)
    return raw / raw.sum(-1, keepdims=True)


def attention() -> PatchAttention:
    return PatchAttention(
        weights=weights(3, 2, 10, 10),
        rollout=weights(3, 10, 10),
        distances=RNG.random((3, 2)).astype(np.float32) * 9,
        even_distance=7.0,
        grid=3,
        patch_size=2,
        provenance=BY,
    )


@pytest.mark.parametrize("style", ["light", "colour"])
def test_the_map_lies_exactly_on_the_picture(style: vision_patches.Style) -> None:
    values = np.arange(9, dtype=np.float32).reshape(3, 3) / 36
    figure = vision_patches.overlay(picture(), values, style=style, asks=5)
    trace, image = figure.data[0], figure.layout.images[0]
    assert (image.x, image.y, image.sizex, image.sizey) == (-0.5, -0.5, 3, 3)
    assert image.layer == "below"
    np.testing.assert_array_equal(trace.z, values)
    assert (trace.zmin, trace.zmax) == (0, float(values.max()))
    assert trace.showscale == (style == "colour")
    assert trace.customdata[2, 0].tolist() == [3, 1]
    most, asks = figure.layout.shapes
    assert (round((most.x0 + most.x1) / 2), round((most.y0 + most.y1) / 2), most.line.color) == (2, 2, LIGHT.key)
    assert (round((asks.x0 + asks.x1) / 2), round((asks.y0 + asks.y1) / 2), asks.line.color) == (2, 1, LIGHT.query)


def test_a_map_of_zeros_has_a_scale() -> None:
    assert vision_patches.overlay(picture(), np.zeros((3, 3), np.float32)).data[0].zmax == 1


def test_hidden_patches_are_painted_in_the_mean_colour() -> None:
    figure = vision_patches.patches(picture(), 3, hidden=(0, 5, 99, -1))
    assert np.flatnonzero(figure.data[0].z).tolist() == [0, 5]
    assert figure.data[0].colorscale[-1][1] == "rgb(90,90,90)"
    assert [each.type for each in figure.layout.shapes] == 4 * ["line"] + 2 * ["rect"]


def test_every_head_has_a_tile_over_its_own_copy() -> None:
    record = attention()
    maps = record.map(record.weights[:, :, 0])
    figure = small_maps.overview(picture(), maps, rows=["0", "1", "2"], columns=["0", "1"])
    assert len(figure.layout.images) == 6
    canvas = figure.data[0].z
    assert canvas.shape == (3 * 4 - 1, 2 * 4 - 1)
    np.testing.assert_allclose(canvas[4:7, 4:7], maps[1, 1] / maps[1, 1].max())
    np.testing.assert_allclose(figure.data[0].customdata[4:7, 4:7, 0], maps[1, 1])
    assert np.isnan(canvas[3]).all()
    texts = [each.text for each in figure.layout.annotations]
    assert texts == ["<b>0</b>", "<b>1</b>", "<b>2</b>", "<b>0</b>", "<b>1</b>"]
    left, top = figure.layout.xaxis.range[0], figure.layout.yaxis.range[1]
    assert all(each.x > left and each.y > top for each in figure.layout.annotations)


def test_bars_stand_in_the_order_of_the_first_answer() -> None:
    one = Classification(classes=("a", "b", "c"), probabilities=np.array([0.2, 0.5, 0.3], np.float32), provenance=BY)
    two = Classification(classes=("a", "b", "c"), probabilities=np.array([0.6, 0.1, 0.3], np.float32), provenance=BY)
    figure = figures.answers({"one": one, "two": two}, names={"a": "A", "b": "B", "c": "C"})
    assert list(figure.layout.yaxis.ticktext) == ["B", "C", "A"]
    assert list(figure.data[1].x) == pytest.approx([0.1, 0.3, 0.6])


def test_every_head_is_a_point_and_even_looking_marked() -> None:
    figure = figures.distances(attention())
    assert len(figure.data[1].y) == 6
    assert figure.layout.shapes[0].y0 == 7


def test_codes_have_a_tile_for_each_patch_around_zero() -> None:
    cosine = (RNG.random((9, 9)) * 2 - 1).astype(np.float32)
    trace = figures.positions(PositionCodes(cosine=cosine, grid=3, provenance=BY)).data[0]
    np.testing.assert_array_equal(trace.z[4:7, 8:11], cosine[5].reshape(3, 3))
    assert (trace.zmin, trace.zmax) == (-1, 1)


def test_what_is_missed_is_drawn_around_zero() -> None:
    patches, heads = np.full((3, 3), -0.2, np.float32), np.full((2, 4), 0.001, np.float32)
    record = Hidden(of="a", before=0.5, patches=patches, heads=heads, provenance=BY)
    trace = figures.patches_missed(record).data[0]
    assert trace.zmin == -trace.zmax == pytest.approx(-0.2)
    assert figures.heads_missed(record).data[0].zmax == pytest.approx(0.01)
    assert list(figures.heads_missed(record).layout.yaxis.ticktext) == ["0", "1"]


def test_gates_are_sorted_and_their_maps_shown_before_and_after() -> None:
    gate = np.array([0.2, 0.9, 0.5, 0.1], np.float32)
    read = RNG.standard_normal((4, 3, 3)).astype(np.float32)
    record = ChannelGates(site="s.channel", gate=gate, usual=gate / 2, read=read, provenance=BY)
    bars = gates.channels(record).data[0]
    np.testing.assert_allclose(bars.y, [0.9, 0.5, 0.2, 0.1])
    assert bars.customdata[:, 0].tolist() == [1, 2, 0, 3]
    trace = gates.maps(record, {"open": [1, 2], "closed": [3, 0]}).data[0]
    np.testing.assert_allclose(trace.z[:3, :3], read[1])
    np.testing.assert_allclose(trace.z[5:8, :3], read[1] * 0.9, rtol=1e-6)
    assert trace.zmin == -trace.zmax
