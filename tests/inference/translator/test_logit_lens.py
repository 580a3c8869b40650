"""The stream's vectors are the model's own, their parts add up, and the lens ends at what the model says."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.translator.logit_lens import Stream, follow, lens, stream
from explorer.inference.translator.trace import log_probabilities
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.positions import POSITION_KINDS, PositionKind
from explorer.nn.tape import Tape
from explorer.records.provenance import Provenance

WHO = Provenance(computed_by="test", model="tiny")
TARGET = (30, 41, 7, 30, 2)


@pytest.fixture(scope="module", params=POSITION_KINDS)
def positioned(request: pytest.FixtureRequest, tokenizer: Tokenizer) -> Prepared:
    """A tiny translator for every kind of position."""
    torch.manual_seed(3)
    kind: PositionKind = request.param
    config = TranslatorConfig(
        vocab_size=tokenizer.vocab_size, d_model=32, n_heads=4, n_encoder_layers=1, n_decoder_layers=3, d_ff=64,
        max_length=48, position=kind,
    )  # fmt: skip
    return prepare(Translator(config).eval())


@pytest.fixture(scope="module")
def source(tokenizer: Tokenizer) -> list[int]:
    return [*tokenizer.encode("The cat saw the cat"), tokenizer.eos_id]


@pytest.fixture(scope="module")
def found(positioned: Prepared, source: list[int]) -> Stream:
    return stream(positioned, source, TARGET)


def own(prepared: Prepared, source: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """The model's last hidden vectors and its logits, asked for directly."""
    model = prepared.model
    with torch.inference_mode():
        source_ids, target_ids = torch.tensor([source]), torch.tensor([[1, *TARGET[:-1]]])
        allowed = torch.ones_like(source_ids, dtype=torch.bool)
        return model.hidden(target_ids, model.encode(source_ids, allowed), allowed)[0], model(source_ids, target_ids)[0]


def test_the_last_vector_is_the_models_own(positioned: Prepared, source: list[int], found: Stream) -> None:
    with torch.inference_mode():
        assert torch.equal(positioned.model.decoder.norm(found.after[-1]), own(positioned, source)[0])


def test_the_parts_add_up_to_the_stream(positioned: Prepared, found: Stream) -> None:
    assert len(found.added) == 1 + 3 * 3
    torch.testing.assert_close(found.added.double().cumsum(0).float(), found.after, rtol=0, atol=1e-5)
    read = found.tokens if found.positions is None else found.tokens + found.positions
    torch.testing.assert_close(read, found.after[0])
    assert (found.positions is None) == (positioned.config.position in ("none", "rotary", "alibi"))


def test_the_lens_of_the_last_layer_is_the_model(positioned: Prepared, source: list[int], found: Stream) -> None:
    logits = own(positioned, source)[1].clone()
    logits[:, [0, 1]] = -math.inf
    with torch.inference_mode():
        torch.testing.assert_close(lens(positioned, found.after[-1]), logits.log_softmax(-1), rtol=0, atol=1e-5)


def test_the_record_is_recomputed_from_the_vectors(
    positioned: Prepared, tokenizer: Tokenizer, source: list[int], found: Stream
) -> None:
    record = follow(positioned, tokenizer, source, TARGET, WHO)
    np.testing.assert_allclose(record.norm, (found.after**2).sum(-1).sqrt(), rtol=1e-5)
    np.testing.assert_allclose(record.added, (found.added**2).sum(-1).sqrt(), rtol=1e-5)
    for point, position in ((0, 0), (4, 2), (9, 4)):
        with torch.inference_mode():
            shares = lens(positioned, found.after[point])[position].exp()
        order = shares.argsort(descending=True)
        assert record.rank[point, position] == order.tolist().index(TARGET[position])
        assert record.share[point, position] == pytest.approx(shares[TARGET[position]].item(), rel=1e-4)
        assert record.likeliest[point][position][0].label == tokenizer.pieces([order[0].item()])[0]
        assert record.likeliest[point][position][0].probability == pytest.approx(shares.max().item(), rel=1e-4)
    assert record.layer_ends == (0, 3, 6, 9)
    assert record.read_labels[0] == "<s>"


def test_recording_the_nets_changes_nothing_and_is_not_done_unasked(model: Translator, source: list[int]) -> None:
    ids = torch.tensor([source]), torch.tensor([[1, *TARGET[:-1]]])
    plain, asked = Tape(), Tape(feed_forward=True)
    with torch.inference_mode():
        logits = [model(*ids), model(*ids, tape=plain), model(*ids, tape=asked)]
    assert torch.equal(logits[0], logits[1])
    assert torch.equal(logits[0], logits[2])
    assert asked.net("decoder.layers.2").shape == (1, len(TARGET), 32)
    assert plain.sites == asked.sites
    with pytest.raises(KeyError):
        plain.net("decoder.layers.2")


SMALL = TranslatorConfig(vocab_size=50, d_model=32, n_heads=4, n_encoder_layers=1, n_decoder_layers=2)


def test_without_residual_connections_there_is_no_stream() -> None:
    with pytest.raises(ValueError, match="residual"):
        stream(prepare(Translator(replace(SMALL, residual=False)).eval()), [4, 5, 3], TARGET)


@torch.inference_mode()
@pytest.mark.parametrize("last_norm", [True, False])
def test_after_post_norm_every_sum_is_normalised_and_the_last_vector_is_what_is_scored(last_norm: bool) -> None:
    torch.manual_seed(0)
    model = Translator(replace(SMALL, norm="post", last_norm=last_norm, score_bias=True)).eval()
    prepared = prepare(model)
    found = stream(prepared, [4, 5, 3], TARGET)
    assert len(found.after) == len(found.added) == 7
    assert found.after[1:].mean(-1).abs().max() < 1e-5
    assert (found.after[1:].var(-1, correction=0) - 1).abs().max() < 1e-3
    read = torch.tensor([[SMALL.bos_id, *TARGET[:-1]]])
    expected = log_probabilities(prepared, model(torch.tensor([[4, 5, 3]]), read)[0])
    assert torch.allclose(lens(prepared, found.after[-1]), expected, atol=1e-5)
