"""The translator as a module: what may influence what, tied weights, observation, threads."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.embeddings import TokenTable
from explorer.nn.tape import Tape

SMALL: dict[str, Any] = {
    "vocab_size": 50,
    "d_model": 16,
    "n_heads": 4,
    "n_encoder_layers": 2,
    "n_decoder_layers": 2,
    "d_ff": 32,
    "max_length": 32,
}


@pytest.fixture
def model() -> Translator:
    return Translator(TranslatorConfig(**SMALL)).eval()


def tokens(*shape: int) -> Tensor:
    return torch.randint(3, 50, shape)


@torch.no_grad()
def test_a_future_token_cannot_change_a_past_logit(model: Translator) -> None:
    source, target = tokens(2, 7), tokens(2, 6)
    before = model(source, target)
    for position in range(1, 6):
        changed = target.clone()
        changed[:, position:] = tokens(2, 6 - position)
        after = model(source, changed)
        assert torch.equal(after[:, :position], before[:, :position])
        assert not torch.equal(after[:, position:], before[:, position:])


@torch.no_grad()
def test_padding_changes_nothing(model: Translator) -> None:
    model = model.double()
    source, target = tokens(1, 5), tokens(1, 4)
    alone = model(source, target)
    padded_source = torch.cat([source, torch.zeros(1, 3, dtype=torch.long)], 1)
    padded_target = torch.cat([target, torch.zeros(1, 2, dtype=torch.long)], 1)
    both = model(
        torch.cat([padded_source, tokens(1, 8)]),
        torch.cat([padded_target, tokens(1, 6)]),
    )
    torch.testing.assert_close(both[:1, :4], alone, atol=1e-12, rtol=0)


@torch.no_grad()
def test_a_source_token_matters(model: Translator) -> None:
    source, target = tokens(1, 5), tokens(1, 4)
    changed = source.clone()
    changed[0, 2] = (changed[0, 2] - 2) % 47 + 3
    assert not torch.equal(model(source, target), model(changed, target))


@torch.no_grad()
def test_observing_changes_nothing(model: Translator) -> None:
    source, target, tape = tokens(2, 5), tokens(2, 4), Tape()
    assert torch.equal(model(source, target), model(source, target, tape=tape))
    assert tape.sites == (
        "encoder.layers.0.self",
        "encoder.layers.1.self",
        "decoder.layers.0.self",
        "decoder.layers.0.cross",
        "decoder.layers.1.self",
        "decoder.layers.1.cross",
    )
    assert tape["decoder.layers.1.cross"].weights.shape == (2, 4, 4, 5)
    for site in tape.sites:
        torch.testing.assert_close(tape[site].weights.sum(-1), torch.ones_like(tape[site].weights[..., 0]))


def test_four_threads_on_one_model_see_their_own_maps(model: Translator) -> None:
    inputs = [(tokens(1, 3 + i % 5), tokens(1, 2 + i % 4)) for i in range(40)]

    def observe(pair: tuple[Tensor, Tensor]) -> tuple[Tensor, list[Tensor]]:
        with torch.inference_mode():
            tape = Tape()
            logits = model(*pair, tape=tape)
            return logits, [tape[site].weights for site in tape.sites]

    alone = [observe(pair) for pair in inputs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(observe, inputs))
    for (logits, maps), (expected_logits, expected_maps) in zip(together, alone, strict=True):
        assert torch.equal(logits, expected_logits)
        assert all(torch.equal(a, b) for a, b in zip(maps, expected_maps, strict=True))


def test_one_table_reads_and_writes(model: Translator) -> None:
    names = [name for name, parameter in model.named_parameters() if 50 in parameter.shape]
    assert names == ["embedding.weight"]
    with torch.no_grad():
        hidden = torch.randn(3, 16)
        torch.testing.assert_close(model.logits(hidden), hidden @ model.embedding.weight.T)
        read = model.embedding(torch.tensor([[7]]))[0, 0]
        torch.testing.assert_close(read, 4 * model.embedding.weight[7] + model.embedding.positions[0])


@torch.no_grad()
def test_a_new_table_neither_swells_nor_shrinks_what_it_reads_or_scores() -> None:
    table = TokenTable(4000, 64)
    read, scores = table(torch.arange(4000)), table.logits(torch.randn(100, 64))
    assert [float(each.std()) for each in (read, scores)] == pytest.approx([1, 1], rel=0.05)


def test_every_parameter_learns(model: Translator) -> None:
    model.train()(tokens(2, 5), tokens(2, 4)).logsumexp(-1).sum().backward()
    still = [name for name, parameter in model.named_parameters() if parameter.grad is None]
    assert still == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"d_model": 15}, "no multiple of n_heads"),
        ({"n_heads": 0}, "n_heads is 0"),
        ({"n_encoder_layers": 0}, "n_encoder_layers is 0"),
        ({"dropout": 1.0}, "dropout 1.0"),
        ({"eos_id": 50}, "below vocab_size 50"),
        ({"eos_id": 0}, "unlike the others"),
    ],
)
def test_a_config_names_what_is_wrong(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TranslatorConfig(**{**SMALL, **change})


def test_an_unknown_position_code_is_refused() -> None:
    with pytest.raises(Exception, match="position"):  # by the type check, where one is on
        TranslatorConfig(**SMALL, position="painted")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("directions", "ids"),
    [("", (0, 1)), ("en-fr", (0, 1)), ("en-fr en-de", (0, 1, 3, 4)), ("fr-en de-en", (0, 1, 3))],
)
def test_tags_are_never_written_and_one_direction_has_none(directions: str, ids: tuple[int, ...]) -> None:
    assert TranslatorConfig(vocab_size=20, directions=directions).never_written == ids


def by_hand(layer: nn.Module, x: Tensor, memory: Tensor | None = None) -> Tensor:
    """One layer without residual connections, pre-norm, written out with the weights alone."""

    def attend(attention: nn.Module, asking: Tensor, read: Tensor, *, causal: bool) -> Tensor:
        query, key, value = attention.query(asking), attention.key(read), attention.value(read)
        heads = []
        for part in torch.arange(query.shape[-1]).chunk(attention.n_heads):
            scores = query[..., part] @ key[..., part].mT / math.sqrt(len(part))
            if causal:
                scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
            heads.append(scores.softmax(-1) @ value[..., part])
        return attention.output(torch.cat(heads, -1))

    x = layer.self_norm(x)
    x = attend(layer.self_attention, x, x, causal=memory is not None)
    if memory is not None:
        x = attend(layer.cross_attention, layer.cross_norm(x), memory, causal=False)
    net = layer.feed_forward
    return net.contract(net.expand(layer.feed_forward_norm(x)).clamp(min=0))


@torch.no_grad()
def test_without_residual_connections_it_is_this_chain_of_parts() -> None:
    model = Translator(TranslatorConfig(**SMALL, residual=False)).double().eval()
    source, target = tokens(2, 5), tokens(2, 4)
    x, y = model.embed(source), model.embed(target)
    for layer in model.encoder.layers:
        x = by_hand(layer, x)
    for layer in model.decoder.layers:
        y = by_hand(layer, y, model.encoder.norm(x))
    expected = model.decoder.norm(y) @ model.embedding.weight.T
    torch.testing.assert_close(model(source, target), expected, atol=1e-12, rtol=0)
    assert not torch.allclose(expected, Translator(TranslatorConfig(**SMALL)).double().eval()(source, target))


@torch.no_grad()
def test_additive_scores_reach_every_attention() -> None:
    model, source, target = Translator(TranslatorConfig(**SMALL, scoring="additive")).eval(), tokens(1, 5), tokens(1, 4)
    tape = Tape()
    model(source, target, tape=tape)
    for site in tape.sites:
        stack, _, number, kind = site.split(".")
        layer = getattr(model, stack).layers[int(number)]
        read = tape.read(site)
        found = getattr(layer, f"{kind}_attention")(read.query_input, read.context).scores
        torch.testing.assert_close(tape[site].scores, found)
        assert tape[site].scores.abs().max() <= getattr(layer, f"{kind}_attention").scorer.v.abs().sum(-1).max()
