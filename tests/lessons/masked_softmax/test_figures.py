"""Masks and rows of weights, drawn."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.lessons.masked_softmax.figures import masks as figures
from explorer.lessons.masked_softmax.records import MaskRecord, RowsRecord
from explorer.records import Provenance
from explorer.records.language import speaking, t

HERE = Provenance(computed_by="tests")
LABELS = ("the", "cat", "<b>the</b>", "the")


def mask(labels: tuple[str, ...] = LABELS) -> MaskRecord:
    n = len(labels)
    future = ~np.tri(n, dtype=bool)
    padding = np.zeros((n, n), bool)
    padding[:, 0] = True
    hand = np.zeros((n, n), bool)
    hand[0, 1] = hand[n - 1, n - 1] = True
    return MaskRecord(
        allowed=~(future | padding) ^ hand,
        forbidden_by={"padding": padding, "future": future},
        by_hand=hand,
        query_labels=labels,
        key_labels=labels,
        provenance=HERE,
    )


def rows(**changed: object) -> RowsRecord:
    weights = np.array([[0.5, 0.5, 0.0, 0.0], [np.nan] * 4, [0.25, 0.25, 0.25, 1e-5]], np.float32)
    given = {
        "ways": ("one", "two", "three"),
        "weights": weights,
        "query_label": "%{x}<i>q",
        "key_labels": LABELS,
        "allowed": np.array([True, True, False, False]),
        "facts": {},
        "provenance": HERE,
    }
    return RowsRecord(**(given | changed))  # type: ignore[arg-type]


def trace(figure: go.Figure, kind: type) -> list[go.Figure]:
    return [each for each in figure.data if isinstance(each, kind)]


def test_a_mask_is_one_and_nought_with_repeated_words_apart() -> None:
    record = mask()
    figure = figures.mask(record, 1)
    (cells,) = trace(figure, go.Heatmap)
    assert np.array_equal(cells.text, np.where(record.allowed, "1", "0"))
    assert cells.z.shape == (4, 4)
    assert cells.z.dtype == np.uint8
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 2, 3]
    assert figure.layout.xaxis.ticktext[2] == "&lt;b&gt;the&lt;/b&gt;"
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "query 0 stands on top"


def test_forbidden_cells_are_coloured_by_their_first_reason() -> None:
    record = mask()
    (cells,) = trace(figures.mask(record, 1), go.Heatmap)
    assert (cells.z[record.allowed] == 0).all()
    assert cells.z[0, 0] == 1, "padding"
    assert cells.z[0, 2] == 2, "the future"
    assert cells.z[3, 3] == 4, "by hand"
    steps = dict(cells.colorscale)
    assert len(set(steps.values())) == 5
    middle = [(code - cells.zmin) / (cells.zmax - cells.zmin) for code in range(5)]
    for position, colour in zip(middle, [figures.ALLOWED, *figures.FORBIDDEN.values()], strict=True):
        below = max(edge for edge in steps if edge <= position)
        assert steps[below] == colour


def test_every_cell_says_what_it_is() -> None:
    (cells,) = trace(figures.mask(mask(), 1), go.Heatmap)
    said = cells.customdata
    assert said[1, 1] == "“cat” may attend to “cat”"
    assert said[0, 2] == "“the” may not attend to “&lt;b&gt;the&lt;/b&gt;” (future)"
    assert said[0, 0] == "“the” may not attend to “the” (padding)"
    assert said[3, 3].endswith("(by hand)")


def test_cells_changed_by_hand_wear_a_ring() -> None:
    ring = next(each for each in trace(figures.mask(mask(), 1), go.Scatter) if each.marker.symbol == "circle-open")
    assert sorted(zip(ring.y, ring.x, strict=True)) == [(0, 1), (3, 3)]


def test_the_legend_names_what_is_there() -> None:
    named = [each.name for each in trace(figures.mask(mask(), 1), go.Scatter) if each.name]
    assert named == ["may attend", "padding", "future", "by hand"]
    with speaking("zh"):
        translated = figures.mask(mask(), 1)
        assert named[0] != t("may attend") in [each.name for each in trace(translated, go.Scatter)]


def test_rows_write_their_numbers_and_nan() -> None:
    figure = figures.rows(rows())
    (cells,) = figure.data
    assert cells.text[0].tolist() == [".50", ".50", "0", "0"]
    assert cells.text[1].tolist() == [""] * 4
    assert [(note.text, note.y) for note in figure.layout.annotations] == [("<b>NaN</b>", 1)]
    assert cells.text[2].tolist() == [".25", ".25", ".25", "1·10⁻⁵"]
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert list(figure.layout.yaxis.ticktext) == ["one", "two", "three"]


def test_rows_mark_forbidden_keys_and_obey_no_label() -> None:
    figure = figures.rows(rows())
    assert [text.startswith("<s>") for text in figure.layout.xaxis.ticktext] == [False, False, True, True]
    (cells,) = figure.data
    assert "%{x}<i>" not in cells.hovertemplate
    assert "&#37;{x}&lt;i&gt;q" in cells.hovertemplate


@pytest.mark.parametrize("n", [1, 2, 16])
def test_any_size_is_drawn(n: int) -> None:
    figure = figures.mask(mask(("w",) * n) if n > 1 else _single(), 0)
    assert figure.data[0].z.shape == (n, n)


def _single() -> MaskRecord:
    one = np.ones((1, 1), bool)
    return MaskRecord(
        allowed=one, forbidden_by={}, by_hand=~one, query_labels=("a",), key_labels=("a",), provenance=HERE
    )


def test_many_ways_have_upright_names() -> None:
    few = rows()
    many = rows(ways=few.ways * 5, weights=np.tile(few.weights, (5, 1)), facts={})
    angles = [figures.rows(each).to_plotly_json()["layout"]["xaxis"]["autotickangles"] for each in (few, many)]
    assert [tuple(each) for each in angles] == [(0, -45, -90), (0, -90)]
