"""The sentences of the heads' lesson against the numbers, on a tiny random model."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import Params, Result, View, aggregates, inside, readings, state, untrained
from explorer.lessons.multi_head.ui import tables
from explorer.lessons.multi_head.wording import head_title
from explorer.records import Provenance
from explorer.records.heads import DropoutRecord
from explorer.records.wording import percent, said_strongest
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
    assert readings.describe_table(result) == (
        f"Sharpest: {head_title(sharp.head)}, about {sharp.effective:.1f} tokens a row. Broadest:"
        f" {head_title(broad.head)}, {broad.effective:.1f}. Looks furthest: {head_title(far.head)},"
        f" {far.distance:.1f} tokens away on average."
    )
    assert not re.search(r"[EDC]\d\.\d", readings.describe_table(result))


def test_a_pair_is_read_with_its_rank_among_what_may_be_seen(result: Result) -> None:
    for view in views(result):
        pair, key = inside.inside(result, view), view.key
        said = tables.describe_scores(pair, key)
        if math.isnan(pair.row_scores[key]):
            assert "the future is masked" in said
            continue
        seen = sorted(pair.row_scores[np.isfinite(pair.row_scores)].tolist(), reverse=True)
        position = seen.index(pair.row_scores[key])
        ends = {len(seen) - 1: f"the lowest of {len(seen)}", 0: f"the highest of {len(seen)}"}
        assert ends.get(position, f"{position} of {len(seen)} scores are higher") in said


def test_a_row_without_a_choice_is_no_strong_look_and_no_flow_comes_from_the_future(result: Result) -> None:
    for layer in range(result.n_layers("decoder")):
        for head in range(result.n_heads):
            weights = result.trace.attention(f"decoder.layers.{layer}.self").weights[head]
            said = said_strongest(state.one_head(result, View(site="decoder", layer=layer, head=head)))
            assert f"with weight **{weights[1:].max():.2f}**." in said
    view = View(site="decoder", aggregate="flow", query=2)
    found = aggregates.aggregate(result, view)
    row = found.weights[0]
    assert (row[3:] == 0).all()
    assert f"({row[:3].min():.2f})" in readings.describe_aggregate(found, "flow")


def test_what_heads_add_favour_and_sum_to_is_what_the_record_has(result: Result) -> None:
    view = View(site="encoder", layer=0, query=1)
    record = inside.contributions(result, view)
    said = readings.describe_contributions(record, 1)
    share = record.share[:, 1]
    most = int(share.argmax())
    assert f"head {most} adds most: {percent(float(share[most]))}" in said
    assert f"The bias adds {percent(float(record.bias_share[1]))}; together 100%." in said
    assert (f"point away from it: {(share < 0).sum()} of {len(share)}" in said) == bool((share < 0).any())
    weights = result.trace.attention("encoder.layers.0.self")
    favourites = set(weights.weights[:, 1].argmax(-1).tolist())
    said = readings.describe_favourites(weights, 1)
    assert said.endswith(
        f"{weights.n_heads} heads look most at **{len(favourites)}** different words."
        if len(favourites) > 1
        else f"all heads look most at “{weights.key_labels[favourites.pop()]}”."
    )
    view = View(site="encoder", aggregate="max")
    found = aggregates.aggregate(result, view)
    assert f"between {found.sums.min():.2f} and {found.sums.max():.2f}:" in readings.describe_aggregate(found, "max")


def test_a_draw_of_dropout_is_counted() -> None:
    before = np.array([0.5, 0.3, 0.2], np.float32)
    record = DropoutRecord(
        share=0.5,
        draws=9,
        key_labels=("a", "b", "c"),
        before=before,
        drawn=np.array([1.0, 0.0, 0.4]),
        mean=before + np.array([0.0, 0.125, 0.0]),
        error=np.zeros(3),
        sums=np.ones(9),
        provenance=Provenance(computed_by="tests"),
    )
    assert readings.describe_dropout(record) == (
        "This draw dropped 1 of 3 weights; the rest, times 2, sum to **1.40** instead of 1. Draws: 9; their mean is at"
        " most **0.125** away from the row."
    )
    assert readings.describe_dropout(replace(record, share=0.0)).startswith("p = 0 drops nothing")


def test_trained_and_untrained_are_not_mixed_up(result: Result) -> None:
    fresh = untrained.attend_untrained(untrained.UntrainedParams(params=result.params, d_model=32, n_heads=4, seed=5))
    said = readings.describe_untrained(result, fresh, 0)
    rows = [row for row in result.measures if (row.head.part, row.head.layer) == ("encoder", 0)]
    both = (np.mean([row.effective for row in each]) for each in (rows, fresh.measures))
    assert "about {:.1f} in trained layer 0, over {:.1f} untrained.".format(*both) in said
    placed = [
        sum(row.label is not None and row.label.name not in ("broad", "sharp") for row in each)
        for each in (rows, fresh.measures)
    ]
    assert f"{placed[0]} of {len(rows)} heads trained, {placed[1]} of {len(fresh.measures)} untrained." in said
