import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.data.retrieval import Retrieval
from explorer.lessons.scoring_functions.fitted_scorers import UNSEEN, Fit, correlation, fit, measure, train
from explorer.nn.scorers import Additive, General

#: In the order of every row of the record.
FITTED = ("general", "additive", "additive_bias")


@pytest.fixture(scope="module")
def fitted():
    return fit(Fit(steps=300))


def test_bilinear_becomes_the_dot_product(fitted) -> None:
    row = 1 + FITTED.index("general")
    assert fitted.correlation[row] > 0.99
    assert fitted.identity_alignment > 0.99
    assert fitted.agreement[row] > 0.95
    assert fitted.final_loss[row] < fitted.final_loss[0] + 0.05


def test_additive_with_a_bias_comes_near(fitted) -> None:
    row = 1 + FITTED.index("additive_bias")
    assert 0.85 < fitted.correlation[row] < 0.99
    assert fitted.final_accuracy[row] > fitted.final_accuracy[0] - 0.1


def test_additive_without_a_bias_cannot_beat_guessing(fitted) -> None:
    row = 1 + FITTED.index("additive")
    assert abs(fitted.correlation[row]) < 1e-5
    assert fitted.loss[row - 1].min() >= math.log(8) - 1e-6
    assert fitted.final_accuracy[row] < 0.25


def test_no_odd_score_beats_guessing_on_mirror_images() -> None:
    """The theorem, for weights that nobody fitted: logsumexp(s) + logsumexp(-s) ≥ 2 ln(keys)."""
    examples = Retrieval().held_out(256, torch.Generator().manual_seed(0))
    for scale in (0.1, 1.0, 10.0):
        scorer = Additive(8, 8, 16)
        with torch.no_grad():
            scorer.v.mul_(scale)
        loss, accuracy = measure(scorer, examples)
        assert loss >= math.log(8) - 1e-6
        assert accuracy <= 0.5


def test_away_from_zero_additive_without_a_bias_learns() -> None:
    fitted = fit(Fit(task=Retrieval(offset=1.0), steps=300))
    row = 1 + FITTED.index("additive")
    assert not fitted.symmetric
    assert fitted.final_accuracy[row] > 3 * fitted.chance
    assert fitted.correlation[row] > 0.8


def test_nothing_beats_the_posterior_by_more_than_chance(fitted) -> None:
    """Paired: the mean of the differences in loss lies above minus four of its standard errors."""
    task, unseen = Retrieval(), Retrieval().held_out(UNSEEN, torch.Generator().manual_seed(1))
    scorer = General(8, 8, generator=torch.Generator().manual_seed(0))
    train(scorer, Fit().task.draw, unseen, steps=300, seed=0)
    with torch.no_grad():
        losses = [
            F.cross_entropy(score(unseen.query, unseen.key).squeeze(-2), unseen.target, reduction="none")
            for score in (scorer, task.best_score)
        ]
    apart = losses[0] - losses[1]
    assert apart.mean() > -4 * apart.std() / math.sqrt(UNSEEN)
    assert (fitted.final_loss[1:] > fitted.final_loss[0]).all()


def test_the_record_is_what_the_curves_end_in(fitted) -> None:
    assert fitted.scorers == FITTED
    assert fitted.steps[0] == 0
    assert fitted.steps[-1] == 300
    np.testing.assert_allclose(fitted.loss[:, -1], fitted.final_loss[1:], rtol=1e-6)
    np.testing.assert_allclose(fitted.accuracy[:, -1], fitted.final_accuracy[1:])
    assert (fitted.loss[[0, 2], -1] < fitted.loss[[0, 2], 0]).all()
    assert fitted.unseen == UNSEEN
    assert fitted.guess_loss == pytest.approx(math.log(8))
    np.testing.assert_allclose(fitted.example_weights.sum(-1), 1, rtol=1e-5)
    assert fitted.correlation[0] == pytest.approx(1)
    assert fitted.agreement[0] == 1


def test_the_same_settings_give_the_same_numbers_even_under_inference_mode() -> None:
    first = fit(Fit(steps=20, seed=5))
    before = torch.get_rng_state()
    with torch.inference_mode():
        second = fit(Fit(steps=20, seed=5))
    assert torch.equal(before, torch.get_rng_state())
    assert np.array_equal(first.loss, second.loss)
    assert np.array_equal(first.bilinear, second.bilinear)
    assert not np.array_equal(first.loss, fit(Fit(steps=20, seed=6)).loss)


def test_correlation_is_numpys_after_centring_rows() -> None:
    a, b = torch.randn(2, 50, 4, dtype=torch.float64)
    centred = [(x - x.mean(-1, keepdim=True)).numpy().ravel() for x in (a, b)]
    assert correlation(a, b) == pytest.approx(np.corrcoef(*centred)[0, 1])
    assert correlation(a, 3 * a + torch.randn(50, 1, dtype=torch.float64)) == pytest.approx(1)
    assert correlation(a, torch.ones_like(a)) == 0


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"d_hidden": 0}])
def test_nothing_to_fit_is_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="needs"):
        Fit(**wrong)
