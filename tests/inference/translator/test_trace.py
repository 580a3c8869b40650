"""One parallel look equals the looks of every step, changes nothing, and is named right."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import Prepared
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.translator.trace import token_row, trace
from explorer.models.translator import Translator
from explorer.nn.tape import Tape
from explorer.records.provenance import Provenance
from explorer.records.sequence import Trace, mark_cuts

WHO = Provenance(computed_by="test", model="tiny")


@pytest.fixture(scope="module")
def traced(prepared: Prepared, tokenizer: Tokenizer, source: list[int], target: tuple[int, ...]) -> Trace:
    return trace(prepared, tokenizer, source, target, WHO)


def test_every_site_once(traced: Trace, model: Translator) -> None:
    sites = [record.site for record in traced.attentions]
    expected = [f"encoder.layers.{i}.self" for i in range(2)]
    expected += [f"decoder.layers.{i}.{what}" for i in range(3) for what in ("self", "cross")]
    assert sites == expected
    assert all(record.n_heads == 4 for record in traced.attentions)
    assert [record.layer for record in traced.attentions] == [int(site.split(".")[2]) for site in sites]


def test_rows_are_those_of_the_steps(
    traced: Trace, model: Translator, source: list[int], target: tuple[int, ...]
) -> None:
    for step in range(len(target)):
        tape = Tape()
        with torch.inference_mode():
            model(torch.tensor([source]), torch.tensor([[1, *target[:step]]]), tape=tape)
        for record in traced.attentions:
            if record.site.startswith("decoder"):
                row = tape[record.site].weights[0, :, -1].numpy()
                np.testing.assert_allclose(record.weights[:, step, : row.shape[1]], row, atol=1e-5)
                assert not record.weights[:, step, row.shape[1] :].any()


def test_observing_changes_nothing(model: Translator, source: list[int], target: tuple[int, ...]) -> None:
    tokens = torch.tensor([source]), torch.tensor([[1, *target[:-1]]])
    with torch.inference_mode():
        assert torch.equal(model(*tokens), model(*tokens, tape=Tape()))


def test_output_is_weights_times_value(model: Translator, traced: Trace, source: list[int]) -> None:
    layer = model.encoder.layers[0]
    tape = Tape()
    with torch.inference_mode():
        ids = torch.tensor([source])
        model.encode(ids, torch.ones_like(ids, dtype=torch.bool), tape=tape)
        value = layer.self_attention.value(layer.self_norm(model.embedding(ids)))[0]  # [source, d_model]
        weights = torch.from_numpy(traced.attention("encoder.layers.0.self").weights.copy())
        heads = [weights[h] @ value[:, 8 * h : 8 * h + 8] for h in range(4)]
        expected = layer.self_attention.output(torch.cat(heads, 1))
    torch.testing.assert_close(tape["encoder.layers.0.self"].output[0], expected, atol=1e-5, rtol=0)


def test_labels_say_what_was_read_and_what_was_produced(
    traced: Trace, tokenizer: Tokenizer, source: list[int], target: tuple[int, ...]
) -> None:
    encoder, own, cross = (
        traced.attention(site) for site in ("encoder.layers.1.self", "decoder.layers.1.self", "decoder.layers.1.cross")
    )
    assert encoder.query_labels == encoder.key_labels
    assert own.query_labels == own.key_labels
    for labels, ids in (
        (encoder.query_labels, source),
        (own.query_labels, [tokenizer.bos_id, *target[:-1]]),
        (cross.query_labels, target),
    ):
        assert labels == mark_cuts(tokenizer.pieces(ids), tokenizer.word_groups(ids))
    assert cross.key_labels == encoder.key_labels
    assert (encoder.query_role, own.query_role, cross.query_role) == ("read", "read", "produced")
    assert (encoder.kind, own.kind, cross.kind) == ("self", "causal", "cross")
    assert encoder.key_labels[-1] == "</s>"
    assert own.provenance.detail == own.site
    assert own.provenance.model == "tiny"


def test_probabilities_are_those_of_the_search(prepared: Prepared, tokenizer: Tokenizer, source: list[int]) -> None:
    for hypothesis in decode(prepared, [source], DecodingOptions(beam=4, max_length=9))[0]:
        steps = trace(prepared, tokenizer, source, hypothesis.ids, WHO).steps
        assert len(steps) == len(hypothesis.ids)
        total = sum(math.log(step.written.probability) for step in steps)
        assert total == pytest.approx(hypothesis.log_probability, abs=1e-3)


def test_likeliest_are_the_likeliest(traced: Trace) -> None:
    for step in traced.steps:
        shares = [each.probability for each in step.likeliest]
        assert len(shares) == 5
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1 + 1e-5
        assert "<s>" not in {each.label for each in step.likeliest}
        if step.chosen is None:
            assert step.written.probability <= shares[-1]
        else:
            assert step.likeliest[step.chosen] == step.written


def test_greedy_writes_the_likeliest(prepared: Prepared, tokenizer: Tokenizer, source: list[int]) -> None:
    ids = decode(prepared, [source], DecodingOptions(beam=1, max_length=9))[0][0].ids
    assert {step.chosen for step in trace(prepared, tokenizer, source, ids, WHO).steps} == {0}


def test_four_threads_on_one_model(prepared: Prepared, tokenizer: Tokenizer, traced: Trace) -> None:
    texts = ["The cat saw the dog", "I'm busy", "naïve café", "dog"] * 6

    def work(text: str) -> tuple[list[tuple[int, ...]], Trace]:
        ids = [*tokenizer.encode(text), tokenizer.eos_id]
        found = decode(prepared, [ids], DecodingOptions(beam=3, max_length=10))[0]
        return [each.ids for each in found], trace(prepared, tokenizer, ids, found[0].ids, WHO)

    serial = [work(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        parallel = list(pool.map(work, texts))
    for (ids, alone), (ids_too, together) in zip(serial, parallel, strict=True):
        assert ids == ids_too
        for a, b in zip(alone.attentions, together.attentions, strict=True):
            assert np.array_equal(a.weights, b.weights)


def test_token_row_of_special_and_unprintable_tokens(tokenizer: Tokenizer) -> None:
    ids = [tokenizer.bos_id, *tokenizer.encode("café 日本"), tokenizer.eos_id]
    row = token_row(tokenizer, ids)
    assert row.labels == mark_cuts(tokenizer.pieces(ids), tokenizer.word_groups(ids))
    assert row.special == (True, *[False] * (len(ids) - 2), True)
    assert row.word_labels == ("<s>", "café", "␣", "日", "本", "</s>")
