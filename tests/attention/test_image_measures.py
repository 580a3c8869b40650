"""Distances, codes and gates on small examples whose answers are known."""

import math

import pytest
import torch

from explorer.attention.channel_spatial import apply_gate, over_channels, squeeze_channels, strongest
from explorer.attention.image_measures import even_distance, mean_distance, patch_distances, similarity


def test_distances_are_between_centres_in_pixels() -> None:
    distances = patch_distances(3, 4)
    assert distances.shape == (9, 9)
    assert distances[0, 1] == distances[0, 3] == 4
    assert distances[0, 8] == pytest.approx(4 * math.sqrt(8))
    torch.testing.assert_close(distances, distances.T)


def test_a_head_that_looks_at_itself_looks_nowhere() -> None:
    weights = torch.eye(10).expand(2, 3, 10, 10)
    assert mean_distance(weights, 3, 4).abs().max() < 1e-5
    even = torch.full((10, 10), 0.1)
    assert float(mean_distance(even, 3, 4)) == pytest.approx(even_distance(3, 4), rel=1e-6)


def test_what_the_class_token_gets_has_no_distance() -> None:
    right = torch.zeros(5, 5)
    right[0, 0] = 1
    for patch, neighbour in ((1, 2), (2, 1), (3, 4), (4, 3)):  # each patch of the 2 x 2 grid looks beside it
        right[patch, neighbour], right[patch, 0] = 0.25, 0.75
    assert float(mean_distance(right, 2, 7)) == pytest.approx(7)
    only_class = torch.zeros(5, 5)
    only_class[:, 0] = 1
    assert float(mean_distance(only_class, 2, 7)) == 0


def test_codes_are_compared_by_direction() -> None:
    codes = torch.tensor([[1.0, 0.0], [3.0, 0.0], [0.0, -2.0], [-1.0, 0.0]])
    expected = torch.tensor([[1.0, 1, 0, -1], [1, 1, 0, -1], [0, 0, 1, 0], [-1, -1, 0, 1]])
    torch.testing.assert_close(similarity(codes), expected)


def test_a_gate_multiplies_channels_or_places() -> None:
    features = torch.randn(2, 3, 4, 4)
    closed = apply_gate(features, torch.full((2, 3, 1, 1), -100.0))
    assert closed.output.abs().max() < 1e-6
    half = apply_gate(features, torch.zeros(2, 1, 4, 4))
    torch.testing.assert_close(half.output, features / 2)
    assert torch.equal(half.read, features)


def test_what_gates_read() -> None:
    features = torch.randn(2, 3, 4, 5)
    torch.testing.assert_close(squeeze_channels(features), features.flatten(2).mean(-1))
    assert torch.equal(strongest(features), features.flatten(2).max(-1).values)
    both = over_channels(features)
    assert both.shape == (2, 2, 4, 5)
    assert (both[:, 1] >= both[:, 0]).all()
