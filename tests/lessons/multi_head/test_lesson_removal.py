"""The heads' lesson: what becomes of a translation when heads, or source tokens, are taken away."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
import torch

from explorer.inference.engine.prepared import NO_TAG
from explorer.inference.translator.ablation import next_token_logs, remove_heads, score_written
from explorer.inference.translator.trace import token_row
from explorer.inference.translator.translate import load
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import Params, Result, View, ablation, effects, removal_readings, resting, wording
from explorer.lessons.multi_head.ablation import AblationParams, SweepParams
from explorer.records.ablation import AblationSweepRecord, EffectRecord
from explorer.records.heads import HeadName, head_names
from explorer.records.language import speaking
from explorer.records.sequence import match_tokens
from explorer.records.wording import said_change, times
from tests.lessons.multi_head.test_lesson import TEXT, write_loud
from tests.support.figures import CHINESE


@pytest.fixture(scope="module")
def params(tmp_path_factory: pytest.TempPathFactory) -> Params:
    where: Path = tmp_path_factory.mktemp("removal") / "tiny"
    write_loud(where)
    return Params(text=TEXT, beam=2, checkpoint=str(where))


@pytest.fixture(scope="module")
def result(params: Params) -> Result:
    return lesson.compute(params)


@pytest.fixture(scope="module")
def swept(params: Params) -> list[AblationSweepRecord]:
    return list(ablation.sweep(SweepParams(params=params)))


@pytest.fixture(scope="module")
def effect(params: Params) -> EffectRecord:
    return effects.effects(params)


def weights(params: Params) -> list[torch.Tensor]:
    return [parameter.clone() for parameter in load(params.checkpoint).prepared.model.parameters()]


def test_without_heads_to_take_away_nothing_changes(params: Params, result: Result) -> None:
    record = ablation.ablate(AblationParams(params=params))
    assert record.before == record.after == result.translation.best
    assert not record.change.any()
    assert all(record.before_kept)
    assert record.log_probability_before.sum() == pytest.approx(record.before.log_probability, abs=1e-3)
    assert removal_readings.describe_ablation(record) == "No head is taken away yet: choose some."


def test_heads_are_kept_once_in_order_and_unknown_ones_ignored(params: Params) -> None:
    asked = AblationParams(params=params, heads=head_names("C1.1 E0.0") * 2)
    assert [head.code for head in asked.heads] == ["E0.0", "C1.1"]
    assert asked == AblationParams(params=params, heads=head_names("E0.0 C1.1"))
    record = ablation.ablate(replace(asked, heads=head_names("E0.0 C1.1 E7.0 D0.9")))
    assert [head.code for head in record.heads] == ["E0.0", "C1.1"]


def test_without_heads_too_no_letter_of_a_foreign_script_is_written(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, whole = AblationParams(params=params, heads=head_names("C0.0")), load(params.checkpoint)
    first = ablation.ablate(asked).after.ids[0]
    barred = replace(whole, prepared=replace(whole.prepared, barred={NO_TAG: (first,)}))
    monkeypatch.setattr(ablation, "load", lambda _: barred)
    assert first not in ablation.ablate(asked).after.ids


@pytest.mark.parametrize("how", ["off", "uniform"])
def test_an_ablation_is_the_edited_model_s(params: Params, result: Result, how: str) -> None:
    heads, before = head_names("C0.0 C0.1 C1.0 D1.1"), weights(params)
    record = ablation.ablate(AblationParams(params=params, heads=heads, how=how))  # type: ignore[arg-type]
    private = remove_heads(load(params.checkpoint).prepared.model, heads, how)  # type: ignore[arg-type]
    for ids, found in (
        (record.after.ids, np.array([record.after.log_probability])),
        (record.before.ids, record.log_probability_after.sum(keepdims=True)),
    ):
        logs = score_written(next_token_logs(private, result.source_ids, ids), ids)
        assert float(logs.sum()) == pytest.approx(float(found[0]), abs=1e-3)
    assert record.total_change == pytest.approx(float(record.change.sum()), abs=1e-4)
    assert said_change(record.total_change, strong=True) in removal_readings.describe_ablation(record)
    assert ("stays the same" in removal_readings.describe_ablation(record)) == (
        record.before.labels == record.after.labels
    )
    assert all(torch.equal(a, b) for a, b in zip(before, weights(params), strict=True))


def test_tokens_are_matched_in_order() -> None:
    assert match_tokens(tuple("abcd"), tuple("axcdd")) == (
        (True, False, True, True),
        (True, False, True, True, False),
    )
    assert match_tokens((), ("a",)) == ((), (False,))
    before, after = match_tokens(tuple("abab" * 80), tuple("baba" * 80))
    assert before.count(True) == after.count(True)


def test_a_sweep_fills_the_map_cell_by_cell(swept: list[AblationSweepRecord]) -> None:
    assert [record.done for record in swept] == list(range(1, 13))
    assert {record.total for record in swept} == {12}
    for record in swept:
        assert np.isfinite(record.change).sum() == np.isfinite(record.flips).sum() == record.done
        assert np.isfinite(record.change).ravel()[: record.done].all()
        assert ("Measured so far" in removal_readings.describe_sweep(record)) == (record.done < 12)


def test_a_cell_of_the_sweep_is_the_ablation_of_that_head(
    params: Params, result: Result, swept: list[AblationSweepRecord]
) -> None:
    last = swept[-1]
    for row in range(len(last.sites)):
        column = row % 2
        alone = ablation.ablate(AblationParams(params=params, heads=(last.head(row, column),)))
        assert result.trace.written.add_pieces(last.token_change[row, column]) == pytest.approx(alone.change, abs=1e-4)
        assert last.change[row, column] == pytest.approx(alone.total_change, abs=1e-3)
    worst = np.unravel_index(last.change.argmin(), last.change.shape)
    assert wording.head_title(last.head(int(worst[0]), int(worst[1]))) in removal_readings.describe_sweep(last)


def test_flips_are_the_positions_with_another_likeliest_token(params: Params, result: Result) -> None:
    *_, last = ablation.sweep(SweepParams(params=params, how="uniform"))
    model = load(params.checkpoint).prepared.model
    whole = next_token_logs(model, result.source_ids, result.target_ids).argmax(-1)
    for row in range(len(last.sites)):
        private = remove_heads(model, [last.head(row, 1)], "uniform")
        other = next_token_logs(private, result.source_ids, result.target_ids).argmax(-1)
        assert last.flips[row, 1] == int((whole != other).sum())


def test_a_sweep_that_is_stopped_leaves_the_model_as_it_was(params: Params) -> None:
    before = weights(params)
    running = ablation.sweep(SweepParams(params=params))
    next(running)
    running.close()
    assert all(torch.equal(a, b) for a, b in zip(before, weights(params), strict=True))


def test_an_effect_is_the_fall_without_that_token(params: Params, result: Result, effect: EffectRecord) -> None:
    model, n = load(params.checkpoint).prepared.model, len(result.source_ids)
    assert effect.drop.shape == (len(result.target_ids), n)
    whole = score_written(next_token_logs(model, result.source_ids, result.target_ids), result.target_ids)[0]
    for column in range(n):
        seen = torch.ones(1, n, dtype=torch.bool)
        seen[0, column] = False
        without = next_token_logs(model, result.source_ids, result.target_ids, source_allowed=seen)
        expected = (whole - score_written(without, result.target_ids)[0]).cpu().numpy()
        assert effect.drop[:, column] == pytest.approx(expected, abs=1e-4)


def test_effects_come_in_parts(params: Params, effect: EffectRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "POSITIONS_PER_STEP", 1)
    parts = list(effects.measure_effects(params))
    n = len(effect.key_labels)
    assert [part.done for part in parts] == list(range(1, n + 1))
    for part in parts:
        assert np.isfinite(part.drop).all(0).tolist() == [True] * part.done + [False] * (n - part.done)
    assert parts[-1].drop == pytest.approx(effect.drop, abs=1e-4)


def test_agreement_is_spearmans(result: Result, effect: EffectRecord) -> None:
    view = View(site="cross", layer=1, head=1, query=2)
    found = {each.name: each for each in effects.agreements(result, effect, view)}
    assert list(found) == ["mean", "max", "layers", "rollout"]
    crossed = result.trace.attention("decoder.layers.1.cross").weights
    for name, rows in (("mean", crossed.mean(0)), ("max", crossed.max(0))):
        each = [scipy.stats.spearmanr(row, fall).statistic for row, fall in zip(rows, effect.drop, strict=True)]
        assert found[name].here == pytest.approx(each[2])
        assert found[name].mean == pytest.approx(np.nanmean(each))
        assert found[name].tokens == len(each)
        alike = [row.argmax() == fall.argmax() for row, fall in zip(rows, effect.drop, strict=True)]
        assert found[name].top == pytest.approx(np.mean(alike))
    said = removal_readings.describe_effect(result, effect, view)
    assert f"it becomes {said_change(-float(effect.drop[2].max()), strong=True)}." in said
    looked = crossed.mean(0)[2]
    assert f"looks most at “{effect.key_labels[looked.argmax()]}” (**{looked.max():.2f}**)" in said
    assert f"of both orders is {found['mean'].here:.2f}." in said
    other = removal_readings.describe_effect(result, effect, replace(view, aggregate="flow"))
    assert other.endswith("likely."), "flow gives one row only: nothing is compared with it"
    assert all(-1 - 1e-9 <= each.here <= 1 + 1e-9 for each in found.values())


def test_a_partial_effect_has_no_order_yet(params: Params, result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "POSITIONS_PER_STEP", 1)
    first = next(effects.measure_effects(params))
    for each in effects.agreements(result, first, View(site="cross")):
        assert math.isnan(each.here)
        assert (math.isnan(each.mean), each.tokens) == (True, 0)
    assert "rank correlation" not in removal_readings.describe_effect(result, first, View(site="cross"))


def test_readings_speak_the_readers_language(
    params: Params, result: Result, swept: list[AblationSweepRecord], effect: EffectRecord
) -> None:
    head = HeadName(part="cross", layer=0, head=0)
    records = [ablation.ablate(AblationParams(params=params, heads=heads)) for heads in ((), (head,))]
    with speaking("zh"):
        said = [*map(removal_readings.describe_ablation, records), removal_readings.describe_sweep(swept[0])]
        said.append(removal_readings.describe_effect(result, effect, View()))
    assert all(re.search(CHINESE, each) for each in said), said


def test_nobody_may_look_at_the_end_in_encoder_and_decoder(params: Params, result: Result) -> None:
    record = resting.hide_end(params)
    assert record.before == result.translation.best
    model, ids = load(params.checkpoint).prepared.model, result.source_ids
    seen = torch.ones(1, len(ids), dtype=torch.bool)
    seen[0, -1] = False
    logs = [
        score_written(next_token_logs(model, ids, record.before.ids, source_allowed=each), record.before.ids)[0]
        for each in (torch.ones_like(seen), seen)
    ]
    assert record.end_lost == pytest.approx(float((logs[0][-1] - logs[1][-1]).exp()), rel=1e-4)
    again = score_written(next_token_logs(model, ids, record.after.ids, source_allowed=seen), record.after.ids)
    assert float(again.sum()) == pytest.approx(record.after.log_probability, abs=1e-3)
    tokenizer = load(params.checkpoint).tokenizer
    words = [token_row(tokenizer, each.ids).word_labels for each in (record.before, record.after)]
    assert [record.before_words, record.after_words] == words
    assert record.after_kept == match_tokens(*words)[1]


def test_the_shipped_translator_goes_on_when_it_may_not_look_at_the_end() -> None:
    record = resting.hide_end(Params())
    assert record.goes_on
    assert not record.after.finished
    assert record.end_lost > 100


def test_readings_say_what_was_lost(params: Params, swept: list[AblationSweepRecord]) -> None:
    record = ablation.ablate(AblationParams(params=params, heads=head_names("C0.0 C0.1 C1.0 C1.1")))
    said = removal_readings.describe_ablation(record)
    assert record.change.min() < -0.1
    assert f"**{times(math.exp(-record.total_change))}** times less likely." in said
    assert f"Lost words: {record.before_kept.count(False)};" in said
    last = swept[-1]
    said = removal_readings.describe_sweep(last)
    assert f"**{times(math.exp(-last.change.min()))}** times less likely." in said
    needless = removal_readings.describe_sweep(replace(last, token_change=np.abs(last.token_change)))
    assert needless.startswith("No head is needed alone"), "none is named"
