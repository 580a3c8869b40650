"""Inside the translator: its own stepping, views, changes and comparison on a tiny random model."""

from pathlib import Path

import numpy as np
import pytest

from explorer.lessons import translator as lesson
from explorer.lessons.translator import Params, Result
from explorer.records.stream import Point
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("inside") / "tiny"
    write(where, tiny_model(tiny_tokenizer().vocab_size))
    return where


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return lesson.compute(Params(text="The doggish cat saw.", beam=2, checkpoint=str(folder)))


def test_the_last_point_of_the_way_says_what_the_trace_says(result: Result) -> None:
    record = lesson.follow_stream(lesson.written(result))
    for place, step in enumerate(result.trace.steps):
        assert record.share[-1, place] == pytest.approx(step.written.probability, rel=1e-3)
        assert [each.label for each in record.likeliest[-1][place]] == [each.label for each in step.likeliest]
        if step.chosen is not None:
            assert record.rank[-1, place] == step.chosen


def test_every_point_is_read(result: Result) -> None:
    record = lesson.follow_stream(lesson.written(result))
    assert lesson.reading_lens_map(record)
    for place, token in enumerate(record.written_labels):
        assert lesson.reading_norms(record, place)
        assert token in lesson.reading_lens(record, place)
        for number in range(1, len(record.points)):
            assert f"rank {record.rank[number, place] + 1:,} " in lesson.reading_point(record, place, number)
        assert record.read_labels[place] in lesson.reading_point(record, place, 0)


def test_a_sub_layer_looked_where_the_trace_says(result: Result) -> None:
    whole = result.trace.attention("decoder.layers.1.self").weights.mean(0)
    row = lesson.attended_at(result, Point(what="self", layer=1), 2)
    np.testing.assert_allclose(row.weights[0, 0], whole[2, :3], atol=1e-6)
    crossed = lesson.attended_at(result, Point(what="cross", layer=0), 2)
    assert crossed.key_labels == result.trace.source.labels
    assert lesson.attended_at(result, Point(what="net", layer=0), 2) is None
    first = lesson.attended_at(result, Point(what="self", layer=0), 0)
    assert "one token only" in lesson.reading_looked(first)
