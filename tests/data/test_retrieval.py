import math

import pytest
import torch

from explorer.data.retrieval import Retrieval


def test_keys_lie_on_the_sphere_and_the_query_near_its_key() -> None:
    task = Retrieval(d=6, keys=5, noise=0.5, offset=0.3)
    examples = task.draw(4000, torch.Generator().manual_seed(0))
    torch.testing.assert_close(examples.key.norm(dim=-1), torch.full((4000, 5), math.sqrt(6)))
    apart = examples.query[:, 0] - examples.key[torch.arange(4000), examples.target]
    assert float(apart.std()) == pytest.approx(0.5, rel=0.02)
    assert set(examples.target.tolist()) == set(range(5))
    assert torch.equal(examples.query, task.draw(4000, torch.Generator().manual_seed(0)).query)


def test_an_offset_moves_the_keys_away_from_zero() -> None:
    generator = torch.Generator().manual_seed(0)
    assert Retrieval(offset=0.0).draw(4000, generator).key.mean().abs() < 0.02
    assert Retrieval(offset=1.0).draw(4000, generator).key.mean() > 0.5


def test_the_best_score_is_the_posterior() -> None:
    """Bayes: the likelihood of the query under each key, normalised, in float64."""
    task = Retrieval(d=3, keys=4, noise=0.7, offset=0.2)
    examples = task.draw(5, torch.Generator().manual_seed(0))
    query, key = examples.query.double(), examples.key.double()
    likelihood = torch.exp(-(query - key).square().sum(-1) / (2 * 0.7**2))
    posterior = likelihood / likelihood.sum(-1, keepdim=True)
    found = torch.softmax(task.best_score(query, key), -1).squeeze(-2)
    torch.testing.assert_close(found, posterior, rtol=1e-5, atol=1e-7)


def test_held_out_examples_come_with_their_mirror_images_only_where_keys_are_symmetric() -> None:
    mirrored = Retrieval().held_out(10, torch.Generator().manual_seed(0))
    assert torch.equal(mirrored.query[5:], -mirrored.query[:5])
    assert torch.equal(mirrored.key[5:], -mirrored.key[:5])
    assert torch.equal(mirrored.target[5:], mirrored.target[:5])
    plain = Retrieval(offset=0.5).held_out(10, torch.Generator().manual_seed(0))
    assert plain.query.shape == (10, 1, 8)
    assert not torch.equal(plain.query[5:], -plain.query[:5])


@pytest.mark.parametrize("wrong", [{"d": 0}, {"keys": 1}, {"noise": 0.0}, {"offset": -0.1}])
def test_impossible_tasks_are_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="needs"):
        Retrieval(**wrong)
