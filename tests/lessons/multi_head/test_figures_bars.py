"""Bars, points and the importance map of the page, by structure."""

import numpy as np
import pytest

from explorer.figures.look import LIGHT
from explorer.lessons.multi_head.figures import bars as figures
from explorer.records import Provenance
from explorer.records.ablation import AblationRecord, AblationSweepRecord
from explorer.records.heads import ContributionRecord, HeadMeasures, HeadName, InsideRecord
from explorer.records.sequence import Candidate
from tests.figures.test_heatmap import HOSTILE, REPEATED

MADE = Provenance(computed_by="a test")
HEAD = HeadName(part="encoder", layer=0, head=1)


def pair(labels: tuple[str, ...] = REPEATED) -> InsideRecord:
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, 16)).astype(np.float32)
    product, weights = query * key, rng.dirichlet(np.ones(5)).astype(np.float32)
    return InsideRecord(
        query_label=labels[0],
        key_label=labels[3],
        query=query,
        key=key,
        product=product,
        score=float(product.sum() / 4),
        traced_score=float(product.sum() / 4),
        weight=float(weights[3]),
        row_scores=np.where(np.arange(5) < 4, rng.normal(size=5), np.nan).astype(np.float32),
        row_weights=weights,
        key_labels=labels,
        provenance=MADE,
    )


def test_the_bars_of_the_product_add_up_to_the_score() -> None:
    record = pair()
    query, key, product = figures.product(record).data
    np.testing.assert_array_equal(query.y, record.query)
    np.testing.assert_array_equal(key.y, record.key)
    assert float(product.y.sum()) == pytest.approx(record.score, abs=1e-5)
    assert [trace.marker.color for trace in (query, key, product)] == [LIGHT.query, LIGHT.key, LIGHT.text]
    title = figures.product(record).layout.annotations[2].text
    assert f"{record.score:.2f}" in title


def test_scores_and_weights_mark_one_key_though_keys_repeat() -> None:
    record = pair()
    scores, weights = figures.scores(record, 3).data
    for trace in (scores, weights):
        assert [colour == LIGHT.key for colour in trace.marker.color] == [False, False, False, True, False]
    np.testing.assert_array_equal(scores.x, record.row_scores)
    np.testing.assert_array_equal(weights.x, record.row_weights)
    assert figures.scores(record, 3).layout.yaxis.ticktext == REPEATED
    assert weights.text == tuple("" if np.isnan(each) else f"{each:.0%}" for each in record.row_weights)


def test_hostile_tokens_are_shown_and_not_obeyed() -> None:
    figure = figures.product(pair(HOSTILE))
    assert "<script" not in "".join(note.text for note in figure.layout.annotations)
    assert "<" not in "".join(figures.scores(pair(HOSTILE), 0).data[0].customdata)


def test_contributions_show_length_and_direction_of_every_head() -> None:
    rng = np.random.default_rng(1)
    norm, cosine = rng.random((4, 3)).astype(np.float32), rng.uniform(-1, 1, (4, 3)).astype(np.float32)
    record = ContributionRecord(
        norm=norm,
        cosine=cosine,
        share=norm * cosine,
        bias_share=np.zeros(3, np.float32),
        bias_norm=0.0,
        query_labels=("a", "a", "a"),
        provenance=MADE,
    )
    length, direction = figures.contributions(record, 2, head=1).data
    np.testing.assert_array_equal(length.x, norm[:, 2])
    np.testing.assert_array_equal(direction.x, cosine[:, 2])
    assert [colour == LIGHT.output for colour in length.marker.color] == [False, True, False, False]


def test_changes_have_a_bar_for_each_word_though_words_repeat() -> None:
    old = Candidate(text="", labels=REPEATED, log_probability=-5.0, score=-5.0, finished=True)
    before, after = np.full(5, -1, np.float32), np.array([-1, -3, -1, -0.5, -1], np.float32)
    record = AblationRecord(
        heads=(HEAD,),
        how="off",
        before=old,
        after=old,
        before_words=REPEATED,
        after_words=REPEATED,
        before_kept=(True,) * 5,
        after_kept=(True,) * 5,
        log_probability_before=before,
        log_probability_after=after,
        provenance=MADE,
    )
    assert not any(figures.changes(record, waits=True).data[0].y), "the reader has not guessed yet"
    figure = figures.changes(record)
    np.testing.assert_allclose(figure.data[0].y, (after - before) / np.log(10), rtol=1e-6)
    assert figure.layout.xaxis.ticktext == REPEATED
    low, high = figure.layout.yaxis.range
    assert low < min(figure.data[0].y) < max(figure.data[0].y) < high
    assert figure.layout.yaxis.ticktext == ("1/5", "1/2.5", "1")[-len(figure.layout.yaxis.ticktext) :] or set(
        figure.layout.yaxis.ticktext
    ) >= {"1/2", "1/4", "1"}


@pytest.mark.parametrize("done", [0, 3, 6])
def test_the_importance_map_leaves_out_what_is_not_measured(done: int) -> None:
    change = np.full((2, 3, 4), np.nan, np.float32)
    change.reshape(6, 4)[:done] = -0.5
    record = AblationSweepRecord(
        done=done,
        total=6,
        sites=("encoder.layers.0.self", "decoder.layers.0.cross"),
        token_change=change,
        flips=np.where(np.isnan(change[..., 0]), np.nan, 0).astype(np.float32),
        provenance=MADE,
    )
    trace = figures.importance(record, names=("Encoder 0", "Cross 0")).data[0]
    assert np.isfinite(trace.z).sum() == done
    assert trace.zmin == -trace.zmax < 0


def test_a_cell_of_the_importance_map_says_what_is_left_of_the_probability() -> None:
    change = np.log(np.array([[[1 / 8, 0.9, 2.0, 1 / 1234]]], np.float32)).transpose(0, 2, 1)
    record = AblationSweepRecord(
        done=1, total=1, sites=("encoder.layers.0.self",), token_change=change, flips=np.zeros((1, 4), np.float32),
        provenance=MADE,
    )  # fmt: skip
    assert figures.importance(record, names=("Encoder 0",)).data[0].text[0] == ["1/8", "", "", "1/1,234"]


def test_points_are_grouped_by_site_with_a_shape_each() -> None:
    values = dict.fromkeys(
        ("entropy", "previous", "same", "next", "first", "punctuation", "special", "diagonal", "evenness", "largest"),
        0.1,
    )
    rows = [
        HeadMeasures(head=HeadName(part=part, layer=0, head=0), effective=2.0 + n, distance=1.0, **values)
        for n, part in enumerate(("encoder", "cross", "cross"))
    ]
    names = {"encoder": "Encoder", "decoder": "Decoder", "cross": "Cross"}
    figure = figures.points(rows, names=names, labels=["<b>", "", ""])
    assert [(trace.name, len(trace.x)) for trace in figure.data] == [("Encoder", 1), ("Cross", 2)]
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert "<" not in figure.data[0].text[0]
    assert len(figures.points([], names=names, labels=[]).data) == 0
