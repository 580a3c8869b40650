"""The page's figures: a cell for each token, what is cut is hatched, a panel for each score."""

import numpy as np
import pytest

from explorer.figures.look import Look
from explorer.lessons.text_generation.figures import heads, text as figures
from explorer.records import AttentionRecord, Provenance
from explorer.records.generation import InductionRecord, TextRecord

SOURCE = Provenance(computed_by="test")
TEXT = TextRecord(
    labels=("⏎", "a", "a", "␣", "<", "⏎", "\ufffd"),
    surprisal=np.array([np.nan, 0.5, 7, 1, 2, 0.1, np.nan], np.float32),
    n_given=3,
    provenance=SOURCE,
)
ROWS = ((0, 1, 2, 3, 4, 5), (6,))


def test_a_cell_for_each_token() -> None:
    (trace,) = figures.text(TEXT, ROWS, TEXT.surprisal).data
    assert trace.z.shape == (2, 12)
    np.testing.assert_allclose(trace.z[0, :6], [0, 0.5, 7, 1, 2, 0.1])
    assert trace.z[1, 0] == 0
    assert np.isnan(trace.z[1, 1:]).all()
    assert [trace.text[0][column] for column in (1, 2, 4)] == ["a", "a", "&lt;"]
    assert (trace.zmin, trace.zmax) == (0, 1)


def test_what_was_given_is_underlined() -> None:
    figure = figures.text(TEXT, ROWS, TEXT.surprisal)
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(-0.45, 2.45)]


def test_hover_says_what_was_given_and_what_was_written() -> None:
    (trace,) = figures.text(TEXT, ROWS, TEXT.surprisal).data
    said = [cell[1] for cell in trace.customdata[0][:4]]
    assert said[0] == "given, not predicted"
    assert said[1] == "given; the model gave it one chance in 1.6"
    assert said[3] == "written; the model gave it one chance in 2.7"


def test_letters_can_be_read_on_both_grounds(look: Look) -> None:
    assert figures.text(TEXT, ROWS, TEXT.surprisal).data[0].textfont.color == look.text


def test_a_number_for_each_token() -> None:
    with pytest.raises(ValueError, match="7 tokens"):
        figures.text(TEXT, ROWS, TEXT.surprisal[:3])


def test_a_row_for_each_head() -> None:
    weights = np.array([[0.25, 0.75], [1, 0]], np.float32)
    figure = heads.rows(weights, heads=("0.0", "0.1"), keys=("a", "a"))
    np.testing.assert_allclose(figure.data[0].z, weights)
    assert list(figure.layout.xaxis.ticktext) == ["a", "a"]


@pytest.mark.parametrize(("n", "named"), [(5, True), (60, False)])
def test_many_tokens_are_named_on_hover_only(n: int, *, named: bool) -> None:
    weights = np.tril(np.ones((1, n, n), np.float32))
    weights /= weights.sum(-1, keepdims=True)
    record = AttentionRecord(
        site="layers.0.self",
        kind="causal",
        weights=weights,
        query_labels=("a",) * n,
        key_labels=("a",) * n,
        query_role="produced",
        provenance=SOURCE,
        allowed=np.tril(np.ones((n, n), bool)),
    )
    figure = heads.attention(record)
    assert (figure.layout.xaxis.showticklabels is None) == named
    assert len(figure.layout.xaxis.ticktext) == n
    assert np.isnan(figure.data[0].z[0, 1])


def test_a_panel_for_each_score() -> None:
    scores = [np.full((2, 3), each, np.float32) for each in (0.1, 0.2, 0.9)]
    record = InductionRecord(
        prefix=scores[0],
        copying=scores[1],
        previous=scores[2],
        even=(0.1, 0.2, 0.3),
        labels=("⏎", "a"),
        period=1,
        sequences=1,
        loss=(1.0, 2.0),
        provenance=SOURCE,
    )
    figure = heads.induction(record, names=("prefix", "copying", "previous"))
    assert [float(trace.z[0, 0]) for trace in figure.data] == pytest.approx([0.1, 0.2, 0.9])
    assert [trace.xaxis for trace in figure.data] == ["x", "x2", "x3"]
    assert {(trace.zmin, trace.zmax) for trace in figure.data} == {(0.0, 1.0)}
