"""Dropout on the weights is what torch's is: 0 or scaled, in the mean nothing."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.figures import drawn_numbers
from explorer.lessons.multi_head.dropout import Dropping, draw_dropout
from explorer.lessons.multi_head.figures import dropout as figures
from explorer.records import Provenance
from explorer.records.heads import DropoutRecord

ROW = torch.softmax(torch.arange(6.0), -1)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_weight_is_dropped_or_scaled_as_torch_does_it(share: float) -> None:
    drawn = draw_dropout(ROW.numpy(), Dropping(share=share, draws=10_000, seed=1))
    with torch.random.fork_rng():
        torch.manual_seed(2)
        theirs = F.dropout(ROW.expand(10_000, -1), share).numpy()
    for ours, other, weight in zip(drawn.T, theirs.T, ROW.tolist(), strict=True):
        values = {0.0, weight / (1 - share)}
        assert all(min(abs(value - each) for each in values) < 1e-6 for value in np.unique(ours))
        noise = weight * math.sqrt(share / (1 - share) / 10_000)
        assert ours.mean() == pytest.approx(weight, abs=4 * noise)
        assert other.mean() == pytest.approx(weight, abs=4 * noise)
        assert ours.std() == pytest.approx(100 * noise, rel=0.1)


def test_nothing_is_dropped_at_0_and_a_seed_is_a_draw() -> None:
    np.testing.assert_allclose(draw_dropout(ROW.numpy(), Dropping(share=0.0, draws=1))[0], ROW, rtol=1e-6)
    first, again, other = (draw_dropout(ROW.numpy(), Dropping(seed=seed)) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert (Dropping(share=2.0, draws=7).share, Dropping(draws=7).draws) == (0.9, 10)


def test_the_table_has_a_row_for_each_key_and_no_other() -> None:
    keys = ("a", "b", "c")
    before = np.array([0.5, 0.3, 0.2], np.float32)
    record = DropoutRecord(
        key_labels=keys,
        before=before,
        drawn=np.array([1.0, 0.0, 0.4]),
        mean=before.astype(float),
        error=before / 10,
        sums=np.ones(9),
        share=0.5,
        draws=9,
        provenance=Provenance(computed_by="tests"),
    )
    assert tuple(drawn_numbers.table(figures.dropout(record)).index) == keys
