"""“Layer or batch norm”: the norms against sums by hand, and who moves when a sentence goes."""

import numpy as np
import pytest

from explorer.lessons.whole_transformer import normalise
from explorer.lessons.whole_transformer.normalise import EPS, Params
from tests.support.pages import OpenPage, said

PAGE = "pages/09_whole_transformer.py"


def test_layer_norm_by_hand_and_nobody_moves() -> None:
    record = normalise.compute(Params(over="layer"))
    x = record.before.astype(float)
    expected = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + EPS)
    np.testing.assert_allclose(record.after, expected, atol=1e-5)
    assert record.moved[0] == 0 < record.moved[1]


@pytest.mark.parametrize("pads", [True, False])
def test_batch_norm_by_hand_and_all_move(pads: bool) -> None:
    record = normalise.compute(Params(over="batch", pads=pads))
    rows = np.ones_like(record.padding) if pads else ~record.padding
    assert record.padding.any()
    x = record.before[rows].astype(float)
    np.testing.assert_allclose(record.after[rows], (x - x.mean(0)) / np.sqrt(x.var(0) + EPS), atol=1e-5)
    assert np.isnan(record.after[~rows]).all()
    moved, known = record.moved
    assert moved > 0.9 * known > 0


def test_a_batch_of_one_word_and_end_is_drawn() -> None:
    record = normalise.compute(Params(sentences=("Hi",), over="batch"))
    assert record.moved == (0, 0)
    assert np.isfinite(record.after).all()


@pytest.mark.parametrize("text", ["", " \n ", "<b>x</b>\n$y$\n🙂\nfour", "a" * 200])
def test_any_batch_is_drawn(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, scene="over_what", wt_over="batch", wt_batch=text, wt_row="18", wt_pads="false")
    assert not app.exception
    assert "Without the last sentence" in said(app) or "÷" in said(app) or "padding" in said(app)
