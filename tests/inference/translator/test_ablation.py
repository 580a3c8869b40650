"""Heads taken away by editing weights: what is edited does what it says, and the shared model is never touched."""

import copy
import math

import pytest
import torch
from torch import Tensor

from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.translator.ablation import (
    attention_of,
    head_sites,
    memory_of,
    next_token_logs,
    remove_heads,
    score_written,
    without,
)
from explorer.inference.translator.attention_inputs import observe
from explorer.models.translator import Translator
from explorer.nn.head_parts import head_outputs
from explorer.nn.tape import Tape
from explorer.records.heads import HeadName

HEADS = [
    HeadName(part="encoder", layer=1, head=2),
    HeadName(part="decoder", layer=0, head=3),
    HeadName(part="cross", layer=2, head=0),
]
each_head = pytest.mark.parametrize("head", HEADS, ids=lambda head: head.code)


def watched(model: Translator, source: list[int], target: tuple[int, ...]) -> Tape:
    tape = Tape()
    with torch.inference_mode():
        model(torch.tensor([source]), torch.tensor([[model.config.bos_id, *target[:-1]]]), tape=tape)
    return tape


def weights_of(model: Translator) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def same(model: Translator, before: dict[str, Tensor]) -> bool:
    return all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_every_head_is_named_once(model: Translator) -> None:
    names = head_sites(model)
    assert len(set(names)) == len(names) == 4 * (2 + 3 + 3)
    assert attention_of(model, HEADS[2]) is model.decoder.layers[2].cross_attention
    assert attention_of(model, HEADS[1]) is model.decoder.layers[0].self_attention
    with pytest.raises(KeyError, match=r"E7\.0"):
        attention_of(model, HeadName(part="encoder", layer=7, head=0))


@each_head
def test_off_adds_nothing_and_leaves_the_other_heads(
    model: Translator, source: list[int], target: tuple[int, ...], head: HeadName
) -> None:
    private = remove_heads(model, [head], "off")
    tape = watched(private, source, target)
    with torch.inference_mode():
        asked, weights = tape.read(head.site).context[0], tape[head.site].weights[0]
        added = head_outputs(attention_of(private, head), asked, weights)
        whole = head_outputs(attention_of(model, head), asked, weights)
    assert not added[head.head].any()
    others = [number for number in range(4) if number != head.head]
    assert torch.equal(added[others], whole[others])
    assert whole[head.head].abs().max() > 0.01


@each_head
def test_uniform_weighs_all_that_may_be_seen_the_same(
    model: Translator, source: list[int], target: tuple[int, ...], head: HeadName
) -> None:
    tape = watched(remove_heads(model, [head], "uniform"), source, target)
    weights, intact = tape[head.site].weights[0], watched(model, source, target)[head.site].weights[0]
    n, m = weights.shape[1:]
    allowed = torch.ones(n, m).tril() if head.part == "decoder" else torch.ones(n, m)
    torch.testing.assert_close(weights[head.head], allowed / allowed.sum(-1, keepdim=True))
    others = [number for number in range(4) if number != head.head]
    torch.testing.assert_close(weights[others], intact[others])


@pytest.mark.parametrize("how", ["off", "uniform"])
def test_the_shared_model_is_not_touched(model: Translator, how: str) -> None:
    before = weights_of(model)
    private = remove_heads(model, HEADS, how)  # type: ignore[arg-type]
    assert same(model, before)
    assert private.embedding.weight is model.embedding.weight, "what stays is lent, not copied"


@each_head
@pytest.mark.parametrize("how", ["off", "uniform"])
def test_a_head_comes_back_bit_for_bit(model: Translator, head: HeadName, how: str) -> None:
    private = copy.deepcopy(model)
    before = weights_of(private)
    with without(private, head, how):  # type: ignore[arg-type]
        assert not same(private, before)
        assert same(remove_heads(model, [head], how), weights_of(private))  # type: ignore[arg-type]
    assert same(private, before)
    with pytest.raises(RuntimeError), without(private, head, how):  # type: ignore[arg-type]
        raise RuntimeError
    assert same(private, before)


@pytest.mark.parametrize("how", ["off", "uniform"])
def test_the_fast_decoder_runs_the_edited_weights(model: Translator, source: list[int], how: str) -> None:
    private = remove_heads(model, HEADS, how)  # type: ignore[arg-type]
    for found in decode(prepare(private), [source], DecodingOptions(beam=3, max_length=9))[0]:
        logs = score_written(next_token_logs(private, source, found.ids), found.ids)
        assert float(logs.sum()) == pytest.approx(found.log_probability, abs=1e-3)


def test_without_any_head_the_source_is_not_heard(model: Translator, tokenizer: Tokenizer, source: list[int]) -> None:
    """With all of cross-attention off, another source changes nothing."""
    crossing = [head for head in head_sites(model) if head.part == "cross"]
    private, other = remove_heads(model, crossing, "off"), [*tokenizer.encode("I'm busy."), tokenizer.eos_id]
    deaf = [next_token_logs(private, ids, (5, 9, 11)) for ids in (source, other)]
    assert torch.equal(*deaf)
    assert not torch.equal(*(next_token_logs(model, ids, (5, 9, 11)) for ids in (source, other)))


def test_log_probabilities_are_those_of_the_search(prepared: Prepared, source: list[int]) -> None:
    for found in decode(prepared, [source], DecodingOptions(beam=4, max_length=9))[0]:
        logs = next_token_logs(prepared.model, source, found.ids)
        assert float(score_written(logs, found.ids).sum()) == pytest.approx(found.log_probability, abs=1e-3)
        torch.testing.assert_close(logs.exp().sum(-1), torch.ones(1, len(found.ids)))
        assert bool((logs[..., [prepared.config.pad_id, prepared.config.bos_id]] == -math.inf).all())
        memory = memory_of(prepared.model, source)
        assert torch.equal(logs, next_token_logs(prepared.model, source, found.ids, memory=memory))


def test_a_hidden_source_token_is_seen_by_nobody(model: Translator, source: list[int], target: tuple[int, ...]) -> None:
    """Whatever stands there, nothing that is written changes."""
    seen = torch.ones(1, len(source), dtype=torch.bool)
    seen[0, 2] = False
    other = [*source[:2], (source[2] + 40) % 300, *source[3:]]
    hidden = [next_token_logs(model, ids, target, source_allowed=seen) for ids in (source, other)]
    torch.testing.assert_close(*hidden)
    assert not torch.allclose(*(next_token_logs(model, ids, target) for ids in (source, other)))
    assert not torch.allclose(hidden[0], next_token_logs(model, source, target))


def test_rows_of_a_batch_are_read_alone(model: Translator, source: list[int], target: tuple[int, ...]) -> None:
    seen = ~torch.eye(len(source), dtype=torch.bool)
    together = next_token_logs(model, source, target, source_allowed=seen)
    for row in range(len(source)):
        alone = next_token_logs(model, source, target, source_allowed=seen[row : row + 1])
        torch.testing.assert_close(together[row : row + 1], alone, atol=1e-5, rtol=1e-5)


def test_what_was_observed_is_what_the_model_did(
    prepared: Prepared, source: list[int], target: tuple[int, ...]
) -> None:
    tape, seen = watched(prepared.model, source, target), observe(prepared, source, target)
    assert tuple(seen) == tape.sites
    for site, inputs in seen.items():
        assert torch.equal(torch.from_numpy(inputs.scores.copy()), tape[site].scores[0])
        assert torch.equal(torch.from_numpy(inputs.query_input.copy()), tape.read(site).query_input[0])
        assert torch.equal(torch.from_numpy(inputs.context.copy()), tape.read(site).context[0])
