"""The batch, its masks, and what becomes of a query that may see nothing."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from explorer.attention.masking import causal, window
from explorer.lessons import masked_softmax as lesson
from explorer.lessons.masked_softmax import Params, View, batch, readings, rows as rows_of_lesson
from explorer.lessons.masked_softmax.compute import sentence as sentence_of_lesson

DOGS = (("the", "cat", "saw", "the", "dog"), ("birds", "sing"), ("a", "b", "c"))


def test_parameters_are_clamped_to_what_can_be_shown() -> None:
    wide = Params(
        sentences=(("w" * 99,) * 40, (), ("a",), ("b",), ("c",), ("d",)),
        lengths=((99,), (-4, 3)),
        window=99,
        hand=((0, 0), (15, 15), (16, 0), (-1, 2), (0, 0)),
    )
    assert [len(sentence) for sentence in wide.sentences] == [16, 1, 1, 1]
    assert len(wide.sentences[0][0]) == 24
    assert wide.lengths == ((16,), (0, 3))
    assert wide.window == 16
    assert Params(window=-3).window == 0
    assert wide.hand == ((0, 0), (15, 15))


def test_a_batch_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one sentence"):
        Params(sentences=((), ()))


def test_sentences_are_split_at_spaces_and_chinese_characters() -> None:
    assert batch.words("  the cat\tsat ") == ("the", "cat", "sat")
    assert batch.words("我爱 attention机制") == ("我", "爱", "attention", "机", "制")
    assert batch.words("\u200b") == ("\u200b",)
    assert batch.words(" \n") == ()


@pytest.mark.parametrize("left", [False, True])
def test_padding_is_forbidden_on_its_side(left: bool) -> None:
    result = lesson.compute(Params(sentences=DOGS, left=left))
    mask = result.masks[1]
    assert mask.key_labels == (("‹pad›",) * 3 + DOGS[1] if left else DOGS[1] + ("‹pad›",) * 3)
    expected = np.array([label != "‹pad›" for label in mask.key_labels])
    assert (mask.allowed == expected).all()
    assert sentence_of_lesson(mask) == "birds sing"


def test_lengths_by_sentence_and_by_query() -> None:
    result = lesson.compute(Params(sentences=DOGS, lengths=((3,), (1, 2, 5), ())))
    assert result.masks[0].allowed.sum(-1).tolist() == [3] * 5
    assert result.masks[1].allowed.sum(-1).tolist() == [1, 2, 5, 2, 2], "queries without a number keep the words"
    assert result.masks[2].allowed.sum(-1).tolist() == [3] * 5


def test_rules_combine_and_the_hand_comes_last() -> None:
    params = Params(sentences=DOGS, causal=True, window=2, hand=((0, 4), (3, 3)))
    mask = lesson.compute(params).masks[0]
    expected = (causal(5, 5) & window(5, 5, 2)).numpy()
    expected[0, 4], expected[3, 3] = True, False
    assert np.array_equal(mask.allowed, expected)
    assert mask.reasons(3, 3) == ("hand",)
    assert mask.reasons(0, 3) == ("future", "window")
    assert set(mask.forbidden_by) == {"padding", "future", "window"}


def test_no_window_and_the_widest_forbid_nothing() -> None:
    assert "window" not in lesson.compute(Params(sentences=DOGS, window=0)).masks[0].forbidden_by
    assert not lesson.compute(Params(sentences=DOGS, window=5)).masks[0].forbidden_by["window"].any()
    assert lesson.compute(Params(sentences=DOGS, window=4)).masks[0].forbidden_by["window"].any()


def test_the_figures_show_what_attention_computes() -> None:
    """Recomputed without the project: softmax over the allowed keys, weights times values."""
    params = Params(sentences=DOGS, causal=True, seed=3)
    result = lesson.compute(params)
    inputs = batch.project(batch.pad(params.sentences, left=False), 3, 16)
    scores = (inputs.query @ inputs.key.transpose(1, 2)) / 4
    np.testing.assert_allclose(result.scores, scores, atol=1e-6)
    for row, mask in enumerate(result.masks):
        exponentials = np.exp(result.scores[row].astype(np.float64)) * mask.allowed
        expected = exponentials / exponentials.sum(-1, keepdims=True)
        np.testing.assert_allclose(result.records[row].weights[0], expected, atol=1e-6)
        np.testing.assert_allclose(result.outputs[row], expected @ inputs.value[row].numpy(), atol=1e-5)


def test_equal_words_have_equal_scores_and_the_seed_and_spelling_decide() -> None:
    scores = lesson.compute(Params(sentences=DOGS)).scores[0]
    np.testing.assert_array_equal(scores[0], scores[3])
    np.testing.assert_array_equal(scores[:, 0], scores[:, 3])
    assert not np.allclose(scores[0], scores[1])
    assert not np.allclose(scores, lesson.compute(Params(sentences=DOGS, seed=1)).scores[0])
    longer = lesson.compute(Params(sentences=((*DOGS[0], "ran"),))).scores[0]
    np.testing.assert_allclose(longer[:5, :5], scores, atol=1e-6, err_msg="a further word changed the others")


def test_a_blind_query_in_each_way() -> None:
    """Known at torch 2.13: fused attention answers 0, nn.MultiheadAttention with weights NaN."""
    result = lesson.compute(Params(sentences=DOGS))
    for row, query in ((0, 0), (1, 4)):
        rows = rows_of_lesson.fully_masked_rows(result, View(batch=row, query=query))
        found = dict(zip(rows.ways, rows.weights, strict=True))
        assert (found["masked_softmax"] == 0).all()
        assert (found["SDPA"] == 0).all()
        assert np.isnan(found["MHA"]).all()
        assert (found["MHA no weights"] == 0).all()
        assert found["fill -1e6"] == pytest.approx(np.full(5, 0.2), abs=1e-6)
        assert found["fill finfo.min"] == pytest.approx(np.full(5, 0.2), abs=1e-6)
        assert np.isnan(found["fill -inf"]).all()


def test_nan_reaches_every_row_of_the_next_layer() -> None:
    result = lesson.compute(Params(sentences=DOGS))
    rows = rows_of_lesson.fully_masked_rows(result, View(query=2))
    spoilt = dict(zip(rows.ways, rows.facts["NaN rows after one more layer"], strict=True))
    assert spoilt["MHA"] == spoilt["fill -inf"] == 5
    assert {spoilt[way] for way in rows.ways if way not in {"MHA", "fill -inf"}} == {0}
    finite = dict(zip(rows.ways, rows.facts["finite gradient"], strict=True))
    assert finite["masked_softmax"]
    assert not finite["MHA"]


def test_only_the_blinded_query_is_blind() -> None:
    """The weights of query i come from the case in which query i, and no other, lost its keys."""
    params = Params(sentences=DOGS)
    inputs = batch.project(batch.pad(params.sentences, left=False), 0, 16)
    allowed = torch.from_numpy(np.stack([mask.allowed for mask in lesson.compute(params).masks]))
    blinded = allowed.clone()
    blinded[:, 3] = False
    output = F.scaled_dot_product_attention(*inputs, attn_mask=blinded)
    assert (output[:, 3] == 0).all()
    assert (output[:, 2] != 0).any()
    assert (lesson.compute(params).blind.weights[0, :, 3] == 0).all()


@pytest.mark.parametrize("added", [False, True])
def test_fills_under_a_mask_all_agree(added: bool) -> None:
    result = lesson.compute(Params(sentences=DOGS))
    rows = rows_of_lesson.fill_rows(result, View(batch=1, query=0, added=added), nothing=False)
    assert len(rows.ways) == 15
    assert (rows.weights[:, 2:] == 0).all()
    np.testing.assert_allclose(rows.weights.sum(-1), 1, atol=1e-2)


def test_fills_with_nothing_allowed_do_not() -> None:
    rows = rows_of_lesson.fill_rows(lesson.compute(Params(sentences=DOGS)), View(query=1), nothing=True)
    found = dict(zip(rows.ways, rows.weights, strict=True))
    nan = {way for way, weights in found.items() if np.isnan(weights).all()}
    assert nan == {"float16 -1e6", "float16 -1e9", "float32 -inf", "bfloat16 -inf", "float16 -inf"}
    assert {way for way, weights in found.items() if (weights == 0).all()} == {
        "float32 ours",
        "bfloat16 ours",
        "float16 ours",
    }
    stored = dict(zip(rows.ways, rows.facts["stored as"], strict=True))
    assert stored["bfloat16 -1e6"] == -999424
    assert stored["float16 -1e6"] == -math.inf
    assert stored["float16 finfo.min"] == -65504


def test_one_mask_in_four_calls() -> None:
    result = lesson.compute(Params(sentences=DOGS, causal=True))
    rows = rows_of_lesson.convention_rows(result, View(query=2))
    differences = dict(zip(rows.ways, rows.facts["largest difference"], strict=True))
    assert differences["ours(allowed)"] < 1e-6
    assert differences["SDPA(allowed)"] < 1e-6
    assert differences["MHA(~allowed)"] < 1e-6
    assert not differences["MHA(allowed)"] < 0.1
    assert rows.weights[3, 0] == 0, "turned round, the past is forbidden"


def test_the_blind_row_of_a_left_padded_causal_batch_gets_output_0() -> None:
    result = lesson.compute(Params(sentences=DOGS, left=True, causal=True))
    assert result.masks[1].blind.tolist() == [0, 1, 2]
    assert (result.outputs[1, :3] == 0).all()
    assert (result.records[1].weights[0, :3] == 0).all()
    assert "may see nothing: 3" in readings.describe_weights(result, View(batch=1))


def test_the_padding_is_told_by_its_name() -> None:
    result, view = lesson.compute(Params(padding=False)), View(batch=1)
    for said in (readings.describe_weights(result, view), readings.describe_blind(result, View(batch=1, query=4))):
        assert "‹pad›" not in said


def test_readings_say_the_numbers() -> None:
    result, view = lesson.compute(Params(sentences=DOGS)), View(batch=1)
    assert readings.describe_mask(result, view) == "10 of 25 cells are allowed: padding forbids 15. Rules may overlap."
    assert readings.describe_mask(lesson.compute(Params(padding=False)), View()) == "25 of 25 cells are allowed."
    weights = result.records[1].weights[0]
    assert f"{weights.max():.3f}" in readings.describe_weights(result, view)
    assert "weigh 0" in readings.describe_weights(result, view)
    blind = readings.describe_blind(result, view)
    assert "NaN from PyTorch’s layer; filled with −∞" in blind
    assert "5 of 5 rows" in blind
    assert "1/5" in blind
    assert "exactly 0 in all 15 rows" in readings.describe_fills(result, view, nothing=False)
    assert "whole" in readings.describe_fills(result, View(), nothing=False)
    assert "**7** share" in readings.describe_fills(result, view, nothing=True)
    assert "**5** give NaN" in readings.describe_fills(result, view, nothing=True)
    added = readings.describe_fills(result, View(batch=1, added=True), nothing=True)
    assert "Nearly as if nothing were forbidden: float32, −10⁶" in added
    assert "NaN" in readings.describe_conventions(result, View())
    assert "moves a weight of some row by" in readings.describe_conventions(result, view)
    low, high = result.scores[1].min(), result.scores[1].max()
    assert f"{low:.2f} to {high:.2f}" in readings.describe_scores(result, view)


@pytest.mark.parametrize("word", ["<b>", "%{x}", "{query}", "💥", "\ud800", "‹pad›", "x" * 400])
def test_any_word_can_stand_in_the_batch(word: str) -> None:
    result = lesson.compute(Params(sentences=((word, "a", word),), causal=True))
    view = View(query=2)
    for reading in (
        readings.describe_scores,
        readings.describe_mask,
        readings.describe_weights,
        readings.describe_blind,
    ):
        assert reading(result, view)
    assert np.array_equal(result.scores[0][0], result.scores[0][2])


def test_a_single_key_is_not_said_to_share() -> None:
    result, view = lesson.compute(Params(sentences=(("a",),))), View()
    assert "1 for the only key" in readings.describe_blind(result, view)
    for said in (readings.describe_blind(result, view), readings.describe_fills(result, view, nothing=True)):
        assert "1/1" not in said


def test_readings_count_the_rows_and_name_the_worst() -> None:
    result, view = lesson.compute(Params(sentences=DOGS, causal=True)), View(batch=1)
    allowed, best = result.masks[1].allowed, result.scores[1].argmax(-1)
    lost = sum(not allowed[row, key] for row, key in enumerate(best))
    assert lost not in {0, len(best) - lost}
    assert f"in {lost} of {len(best)} rows" in readings.describe_scores(result, view)


def test_the_worst_of_the_calls_that_agree_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = SimpleNamespace(facts={"largest difference": (0.0, 1e-7, 3e-7, 0.5)})
    monkeypatch.setattr(readings, "convention_rows", lambda *_: rows)
    said = readings.describe_conventions(lesson.compute(Params(sentences=DOGS)), View())
    assert said == "The first three agree to 3e-07; the mask the wrong way round moves a weight of some row by 0.5."


def test_rows_in_which_pytorchs_layer_makes_nan_are_not_said_to_agree() -> None:
    said = readings.describe_conventions(lesson.compute(Params(sentences=DOGS, left=True, causal=True)), View(batch=1))
    assert "where a query may see a key; of queries that may see none (" in said
    assert "PyTorch’s layer makes NaN" in said


def test_calls_that_see_no_key_do_not_agree() -> None:
    result = lesson.compute(Params(sentences=DOGS, lengths=((0,), (0,))))
    assert not result.masks[0].allowed.any()
    assert readings.describe_conventions(result, View()).startswith(
        "No query may see any key: this app and PyTorch’s function give 0"
    )
