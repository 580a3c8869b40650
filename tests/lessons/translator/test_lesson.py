"""The translator's lesson on a tiny random model: every view is applied, and the readings say the numbers."""

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from explorer.inference.translator.budget import announcement, budget
from explorer.inference.translator.request import MOST_BEAM
from explorer.inference.translator.translate import InputRefused, load
from explorer.lessons import translator as lesson
from explorer.lessons.translator import Params, Result, View, readings, state
from explorer.lessons.translator.names import name
from explorer.records.heads import Part
from explorer.records.language import speaking
from explorer.records.wording import percent
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.support.figures import CHINESE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("lesson") / "tiny"
    write(where, tiny_model(tiny_tokenizer().vocab_size))
    return where


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return lesson.compute(Params(text="The doggish cat saw.", beam=2, checkpoint=str(folder)))


@pytest.mark.parametrize("site", ["cross", "encoder", "decoder"])
@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("hide", [False, True])
def test_every_view_is_weights(result: Result, site: Part, merge: bool, hide: bool) -> None:
    for layer in range(result.n_layers(site)):
        for head in (0, 1, "mean", "all"):
            view = View(site=site, layer=layer, head=head, merge=merge, hide=hide)  # type: ignore[arg-type]
            record = state.viewed_attention(result, view)
            assert record.layer == layer
            assert record.n_heads == (2 if head == "all" else 1)
            sums = record.weights.sum(-1)
            assert (np.isclose(sums, 1, atol=1e-4) | (sums == 0)).all()
            assert ("merged" in record.provenance.detail) == merge
            assert ("renormalised" in record.provenance.detail) == hide
            assert ("</s>" in record.key_labels or "<s>" in record.key_labels) != hide
            assert readings.describe_map(record)


def test_merging_makes_fewer_and_longer_labels(result: Result) -> None:
    whole = state.viewed_attention(result, View(site="encoder"))
    words = state.viewed_attention(result, View(site="encoder", merge=True))
    assert words.key_labels == ("The", "doggish", "cat", "saw", ".", "</s>")
    assert len(whole.key_labels) > len(words.key_labels)


def test_beyond_the_model_is_clamped(result: Result) -> None:
    near = View(layer=1, head=1, token=len(result.trace.steps) - 1)
    assert state.clamp_view(result, View(layer=99, head=99, token=99)) == near
    assert state.clamp_view(result, View(layer=-5, head=-5, token=-5)) == View(head=0)
    assert state.clamp_view(result, View(layer=99, head="all")) == View(layer=1, head="all")
    assert state.viewed_attention(result, near).site == "decoder.layers.1.cross"


@pytest.mark.parametrize("head", [1, "mean", "all"])
def test_the_selected_row_is_the_row_of_the_map(result: Result, head: int | Literal["mean", "all"]) -> None:
    for position in range(len(result.trace.steps)):
        view = View(layer=1, head=head, token=position)
        row = state.selected_row(result, view)
        whole = result.trace.layers("cross")[1].weights[:, position]
        expected = whole[head] if isinstance(head, int) else whole.mean(0)
        np.testing.assert_allclose(row.weights, expected[None, None], atol=1e-6)
        assert row.query_labels == (result.trace.written.labels[position],)
        assert readings.describe_selected(row)


def test_the_selected_row_is_merged_and_hidden_too(result: Result) -> None:
    row = state.selected_row(result, View(merge=True, hide=True, token=len(result.trace.steps) - 1))
    assert row.key_labels == ("The", "doggish", "cat", "saw", ".")
    assert row.weights.sum() == pytest.approx(1, abs=1e-5)


def test_the_map_says_its_largest_weight(result: Result) -> None:
    record = state.viewed_attention(result, View(layer=1, head=0))
    assert f"{record.weights.max():.2f}" in readings.describe_map(record)


def test_readings_speak_the_readers_language(result: Result) -> None:
    with speaking("zh"):
        for said in (
            readings.describe_translation(result),
            readings.describe_map(state.viewed_attention(result, View())),
            readings.describe_selected(state.selected_row(result, View())),
            readings.describe_alternatives(result.trace.steps[0]),
        ):
            assert re.search(CHINESE, said)


def test_params_are_clamped() -> None:
    assert (Params(beam=0).beam, Params(beam=99).beam) == (1, MOST_BEAM)
    assert (Params(length_penalty=-1.0).length_penalty, Params(length_penalty=9.0).length_penalty) == (0.0, 2.0)


def test_refusals_reach_the_caller(folder: Path) -> None:
    params = Params(checkpoint=str(folder))
    with pytest.raises(InputRefused):
        lesson.compute(replace(params, text=" "))
    with pytest.raises(InputRefused):
        lesson.compute(replace(params, text="x" * 5_000))


def test_the_map_of_all_heads_says_whose_the_strongest_look_is(result: Result) -> None:
    record = state.viewed_attention(result, View(layer=1, head="all"))
    weights, said = record.weights, readings.describe_map(record)
    head = weights.max((1, 2)).argmax()
    assert f"{weights.max():.2f}" in said
    assert f"That is head {head}." in said


def test_the_row_of_the_selected_token_is_followed_through_every_view(result: Result) -> None:
    written, last = result.trace.written, len(result.trace.steps) - 1
    assert state.shown_row(result, View(token=last)) == last
    assert state.shown_row(result, View(token=last, merge=True)) == written.word_of(last)
    assert state.shown_row(result, View(token=0, site="decoder", hide=True)) is None  # <s>
    assert state.shown_row(result, View(token=1, site="decoder", hide=True)) == 0
    assert state.shown_row(result, View(token=1, site="encoder")) is None


def test_a_long_input_is_announced_before_it_is_computed(folder: Path) -> None:
    translator = load(str(folder))
    short, long = (budget(translator, Params(text="cat " * n, checkpoint=str(folder))) for n in (3, 60))
    assert (short.is_long, long.is_long) == (False, True)
    assert long.cells == 2 * (2 + 2 * 2) * long.tokens**2
    assert f"{long.cells:,}" in announcement(long)
    with pytest.raises(InputRefused):
        budget(translator, Params(text=" ", checkpoint=str(folder)))


def test_a_row_without_a_choice_is_not_the_strongest_look(result: Result) -> None:
    record = state.viewed_attention(result, View(site="decoder", layer=0, head=0))
    weights = record.weights[0]
    assert weights[0, 0] == 1
    assert f"with weight **{weights[1:].max():.2f}**." in readings.describe_map(record)


def test_readings_say_how_sure_it_was(result: Result) -> None:
    steps, best, written = result.trace.steps, result.translation.best, result.trace.written
    said = readings.describe_translation(result)
    shares = [math.prod(steps[position].written.probability for position in word) for word in written.words]
    least = shares.index(min(shares))
    assert f"“{name(written.word_labels[least])}”: **{percent(shares[least])}**" in said
    assert f"; a usual one has {percent(math.exp(best.log_probability / len(shares)))}." in said
    for position, step in enumerate(steps):
        record = state.selected_row(result, View(token=position))
        row, selected = np.sort(record.weights[0, 0])[::-1], readings.describe_selected(record)
        assert f"({percent(row[0])})." in selected
        assert f"({percent(row[1])})." in selected
        alternatives = readings.describe_alternatives(step)
        assert f"“{step.written.label}” " in alternatives
        assert f"({percent(step.written.probability)})" in alternatives
        assert ("came second" in alternatives) == (step.chosen == 0)
