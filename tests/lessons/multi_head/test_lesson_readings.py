"""The sentences of the heads' lesson against the numbers, on a tiny random model."""

import math
import re

import numpy as np
import pytest

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import Params, Result, View, aggregates, inside, readings, state
from explorer.lessons.multi_head.wording import head_title
from tests.lessons.multi_head.test_lesson import TEXT, views, write_loud


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    where = tmp_path_factory.mktemp("heads") / "tiny"
    write_loud(where)
    return lesson.compute(Params(text=TEXT, beam=2, checkpoint=str(where)))


def test_the_table_names_the_sharpest_the_broadest_and_the_farthest(result: Result) -> None:
    rows = [row for row in result.measures if not math.isnan(row.entropy)]
    sharp, broad = min(rows, key=lambda row: row.entropy), max(rows, key=lambda row: row.entropy)
    far = max(rows, key=lambda row: row.distance)
    assert readings.describe_table(result, View()) == (
        f"Sharpest: {head_title(sharp.head)}, about {sharp.effective:.1f} tokens a row. Broadest:"
        f" {head_title(broad.head)}, {broad.effective:.1f}. Looks furthest: {head_title(far.head)},"
        f" {far.distance:.1f} tokens away on average."
    )
    assert not re.search(r"[EDC]\d\.\d", readings.describe_table(result, View()))


def test_a_pair_is_read_with_its_rank_among_what_may_be_seen(result: Result) -> None:
    for view in views(result):
        pair, key = inside.inside(result, view), state.clamp_view(result, view).key
        said = readings.describe_inside(result, view)
        if math.isnan(pair.row_scores[key]):
            assert "The mask forbids this look" in said
            continue
        seen = sorted(pair.row_scores[np.isfinite(pair.row_scores)].tolist(), reverse=True)
        assert f"It is number {1 + seen.index(pair.row_scores[key])} of {len(seen)} in its row" in said


def test_a_row_without_a_choice_is_no_strong_look_and_no_flow_comes_from_the_future(result: Result) -> None:
    for layer in range(result.n_layers("decoder")):
        for head in range(result.n_heads):
            weights = result.trace.attention(f"decoder.layers.{layer}.self").weights[head]
            said = readings.describe_head(result, View(site="decoder", layer=layer, head=head))
            assert f"with weight **{weights[1:].max():.2f}**." in said
    view = View(site="decoder", aggregate="flow", query=2)
    row = aggregates.aggregate(result, view).weights[0]
    assert (row[3:] == 0).all()
    assert f"({row[:3].min():.2f})" in readings.describe_aggregate(result, view)
