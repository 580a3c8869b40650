"""Heads that agree score high, a head of its own mind low; without company there is nothing to measure."""

import torch

from explorer.attention.alignment_measures import align

ALL = torch.ones(3, dtype=torch.bool)
POINTS = torch.eye(3)
BACKWARDS = torch.eye(3).flip(0)


def test_a_head_that_points_where_the_others_do_has_everything() -> None:
    found = align(torch.stack([POINTS, POINTS, POINTS]), ALL, ALL)
    assert found.score.tolist() == [1, 1, 1]
    assert found.agreement.tolist() == [1, 1, 1]
    assert found.entropy.tolist() == [0, 0, 0]
    assert found.rows == 3


def test_a_sharp_head_that_disagrees_scores_low_and_a_vague_one_between() -> None:
    vague = torch.full((3, 3), 1 / 3)
    found = align(torch.stack([POINTS, POINTS, POINTS, BACKWARDS, vague]), ALL, ALL)
    assert found.score[:3].tolist() == [1, 1, 1]
    torch.testing.assert_close(found.score[3].item(), 1 / 3)  # the middle row is the same backwards
    torch.testing.assert_close(found.score[4].item(), 1 / 3)
    assert found.largest[3] == 1


def test_rows_and_columns_that_do_not_count_are_left_out() -> None:
    rests = torch.tensor([[0.1, 0.0, 0.9], [0.0, 0.1, 0.9], [0.0, 0.0, 1.0]])
    words = torch.tensor([True, True, False])
    found = align(torch.stack([rests, POINTS]), words, words)
    torch.testing.assert_close(found.score, torch.tensor([0.1, 1.0], dtype=torch.float64))
    assert found.agreement.tolist() == [1, 1]
    assert found.rows == 2


def test_one_head_or_no_word_has_no_measure() -> None:
    assert align(POINTS[None], ALL, ALL).score.isnan().all()
    assert align(torch.stack([POINTS, POINTS]), ~ALL, ALL).score.isnan().all()


def test_a_head_has_no_say_in_the_consensus_that_judges_it() -> None:
    """Its own 1 would outweigh what the others put elsewhere."""
    loud, quiet = torch.tensor([[1.0, 0.0, 0.0]]), torch.tensor([[0.3, 0.4, 0.3]])
    found = align(torch.stack([loud, quiet, quiet]), ALL[:1], ALL)
    torch.testing.assert_close(found.score, torch.tensor([0.0, 0.3, 0.3], dtype=torch.float64))
    assert found.agreement.tolist() == [0, 0, 0]


def test_entropy_is_that_of_whole_rows() -> None:
    half = torch.tensor([[0.5, 0.0, 0.5]])  # half of it on a key that does not count
    found = align(torch.stack([half, half]), ALL[:1], torch.tensor([True, True, False]))
    torch.testing.assert_close(found.entropy, torch.full((2,), 2.0, dtype=torch.float64).log())


def test_a_source_without_a_word_has_no_measure() -> None:
    found = align(torch.stack([POINTS, POINTS]), ALL, ~ALL)
    assert found.score.isnan().all()
    assert found.rows == 0
