"""The decoder-only model: what may influence what, with every kind of positions."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from torch import Tensor

from explorer.attention.positions import alibi_slopes, sinusoidal
from explorer.models.gpt import GPT, GPTConfig
from explorer.nn.positions import POSITION_KINDS, PositionKind, PositionOutOfRange
from explorer.nn.tape import Tape

SMALL: dict[str, Any] = {"vocab_size": 40, "d_model": 16, "n_heads": 4, "n_layers": 2, "d_ff": 32, "max_length": 12}
COMPUTED: list[PositionKind] = ["none", "sinusoidal", "rotary", "alibi"]


def make(position: PositionKind, **shape: Any) -> GPT:
    model = GPT(GPTConfig(**{**SMALL, **shape}, position=position)).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # biases start at 0 and gains at 1: a test would not notice their absence
            if parameter.ndim == 1:
                parameter.add_(torch.randn_like(parameter) * 0.3)
    return model


def tokens(*shape: int) -> Tensor:
    return torch.randint(1, 40, shape)


@pytest.mark.parametrize("position", POSITION_KINDS)
class TestEveryKind:
    @torch.no_grad()
    def test_a_future_token_cannot_change_a_past_logit(self, position: PositionKind) -> None:
        model, ids = make(position), tokens(2, 8)
        before = model(ids)
        for index in range(1, 8):
            changed = ids.clone()
            changed[:, index:] = (changed[:, index:] + 1) % 40
            after = model(changed)
            assert torch.equal(after[:, :index], before[:, :index])
            assert not torch.equal(after[:, index:], before[:, index:])

    @torch.no_grad()
    def test_observing_changes_nothing(self, position: PositionKind) -> None:
        model, ids, tape = make(position), tokens(2, 8), Tape()
        assert torch.equal(model(ids), model(ids, tape=tape))
        assert tape.sites == ("layers.0.self", "layers.1.self")
        seen = tape["layers.1.self"]
        assert seen.weights.shape == (2, 4, 8, 8)
        assert (seen.weights.triu(1) == 0).all()
        torch.testing.assert_close(seen.weights.sum(-1), torch.ones(2, 4, 8))
        assert seen.scores.isfinite().all()

    def test_four_threads_on_one_model_see_their_own_maps(self, position: PositionKind) -> None:
        model, inputs = make(position), [tokens(1, 3 + i % 9) for i in range(24)]

        def observe(ids: Tensor) -> tuple[Tensor, Tensor]:
            with torch.inference_mode():
                tape = Tape()
                return model(ids, tape=tape), tape["layers.0.self"].weights

        alone = [observe(ids) for ids in inputs]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(observe, inputs))
        for (logits, weights), (expected_logits, expected_weights) in zip(together, alone, strict=True):
            assert torch.equal(logits, expected_logits)
            assert torch.equal(weights, expected_weights)

    def test_every_parameter_learns(self, position: PositionKind) -> None:
        model = make(position)
        model.train()(tokens(2, 12)).logsumexp(-1).sum().backward()
        assert [name for name, each in model.named_parameters() if each.grad is None or not each.grad.abs().max()] == []

    def test_one_table_reads_and_writes(self, position: PositionKind) -> None:
        assert [name for name, each in make(position).named_parameters() if 40 in each.shape] == ["embedding.weight"]


@torch.no_grad()
@pytest.mark.parametrize("position", POSITION_KINDS)
def test_only_without_positions_the_order_of_the_past_is_lost_on_a_layer(position: PositionKind) -> None:
    """One layer, last place: a mean over the past. (A second layer sees how much past each place had.)"""
    model, ids = make(position, n_layers=1).double(), tokens(1, 9)
    shuffled = ids[:, [*torch.randperm(8).tolist(), 8]]
    same = torch.allclose(model(ids)[:, -1], model(shuffled)[:, -1], atol=1e-12)
    assert same == (position == "none")


@torch.no_grad()
def test_two_layers_tell_places_apart_by_the_causal_mask_alone() -> None:
    """Haviv et al. 2022: a decoder without positions is not blind to order."""
    model, ids = make("none").double(), torch.tensor([[3, 5, 7, 9, 11, 2]])
    assert not torch.allclose(model(ids)[:, -1], model(ids[:, [4, 3, 2, 1, 0, 5]])[:, -1], atol=1e-6)


@torch.no_grad()
@pytest.mark.parametrize("position", ["rotary", "alibi"])
def test_scores_know_only_how_far_apart_two_places_are(position: PositionKind) -> None:
    model, tape = make(position).double(), Tape()
    model(torch.full((1, 30), 7), tape=tape)
    scores = tape["layers.0.self"].scores[0]
    for distance in (0, 1, 5):
        diagonal = scores.diagonal(-distance, dim1=-2, dim2=-1)
        torch.testing.assert_close(diagonal, diagonal[:, :1].expand_as(diagonal), atol=1e-12, rtol=0)
    assert float((scores[:, 20, 20] - scores[:, 20, 10]).abs().max()) > 1e-3


@torch.no_grad()
def test_alibi_scores_fall_by_the_slope() -> None:
    model, tape = make("alibi").double(), Tape()
    model(torch.full((1, 6), 7), tape=tape)
    scores = tape["layers.0.self"].scores[0]
    torch.testing.assert_close(scores[:, 5, 4] - scores[:, 5, 3], alibi_slopes(4).double())


@torch.no_grad()
def test_rotary_attention_equals_one_made_of_gpt_j_s_parts() -> None:
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions  # seconds

    model, ids, tape = make("rotary", d_model=32), tokens(2, 10), Tape()
    model(ids, tape=tape)
    layer = model.layers[0]
    normed = layer.self_norm(model.embed(ids))
    sine, cosine = create_sinusoidal_positions(10, 8).chunk(2, dim=-1)
    query, key = (
        apply_rotary_pos_emb(projection(normed).view(2, 10, 4, 8), sine[None], cosine[None]).transpose(1, 2)
        for projection in (layer.self_attention.query, layer.self_attention.key)
    )
    value = layer.self_attention.value(normed).view(2, 10, 4, 8).transpose(1, 2)
    heads = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    expected = layer.self_attention.output(heads.transpose(1, 2).flatten(2))
    torch.testing.assert_close(tape["layers.0.self"].output, expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_what_a_layer_reads() -> None:
    ids = tokens(1, 5)
    for position in POSITION_KINDS:
        model = make(position)
        alone = 4 * model.embedding.weight[ids]
        added = {"sinusoidal": sinusoidal(5, 16)}
        if position == "learned":
            added[position] = 4 * model.get_parameter("positions.weight")[:5]
        torch.testing.assert_close(model.embed(ids), alone + added.get(position, torch.zeros(5, 16)))


@torch.no_grad()
def test_states_are_what_the_layers_read_and_leave() -> None:
    model, ids = make("rotary"), tokens(1, 5)
    states = list(model.states(ids))
    assert len(states) == 3
    assert torch.equal(states[0], model.embed(ids))
    assert torch.equal(model.norm(states[2]), model.hidden(ids))


class TestBeyondTheTrainingLength:
    @torch.no_grad()
    @pytest.mark.parametrize("position", COMPUTED)
    def test_computed_positions_go_on(self, position: PositionKind) -> None:
        model, ids = make(position), tokens(1, 40)
        torch.testing.assert_close(model(ids)[:, :12], model(ids[:, :12]), atol=1e-5, rtol=1e-4)

    def test_learned_positions_end_with_their_table(self) -> None:
        model = make("learned")
        model(tokens(1, 12))
        with pytest.raises(PositionOutOfRange, match="13 positions were asked for and only 12") as refused:
            model(tokens(1, 13))
        assert (refused.value.length, refused.value.table) == (13, 12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"d_model": 15}, "no multiple of n_heads"),
        ({"n_layers": 0}, "n_layers is 0"),
        ({"dropout": 1.0}, "dropout 1.0"),
        ({"d_model": 12, "position": "rotary"}, "must be even"),
        ({"max_length": -1}, "max_length is -1"),
    ],
)
def test_a_config_names_what_is_wrong(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GPTConfig(**{**SMALL, **change})


def test_an_unknown_position_code_is_refused() -> None:
    with pytest.raises(Exception, match="position"):  # by the type check, where one is on
        GPTConfig(**SMALL, position="absolute")  # type: ignore[arg-type]
