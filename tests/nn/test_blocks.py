"""Layers against PyTorch's, pre-norm and post-norm, and our dropout."""

import pytest
import torch
from torch import Tensor, nn

from explorer.nn.blocks import DecoderLayer, EncoderLayer, FeedForward, NormPlace
from explorer.nn.dropout import Dropout
from explorer.nn.tape import Tape
from tests.peers import copy_attention

D_MODEL, N_HEADS, D_FF = 16, 4, 32
both_places = pytest.mark.parametrize("norm", ["pre", "post"])


def copy_rest(ours: EncoderLayer | DecoderLayer, theirs: nn.Module, norms: list[tuple[str, str]]) -> None:
    theirs.linear1.load_state_dict(ours.feed_forward.expand.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.contract.state_dict())
    for our_name, their_name in norms:
        getattr(theirs, their_name).load_state_dict(getattr(ours, our_name).state_dict())


def stir(module: nn.Module) -> None:
    """Biases start at 0 and gains at 1: move them, or a test would not notice if they were left out."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.ndim == 1:
                parameter.add_(torch.randn_like(parameter))


@both_places
@torch.no_grad()
def test_encoder_layer_equals_pytorchs(norm: NormPlace) -> None:
    ours = EncoderLayer(D_MODEL, N_HEADS, D_FF, 0.3, norm=norm).double().eval()
    stir(ours)
    first = norm == "pre"
    theirs = nn.TransformerEncoderLayer(D_MODEL, N_HEADS, D_FF, batch_first=True, norm_first=first).double().eval()
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_rest(ours, theirs, [("self_norm", "norm1"), ("feed_forward_norm", "norm2")])
    x = torch.randn(2, 5, D_MODEL).double()
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    expected = theirs(x, src_key_padding_mask=padding)
    found = ours(x, ~padding[:, None, None, :])
    torch.testing.assert_close(found[~padding], expected[~padding], atol=1e-12, rtol=0)


@both_places
@torch.no_grad()
def test_decoder_layer_equals_pytorchs(norm: NormPlace) -> None:
    ours = DecoderLayer(D_MODEL, N_HEADS, D_FF, 0.3, norm=norm).double().eval()
    stir(ours)
    first = norm == "pre"
    theirs = nn.TransformerDecoderLayer(D_MODEL, N_HEADS, D_FF, batch_first=True, norm_first=first).double().eval()
    copy_attention(ours.self_attention, theirs.self_attn)
    copy_attention(ours.cross_attention, theirs.multihead_attn)
    copy_rest(ours, theirs, [("self_norm", "norm1"), ("cross_norm", "norm2"), ("feed_forward_norm", "norm3")])
    x, memory = torch.randn(2, 4, D_MODEL).double(), torch.randn(2, 5, D_MODEL).double()
    padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    causal = torch.ones(4, 4).tril().bool()
    expected = theirs(x, memory, tgt_mask=~causal, memory_key_padding_mask=padding)
    found = ours(x, memory, causal, ~padding[:, None, None, :])
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


@torch.no_grad()
def test_without_the_residual_connection_a_part_takes_the_place_of_what_it_read() -> None:
    layer = EncoderLayer(D_MODEL, N_HEADS, D_FF, 0.0, residual=False).eval()
    stir(layer)
    x = torch.randn(2, 5, D_MODEL)
    normed = layer.self_norm(x)
    attended = layer.self_attention(normed, normed).output
    torch.testing.assert_close(layer(x), layer.feed_forward(layer.feed_forward_norm(attended)))


@torch.no_grad()
def test_a_layer_records_what_it_attended_to_under_its_site() -> None:
    x, tape = torch.randn(1, 4, D_MODEL), Tape()
    EncoderLayer(D_MODEL, N_HEADS, D_FF, 0.0)(x, tape=tape, site="encoder.layers.0")
    causal = torch.ones(4, 4).tril().bool()
    everything = torch.ones(4).bool()
    DecoderLayer(D_MODEL, N_HEADS, D_FF, 0.0)(x, x, causal, everything, tape=tape, site="decoder.layers.0")
    assert tape.sites == ("encoder.layers.0.self", "decoder.layers.0.self", "decoder.layers.0.cross")
    assert (tape["decoder.layers.0.self"].weights.triu(1) == 0).all()


def test_feed_forward_treats_each_position_alone() -> None:
    net, x = FeedForward(D_MODEL, D_FF).double(), torch.randn(2, 5, D_MODEL).double()
    torch.testing.assert_close(net(x)[:, 2], net(x[:, 2]))


class TestDropout:
    def test_evaluation_leaves_alone(self) -> None:
        x = torch.randn(100)
        assert Dropout(0.5).eval()(x) is x

    @pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
    def test_drops_the_rate_and_keeps_the_mean(self, rate: float) -> None:
        dropped = Dropout(rate).train()(torch.ones(1000, 1003))
        assert abs(float((dropped == 0).float().mean()) - rate) < 0.003
        assert abs(float(dropped.mean()) - 1) < 0.003
        assert dropped.unique().numel() == 2

    def test_a_rate_next_to_one_keeps_something(self) -> None:
        dropped = Dropout(0.999).train()(torch.ones(1000, 1003))
        assert dropped.isfinite().all()
        assert 0 < float((dropped != 0).float().mean()) < 0.01

    def test_neighbours_are_dropped_independently(self) -> None:
        kept = (Dropout(0.5).train()(torch.ones(800_000)) != 0).float().view(-1, 8) - 0.5
        correlation = (kept.T @ kept) / kept.shape[0] * 4
        assert float((correlation - torch.eye(8)).abs().max()) < 0.02

    def test_the_seed_decides(self) -> None:
        def drawn(seed: int) -> Tensor:
            torch.manual_seed(seed)
            return Dropout(0.3).train()(torch.ones(64))

        assert torch.equal(drawn(1), drawn(1))
        assert not torch.equal(drawn(1), drawn(2))

    def test_gradient_goes_where_the_value_went(self) -> None:
        x = torch.ones(1000, requires_grad=True)
        y = Dropout(0.25).train()(x)
        y.sum().backward()
        assert torch.equal(x.grad, y.detach())

    @pytest.mark.parametrize("rate", [-0.1, 1.0])
    def test_rate_is_checked(self, rate: float) -> None:
        with pytest.raises(ValueError, match="not in"):
            Dropout(rate)
