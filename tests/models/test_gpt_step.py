"""Keys and values that are kept: the same numbers as reading everything again."""

import pytest
import torch

from explorer.models.gpt_step import read_on
from explorer.nn.positions import POSITION_KINDS, PositionKind, PositionOutOfRange
from tests.models.test_gpt import make, tokens


@pytest.mark.parametrize("position", POSITION_KINDS)
class TestReadingOn:
    @torch.no_grad()
    @pytest.mark.parametrize("cuts", [[1] * 12, [5, 1, 6], [12]])
    def test_the_same_logits_with_and_without_a_cache(self, position: PositionKind, cuts: list[int]) -> None:
        model, ids = make(position), tokens(2, 12)
        expected, cache, found = model(ids), (), []
        for part in ids.split(cuts, dim=1):
            logits, cache = read_on(model, part, cache)
            found.append(logits)
        torch.testing.assert_close(torch.cat(found, 1), expected, atol=1e-5, rtol=1e-5)
        assert cache[0].key.shape == (2, 4, 12, 4)

    @torch.no_grad()
    def test_a_text_goes_on_in_two_ways_from_one_cache(self, position: PositionKind) -> None:
        model, ids = make(position), tokens(1, 8)
        cache = read_on(model, ids[:, :6]).cache
        one = read_on(model, ids[:, 6:], cache).logits
        read_on(model, ids[:, 6:].flip(1), cache)
        assert torch.equal(read_on(model, ids[:, 6:], cache).logits, one)


def test_learned_positions_end_with_their_table() -> None:
    model = make("learned")
    cache = read_on(model, tokens(1, 12)).cache
    with pytest.raises(PositionOutOfRange):
        read_on(model, tokens(1, 1), cache)
