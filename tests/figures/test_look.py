"""Colours: read on their ground, told apart under four kinds of sight; the scale of weights starts at the paper."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.figures import look as looks, theme
from explorer.figures.look import DARK, Look

#: Machado, Oliveira and Fernandes (2009), severity 1.0, for linear RGB.
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = TO_XYZ @ np.ones(3)


def lab(colour: str, sight: str) -> np.ndarray:
    """CIE Lab of a colour as somebody with this sight sees it."""
    encoded = np.array(looks.channels(colour))
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    x, y, z = (TO_XYZ @ np.clip(np.array(SIGHTS[sight]) @ linear, 0, 1)) / WHITE
    f = [each ** (1 / 3) if each > 216 / 24389 else (24389 / 27 * each + 16) / 116 for each in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_lab_of_known_colours() -> None:
    np.testing.assert_allclose(lab("#ffffff", "normal"), [100, 0, 0], atol=0.01)
    np.testing.assert_allclose(lab("#ff0000", "normal"), [53.24, 80.09, 67.20], atol=0.05)


@pytest.mark.parametrize("sight", SIGHTS)
def test_roles_stay_apart(look: Look, sight: str) -> None:
    apart = {
        pair: float(np.linalg.norm(lab(look.roles[pair[0]], sight) - lab(look.roles[pair[1]], sight)))
        for pair in combinations(look.roles, 2)
    }
    assert min(apart.values()) >= (29 if look.dark else 26), apart


def test_roles_and_words_are_read_on_paper_and_board(look: Look) -> None:
    for colour in (*look.roles.values(), look.text, look.muted, look.right):
        assert looks.contrast(colour, look.paper) >= 5, colour
        assert looks.contrast(colour, look.board) >= 4.5, colour


def test_the_scale_begins_at_the_paper_and_only_gains_contrast(look: Look) -> None:
    assert looks.ink_at(0) == look.paper
    contrasts = [looks.contrast(looks.ink_at(weight), look.paper) for weight in np.linspace(0, 1, 101)]
    assert contrasts == sorted(contrasts)
    assert contrasts[30] >= 2.5
    assert contrasts[-1] >= 15


def test_numbers_on_every_weight_are_read(look: Look) -> None:
    for weight in np.linspace(0, 1, 101):
        ground = looks.ink_at(float(weight))
        assert looks.contrast(looks.text_on(ground), ground) >= 4.5, weight


@pytest.mark.parametrize("position", ["inside", "auto"])
def test_numbers_on_bars_are_read(look: Look, position: str) -> None:
    red, green, blue = (round(255 * channel) for channel in looks.channels(look.value))
    solid = [*theme.CATEGORICAL, *look.roles.values(), *(colour for _, colour in look.weights)]
    for colour in [solid, *solid]:
        bars = go.Bar(x=[1] * len(solid), text=["1"] * len(solid), textposition=position, marker={"color": colour})
        ink = looks.apply_theme(go.Figure(bars)).data[0].insidetextfont.color
        pairs = zip(solid, ink, strict=True) if isinstance(colour, list) else [(colour, ink)]
        assert all(looks.contrast(written, ground) >= 4.5 for ground, written in pairs)
    for opacity, over in ((0.0, look.paper), (1.0, look.value)):
        faint = f"rgba({red},{green},{blue},{opacity:g})"
        bars = go.Bar(x=[1], text=["1"], textposition=position, marker={"color": faint})
        assert looks.contrast(looks.apply_theme(go.Figure(bars)).data[0].insidetextfont.color, over) >= 4.5


def test_words_on_cells_are_read(look: Look) -> None:
    shares = np.array([np.linspace(0, 1, 21), np.full(21, np.nan)])
    cells = {"z": shares, "zmin": 0, "zmax": 1, "colorscale": look.weights}
    words = {"text": [["a"] * 21] * 2, "texttemplate": "%{text}", "textfont": {"size": 13}}
    figure = looks.apply_theme(go.Figure(go.Heatmap(cells | words), {"yaxis": {"autorange": "reversed"}}))
    heat, written = figure.data
    assert heat.texttemplate is None
    assert [*written.x] == [*range(21)]
    for share, ink in zip(shares[0], written.textfont.color, strict=True):
        assert looks.contrast(ink, looks.ink_at(share)) >= 4.5
    assert (figure.layout.xaxis.range, figure.layout.yaxis.range) == ((-0.5, 20.5), (1.5, -0.5))


def test_a_title_of_a_letter_or_two_stands_upright_above_its_axis() -> None:
    axes = {
        "yaxis": {"title": {"text": "头"}},
        "yaxis2": {"title": {"text": "layer"}},
        "yaxis3": {"title": {"text": "头"}},
    }
    drawn = theme.figure(**axes, annotations=[{"text": "there"}])
    drawn.update_layout(yaxis3={"side": "right"})
    dressed = looks.apply_theme(drawn)
    there, upright = dressed.layout.annotations
    assert (there.text, upright.text) == ("there", "头")
    assert (upright.xref, upright.yref, upright.xanchor, upright.yanchor) == ("x domain", "y domain", "right", "bottom")
    assert [dressed.layout[axis].title.text for axis in axes] == ["", "layer", "头"]


def test_a_masked_cell_is_no_weight(look: Look) -> None:
    assert looks.contrast(look.hatch, look.line) >= 3
    assert looks.contrast(look.hatch, look.paper) >= 3


def test_a_cell_that_is_not_there_says_nothing() -> None:
    cells = go.Heatmap(z=[[-0.4, np.nan, 0.04]], texttemplate="%{z:.1f}")
    assert looks.apply_theme(go.Figure(cells)).data[0].text[0] == ["−0.4", "", "0.0"]


def test_a_dressed_figure_lets_a_finger_scroll_and_grows_for_a_room() -> None:
    def made() -> go.Figure:
        marker = {"size": np.array([4.0, 8.0], np.float32)}
        line = go.Scatter(x=[0, 1], y=[0, 1], line={"width": 2})
        return go.Figure([line, go.Scatter(x=[0, 1], y=[0, 1], marker=marker)])

    with looks.drawing_in(DARK):
        near = looks.apply_theme(made())
    with looks.drawing_in(replace(DARK, zoom=1.5)):
        far = looks.apply_theme(made())
    assert near.layout.dragmode is False
    assert near.layout.xaxis.fixedrange is True
    assert near.layout.font.color == DARK.text
    assert far.layout.font.size == 1.5 * near.layout.font.size
    assert far.data[0].line.width == 3
    assert list(far.data[1].marker.size) == [6, 12]


def test_only_the_axes_of_heat_maps_zoom_and_not_those_that_are_fixed() -> None:
    """A map whose rows share their axis with a curve zooms; small maps that are buttons do not."""
    curve = go.Scatter(x=[0, 1], y=[0, 1], xaxis="x2")
    layout = looks.apply_theme(theme.figure(go.Heatmap(z=[[0, 1]]), curve, xaxis2={})).layout
    assert (layout.dragmode, layout.xaxis.fixedrange, layout.yaxis.fixedrange) == ("zoom", False, False)
    assert layout.xaxis2.fixedrange is True
    fixed = looks.apply_theme(theme.figure(go.Heatmap(z=[[0, 1]]), xaxis={"fixedrange": True})).layout
    assert (fixed.dragmode, fixed.yaxis.fixedrange) == (False, True)


def test_a_figure_is_sent_with_short_arrays_as_lists_and_every_number_in_its_place() -> None:
    long, gap = np.arange(80 * 80, dtype=np.float32).reshape(80, 80), np.array([1.5, np.nan, -2.0])
    figure = theme.figure(go.Heatmap(z=long[:2, :3]), go.Heatmap(z=long), go.Scatter(x=np.arange(3), y=gap))
    short, packed, line = looks.to_json(figure)["data"]
    assert short["z"] == [[0.0, 1.0, 2.0], [80.0, 81.0, 82.0]]
    assert packed["z"]["shape"] == "80, 80"
    assert line["x"] == [0, 1, 2]
    np.testing.assert_array_equal(line["y"], gap)
    again = looks.to_json(figure)["layout"]
    assert "template" not in again
    assert again["datarevision"] == looks.to_json(figure)["layout"]["datarevision"]
