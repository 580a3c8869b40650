"""The recurrent encoder-decoder as a module: two ways of running it, masks, observation, threads."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.models.seq2seq_parts import SITE
from explorer.nn.alignment import MECHANISMS
from explorer.nn.tape import Tape

SMALL: dict[str, Any] = {
    "vocab_size": 50,
    "d_embedding": 8,
    "d_hidden": 12,
    "d_encoder": 6,
    "d_attention": 10,
    "max_length": 32,
}
#: Every mechanism with each place of the context, and both cells with several layers.
SHAPES = [
    {"mechanism": mechanism, "context": position, "query": query, "cell": cell, "n_layers": layers}
    for mechanism, (position, query), (cell, layers) in itertools.product(
        MECHANISMS,
        [("input", "before"), ("output", "before"), ("output", "after"), ("next", "after")],
        [("gru", 1), ("lstm", 2)],
    )
]
#: Wirings of the lecture notes, and these with each half of what they leave out put back.
SHAPES += [
    {"mechanism": mechanism, "cell": cell, "n_layers": layers, "joining": "projected", "d_encoder": 12, **rest}
    for (mechanism, rest), (cell, layers) in itertools.product(
        [
            ("scaled_dot", {"start": "summed", "readout": "bare"}),
            ("concat", {"start": "summed", "readout": "bare", "score_bias": True}),
            ("additive", {"score_bias": True}),
            ("none", {"joining": "summed", "start": "summed"}),
            ("fixed", {"readout": "bare"}),
        ],
        [("gru", 1), ("lstm", 2)],
    )
]
ids = lambda shape: "-".join(str(value) for value in shape.values())  # noqa: E731


def made(**shape: Any) -> Seq2Seq:
    torch.manual_seed(1)
    model = Seq2Seq(Seq2SeqConfig(**{**SMALL, **shape})).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model


def tokens(*shape: int) -> Tensor:
    return torch.randint(3, 50, shape)


def batch(lengths: tuple[int, ...]) -> Tensor:
    source = tokens(len(lengths), max(lengths))
    return source * (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])


@pytest.mark.parametrize("shape", SHAPES, ids=ids)
@torch.no_grad()
def test_one_step_at_a_time_is_all_at_once(shape: dict[str, Any]) -> None:
    model, source, target = made(**shape), batch((5, 3, 4)), tokens(3, 6)
    allowed = source != 0
    memory = model.encode(source, allowed)
    whole = model.unroll(target, memory, allowed)
    state = memory.initial
    for t in range(6):
        torch.testing.assert_close(whole.states[:, t], state[-1][0])
        stepped = model.step(target[:, t], memory, allowed, state, number=t)
        state = stepped.state
        torch.testing.assert_close(stepped.hidden, whole.hidden[:, t])
        torch.testing.assert_close(stepped.context, whole.contexts[:, t])
        if whole.attended is not None:
            assert stepped.attended is not None
            for one, every in zip(stepped.attended, whole.attended, strict=True):
                torch.testing.assert_close(one[:, 0], every[:, t])
    torch.testing.assert_close(whole.states[:, 6], state[-1][0])


@pytest.mark.parametrize("shape", SHAPES, ids=ids)
@torch.no_grad()
def test_a_batch_gives_what_each_sentence_gives_alone(shape: dict[str, Any]) -> None:
    model, lengths = made(**shape), (1, 2, 3, 4, 5, 6, 7)
    source, target, tape = batch(lengths), tokens(7, 4), Tape()
    together = model(source, target, tape=tape)
    for row, n in enumerate(lengths):
        alone = model(source[row : row + 1, :n], target[row : row + 1])
        torch.testing.assert_close(together[row], alone[0])
        if shape["mechanism"] != "none":
            weights = tape[SITE].weights[row]
            assert not weights[:, n:].any()
            torch.testing.assert_close(weights.sum(-1), torch.ones(4).double())


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_padding_gets_no_gradient(mechanism: str) -> None:
    model, source = made(mechanism=mechanism), batch((5, 3, 4))
    seen: list[Tensor] = []
    embedded = model.embedding(source).detach().requires_grad_()
    model.embedding.forward = lambda ids: seen.append(embedded) or embedded  # type: ignore[method-assign]
    memory = model.encode(source, source != 0)
    del model.embedding.forward
    hidden = model.hidden(tokens(3, 4), memory, source != 0)
    hidden.square().sum().backward()
    assert len(seen) == 1
    assert embedded.grad is not None
    assert not embedded.grad[source == 0].any()
    assert (embedded.grad[source != 0].abs().sum(-1) > 0).all()


@pytest.mark.parametrize("mechanism", MECHANISMS)
@torch.no_grad()
def test_a_later_token_cannot_change_an_earlier_logit(mechanism: str) -> None:
    model, source, target = made(mechanism=mechanism), batch((5, 3)), tokens(2, 6)
    before = model(source, target)
    changed = target.clone()
    changed[:, 3:] = (target[:, 3:] - 2) % 47 + 3
    after = model(source, changed)
    assert torch.equal(after[:, :3], before[:, :3])
    assert not torch.equal(after[:, 3:], before[:, 3:])


@pytest.mark.parametrize("mechanism", MECHANISMS)
@torch.no_grad()
def test_observing_changes_nothing(mechanism: str) -> None:
    model, source, target, tape = made(mechanism=mechanism), batch((5, 3)), tokens(2, 4), Tape()
    assert torch.equal(model(source, target), model(source, target, tape=tape))
    assert tape.sites == (() if mechanism == "none" else (SITE,))
    if mechanism != "none":
        found, states = tape[SITE], model.encode(source, source != 0).states
        assert found.weights.shape == found.scores.shape == (2, 4, 5)
        torch.testing.assert_close(found.output, found.weights @ states)


@torch.no_grad()
def test_without_attention_every_step_sees_the_same_vector() -> None:
    model, source = made(mechanism="none"), batch((5, 3))
    allowed = source != 0
    memory = model.encode(source, allowed)
    contexts = model.unroll(tokens(2, 4), memory, allowed).contexts
    assert all(torch.equal(contexts[:, t], memory.summary) for t in range(4))


@pytest.mark.parametrize("shape", [each for each in SHAPES if each["mechanism"] not in ("none", "dot")], ids=ids)
@torch.no_grad()
def test_forced_weights_stand_in_and_only_later_tokens_feel_it(shape: dict[str, Any]) -> None:
    model, source, target = made(**shape), batch((5,)), tokens(1, 6)
    allowed = source != 0
    memory = model.encode(source, allowed)
    row = torch.tensor([[0.0, 0.0, 1.0, 0.0, 0.0]]).double()
    free, forced = model.unroll(target, memory, allowed), model.unroll(target, memory, allowed, forced={2: row})
    assert free.attended is not None
    assert forced.attended is not None
    assert torch.equal(forced.attended.weights[:, 2], row)
    torch.testing.assert_close(forced.contexts[:, 2], memory.states[:, 2])
    torch.testing.assert_close(forced.hidden[:, :2], free.hidden[:, :2])
    if not torch.equal(free.attended.weights[:, 2], row):  # a fixed alignment looks there by itself
        assert not torch.allclose(forced.hidden[:, 2], free.hidden[:, 2])
    state = memory.initial
    for t in range(6):
        stepped = model.step(target[:, t], memory, allowed, state, number=t, forced={2: row})
        state = stepped.state
        torch.testing.assert_close(stepped.hidden, forced.hidden[:, t])


FEEDING = {"context": "next", "query": "after", "cell": "lstm", "joining": "summed", "d_encoder": 12}


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("mechanism", ["dot", "general"])
@torch.no_grad()
def test_luongs_input_feeding_is_what_torch_computes(mechanism: str, layers: int) -> None:
    """Rebuild it sentence by sentence from `nn.LSTM`, `nn.LSTMCell` and the model's weights alone."""
    model, lengths = made(mechanism=mechanism, n_layers=layers, **FEEDING), (5, 3)
    source, target = batch(lengths), tokens(2, 6)
    weights, found = model.state_dict(), model(source, target)
    table = weights["embedding.weight"]
    vectors = table * 8**0.5
    reader = nn.LSTM(8, 12, layers, batch_first=True, bidirectional=True).double()
    reader.load_state_dict(within(weights, "encoder.network."))
    cells = [nn.LSTMCell(8 + 12 if layer == 0 else 12, 12).double() for layer in range(layers)]
    for layer, cell in enumerate(cells):
        cell.load_state_dict({name: weights[f"cell.network.{name}_l{layer}"] for name, _ in cell.named_parameters()})
    for row, n in enumerate(lengths):
        read, (h_n, c_n) = reader(vectors[source[row : row + 1, :n]])
        memory = read[0, :, :12] + read[0, :, 12:]  # [source, 12]: both directions summed
        h = [torch.tanh(linear(weights, f"bridge.{2 * i}", h_n[2 * i] + h_n[2 * i + 1])) for i in range(layers)]
        c = [linear(weights, f"bridge.{2 * i + 1}", c_n[2 * i] + c_n[2 * i + 1]) for i in range(layers)]
        context = torch.zeros(1, 12).double()
        for t in range(6):
            below = torch.cat([vectors[target[row, t]][None], context], -1)
            for layer, cell in enumerate(cells):
                h[layer], c[layer] = cell(below, (h[layer], c[layer]))
                below = h[layer]
            keys = memory if mechanism == "dot" else memory @ weights["alignment.scorer.weight"].T / 12**0.5
            context = (below @ keys.T).softmax(-1) @ memory
            hidden = torch.tanh(linear(weights, "readout", torch.cat([below, context], -1)))
            torch.testing.assert_close(found[row, t], (hidden @ table.T)[0])


def within(weights: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Return the weights of one part, by their names within it."""
    return {name.removeprefix(prefix): each for name, each in weights.items() if name.startswith(prefix)}


def linear(weights: dict[str, Tensor], name: str, x: Tensor) -> Tensor:
    """Map numbers by a stored linear layer."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def test_four_threads_on_one_model_see_their_own_maps() -> None:
    model = made(mechanism="additive")
    inputs = [(batch((3 + i % 5,)), tokens(1, 2 + i % 4)) for i in range(40)]

    def observe(pair: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        with torch.inference_mode():
            tape = Tape()
            return model(*pair, tape=tape), tape[SITE].weights

    alone = [observe(pair) for pair in inputs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(observe, inputs))
    for (logits, weights), (expected_logits, expected_weights) in zip(together, alone, strict=True):
        assert torch.equal(logits, expected_logits)
        assert torch.equal(weights, expected_weights)


@pytest.mark.parametrize("context", ["input", "output"])
def test_without_a_teacher_the_decoder_reads_its_own_tokens(context: str) -> None:
    model, source = made(context=context), batch((5, 3))
    allowed = source != 0
    with torch.no_grad():
        memory, read = model.encode(source, allowed), torch.full((2, 1), 1)
        for _ in range(4):
            read = torch.cat([read, model.logits(model.hidden(read, memory, allowed))[:, -1:].argmax(-1)], 1)
        wanted = model.hidden(read, memory, allowed)
        given = torch.cat([read[:, :1], tokens(2, 4)], 1)
        torch.testing.assert_close(model.hidden(given, memory, allowed, teacher_forcing=0.0), wanted)
        torch.manual_seed(3)
        some = model.hidden(given, memory, allowed, teacher_forcing=0.5)
    assert not torch.allclose(some, wanted)
    assert not torch.allclose(some, model.hidden(given, memory, allowed))


@pytest.mark.parametrize("shape", [each for each in SHAPES if each["mechanism"] != "fixed"], ids=ids)
def test_every_parameter_learns(shape: dict[str, Any]) -> None:
    model = made(**shape).train()
    model(batch((5, 3)), tokens(2, 4)).logsumexp(-1).sum().backward()
    still = [name for name, parameter in model.named_parameters() if parameter.grad is None or not parameter.grad.any()]
    assert still == []


def test_dropout_is_off_when_it_is_used() -> None:
    model, source, target = made(dropout=0.5), batch((5, 3)), tokens(2, 4)
    assert torch.equal(model(source, target), model(source, target))
    model.train()
    assert not torch.equal(model(source, target), model(source, target))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"d_hidden": 0}, "d_hidden is 0"),
        ({"mechanism": "dot", "d_hidden": 13}, "must be 12"),
        ({"mechanism": "dot", "bidirectional": False}, "must be 6"),
        ({"query": "after"}, "needs context 'output'"),
        ({"context": "next"}, "needs query 'after'"),
        ({"joining": "summed", "bidirectional": False}, "needs bidirectional"),
        ({"joining": "projected", "bidirectional": False}, "needs bidirectional"),
        ({"start": "summed", "d_hidden": 6}, "needs joining"),
        ({"start": "summed", "joining": "projected"}, "to be d_encoder 6"),
        ({"mechanism": "general", "score_bias": True}, "general has no hidden units"),
        ({"dropout": 1.0}, "dropout 1.0"),
        ({"eos_id": 50}, "below vocab_size 50"),
        ({"bos_id": 0}, "three ids"),
    ],
)
def test_a_config_names_what_is_wrong(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Seq2SeqConfig(**{**SMALL, **change})


@pytest.mark.parametrize("name", ["mechanism", "cell", "joining", "start", "context", "query", "readout"])
def test_an_unknown_choice_is_refused(name: str) -> None:
    with pytest.raises(Exception, match=name):  # by the type check, where one is on
        Seq2SeqConfig(**{**SMALL, name: "unknown"})
