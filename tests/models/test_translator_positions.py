"""A translator with each kind of position: what it learns with, how it decodes, and what it knows of places."""

import math

import pytest
import torch

from explorer.inference.engine.kv_cache import KVCache
from explorer.inference.engine.prepared import prepare
from explorer.inference.engine.uncached import WholePrefix
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.positions import POSITION_KINDS, PositionKind, PositionOutOfRange
from explorer.nn.tape import Tape

SOURCES = [[5, 9, 30, 17, 2], [40, 2], [8, 8, 8, 21, 15, 33, 12, 2]]


def tiny(kind: PositionKind) -> Translator:
    torch.manual_seed(3)
    shape = {"d_model": 32, "n_heads": 4, "n_encoder_layers": 2, "n_decoder_layers": 2, "d_ff": 64, "max_length": 24}
    model = Translator(TranslatorConfig(vocab_size=50, position=kind, **shape)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5).add_(torch.randn_like(parameter) * 0.05)
    return model


@pytest.mark.parametrize("kind", POSITION_KINDS)
@torch.inference_mode()
def test_observing_changes_nothing(kind: PositionKind) -> None:
    model, tape = tiny(kind), Tape()
    source, target = torch.randint(3, 50, (2, 7)), torch.randint(3, 50, (2, 5))
    assert torch.equal(model(source, target), model(source, target, tape=tape))
    assert len(tape.sites) == 6


@pytest.mark.parametrize("kind", POSITION_KINDS)
@pytest.mark.parametrize("beam", [1, 3])
@torch.inference_mode()
def test_step_by_step_is_the_parallel_pass(kind: PositionKind, beam: int) -> None:
    model = tiny(kind)
    source, tokens = torch.tensor([[5, 9, 30, 17, 2], [40, 2, 0, 0, 0]]), torch.randint(3, 50, (2, beam, 9))
    steps = prepare(model).start(source, beam=beam, max_steps=9)
    assert isinstance(steps, KVCache if kind == "sinusoidal" else WholePrefix)
    for number in range(9):
        logits = steps.advance(tokens[..., number])[..., :50]
        for rank in range(beam):
            whole = model(source, tokens[:, rank, : number + 1])[:, -1]
            whole[:, :2] = -math.inf
            torch.testing.assert_close(logits[:, rank], whole, atol=1e-4, rtol=0)


@pytest.mark.parametrize("kind", POSITION_KINDS)
def test_together_as_alone(kind: PositionKind) -> None:
    """Hypotheses keep to their own past and sentences to their own source, also when some are finished."""
    prepared, options = prepare(tiny(kind)), DecodingOptions(beam=3, max_length=12)
    together = decode(prepared, SOURCES, options)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = decode(prepared, [source], options)
        assert [each.ids for each in alone] == [each.ids for each in found]
        assert [each.score for each in alone] == pytest.approx([each.score for each in found], abs=1e-4)


@pytest.mark.parametrize("kind", POSITION_KINDS)
@torch.no_grad()
def test_future_and_padding_do_not_reach_back(kind: PositionKind) -> None:
    model = tiny(kind).double()
    source, target = torch.randint(3, 50, (1, 5)), torch.randint(3, 50, (1, 4))
    before = model(source, target)
    changed = target.clone()
    changed[:, 2:] = torch.tensor([[7, 8]])
    padded = torch.cat([source, torch.zeros(1, 3, dtype=torch.long)], 1)
    assert torch.equal(model(source, changed)[:, :2], before[:, :2])
    torch.testing.assert_close(model(padded, target), before, atol=1e-12, rtol=0)


@pytest.mark.parametrize("kind", POSITION_KINDS)
def test_every_parameter_learns(kind: PositionKind) -> None:
    model = tiny(kind).train()
    model(torch.randint(3, 50, (2, 5)), torch.randint(3, 50, (2, 4))).logsumexp(-1).sum().backward()
    assert [name for name, parameter in model.named_parameters() if parameter.grad is None] == []
    assert any(name.startswith("positions") for name, _ in model.named_parameters()) == (kind == "learned")


@torch.no_grad()
def test_what_the_encoder_knows_of_places() -> None:
    """Turning a sentence round turns its states round where nothing, or distance alone, is known."""
    ids = torch.tensor([[5, 9, 30, 17, 21, 2]])
    knows = {}
    for kind in POSITION_KINDS:
        model = tiny(kind).double()
        allowed = torch.ones_like(ids, dtype=torch.bool)
        turned = model.encode(ids.flip(1), allowed).flip(1)
        knows[kind] = not torch.allclose(model.encode(ids, allowed), turned, atol=1e-10)
    assert knows == {"none": False, "alibi": False, "sinusoidal": True, "learned": True, "rotary": True}


def test_a_learned_table_has_an_end() -> None:
    with pytest.raises(PositionOutOfRange, match="25 positions"):
        tiny("learned")(torch.ones(1, 25, dtype=torch.long), torch.ones(1, 4, dtype=torch.long))


def test_a_rotary_head_needs_pairs() -> None:
    with pytest.raises(ValueError, match="rotary positions turn pairs"):
        TranslatorConfig(vocab_size=50, d_model=12, n_heads=4, position="rotary")


def test_only_sinusoidal_has_codes() -> None:
    assert tiny("sinusoidal").positional_encodings.shape == (24, 32)
    with pytest.raises(TypeError, match="rotary"):
        _ = tiny("rotary").positional_encodings
