"""Figures of trained models on the page by structure, with words that occur twice."""

import math

import numpy as np
import plotly.graph_objects as go
import pytest

from explorer.lessons.positional_encoding.figures import compared, trained as figures
from explorer.lessons.positional_encoding.records.trained import EntryRecord, RotaryPairRecord
from tests.lessons.positional_encoding.test_lesson_trained import HERE, beyond, decay, table

NAMES = {"none": "none", "learned": "learned", "rotary": "rotary", "alibi": "ALiBi"}
WORDS = ("the", "<b>dog</b>", "the", "</s>")


def test_what_enters_is_drawn_with_the_cosine_below() -> None:
    numbers = np.array([1.0, 2.0, 3.0, 4.0])
    record = EntryRecord(
        labels=WORDS,
        raw=numbers,
        scaled=4 * numbers,
        position=numbers / 2,
        total=3 * numbers,
        cosine=-numbers / 8,
        factor=4.0,
        provenance=HERE,
    )
    bars = figures.entry(record).data
    assert [bar.yaxis for bar in bars] == ["y", "y", "y", "y2"]
    for bar, values in zip(bars, (record.scaled, record.position, record.total, record.cosine), strict=True):
        np.testing.assert_allclose(bar.y, values)


def test_a_learned_table_is_drawn_as_far_as_asked() -> None:
    record = table(np.random.default_rng(0).normal(size=(16, 4)))
    (cells,) = figures.table(record, reach=1.5).data
    assert np.array_equal(cells.z, record.codes)
    assert cells.zmax == -cells.zmin == 1.5
    (alike,) = figures.likeness(record).data
    assert np.array_equal(alike.z, record.similarity)


def test_likeness_by_offset_goes_both_ways() -> None:
    record = table(np.random.default_rng(0).normal(size=(16, 4)))
    mean, *single = figures.by_offset(record).data
    assert mean.x.tolist() == list(range(-15, 16))
    np.testing.assert_allclose(mean.y, mean.y[::-1])
    assert mean.y[15] == 1
    for position, line in zip((2, 8, 14), single, strict=True):
        assert line.x[0] == -position
        np.testing.assert_array_equal(line.y, record.similarity[position])


def test_the_pair_shows_its_two_strongest_waves_and_where_it_stands() -> None:
    parts = np.arange(12.0).reshape(3, 4)
    record = RotaryPairRecord(
        query_label="a",
        key_label="a",
        actual=2,
        distances=np.arange(4),
        scores=parts.sum(0),
        parts=parts,
        amplitude=np.array([1.0, 3.0, 2.0]),
        wavelengths=np.array([6.28, 62.8, 628.0]),
        computed=15.0,
        trained_length=3,
        provenance=HERE,
    )
    first, second, total, here = figures.pair(record).data
    assert "pair 1" in first.name
    np.testing.assert_array_equal(first.y, parts[1])
    np.testing.assert_array_equal(second.y, parts[2])
    np.testing.assert_array_equal(total.y, parts.sum(0))
    assert (list(here.x), list(here.y)) == ([2], [15.0])
    assert figures.pair(record).layout.shapes[0].x0 == 3


def test_every_kind_is_a_line_of_its_own_look() -> None:
    lines = compared.decay([decay(kind, 1.0) for kind in NAMES], names=NAMES).data
    assert [line.name for line in lines] == list(NAMES.values())
    assert len({(line.line.color, line.line.dash) for line in lines}) == len(NAMES)
    np.testing.assert_allclose(lines[0].y, 0.25)


def test_a_learned_line_ends_with_a_cross_and_no_invented_point() -> None:
    records = [beyond("rotary", [2.2, 2.0, 3.0]), beyond("learned", [2.1, 1.9, np.nan], limit=8)]
    rotary, learned, end = compared.beyond(records, over="length", names=NAMES).data
    assert rotary.x.tolist() == [4, 8, 16]
    assert learned.x.tolist() == [4, 8]
    assert isinstance(end, go.Scatter)
    assert (list(end.x), list(end.y)) == ([8.0], [pytest.approx(math.exp(1.9))])
    assert end.marker.symbol == "x"
    assert learned.name == "learned: no code beyond 8"
    rotary, learned, end = compared.beyond(records, over="place", names=NAMES).data
    assert rotary.x.tolist() == [4, 12]
    assert learned.x.tolist() == [4]
