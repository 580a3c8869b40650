"""What is computed and said, against the record it comes from."""

import numpy as np
import pytest

from explorer.inference.translator.translate import InputRefused
from explorer.lessons.whole_transformer import Params, Result, compute, readings
from explorer.lessons.whole_transformer.compute import TooLong
from explorer.lessons.whole_transformer.state import MOST_TOKENS


@pytest.fixture(scope="module")
def result() -> Result:
    return compute(Params(text="My sister wants to live in a big white house."))


def test_a_pass_of_one_word_and_one_of_many(result: Result) -> None:
    short = compute(Params(text="Yes."))
    assert len(short.whole.source.labels) < len(result.whole.source.labels) <= MOST_TOKENS
    for each in (short, result):
        read, source = len(each.whole.read.labels), len(each.whole.source.labels)
        assert each.whole["dec.0.cross.weights"].shape == (each.whole.n_heads, read, source)
        for site in each.whole.sites:
            assert np.allclose(each.whole[f"{site}.weights"].sum(-1), 1, atol=1e-5)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(TooLong) as refused:
        compute(Params(text="very " * 3 * MOST_TOKENS))
    assert refused.value.length > MOST_TOKENS
    with pytest.raises(InputRefused):
        compute(Params(text=" \n\t"))


def test_what_a_part_adds_is_measured_on_the_line_before_it(result: Result) -> None:
    whole = result.whole
    before = {"dec.1.self": "dec.0.net.after", "dec.1.cross": "dec.1.self.after", "dec.1.net": "dec.1.cross.after"}
    assert tuple(before) == readings.parts_of("dec.1")
    for part, line in before.items():
        expected = np.linalg.norm(whole[f"{part}.added"], axis=1) / np.linalg.norm(whole[line], axis=1)
        assert np.allclose(readings.shares_added(result, part), expected, rtol=1e-3)


def test_only_masked_weights_are_taken_out(result: Result) -> None:
    for part, masked in (("dec.1.self", True), ("dec.1.cross", False), ("enc.1.self", False)):
        seen, weights = readings.seen_weights(result, part, 2), result.whole[f"{part}.weights"][2]
        hidden = np.triu(np.ones_like(weights, bool), 1) & masked
        np.testing.assert_array_equal(seen, np.where(hidden, np.nan, weights))
        assert not weights[hidden].any()


def test_the_products_of_a_score_sum_to_it(result: Result) -> None:
    for part in ("enc.2.self", "dec.1.cross"):
        for head in range(result.whole.n_heads):
            row, column = readings.most_divided_row(result, part, head)
            values = readings.products(result, part, head, row, column)
            score = result.whole[f"{part}.scores"][head, row, column]
            assert values.sum() / np.sqrt(len(values)) == pytest.approx(score, abs=1e-4)
            assert 0 < readings.few_share(values) <= 1


def test_the_divided_row_has_the_largest_second_weight_among_words(result: Result) -> None:
    row, column = readings.most_divided_row(result, "dec.1.cross", 2)
    weights = result.whole["dec.1.cross.weights"][2]
    asks, asked = readings.rows_of(result, "dec.1.cross")
    ends = ("<s>", "</s>", ".")
    assert asks[row] not in ends
    assert asked[column] not in ends
    assert column == weights[row].argmax()
    for other, label in enumerate(asks):
        first, second = weights[other].argsort()[::-1][:2]
        if label not in ends and asked[first] not in ends and asked[second] not in ends:
            assert weights[other, second] <= np.sort(weights[row])[-2]


def test_the_units_that_are_awake_are_counted(result: Result) -> None:
    units = result.whole["enc.1.net.units"]
    assert result.awake("enc.1.net") == pytest.approx(sum(value > 0 for value in units.ravel()) / units.size)
    assert 0 < result.awake("enc.1.net") < 0.5


def test_who_has_only_itself_to_look_at_is_no_error() -> None:
    found = compute(Params(text="&"))
    assert len(found.whole.read.labels) == 1
    assert "**one** is written, through" in readings.describe_whole(found)
    assert "“start” has only itself to look at" in readings.describe_head(found, "dec.0.self", 0)
