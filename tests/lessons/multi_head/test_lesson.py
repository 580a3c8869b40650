"""The heads' lesson on a tiny random model: maps, the inside of a head, summaries, an untrained layer."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from explorer.inference.translator.translate import InputRefused, load
from explorer.lessons import multi_head as lesson, translator
from explorer.lessons.multi_head import (
    Params,
    Result,
    View,
    ablation,
    aggregates,
    effects,
    inside,
    readings,
    state,
    untrained,
    wording,
)
from explorer.nn.attention import MultiHeadAttention
from explorer.records.heads import MEASURES, HeadName, Part
from explorer.records.language import speaking
from explorer.records.wording import said_strongest
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.support.figures import CHINESE

TEXT = "The doggish cat saw the cat."
SITES: tuple[Part, ...] = ("encoder", "decoder", "cross")
LOUD = 0.4


def write_loud(folder: Path) -> None:
    """A tiny model with biases, and so far from symmetric that every head differs."""
    model = tiny_model(tiny_tokenizer().vocab_size)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(LOUD * torch.randn_like(parameter))
    write(folder, model)


@pytest.fixture(scope="module")
def params(tmp_path_factory: pytest.TempPathFactory) -> Params:
    where = tmp_path_factory.mktemp("heads") / "tiny"
    write_loud(where)
    return Params(text=TEXT, beam=2, checkpoint=str(where))


@pytest.fixture(scope="module")
def result(params: Params) -> Result:
    return lesson.compute(params)


def views(result: Result) -> list[View]:
    return [
        state.clamp_view(result, View(site=site, layer=layer, head=head, query=query, key=key))
        for site in SITES
        for layer in range(result.n_layers(site))
        for head in range(result.n_heads)
        for query in (0, 2, 99)
        for key in (0, 1, 99)
    ]


def test_a_journey_is_what_the_trace_has_and_asks_nothing_that_is_hidden(result: Result) -> None:
    for view in views(result):
        found = inside.journey(result, view)
        record = result.trace.layers(view.site)[view.layer]
        row, scores = record.weights[view.head, view.query], result.inputs[record.site].scores[view.head, view.query]
        free = np.ones(len(row), bool) if record.allowed is None else record.allowed[view.query]
        assert (found.asker, len(found.words)) == (record.query_labels[view.query], int(free.sum()))
        np.testing.assert_allclose(found.attention.weights[0, 0], row[free], atol=1e-6)
        np.testing.assert_allclose(found.scores[0], scores[free], rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(found.output[0], row[free] @ found.value, rtol=1e-5, atol=1e-6)


def test_the_translation_is_that_of_the_translators_page(params: Params, result: Result) -> None:
    theirs = translator.compute(params)
    assert result.translation.candidates == theirs.translation.candidates
    for mine, other in zip(result.trace.attentions, theirs.trace.attentions, strict=True):
        assert mine.site == other.site
        assert np.array_equal(mine.weights, other.weights)
    assert len(result.source_ids) == len(result.trace.source.labels)
    assert len(result.target_ids) == len(result.trace.written.labels)
    assert set(result.inputs) == {record.site for record in result.trace.attentions}


def test_every_head_is_measured_once_in_order(result: Result) -> None:
    assert len(result.measures) == 2 * (2 + 2 + 2)
    names = [row.head for row in result.measures]
    assert [name.part for name in names] == ["encoder"] * 4 + ["decoder"] * 4 + ["cross"] * 4
    assert [(name.layer, name.head) for name in names] == [(0, 0), (0, 1), (1, 0), (1, 1)] * 3
    for row in result.measures:
        weights = result.trace.attention(row.head.site).weights[row.head.head].astype(np.float64)
        rows = weights[1:] if row.head.part == "decoder" else weights
        nats = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(-1)
        assert row.entropy == pytest.approx(nats.mean(), abs=1e-6)
        assert row.largest == pytest.approx(rows.max(-1).mean(), abs=1e-6)
        assert math.isnan(row.diagonal) == (row.head.part != "cross")
        assert math.isnan(row.previous) == (row.head.part == "cross")
        assert state.measure_head(result, row.head) is row
    special = [row.special for row in result.measures if row.head.part == "encoder"]
    weights = result.trace.attention("encoder.layers.0.self").weights
    assert special[0] == pytest.approx(weights[0, :, -1].mean(), abs=1e-6)


def test_the_product_adds_up_to_the_score_of_the_map(result: Result) -> None:
    for view in views(result):
        pair = inside.inside(result, view)
        assert pair.product == pytest.approx(pair.query * pair.key)
        assert pair.score == pytest.approx(float(pair.product.sum()) / math.sqrt(pair.d_key), abs=1e-5)
        assert pair.score == pytest.approx(pair.traced_score, abs=1e-5)
        seen = np.isfinite(pair.row_scores)
        softmax = np.exp(pair.row_scores[seen] - pair.row_scores[seen].max())
        assert pair.row_weights[seen] == pytest.approx(softmax / softmax.sum(), abs=1e-5)
        assert not pair.row_weights[~seen].any()
        assert (pair.key_label, pair.weight) == (pair.key_labels[view.key], pytest.approx(pair.row_weights[view.key]))
        future = view.site == "decoder" and view.key > view.query
        assert (not seen[view.key]) == future
        assert ("The mask forbids" in readings.describe_inside(pair, view.key)) == future


def test_what_the_heads_add_is_the_output(result: Result) -> None:
    for site in SITES:
        for layer in range(2):
            view = View(site=site, layer=layer)
            record, found = state.viewed_attention(result, view), inside.contributions(result, view)
            module = _module(result, HeadName(part=site, layer=layer, head=0))
            read = result.inputs[record.site]
            device = module.query.weight.device
            asking, asked = (
                torch.from_numpy(each.copy()).to(device)[None] for each in (read.query_input, read.context)
            )
            allowed = None if record.allowed is None else torch.from_numpy(record.allowed.copy()).to(device)
            with torch.inference_mode():
                whole = module(asking, asked, allowed).output[0].cpu().numpy()
            assert found.share.sum(0) + found.bias_share == pytest.approx(np.ones(len(whole)), abs=1e-5)
            # With norm and cosine the shares say the same: share = norm · cosine / whole.
            assert found.norm * found.cosine / np.linalg.norm(whole, axis=-1) == pytest.approx(found.share, abs=1e-4)
            assert np.abs(found.cosine).max() <= 1 + 1e-6
            assert found.bias_norm > 0


def _module(result: Result, name: HeadName) -> MultiHeadAttention:
    model: nn.Module = load(result.params.checkpoint).prepared.model
    end = "cross_attention" if name.part == "cross" else "self_attention"
    found = model.get_submodule(name.site.rsplit(".", 1)[0] + "." + end)
    assert isinstance(found, MultiHeadAttention)
    return found


@pytest.mark.parametrize("site", SITES)
def test_shapes_are_the_readers_numbers(result: Result, site: Part) -> None:
    steps = {step.symbol: step for step in inside.shapes(result, View(site=site))}
    heads, n, m = state.viewed_attention(result, View(site=site)).weights.shape
    assert steps["X"].sizes == (n, 16)
    assert steps["K"].sizes == (heads, m, 8)
    assert steps["softmax"].sizes == (heads, n, m)
    assert steps["concat"].sizes == steps["output"].sizes == (n, 16)
    assert {name for name, step in steps.items() if step.learned} == {"W_Q", "W_K", "W_V", "W_O"}
    assert all(len(step.axes) == len(step.sizes) for step in steps.values())


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("hide", [False, True])
@pytest.mark.parametrize("kind", state.AGGREGATES)
def test_every_view_is_drawable(result: Result, site: Part, merge: bool, hide: bool, kind: state.Aggregate) -> None:
    view = View(site=site, layer=1, head=1, merge=merge, hide=hide, aggregate=kind, query=2)
    record = state.viewed_attention(result, view)
    assert record.n_heads == 2
    assert np.array_equal(state.one_head(result, view).weights[0], record.weights[1])
    assert ("</s>" in record.key_labels or "<s>" in record.key_labels) != hide
    row = state.shown_row(result, view)
    assert row is None or 0 <= row < len(record.query_labels)
    found = aggregates.aggregate(result, view)
    assert (
        found.weights.shape
        == (len(found.query_labels), len(found.key_labels))
        == ((1, len(result.trace.layers(site)[0].key_labels)) if kind == "flow" else record.weights.shape[1:])
    )
    assert (found.record is None) == (kind in ("max", "flow"))
    assert readings.describe_aggregate(found, kind)


def test_aggregates_are_what_they_say(result: Result) -> None:
    for site in SITES:
        view, layers = View(site=site, layer=1), np.stack([each.weights for each in result.trace.layers(site)])
        assert aggregates.aggregate(result, view).weights == pytest.approx(layers[1].mean(0), abs=1e-6)
        assert aggregates.aggregate(result, replace(view, aggregate="max")).weights == pytest.approx(layers[1].max(0))
        whole = aggregates.aggregate(result, replace(view, aggregate="layers")).weights
        assert whole == pytest.approx(layers.mean((0, 1)), abs=1e-6)
    half = [(each.weights.mean(0) + np.eye(each.weights.shape[1])) / 2 for each in result.trace.layers("encoder")]
    assert aggregates.aggregate(result, View(aggregate="rollout")).weights == pytest.approx(half[1] @ half[0], abs=1e-6)
    crossed = aggregates.aggregate(result, View(site="cross", aggregate="rollout"))
    assert crossed.sums == pytest.approx(np.ones(len(crossed.sums)), abs=1e-5)
    assert crossed.query_labels == result.trace.written.labels


def test_the_overview_is_every_attention_of_the_sites(result: Result) -> None:
    assert [record.site for record in state.overview(result, View())] == [
        *(f"encoder.layers.{i}.self" for i in range(2)),
        *(f"decoder.layers.{i}.self" for i in range(2)),
        *(f"decoder.layers.{i}.cross" for i in range(2)),
    ]
    merged = state.overview(result, View(merge=True), sites=("cross",))
    assert {record.key_labels for record in merged} == {result.trace.source.word_labels}


def test_beyond_the_model_is_clamped(result: Result) -> None:
    for site in SITES:
        far = View(site=site, layer=99, head=99, query=10**9, key=10**9)
        near = state.clamp_view(result, far)
        assert (near.layer, near.head) == (1, 1)
        assert state.clamp_view(result, View(site=site, layer=-5, head=-5, query=-5, key=-5)) == View(site=site)
        assert near.name == HeadName(part=site, layer=1, head=1)
        assert inside.inside(result, near).key_label == state.viewed_attention(result, near).key_labels[-1]


def test_an_untrained_layer_reads_the_same_tokens(params: Params, result: Result) -> None:
    fresh = untrained.attend_untrained(untrained.UntrainedParams(params=params, d_model=32, n_heads=4, seed=5))
    again = untrained.attend_untrained(untrained.UntrainedParams(params=params, d_model=32, n_heads=4, seed=5))
    other = untrained.attend_untrained(untrained.UntrainedParams(params=params, d_model=32, n_heads=4, seed=6))
    labels = result.trace.source.labels
    assert fresh.record.query_labels == fresh.record.key_labels == labels
    assert fresh.record.weights.shape == (4, len(labels), len(labels))
    assert np.array_equal(fresh.record.weights, again.record.weights)
    assert not np.array_equal(fresh.record.weights, other.record.weights)
    assert [row.head.head for row in fresh.measures] == [0, 1, 2, 3]
    assert (fresh.record.provenance.seed, fresh.record.provenance.model) == (5, "")
    rows = untrained.comparison(result, fresh, 1)
    assert {row.measure for row in rows} == set(MEASURES) - {"diagonal"}
    trained = [row.entropy for row in result.measures if (row.head.part, row.head.layer) == ("encoder", 1)]
    assert rows[0].trained == pytest.approx(np.mean(trained))
    assert rows[0].untrained == pytest.approx(np.mean([row.entropy for row in fresh.measures]))
    assert f"over {np.mean([row.effective for row in fresh.measures]):.1f} untrained" in readings.describe_untrained(
        result, fresh, 0
    )


def test_untrained_numbers_are_clamped_to_what_fits() -> None:
    for d_model in (-5, 0, 100, 10**9):
        for n_heads in (-5, 0, 3, 7, 10**9):
            chosen = untrained.UntrainedParams(d_model=d_model, n_heads=n_heads, seed=-1)
            assert chosen.d_model in untrained.WIDTHS
            assert chosen.n_heads in untrained.HEADS
            assert chosen.d_model % chosen.n_heads == 0
            assert chosen.seed == 0


def test_a_reading_says_the_numbers(result: Result) -> None:
    table = readings.describe_table(result)
    assert wording.head_title(min(result.measures, key=lambda row: row.entropy).head) in table
    for view in views(result):
        found = inside.contributions(result, view)
        shares = found.share[:, view.query]
        assert f"head {shares.argmax()} adds most: {shares.max():.1%}" in readings.describe_contributions(
            found, view.query
        )


def _readings(result: Result, view: View) -> list[str]:
    pair, added = inside.inside(result, view), inside.contributions(result, view)
    return [
        readings.describe_table(result),
        readings.describe_inside(pair, view.key),
        readings.describe_contributions(added, view.query),
    ]


def test_readings_and_words_speak_the_readers_language(result: Result, params: Params) -> None:
    fresh = untrained.attend_untrained(untrained.UntrainedParams(params=params))
    with speaking("zh"):
        for kind in state.AGGREGATES:
            assert re.search(
                CHINESE, readings.describe_aggregate(aggregates.aggregate(result, View(aggregate=kind)), kind)
            )
        for said in _readings(result, View()):
            assert re.search(CHINESE, said)
        assert re.search(CHINESE, readings.describe_untrained(result, fresh, 0))
        for name in ("previous", "same", "next", "first", "punctuation", "special", "diagonal", "broad", "sharp"):
            assert re.search(CHINESE, wording.label_name(name))
            assert re.search(CHINESE, wording.label_rule(name))
        assert wording.head_title(HeadName(part="cross", layer=1, head=0)) == "交叉注意力，层 1，头 0"


@pytest.mark.parametrize("text", ["", " \n\t", "​", "\x00\x07", "x" * 5_000, "cat " * 3_000])
def test_refusals_reach_the_caller(params: Params, text: str) -> None:
    asked = replace(params, text=text)
    for call in (lesson.compute, effects.effects):
        with pytest.raises(InputRefused):
            call(asked)
    with pytest.raises(InputRefused):
        ablation.ablate(ablation.AblationParams(params=asked))
    with pytest.raises(InputRefused):
        next(ablation.sweep(ablation.SweepParams(params=asked)))
    with pytest.raises(InputRefused):
        untrained.attend_untrained(untrained.UntrainedParams(params=asked))


@pytest.mark.parametrize(
    "text", [".", "😀", "<script>alert(1)</script>", "日本 \u202e العربية", "$x$ `a` *b*", "NaN", "the " * 40]
)
def test_absurd_input_is_answered(params: Params, text: str) -> None:
    result = lesson.compute(replace(params, text=text))
    for site in SITES:
        for kind in state.AGGREGATES:
            view = View(site=site, aggregate=kind, hide=True, merge=True)
            assert readings.describe_aggregate(aggregates.aggregate(result, view), kind)
        assert said_strongest(state.one_head(result, view))
        assert all(_readings(result, view))
