import math
from copy import deepcopy

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.data.retrieval import Retrieval
from explorer.lessons.scoring_functions.fitted_scorers import (
    EVERY,
    STEPS,
    UNSEEN,
    Fit,
    correlation,
    fit,
    measure,
    train,
)
from explorer.nn.scorers import Additive, General
from explorer.records.scoring import FittedScorersRecord

#: In the order of every row of the record, after the reference.
FITTED = ("general", "additive", "additive_bias")
GENERAL, ADDITIVE, BIASED = 1, 2, 3


@pytest.fixture(scope="module")
def fitted() -> FittedScorersRecord:
    return fit(Fit())


def test_bilinear_becomes_the_dot_product(fitted: FittedScorersRecord) -> None:
    assert fitted.correlation[-1, GENERAL] > 0.99
    assert fitted.identity_alignment(-1) > 0.99
    assert fitted.bilinear_scale(-1) == pytest.approx(1, abs=0.1)
    assert fitted.agreement[-1, GENERAL] > 0.95
    assert fitted.loss[-1, GENERAL] < fitted.loss[-1, 0] + 0.05


def test_additive_with_a_bias_comes_near_and_stays_behind() -> None:
    for seed in range(3):
        fitted = fit(Fit(seed=seed))
        assert 0.85 < fitted.correlation[-1, BIASED] < 0.99
        assert fitted.accuracy[-1, 0] - 0.1 < fitted.accuracy[-1, BIASED] < fitted.accuracy[-1, GENERAL]
        ten = fitted.steps.index(10)
        assert fitted.identity_alignment(ten) > 0.85, "what the preset “After ten steps” says of W"
        assert (fitted.accuracy[ten, [GENERAL, BIASED]] > 0.6).all(), "and of both"


def test_additive_without_a_bias_cannot_beat_guessing(fitted: FittedScorersRecord) -> None:
    assert np.abs(fitted.correlation[:, ADDITIVE]).max() < 1e-5
    assert fitted.loss[:, ADDITIVE].min() >= math.log(8) - 1e-6
    assert fitted.accuracy[-1, ADDITIVE] < 0.25


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
    fitted = fit(Fit(task=Retrieval(offset=1.0)))
    assert not fitted.symmetric
    assert fitted.accuracy[-1, ADDITIVE] > 3 * fitted.chance
    assert fitted.correlation[-1, ADDITIVE] > 0.8


def test_long_vectors_are_no_trouble_for_the_bilinear_score_alone() -> None:
    """What the preset “Long vectors” says."""
    fitted = fit(Fit(task=Retrieval(d=32)))
    assert fitted.accuracy[-1, GENERAL] > 0.99
    assert 0.3 < fitted.correlation[-1, BIASED] < 0.8
    assert (fitted.accuracy[5:, BIASED] < fitted.accuracy[5:, GENERAL] - 0.05).all()


def test_each_scorer_learns_as_if_alone() -> None:
    scorers = [General(4, 4), Additive(4, 4, 8, bias=True)]
    alone = deepcopy(scorers)
    train(scorers, Retrieval(d=4).draw, steps=5, seed=1)
    for scorer in alone:
        train([scorer], Retrieval(d=4).draw, steps=5, seed=1)
    for together, apart in zip(scorers, alone, strict=True):
        for one, other in zip(together.parameters(), apart.parameters(), strict=True):
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)


def test_nothing_beats_the_posterior_by_more_than_chance(fitted: FittedScorersRecord) -> None:
    """Paired: the mean of the differences in loss lies above minus four of its standard errors."""
    task, unseen = Retrieval(), Retrieval().held_out(UNSEEN, torch.Generator().manual_seed(1))
    scorer = General(8, 8, generator=torch.Generator().manual_seed(0))
    train([scorer], task.draw, steps=STEPS, seed=0)
    with torch.no_grad():
        losses = [
            F.cross_entropy(score(unseen.query, unseen.key).squeeze(-2), unseen.target, reduction="none")
            for score in (scorer, task.best_score)
        ]
    apart = losses[0] - losses[1]
    assert apart.mean() > -4 * apart.std() / math.sqrt(UNSEEN)
    assert (fitted.loss[-1, 1:] > fitted.loss[-1, 0]).all()


def test_the_record_has_every_moment(fitted: FittedScorersRecord) -> None:
    assert fitted.scorers == FITTED
    assert fitted.steps == tuple(range(0, STEPS + 1, EVERY))
    assert (fitted.loss[-1, [GENERAL, BIASED]] < fitted.loss[0, [GENERAL, BIASED]]).all()
    assert fitted.unseen == UNSEEN
    assert fitted.guess_loss == pytest.approx(math.log(8))
    np.testing.assert_allclose(fitted.weights.sum(-1), 1, rtol=1e-5)
    for measured in (fitted.loss, fitted.accuracy, fitted.weights):
        assert (measured[:, 0] == measured[0, 0]).all(), "the reference does not learn"
    np.testing.assert_allclose(fitted.correlation[:, 0], 1, rtol=1e-6)
    assert (fitted.agreement[:, 0] == 1).all()


def test_a_moment_holds_what_the_scorer_was_then(fitted: FittedScorersRecord) -> None:
    """W before the first step and after the last, and the losses that belong to them."""
    task, unseen = Retrieval(), Retrieval().held_out(UNSEEN, torch.Generator().manual_seed(1))
    scorer = General(8, 8, generator=torch.Generator().manual_seed(0))
    np.testing.assert_array_equal(fitted.bilinear[0], scorer.weight.detach())
    assert fitted.loss[0, GENERAL] == pytest.approx(measure(scorer, unseen)[0], rel=1e-6)
    train([scorer], task.draw, steps=STEPS, seed=0)
    np.testing.assert_allclose(fitted.bilinear[-1], scorer.weight.detach(), rtol=1e-4, atol=1e-5)
    assert fitted.loss[-1, GENERAL] == pytest.approx(measure(scorer, unseen)[0], rel=1e-4)


def test_the_same_settings_give_the_same_numbers_even_under_inference_mode(fitted: FittedScorersRecord) -> None:
    before = torch.get_rng_state()
    with torch.inference_mode():
        again = fit(Fit())
    assert torch.equal(before, torch.get_rng_state())
    assert np.array_equal(fitted.loss, again.loss)
    assert np.array_equal(fitted.bilinear, again.bilinear)
    assert not np.array_equal(fitted.loss, fit(Fit(seed=6)).loss)


def test_correlation_is_numpys_after_centring_rows() -> None:
    a, b = torch.randn(2, 50, 4, dtype=torch.float64)
    centred = [(x - x.mean(-1, keepdim=True)).numpy().ravel() for x in (a, b)]
    assert correlation(a, b) == pytest.approx(np.corrcoef(*centred)[0, 1])
    assert correlation(a, 3 * a + torch.randn(50, 1, dtype=torch.float64)) == pytest.approx(1)
    assert correlation(a, torch.ones_like(a)) == 0
