"""The numbers that go with a figure are in the units that their columns say."""

import numpy as np
import pytest

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures.compute import walks
from explorer.lessons.architectures.ui import tables
from explorer.ui import tables as ui_tables
from tests.lessons.architectures.test_lesson import TIMES, N, made_up
from tests.records.test_attention_record import attention


def test_measured_times_are_milliseconds_and_memory_bytes() -> None:
    curves = lesson.compute(lesson.Params()).curves["n"]
    table = tables.tabulate_measurements(made_up(lesson.Params(), TIMES), curves)
    ours = table[table["architecture"] == "self-attention"]
    assert ours["n"].tolist() == N.astype(int).tolist()
    np.testing.assert_allclose(ours["median, ms"], 1e3 * TIMES["attention"])
    np.testing.assert_allclose(ours["fastest, ms"], 0.9e3 * TIMES["attention"])
    np.testing.assert_allclose(ours["bytes measured"], ours["bytes by formula"])


def test_ways_are_written_in_positions_from_one() -> None:
    walked = walks(lesson.Params(), 1, 3)
    table = tables.paths(walked)
    assert table.loc["self-attention", "way, as row:position"] == "0:2 → 1:4"
    assert table.loc["self-attention", "steps"] == "1"


def test_costs_are_in_mebibytes() -> None:
    curves = lesson.compute(lesson.Params()).curves["n"]
    table = tables.costs(curves)
    column = next(name for name in table if "MiB" in name)
    expected = 4 * curves.along("peak", "attention") / 2**20
    assert table[table["architecture"] == "self-attention"][column].tolist() == pytest.approx(expected.tolist())


def test_the_table_of_a_head_is_that_heads() -> None:
    weights = np.stack([np.eye(2), np.eye(2)[::-1]]).astype(np.float32)
    record = attention(weights=weights)
    np.testing.assert_array_equal(ui_tables.attention(record, 1).to_numpy(), weights[1])
    both = ui_tables.every_head(record)
    assert both["head"].tolist() == [0, 0, 1, 1]
    np.testing.assert_array_equal(both.iloc[2:, 1:].to_numpy(), weights[1])
