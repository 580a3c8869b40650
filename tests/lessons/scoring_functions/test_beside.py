"""Additive beside the scaled dot product: their numbers, their maps, and what is said of them."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from explorer.attention import masking, scoring
from explorer.attention.attend import attend
from explorer.figures.look import Look
from explorer.lessons.scoring_functions import beside, beside_readings, rules
from explorer.lessons.scoring_functions.beside import UNTRAINED, Beside, Points
from explorer.lessons.scoring_functions.figures import beside as figures
from explorer.lessons.scoring_functions.live import beside as plane
from explorer.lessons.scoring_functions.records import BesideRecord
from explorer.lessons.scoring_functions.state import parse_valid_lengths
from explorer.nn.scorers import Additive
from explorer.scenes.scoring_functions import BESIDE

PRESETS = {preset.label: preset.state for preset in BESIDE.presets} | {"as it opens": {}}
every_preset = pytest.mark.parametrize("label", PRESETS)
every_rule = pytest.mark.parametrize("rule", rules.RULES)


def preset(label: str) -> Beside:
    """The settings that a button of the scene brings about."""
    return of_state({**BESIDE.defaults, **PRESETS[label]})


def of_state(state: dict[str, Any]) -> Beside:
    """The settings that the scene's widgets stand for."""
    queries, keys = (beside.parse_points(state[key], beside.MOST_KEYS) for key in ("sf_queries", "sf_points"))
    return Beside(
        rule=state["sf_rule"],
        second=state["sf_second"],
        queries=queries,
        keys=keys,
        valid_lengths=parse_valid_lengths(state["sf_valid"]),
        seed=state["sf_start"],
    )


@pytest.mark.parametrize("rule", [*rules.RULES, UNTRAINED])
def test_scores_and_weights_are_those_of_the_formulas(rule: str) -> None:
    record = beside.compute(Beside(rule=rule))
    q, k, parts = record.queries, record.keys, record.learned
    hidden = np.tanh(
        (q @ parts["query_weight"].T)[:, None] + (k @ parts["key_weight"].T)[None] + parts["bias"]
    )  # [queries, keys, hidden]
    np.testing.assert_allclose(record.scores[1], hidden @ parts["v"], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(record.scores[0], q @ parts["general"] @ k.T, rtol=1e-4, atol=1e-4)
    if rule == UNTRAINED:
        np.testing.assert_allclose(record.scores[0], q @ k.T / math.sqrt(2), rtol=1e-5, atol=1e-5)
    powers = np.exp(record.scores - record.scores.max(-1, keepdims=True))
    np.testing.assert_allclose(record.weights, powers / powers.sum(-1, keepdims=True), atol=1e-5)


@every_rule
def test_both_are_trained_for_the_rule_and_shares_are_counted_on_unseen_queries(rule: str) -> None:
    record, unseen = beside.compute(Beside(rule=rule)), rules.draw_unseen(rule)
    assert record.found is not None
    for share, score in zip(record.found, beside.scorers(Beside(rule=rule)), strict=True):
        chosen = [int(score(q, k)[0].argmax()) for q, k in zip(unseen.query, unseen.key, strict=True)]
        assert share == pytest.approx(np.mean(np.array(chosen) == unseen.target.numpy()))
    dot, additive = record.found
    assert additive > dot + 0.15
    plain = np.mean((scoring.scaled_dot(unseen.query, unseen.key)[:, 0].argmax(-1) == unseen.target).numpy())
    assert dot > plain - 0.03, "what it learns does no harm"


@every_rule
def test_the_right_key_is_the_one_that_the_rule_names(rule: str) -> None:
    record = beside.compute(Beside(rule=rule))
    for query, right in zip(record.queries.astype(float), record.right, strict=True):
        turned = np.array([-query[1], query[0]]) if rule == "left" else query
        lengths = np.linalg.norm(record.keys, axis=-1) * np.linalg.norm(turned)
        far = np.linalg.norm(record.keys - query, axis=-1)
        assert right == (far.argmin() if rule == "nearest" else (record.keys @ turned / lengths).argmax())


def test_no_key_is_right_without_a_rule_or_where_two_are_alike_and_a_masked_one_never_is() -> None:
    assert (beside.compute(Beside(rule=UNTRAINED)).right == -1).all()
    twice = ((1.0, 1.0), (1.0, 1.0), (-1.0, 0.0))
    assert beside.compute(Beside(rule="nearest", queries=((1.2, 1.0),), keys=twice)).right.tolist() == [-1]
    near_last = Beside(rule="nearest", queries=((1.0, 0.0),), keys=((-1.0, 0.0), (1.0, 0.0)), valid_lengths=(1,))
    assert beside.compute(near_last).right.tolist() == [0]


@pytest.mark.parametrize("seed", range(4))
def test_a_sum_as_score_loses_the_query_in_the_softmax(seed: int) -> None:
    draw = torch.Generator().manual_seed(seed)
    query, key = torch.randn(4, 5, generator=draw), torch.randn(7, 5, generator=draw)
    scores = beside.vector_sum(query, key)
    torch.testing.assert_close(scores, (query[:, None] + key[None]).sum(-1))
    weights = masking.masked_softmax(scores)
    torch.testing.assert_close(weights, key.sum(-1).softmax(-1).expand(4, -1))
    additive = Additive(5, 5, 3, generator=draw)
    flat = (query @ additive.query_weight.mT)[:, None] + (key @ additive.key_weight.mT)[None]  # without the tanh
    lost = masking.masked_softmax(flat @ additive.v)
    torch.testing.assert_close(lost, lost[:1].expand(4, -1))


def test_ten_equal_keys_and_valid_lengths_2_and_6_give_the_textbooks_averages_by_both_scores() -> None:
    """Queries of 20 numbers for the additive score, of 2 for the dot product; keys of ones; values 0 to 39."""
    draw = torch.Generator().manual_seed(0)
    values = torch.arange(40, dtype=torch.float32).reshape(1, 10, 4).repeat(2, 1, 1)
    keys, allowed = torch.ones(2, 10, 2), masking.valid(torch.tensor([[2], [6]]), 10)
    for size, score in ((20, Additive(20, 2, 8, generator=draw)), (2, scoring.scaled_dot)):
        output = attend(torch.randn(2, 1, size, generator=draw), keys, values, score=score, allowed=allowed).output
        torch.testing.assert_close(output[:, 0], torch.tensor([[2.0, 3, 4, 5], [10, 11, 12, 13]]))


def test_the_preset_of_equal_keys_shares_evenly_until_one_is_moved() -> None:
    params = preset("Equal keys (textbook)")
    record = beside.compute(params)
    wanted = np.zeros((2, 10))
    wanted[0, :2], wanted[1, :6] = 1 / 2, 1 / 6
    np.testing.assert_allclose(record.weights, np.stack([wanted, wanted]), atol=1e-6)
    assert beside_readings.describe(record).endswith("query 1 gives each 50%, query 2 gives each 17%.")
    moved = beside.compute(Beside(**{**_fields(params), "keys": ((2.0, -1.0), *params.keys[1:])}))
    assert np.abs(moved.difference).max() > 0.1


def maps(record: BesideRecord, shown: figures.Shown) -> Any:
    names, short = (beside_readings.score_names(record, short=each) for each in (False, True))
    return figures.maps(record, shown, names=names, short=short)


def _fields(params: Beside) -> dict[str, Any]:
    return {name: getattr(params, name) for name in params.__slots__}


def test_presets_show_what_they_say() -> None:
    near, close = (beside.compute(preset(label)) for label in ("Nearest is right", "No key far away"))
    far = beside.compute(Beside())
    assert [near.choice(score, 2) for score in (0, 1)] == [5, 1]  # F and B
    assert near.right[2] == 1
    assert [far.choice(score, 1) for score in (0, 1)] == [2, 3]  # C and D
    assert far.right[1] == 3
    assert [close.choice(score, 1) for score in (0, 1)] == [3, 3]
    untrained = beside.compute(preset("Untrained"))
    assert untrained.weights[1].max() < 0.5 < untrained.weights[0].max(-1).min()
    summed = beside.compute(preset("Add instead"))
    np.testing.assert_allclose(summed.weights[1], summed.weights[1, :1].repeat(3, axis=0), atol=1e-6)


@every_preset
def test_the_reading_names_where_they_differ_most_or_why_they_do_not(label: str) -> None:
    record = beside.compute(preset(label))
    said = beside_readings.describe(record)
    assert said.count("**") == 2
    row, column = np.unravel_index(np.abs(record.difference).argmax(), record.difference.shape)
    if "differ most" in said:
        assert f"query {row + 1} and key {record.letters[column]}" in said
        assert f"{record.weights[1, row, column]:.0%}" in said


def test_a_reading_says_where_both_choose_alike() -> None:
    assert beside_readings.describe(beside.compute(Beside(rule=UNTRAINED))).startswith(
        "They never choose the same key."
    )
    assert "nothing to compare" in beside_readings.describe(beside.compute(Beside(valid_lengths=(0,))))


def test_a_reading_and_the_marks_say_how_often_each_finds_the_right_key() -> None:
    record = beside.compute(Beside())
    said = "Scaled dot product finds the right key for 2 of 3 queries, additive for **3 of 3**."
    assert beside_readings.describe(record) == said
    assert "".join(note.text for note in maps(record, "weights").layout.annotations).count("✓") == 5
    assert beside_readings.describe(beside.compute(preset("No key far away"))).startswith("Both find")


def test_costs_are_those_of_what_is_compared() -> None:
    additive, summed, untrained = (
        beside.compute(each) for each in (Beside(), Beside(second="sum"), Beside(rule=UNTRAINED))
    )
    assert (additive.parameters, additive.flops) == ((4, 96), (96, 1728))
    assert (summed.parameters, summed.flops) == ((4, 0), (96, 3 + 6 + 18))
    assert (untrained.parameters, untrained.found) == ((0, 80), None)


@every_preset
def test_maps_hold_the_records_numbers_and_hatch_what_is_masked(label: str, look: Look) -> None:
    record = beside.compute(preset(label))
    figure = maps(record, "difference")
    for trace, values in zip(figure.data, (*record.weights, record.difference), strict=True):
        assert trace.type == "heatmap"
        np.testing.assert_array_equal(np.isnan(trace.z), ~record.allowed)
        np.testing.assert_array_equal(trace.z[record.allowed], values[record.allowed].astype(np.float32))
    assert figure.data[2].zmin == -figure.data[2].zmax, "no difference is the paper's colour"
    dashed = [shape for shape in figure.layout.shapes if shape.line.dash]
    assert len(dashed) == 2 * (record.right >= 0).sum()
    hatched = [shape for shape in figure.layout.shapes if shape.type == "path"]
    assert len(hatched) == (0 if record.allowed.all() else 6)


def test_maps_of_scores_hold_masked_ones_too() -> None:
    record = beside.compute(Beside(valid_lengths=(2,)))
    figure = maps(record, "scores")
    for trace, scores in zip(figure.data, record.scores, strict=True):
        np.testing.assert_array_equal(trace.z, scores.astype(np.float32))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("2.2 0.7, -1.2 1.5", ((2.2, 0.7), (-1.2, 1.5))),
        ("(1, 1); (−2，.5)", ((1.0, 1.0), (-2.0, 0.5))),
        ("1 1\n+3.5 -3.5", ((1.0, 1.0), (3.5, -3.5))),
    ],
)
def test_points_are_read_however_they_are_separated(text: str, points: Points) -> None:
    assert beside.parse_points(text, 4) == points
    assert beside.parse_points(beside.format_points(points), 4) == points


@pytest.mark.parametrize("text", ["", "1", "1 2 3", "4 0", "one 1", "1 1e9", "nan 1", "1 1, 1 1, 1 1, 1 1, 1 1", "💥"])
def test_text_that_is_no_list_of_points_is_refused(text: str) -> None:
    with pytest.raises(beside.PlacesError):
        beside.parse_points(text, 4)


def test_what_the_browser_tells_is_kept_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[dict[str, str]] = []
    monkeypatch.setattr(plane.fields, "set_values", kept.append)
    told = {"queries": [[1, 2.004]], "keys": [[-0.0, 3.5], [9, 1]]}
    for keys in ([[1]], "1 1", [[math.nan, 0]], [["1", "1"]], [[1, 1]] * 11, [], None):
        plane.keep_points().take({**told, "keys": keys})
    plane.keep_points().take([told])
    assert not kept
    plane.keep_points().take(told)
    assert kept == [{"sf_queries": "1 2", "sf_points": "0 3.5, 3.5 1"}]
