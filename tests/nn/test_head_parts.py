"""An attention taken apart adds up to the whole, and watching it changes nothing."""

import pytest
import torch

from explorer.nn.attention import MultiHeadAttention
from explorer.nn.blocks import DecoderLayer, EncoderLayer
from explorer.nn.head_parts import head_outputs, project
from explorer.nn.tape import SiteInputs, Tape


def attention(dtype: torch.dtype = torch.float64) -> MultiHeadAttention:
    module = MultiHeadAttention(16, 4).to(dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return module


def test_what_the_heads_add_sums_to_the_output() -> None:
    module = attention()
    query_input, context = torch.randn(5, 16).double(), torch.randn(7, 16).double()
    whole = module(query_input[None], context[None])
    added = head_outputs(module, context, whole.weights[0])
    assert added.shape == (4, 5, 16)
    torch.testing.assert_close(added.sum(0) + module.output.bias, whole.output[0])


def test_each_heads_part_is_its_output_through_its_slice_of_the_map() -> None:
    module = attention()
    context = torch.randn(7, 16).double()
    weights = torch.randn(4, 5, 7).double().softmax(-1)
    added = head_outputs(module, context, weights)
    value = module.value(context)
    for head in range(4):
        own = slice(4 * head, 4 * head + 4)
        expected = weights[head] @ value[:, own] @ module.output.weight[:, own].T
        torch.testing.assert_close(added[head], expected)


def test_queries_and_keys_make_the_scores() -> None:
    module = attention()
    query_input, context = torch.randn(5, 16).double(), torch.randn(7, 16).double()
    parts, whole = project(module, query_input, context), module(query_input[None], context[None])
    product = parts.query[:, :, None] * parts.key[:, None]  # [heads, queries, keys, d_key]
    torch.testing.assert_close(product.sum(-1) / 4**0.5, whole.scores[0])
    joined = (whole.weights[0] @ parts.value).transpose(0, 1).flatten(1)
    torch.testing.assert_close(module.output(joined), whole.output[0])


def test_a_seeded_layer_is_the_same_again_and_its_own() -> None:
    def made(seed: int) -> MultiHeadAttention:
        return MultiHeadAttention(16, 4, generator=torch.Generator().manual_seed(seed))

    first = made(3)
    torch.manual_seed(99)
    for a, b in zip(first.parameters(), made(3).parameters(), strict=True):
        assert torch.equal(a, b)
    assert not torch.equal(first.query.weight, made(4).query.weight)
    assert not torch.equal(first.query.weight, first.key.weight)
    bound = (6 / 32) ** 0.5
    assert first.query.weight.abs().max() <= bound
    assert not first.output.bias.any()


def test_the_tape_keeps_what_each_attention_read() -> None:
    encoder, decoder = EncoderLayer(16, 4, 32, 0.0).eval(), DecoderLayer(16, 4, 32, 0.0).eval()
    x, y, tape = torch.randn(1, 5, 16), torch.randn(1, 3, 16), Tape()
    everything = torch.ones(1, 1, 1, 5, dtype=torch.bool)
    memory = encoder(x, tape=tape, site="e")
    decoder(y, memory, torch.ones(3, 3).tril().bool(), everything, tape=tape, site="d")
    for site, module in (
        ("e.self", encoder.self_attention),
        ("d.self", decoder.self_attention),
        ("d.cross", decoder.cross_attention),
    ):
        read = tape.read(site)
        allowed = torch.ones(3, 3).tril().bool() if site == "d.self" else None
        torch.testing.assert_close(module(read.query_input, read.context, allowed).output, tape[site].output)
    assert torch.equal(tape.read("d.cross").context, memory)
    assert torch.equal(tape.read("e.self").query_input, encoder.self_norm(x))


def test_watching_changes_no_bit_and_stores_nothing() -> None:
    layer = DecoderLayer(16, 4, 32, 0.0).eval()
    given = torch.randn(2, 3, 16), torch.randn(2, 5, 16), torch.ones(3, 3).tril().bool(), torch.ones(2, 1, 1, 5).bool()
    before = {name: set(vars(module)) for name, module in layer.named_modules()}
    assert torch.equal(layer(*given), layer(*given, tape=Tape()))
    assert {name: set(vars(module)) for name, module in layer.named_modules()} == before
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in layer.modules())


def test_a_tape_without_inputs_says_so() -> None:
    module, tape = attention(), Tape()
    attended = module(torch.randn(1, 2, 16).double(), torch.randn(1, 2, 16).double())
    tape.record("here", attended)
    with pytest.raises(KeyError):
        tape.read("here")
    with pytest.raises(ValueError, match="twice"):
        tape.record("here", attended, read=SiteInputs(attended.output, attended.output))
