"""Maps and bars of the translator, by structure."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.figures.look import Look
from explorer.lessons.translator import readings
from explorer.lessons.translator.figures import bars, maps
from explorer.records import AttentionRecord, Provenance
from explorer.records.sequence import Likely, Step, TokenRow


@pytest.fixture
def record() -> AttentionRecord:
    return AttentionRecord(
        site="decoder.cross",
        kind="cross",
        weights=np.array([[[0.9, 0.1, 0.0], [0.005, 0.0, 0.995]]], np.float32),
        query_labels=("le", "</s>"),
        key_labels=("<b>the", "the", "the"),
        query_role="produced",
        provenance=Provenance(computed_by="test"),
    )


def frames(figure):
    return [shape for shape in figure.layout.shapes if shape.type == "rect"]


def test_zero_is_the_paper_equal_tokens_stay_apart_and_markup_is_shown(record: AttentionRecord, look: Look) -> None:
    figure = maps.attention(record)
    cells = figure.data[0]
    np.testing.assert_array_equal(cells.z, record.weights[0])
    assert (cells.zmin, cells.zmax) == (0, 1)
    assert cells.colorscale[0] == (0.0, look.paper)
    assert len(set(figure.layout.xaxis.tickvals)) == 3
    assert figure.layout.xaxis.ticktext[0] == "&lt;b&gt;the"
    assert figure.layout.yaxis.ticktext == ("le", "<i>end</i>")


def test_only_weights_worth_their_ink_have_a_number(record: AttentionRecord) -> None:
    assert maps.attention(record).data[1].text == (".90", ".10", "1")


def test_the_chosen_row_and_the_heaviest_cells_are_framed(record: AttentionRecord) -> None:
    (frame,) = frames(maps.attention(record, row=1))
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 2.5, 0.5, 1.5)
    assert [(each.x0, each.y0) for each in frames(maps.attention(record, hard=True))] == [(-0.5, -0.5), (1.5, 0.5)]
    assert frames(maps.attention(record, row=7)) == []


def test_masked_cells_are_hatched_and_missing(record: AttentionRecord) -> None:
    allowed = np.array([[True, True, False], [True, False, True]])
    figure = maps.attention(replace(record, allowed=allowed))
    assert np.isnan(figure.data[0].z).tolist() == (~allowed).tolist()
    assert [shape.type for shape in figure.layout.shapes] == ["path", "path"]


def test_a_framed_tile_for_each_chosen_head(record: AttentionRecord) -> None:
    both = replace(record, weights=np.concatenate([record.weights, record.weights[:, ::-1]]))
    assert len(frames(maps.every_layer([both, both], chosen=[(0, 1), (1, 0)]))) == 2


def test_the_largest_weights_come_first() -> None:
    figure = bars.looks(np.array([0.1, 0.7, 0.2]), ("a", "b", "</s>"))
    assert figure.layout.yaxis.ticktext == ("b", "end", "a")
    np.testing.assert_allclose(figure.data[0].x, [0.7, 0.2, 0.1], rtol=1e-6)


def test_sureness_is_the_probability_of_what_was_written() -> None:
    steps = [
        Step(written=Likely(label=label, probability=share), likeliest=(Likely(label="b", probability=0.5),), chosen=0)
        for label, share in (("a", 0.25), ("c", 0.5), ("‑d", 0.75))
    ]
    row = TokenRow(labels=("a", "c", "‑d"), words=((0,), (1, 2)), word_labels=("a", "cd"), special=(False,) * 3)
    figure = bars.sureness(row, steps)
    (trace,) = figure.data
    assert figure.layout.xaxis.ticktext == ("a", "cd"), "whole words"
    assert trace.y.tolist() == [0.25, 0.375], "the product over the pieces of a word"
    assert "“b” 50.0%" in trace.customdata[0], "what else could have stood there"
    assert all(each in trace.customdata[1] for each in ("“c” 50.0%", "“‑d” 75.0%")), "its pieces"


def test_ribbons_cross_where_first_choices_stand_the_other_way_round(record: AttentionRecord) -> None:
    weights = np.array([[[0.2, 0.8, 0, 0], [0.7, 0.3, 0, 0], [0.1, 0.1, 0.2, 0.6]]], np.float32)
    crossed = replace(
        record, weights=weights, query_labels=("a", "b", "</s>"), key_labels=("x", "y", ".", "</s>"), allowed=None
    )
    assert readings.first_choices(crossed) == [(0, 1), (1, 0)]
    assert readings.count_crossings(crossed) == 1
    assert "One pair of ribbons crosses" in readings.describe_ribbons(crossed)
    one = replace(crossed, weights=weights[:, :1], query_labels=("a",))
    assert "cross" not in readings.describe_ribbons(one), "one word has no order"
    empty = replace(crossed, weights=weights[:, 2:], query_labels=("</s>",))
    assert readings.describe_ribbons(empty) == "The translation is empty: only its end was written."
