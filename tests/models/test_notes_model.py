"""The lecture notes' model: our two scores and the whole wiring against a plain transcription of its formulas."""

import math
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from explorer.models.seq2seq import Seq2Seq
from explorer.nn.alignment import Alignment
from tests.models.test_seq2seq_model import batch, linear, made, tokens, within

H = 12
#: Shapes that `explorer/training/seq2seq/command.py` is asked for; without parameters in the score, and with.
WIRED: dict[str, Any] = {
    "cell": "lstm",
    "d_embedding": H,
    "d_hidden": H,
    "d_encoder": H,
    "d_attention": H,
    "joining": "projected",
    "start": "summed",
    "context": "input",
    "query": "before",
    "readout": "bare",
}
SIMPLE: dict[str, Any] = {"mechanism": "scaled_dot"}
PARAMS: dict[str, Any] = {"mechanism": "concat", "score_bias": True}
LUONG: dict[str, Any] = {"mechanism": "general", "context": "output", "query": "after"}


def simple(query: Tensor, key: Tensor) -> Tensor:
    """One score without parameters: q·k / √h."""
    return (query * key).sum() / math.sqrt(len(query))


def params(query: Tensor, key: Tensor, weight: Tensor, bias: Tensor, v: Tensor) -> Tensor:
    """One score with parameters: v · tanh(W [q; k] + b)."""
    return (v * torch.tanh(weight @ torch.cat([query, key]) + bias)).sum()


@torch.no_grad()
def test_both_scores_weigh_seeded_tensors_as_the_formulas_do() -> None:
    torch.manual_seed(0)
    query, keys = torch.randn(1, 2, H).double(), torch.randn(1, 5, H).double()
    without = Alignment("scaled_dot", H, H, H).double()
    learned = Alignment("concat", H, H, H, bias=True).double()
    learned.scorer.bias.copy_(torch.randn(H))
    own = (learned.scorer.weight, learned.scorer.bias, learned.scorer.v)
    for alignment, score in ((without, simple), (learned, lambda q, k: params(q, k, *own))):
        found = alignment(query, alignment.offer(keys), keys, torch.ones(1, 1, 5, dtype=torch.bool))
        for i in range(2):
            weights = torch.stack([score(query[0, i], key) for key in keys[0]]).softmax(0)
            torch.testing.assert_close(found.weights[0, i], weights)
            torch.testing.assert_close(found.output[0, i], sum(w * k for w, k in zip(weights, keys[0], strict=True)))


class Transcribed(NamedTuple):
    """Each step of one sentence: how the source is weighed, the context, and the logits."""

    weights: Tensor
    contexts: Tensor
    logits: Tensor


def transcribed(model: Seq2Seq, source: Tensor, target: Tensor) -> Transcribed:
    """Compute one sentence from the formulas, `nn.LSTM` and the model's weights alone."""
    weights, layers, h = model.state_dict(), model.config.n_layers, model.config.d_hidden
    vectors = weights["embedding.weight"] * h**0.5
    reader = nn.LSTM(h, h, layers, bidirectional=True).double()
    reader.load_state_dict(within(weights, "encoder.network."))
    decoder = nn.LSTM(2 * h, h, layers).double()
    decoder.load_state_dict(within(weights, "cell.network."))
    read, (h_ends, c_ends) = reader(vectors[source])
    memory = torch.tanh(linear(weights, "encoder.projection", read))  # both keys and values
    hidden = torch.stack([h_ends[2 * layer] + h_ends[2 * layer + 1] for layer in range(layers)])
    cell = torch.stack([c_ends[2 * layer] + c_ends[2 * layer + 1] for layer in range(layers)])
    steps = []
    for token in target:
        query = hidden[-1]  # the last layer, before the step
        if "alignment.scorer.v" in weights:  # not by the mechanism's name: another one must be found out
            own = [weights[f"alignment.scorer.{name}"] for name in ("weight", "bias", "v")]
            scores = [params(query, key, *own) for key in memory]
        else:
            scores = [simple(query, key) for key in memory]
        shares = torch.stack(scores).softmax(0)
        context = shares @ memory
        after, (hidden, cell) = decoder(torch.cat([vectors[token], context])[None], (hidden, cell))
        steps.append((shares, context, linear(weights, "readout", after[0])))
    return Transcribed(*(torch.stack(parts) for parts in zip(*steps, strict=True)))


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("score", [SIMPLE, PARAMS], ids=["simple", "params"])
@torch.no_grad()
def test_the_whole_model_is_the_formulas(score: dict[str, Any], layers: int) -> None:
    model, lengths = made(n_layers=layers, **score, **WIRED), (5, 3)
    for name, each in model.named_parameters():
        if "bias" in name:  # which start at 0 and would hide in the wrong place
            each.copy_(torch.randn_like(each) / 3)
    source, target = batch(lengths), tokens(2, 6)
    found = model(source, target)
    for row, n in enumerate(lengths):
        torch.testing.assert_close(found[row], transcribed(model, source[row, :n], target[row]).logits)


@pytest.mark.parametrize("other", [{"mechanism": "dot"}, {"mechanism": "general"}, {"start": "mapped"}], ids=str)
@torch.no_grad()
def test_another_wiring_of_the_same_weights_changes_the_numbers(other: dict[str, Any]) -> None:
    """The transcription tells each part from what stood in its place before."""
    model = made(**{**SIMPLE, **WIRED, **other})
    source, target = batch((5,)), tokens(1, 6)
    found, wanted = model(source, target)[0], transcribed(model, source[0], target[0]).logits
    assert found.shape == wanted.shape
    assert not torch.allclose(found, wanted, atol=1e-3)


@pytest.mark.parametrize(
    ("score", "other"),
    [
        (SIMPLE, {"joining": "summed"}),
        (SIMPLE, {"readout": "mixed"}),
        (SIMPLE, {"context": "output"}),
        (PARAMS, {"score_bias": False}),
        (PARAMS, {"mechanism": "additive"}),
    ],
    ids=str,
)
@torch.no_grad()
def test_another_wiring_has_other_weights(score: dict[str, Any], other: dict[str, Any]) -> None:
    model = made(**{**score, **WIRED, **other})
    with pytest.raises((KeyError, RuntimeError)):
        transcribed(model, batch((5,))[0], tokens(1, 6)[0])


def test_no_state_after_the_step_can_ask_where_the_context_is_read() -> None:
    with pytest.raises(ValueError, match="query 'after' needs context 'output'"):
        made(**SIMPLE, **WIRED | {"query": "after"})


@pytest.mark.parametrize(("shape", "ran"), [(SIMPLE | WIRED, []), (PARAMS | WIRED, []), (LUONG, ["at once"])])
def test_its_decoder_steps_even_where_every_right_word_is_given(
    shape: dict[str, Any], ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step's query is the state of the step before; Luong's asks after all states are known."""
    found, original = [], Seq2Seq._at_once
    monkeypatch.setattr(Seq2Seq, "_at_once", lambda *given: found.append("at once") or original(*given))
    made(**shape)(batch((5,)), tokens(1, 6))
    assert found == ran
