"""One pass over a finished text: the attention, probabilities and lens of every step that wrote it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.checkpoints.manifest import Manifest, Probe, StoredFile
from explorer.data.text import CharacterTokenizer
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.inference.gpt.induction import REPEATS, SEQUENCES, induction, make_repeated_text
from explorer.inference.gpt.sampling import TextSampler, next_tokens
from explorer.inference.gpt.trace import NEXT, logit_lens, next_token, trace
from explorer.inference.gpt.writing import write
from explorer.models.gpt import GPT, GPTConfig
from explorer.nn.positions import PositionKind
from explorer.nn.tape import Tape

TOKENIZER = CharacterTokenizer("\nabcdefghijklmnopqrstuvwxyzABCDE")


def tiny(position: PositionKind = "rotary") -> LoadedGPT:
    torch.manual_seed(2)
    shape = {"d_model": 16, "n_heads": 2, "n_layers": 2, "d_ff": 32, "max_length": 128}
    model = GPT(GPTConfig(vocab_size=TOKENIZER.vocab_size, **shape, position=position)).eval()
    manifest = Manifest(
        family="gpt",
        config={},
        files={"model.safetensors": StoredFile(sha256="0" * 64, size_bytes=0)},
        data="",
        licence="",
        command="",
        seed=0,
        metrics={},
        probe=Probe(given="", expected="", score=0.0),
    )
    return LoadedGPT(name="tiny", manifest=manifest, tokenizer=TOKENIZER, model=model)


@torch.no_grad()
def test_each_row_is_the_step_that_wrote_the_token() -> None:
    gpt = tiny()
    ids = write(gpt.model, [1, 4, 2], 9, TextSampler(temperature=1.5), window=128).ids
    looked = trace(gpt, ids[:-1], ids[-1])
    assert looked.attentions[0].query_labels == tuple(TOKENIZER.pieces(ids[1:]))
    assert looked.attentions[0].key_labels == tuple(TOKENIZER.pieces(ids[:-1]))
    for row in range(2, len(ids) - 1):
        step = Tape()
        gpt.model(torch.tensor([ids[: row + 1]]), tape=step)
        for site, record in zip(step.sites, looked.attentions, strict=True):
            np.testing.assert_allclose(record.weights[:, row, : row + 1], step[site].weights[0, :, row], atol=1e-5)


@torch.no_grad()
def test_the_lens_of_the_last_layer_is_the_model() -> None:
    gpt = tiny("learned")
    looked = trace(gpt, [1, 4, 2, 9], None)
    stream = logit_lens(gpt, looked)
    assert stream.written_labels[-1] == NEXT
    assert [point.what for point in stream.points] == ["read", "self", "net", "self", "net"]
    logits = gpt.model(torch.tensor([[1, 4, 2, 9]]))[0]
    torch.testing.assert_close(looked.logits, logits)
    shares = logits.softmax(-1)
    for position in range(3):
        following = (4, 2, 9)[position]
        assert stream.share[-1, position] == pytest.approx(float(shares[position, following]), abs=1e-5)
        assert stream.rank[-1, position] == int((shares[position] > shares[position, following]).sum())
        assert stream.likeliest[-1][position][0].probability == pytest.approx(float(shares[position].max()), abs=1e-5)
    np.testing.assert_allclose(stream.norm[0], stream.added[0])
    assert stream.position_norm is not None


def test_the_next_token_with_what_the_sampler_cut() -> None:
    gpt = tiny()
    looked = trace(gpt, [1, 4, 2], None)
    sampler = TextSampler(top_k=5, top_p=0.9)
    record = next_token(gpt, next_tokens(looked.logits[-1], [1, 4, 2], sampler), sampler, written=30)
    assert record.n_kept <= 5
    assert record.n_tokens == TOKENIZER.vocab_size - 1
    assert record.chosen is not None
    assert record.likeliest[record.chosen].label == TOKENIZER.pieces([30])[0]
    model = [each.model for each in record.likeliest[:12]]
    assert model == sorted(model, reverse=True)
    for each in record.likeliest:
        assert (each.drawn > 0) == (each.fate == "kept")
    assert sum(each.drawn for each in record.likeliest) == pytest.approx(1, abs=1e-5)


class TestInduction:
    def test_the_sequence_is_random_and_comes_again(self) -> None:
        ids = make_repeated_text(tiny(), 3)
        period = (len(ids) - 1) // REPEATS
        assert period == 25
        assert ids[0] == 1
        assert ids[1 : 1 + period] * REPEATS == ids[1:]
        assert len(set(ids[1 : 1 + period])) == period
        assert make_repeated_text(tiny(), 4) != ids

    @torch.no_grad()
    def test_scores_are_sums_over_the_attention_of_every_sequence(self) -> None:
        gpt = tiny()
        record, prefix, previous = induction(gpt, 3), [], []
        for seed in range(3, 3 + SEQUENCES):
            ids = make_repeated_text(gpt, seed)
            weights = trace(gpt, ids, None).attentions[1].weights[1]
            for query in range(1, len(ids)):
                previous.append(weights[query, query - 1])
                if query > record.period:
                    earlier = [key for key in range(2, query + 1) if ids[key - 1] == ids[query]]
                    assert len(earlier) == (query - 1) // record.period
                    prefix.append(sum(weights[query, key] for key in earlier))
        assert record.sequences == SEQUENCES > 1
        assert record.labels == tuple(gpt.tokenizer.pieces(make_repeated_text(gpt, 3)))
        assert record.prefix[1, 1] == pytest.approx(np.mean(prefix), abs=1e-5)
        assert record.previous[1, 1] == pytest.approx(np.mean(previous), abs=1e-5)
        for scores in (record.prefix, record.copying, record.previous):
            assert scores.shape == (2, 2)
            assert (scores >= 0).all()
            assert (scores <= 1).all()

    @torch.no_grad()
    def test_copying_is_the_share_of_what_a_head_raises(self) -> None:
        """Head 0 of layer 0 again: its columns of W^O, then the last normalisation and the whole table."""
        gpt = tiny()
        model, shares = gpt.model, []
        attention = model.layers[0].self_attention
        for seed in range(SEQUENCES):
            ids = make_repeated_text(gpt, seed)
            tape = Tape()
            *_, last = model.states(torch.tensor([ids]), tape=tape)
            weights = tape["layers.0.self"].weights[0, 0]
            value = attention.value(tape.read("layers.0.self").context)[0, :, :8]
            added = weights @ value @ attention.output.weight[:, :8].T
            centred = (added - added.mean(-1, keepdim=True)) / (last[0].var(-1, correction=0)[:, None] + 1e-5).sqrt()
            logits = model.logits(centred * model.norm.weight)
            raised = (logits - logits.mean(-1, keepdim=True)).relu()
            for position in range(1, len(ids)):
                looked = ids[int(weights[position].argmax())]
                among = raised[position, list(ids[1:26])].sum()
                shares.append(float(raised[position, looked] / among) if looked in ids[1:26] else 0.0)
        assert induction(gpt, 0).copying[0, 0] == pytest.approx(np.mean(shares), abs=1e-4)

    @pytest.mark.parametrize("name", ["gpt-repeats", "gpt-shakespeare", "gpt-verse-zh"])
    def test_heads_that_nobody_trained_stay_below_two_thirds_of_what_is_asked(self, name: str) -> None:
        shipped = load(name)
        for seed in range(3):
            torch.manual_seed(seed)
            record = induction(replace(shipped, model=GPT(shipped.model.config).eval()), 0)
            assert record.copying.max() < 2 * record.even[1] < record.least[1]
            assert record.prefix.max() < record.least[0] / 5

    @torch.no_grad()
    def test_a_head_made_to_copy_scores_one(self) -> None:
        """Values and output that hand the token itself on: what is looked at is what is raised."""
        gpt = tiny("none")
        layer = gpt.model.layers[1]
        for linear in (layer.self_attention.value, layer.self_attention.output):
            linear.weight.copy_(torch.eye(16))
            linear.bias.zero_()
        gpt.model.embedding.weight.copy_(torch.nn.functional.normalize(torch.randn(TOKENIZER.vocab_size, 16), dim=1))
        assert induction(gpt, 0).copying[1].max() > 2 * induction(gpt, 0).even[1]
