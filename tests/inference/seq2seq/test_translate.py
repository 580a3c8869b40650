"""A recurrent model at work: search, every number of every step, and what is refused."""

import copy
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.checkpoints.manifest import CheckpointUnsupported, read_manifest
from explorer.checkpoints.store import BUNDLED, list_bundled, load
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.seq2seq.steps import prepare_seq2seq
from explorer.inference.seq2seq.translate import LoadedSeq2Seq, load as loaded, probe, translate
from explorer.inference.translator.translate import InputRefused
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.inference.recurrent import BEAM, GREEDY, SENTENCES, TEXT

RECURRENT = [name for name in list_bundled() if read_manifest(BUNDLED / name).family in ("seq2seq", "couplet")]


def test_every_number_of_a_step(every: LoadedSeq2Seq) -> None:
    found = translate(every, TEXT, GREEDY)
    trace, model = found.trace, every.prepared.model
    n_source = len(trace.source.labels)
    assert found.mechanism == every.mechanism
    assert len(trace.steps) == len(trace.written_ids) == len(trace.written.labels)
    assert trace.states.shape == (n_source, every.prepared.config.d_memory)
    for step, following in zip(trace.steps, trace.steps[1:], strict=False):
        assert np.array_equal(step.after, following.before)
        assert not np.array_equal(step.before, step.after)
    for number, step in enumerate(trace.steps):
        assert step.chosen == 0
        assert step.likeliest[0] == step.written
        assert not step.forced
        if every.mechanism == "none":
            assert step.weights is None
            assert step.scores is None
            assert np.array_equal(step.context, trace.summary)
            continue
        assert step.weights is not None
        assert step.scores is not None
        np.testing.assert_allclose(step.context, step.weights @ trace.states, atol=1e-5)
        assert trace.alignment is not None
        assert np.array_equal(trace.alignment.weights[0, number], step.weights)
        if every.mechanism == "fixed":
            assert step.weights.argmax() == min(number, n_source - 1)
        else:
            exp = np.exp(step.scores - step.scores.max())
            np.testing.assert_allclose(step.weights, exp / exp.sum(), atol=1e-5)
    if every.mechanism == "scaled_dot":
        step = trace.steps[1]
        np.testing.assert_allclose(step.scores, trace.states @ step.before / math.sqrt(24), atol=1e-4)
    assert model.training is False


def test_the_alignment_names_its_rows_and_columns(every: LoadedSeq2Seq) -> None:
    trace = translate(every, TEXT, GREEDY).trace
    if every.mechanism == "none":
        assert trace.alignment is None
        assert trace.pharaoh() == ""
        return
    assert trace.alignment is not None
    assert trace.alignment.query_role == "produced"
    assert trace.alignment.query_labels == trace.written.labels
    assert trace.alignment.key_labels == trace.source.labels
    assert trace.alignment.provenance.model == Path(every.name).name
    assert every.mechanism in trace.alignment.provenance.detail


def test_the_search_and_the_trace_agree(every: LoadedSeq2Seq) -> None:
    for options in (GREEDY, BEAM):
        found = translate(every, TEXT, options)
        shares = [step.written.probability for step in found.trace.steps]
        assert sum(math.log(share) for share in shares) == pytest.approx(found.best.log_probability, abs=1e-3)
        assert found.best.labels == found.trace.written.labels


def test_a_batch_decodes_as_each_sentence_alone(every: LoadedSeq2Seq) -> None:
    sources = [[*every.tokenizer.encode(text), 2] for text in (*SENTENCES, TEXT)]
    for options in (GREEDY, BEAM):
        together = decode(every.prepared, sources, options)
        for source, found in zip(sources, together, strict=True):
            (alone,) = decode(every.prepared, [source], options)
            assert [each.ids for each in found] == [each.ids for each in alone]
            np.testing.assert_allclose([each.score for each in found], [each.score for each in alone], atol=1e-4)


def test_the_search_finds_the_likeliest_of_all(additive: LoadedSeq2Seq) -> None:
    """With three tokens to write and as many hypotheses, beam search of two steps is exhaustive."""
    model, device = copy.deepcopy(additive.prepared.model).cpu(), torch.device("cpu")
    source = [*additive.tokenizer.encode(TEXT), 2]
    ids = torch.tensor([source])
    with torch.inference_mode():
        totals = {}
        first = model(ids, torch.tensor([[1]]))[0, -1]
        first[[0, 1]] = -math.inf
        for a in first.topk(16).indices.tolist():
            second = model(ids, torch.tensor([[1, a]]))[0, -1]
            second[[0, 1]] = -math.inf
            b = int(second.argmax())
            totals[a, b] = float(first.log_softmax(-1)[a] + second.log_softmax(-1)[b])
    wide = DecodingOptions(beam=16, max_length=2, length_penalty=0.0)
    found = decode(prepare_seq2seq(model, device), [source], wide)[0]
    unfinished = [each for each in found if len(each.ids) == 2 and each.ids[0] != 2]
    best = max((pair for pair in totals if pair[0] != 2), key=lambda pair: totals[pair])
    assert unfinished[0].ids == best
    assert unfinished[0].log_probability == pytest.approx(totals[best], abs=1e-4)


@pytest.mark.parametrize(
    "text", ["😀👩‍👩‍👧 !!", "日本語", "</s> <pad> <s>", "a\x00b\x1b", "$\\int$ **b**", "%s {0}", "\u202eabc\u202c"]
)
def test_anything_goes_through(additive: LoadedSeq2Seq, text: str) -> None:
    found = translate(additive, text, GREEDY)
    assert len(found.trace.steps) == len(found.best.labels)


def test_too_much_is_refused(additive: LoadedSeq2Seq) -> None:
    with pytest.raises(InputRefused) as refused:
        translate(additive, "hund " * 60, GREEDY)
    assert refused.value.limit == 39


def test_four_threads_on_one_model(additive: LoadedSeq2Seq) -> None:
    texts = [*SENTENCES, TEXT] * 4
    alone = [translate(additive, text, BEAM) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: translate(additive, text, BEAM), texts))
    for one, other in zip(alone, together, strict=True):
        assert one.candidates == other.candidates
        assert one.trace.alignment is not None
        assert other.trace.alignment is not None
        assert np.array_equal(one.trace.alignment.weights, other.trace.alignment.weights)


def test_hard_alignment_in_pharaoh_format(additive: LoadedSeq2Seq) -> None:
    trace = translate(additive, TEXT, GREEDY).trace
    assert trace.alignment is not None
    expected = []
    for i, label in enumerate(trace.written.labels):
        j = int(np.argmax(trace.alignment.weights[0, i]))
        if label != "</s>" and trace.source.labels[j] != "</s>":
            expected.append(f"{j}-{i}")
    assert trace.pharaoh() == " ".join(expected)


def test_another_family_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "tiny", tiny_model(tiny_tokenizer().vocab_size))
    with pytest.raises(CheckpointUnsupported, match="not a recurrent model"):
        loaded(str(tmp_path / "tiny"))


@pytest.mark.parametrize("name", RECURRENT)
def test_shipped_checkpoints_reproduce_their_probe(name: str) -> None:
    manifest, model, tokenizer = load(BUNDLED / name)
    found = probe(model, tokenizer, manifest.probe.given)
    assert found.expected == manifest.probe.expected
    assert found.score == pytest.approx(manifest.probe.score, abs=1e-3)
