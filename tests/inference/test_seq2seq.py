"""A recurrent model at work: search, every number of every step, and what follows when a step is forced."""

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from explorer.checkpoints.manifest import CheckpointUnsupported, read_manifest
from explorer.checkpoints.store import BUNDLED, bundled, load, save
from explorer.data.couplets import CoupletTokenizer, form_of
from explorer.data.tokenizer import Tokenizer
from explorer.inference.couplets import CoupletRule, answer, answer_all, force_answer
from explorer.inference.decoding import DecodingOptions, decode
from explorer.inference.ruled import Prefix, Ruled
from explorer.inference.seq2seq import LoadedSeq2Seq, encode_source, force, loaded, probe, translate
from explorer.inference.seq2seq_stepping import prepare_seq2seq
from explorer.inference.translator import InputRefused
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.nn.alignment import MECHANISMS
from explorer.records.recurrent import RecurrentRecord
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write

GREEDY, BEAM = DecodingOptions(beam=1, max_length=14), DecodingOptions(beam=4, max_length=14)
SENTENCES = ["ein mann mit hut.", "a man with a hat.", "zwei hunde laufen.", "two dogs are running.", "die katze"]
LINES = [
    "两个黄鹂鸣翠柳",
    "一行白鹭上青天",
    "风声，雨声，读书声",
    "家事，国事，天下事",
    "无边落木萧萧下",
    "不尽长江滚滚来",
]
TEXT = "ein mann und zwei hunde."


def tiny(tokenizer: Any, **shape: Any) -> Seq2Seq:
    """Weights so loud that no two tokens tie and a forced look is felt."""
    torch.manual_seed(5)
    model = Seq2Seq(Seq2SeqConfig(
        vocab_size=tokenizer.vocab_size, d_embedding=16, d_hidden=24, d_encoder=12, d_attention=20, max_length=40,
        **shape,
    )).eval()  # fmt: skip
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2).add_(torch.randn_like(parameter) * 0.05)
    return model


def stored(folder: Path, family: str, tokenizer: Any, model: Seq2Seq) -> LoadedSeq2Seq:
    folder.parent.mkdir(exist_ok=True)
    tokenizer.save(folder.parent / f"{folder.name}.json")
    save(
        folder, family=family, config=model.config, model=model, tokenizer_file=folder.parent / f"{folder.name}.json",
        data="some", licence="CC0", command="none", seed=5, metrics={},
        probe=lambda kept, reader: probe(kept, reader, SENTENCES[0]),
    )  # fmt: skip
    return loaded(str(folder))


@pytest.fixture(scope="module", params=MECHANISMS)
def every(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LoadedSeq2Seq:
    tokenizer = Tokenizer.train(SENTENCES, 300)
    model = tiny(tokenizer, mechanism=request.param)
    return stored(tmp_path_factory.mktemp("every") / request.param, "seq2seq", tokenizer, model)


@pytest.fixture(scope="module")
def additive(tmp_path_factory: pytest.TempPathFactory) -> LoadedSeq2Seq:
    tokenizer = Tokenizer.train(SENTENCES, 300)
    return stored(tmp_path_factory.mktemp("one") / "additive", "seq2seq", tokenizer, tiny(tokenizer))


@pytest.fixture(scope="module")
def couplets(tmp_path_factory: pytest.TempPathFactory) -> LoadedSeq2Seq:
    tokenizer = CoupletTokenizer.train(LINES)
    return stored(tmp_path_factory.mktemp("one") / "couplet", "couplet", tokenizer, tiny(tokenizer))


def test_every_number_of_a_step(every: LoadedSeq2Seq) -> None:
    found = translate(every, TEXT, GREEDY)
    trace, model = found.trace, every.prepared.model
    n_source = len(trace.source.labels)
    assert found.mechanism == every.mechanism
    assert len(trace.steps) == len(trace.written_ids) == len(trace.written.labels)
    assert trace.states.shape == (n_source, 24)
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
    model, device = additive.prepared.model, torch.device("cpu")
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


def row(record: RecurrentRecord, place: int) -> list[float]:
    return [float(place == each) for each in range(len(record.trace.source.labels))]


def test_a_forced_step_keeps_the_past_and_changes_the_future(every: LoadedSeq2Seq) -> None:
    if every.mechanism == "none":
        with pytest.raises(ValueError, match="has no attention"):
            force(every, translate(every, TEXT, GREEDY), GREEDY, {0: [1.0]})
        return
    for options in (GREEDY, BEAM):
        record = translate(every, TEXT, options)
        forced = force(every, record, options, {3: row(record, 1)})
        assert forced.trace.written_ids[:3] == record.trace.written_ids[:3]
        assert (forced.forced, forced.kept) == ((3,), 3)
        assert [step.forced for step in forced.trace.steps] == [n == 3 for n in range(len(forced.trace.steps))]
        assert forced.trace.steps[3].weights is not None
        assert forced.trace.steps[3].weights.tolist() == row(record, 1)
        np.testing.assert_allclose(forced.trace.steps[3].context, record.trace.states[1], atol=1e-6)
        assert np.array_equal(forced.trace.steps[2].after, record.trace.steps[2].after)
        shares = [step.written.probability for step in forced.trace.steps]
        assert sum(math.log(share) for share in shares) == pytest.approx(forced.best.log_probability, abs=1e-3)


def test_some_forced_look_changes_what_is_written(additive: LoadedSeq2Seq) -> None:
    record = translate(additive, TEXT, GREEDY)
    texts = {
        force(additive, record, GREEDY, {1: row(record, place)}).best.text
        for place in range(len(record.trace.source.labels))
    }
    assert len(texts) > 1


def test_forcing_the_models_own_weights_changes_nothing(additive: LoadedSeq2Seq) -> None:
    record = translate(additive, TEXT, GREEDY)
    own = record.trace.steps[2].weights
    assert own is not None
    same = force(additive, record, GREEDY, {2: (7 * own).tolist()})
    assert same.trace.written_ids == record.trace.written_ids
    np.testing.assert_allclose(same.trace.steps[4].after, record.trace.steps[4].after, atol=1e-5)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([1.0], "1 weights do not fit"),
        ([0.0] * 50, "50 weights"),
        ("zeros", "not all 0"),
        ("negative", "at least 0"),
        ("nan", "finite"),
        ("inf", "finite"),
    ],
)
def test_weights_that_cannot_be_are_refused(additive: LoadedSeq2Seq, bad: Any, message: str) -> None:
    record = translate(additive, TEXT, GREEDY)
    named = {"zeros": 0.0, "negative": -1.0, "nan": math.nan, "inf": math.inf}
    weights = [named[bad]] * len(row(record, 0)) if isinstance(bad, str) else bad
    with pytest.raises(ValueError, match=message):
        force(additive, record, GREEDY, {1: weights})


def test_huge_weights_are_scaled(additive: LoadedSeq2Seq) -> None:
    record = translate(additive, TEXT, GREEDY)
    forced = force(additive, record, GREEDY, {1: [1e308] * len(row(record, 0))})
    assert forced.trace.steps[1].weights is not None
    np.testing.assert_allclose(forced.trace.steps[1].weights, 1 / len(row(record, 0)), atol=1e-6)


@pytest.mark.parametrize("step", [-1, 99])
def test_a_step_that_was_not_written_cannot_be_forced(additive: LoadedSeq2Seq, step: int) -> None:
    record = translate(additive, TEXT, GREEDY)
    with pytest.raises(ValueError, match="not all among"):
        force(additive, record, GREEDY, {step: row(record, 0)})


def test_a_target_begins_as_it_must(additive: LoadedSeq2Seq) -> None:
    source = encode_source(additive, TEXT)
    engine = Ruled(engine=additive.prepared, rules={tuple(source): Prefix((9, 8, 7))})
    for options in (GREEDY, BEAM):
        (found,) = decode(engine, [source], options)
        assert all(each.ids[:3] == (9, 8, 7) for each in found)
        free = Ruled(engine=additive.prepared, rules={tuple(source): Prefix(())})
        assert [each.ids for each in decode(free, [source], options)[0]] == [
            each.ids for each in decode(additive.prepared, [source], options)[0]
        ]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("options", [GREEDY, BEAM])
def test_second_lines_keep_the_form(couplets: LoadedSeq2Seq, line: str, options: DecodingOptions) -> None:
    record = answer(couplets, line, options)
    assert all(form_of(line).keeps(candidate.text) for candidate in record.candidates)
    assert record.best.finished
    assert len(record.trace.steps) == len(line) + 1


def test_many_lines_at_once_are_those_of_one(couplets: LoadedSeq2Seq) -> None:
    together = answer_all(couplets.prepared, couplets.tokenizer, LINES, BEAM)
    assert together == [answer(couplets, line, BEAM).best.text for line in LINES]


def test_without_the_form_a_couplet_model_is_free(couplets: LoadedSeq2Seq) -> None:
    free = [answer(couplets, line, GREEDY, formal=False).best.text for line in LINES]
    assert not all(form_of(line).keeps(text) for line, text in zip(LINES, free, strict=True))


def test_a_forced_couplet_keeps_past_and_form(couplets: LoadedSeq2Seq) -> None:
    record = answer(couplets, LINES[0], BEAM)
    forced = force_answer(couplets, record, BEAM, {2: row(record, 5)})
    assert forced.best.text[:2] == record.best.text[:2]
    assert form_of(LINES[0]).keeps(forced.best.text)
    assert forced.forced == (2,)


@pytest.mark.parametrize("line", ["龘靐，龘", "😀😀", "<b>$x$</b>", "a\u200bb\x00", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
def test_any_line_is_answered_in_its_form(couplets: LoadedSeq2Seq, line: str) -> None:
    record = answer(couplets, line, GREEDY)
    assert len(record.best.text) == len(record.source)


def test_a_line_longer_than_the_vocabulary_can_answer_still_ends(couplets: LoadedSeq2Seq) -> None:
    """More places than there are characters left: something must give, and nothing may hang or be NaN."""
    line = "".join(chr(0x4E00 + i) for i in range(39))
    record = answer(couplets, line, BEAM)
    assert record.best.text


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "，"])
def test_nothing_visible_is_refused(couplets: LoadedSeq2Seq, text: str) -> None:
    with pytest.raises(InputRefused):
        answer(couplets, text, GREEDY)


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


def test_a_rule_forbids_what_has_no_character(couplets: LoadedSeq2Seq) -> None:
    rule = CoupletRule(LINES[0], couplets.tokenizer)
    free = rule.allowed([], couplets.tokenizer.vocab_size + 10)
    assert free is not None
    assert not free[:4].any()
    assert not free[couplets.tokenizer.vocab_size :].any()


RECURRENT = [name for name in bundled() if read_manifest(BUNDLED / name).family in ("seq2seq", "couplet")]


@pytest.mark.parametrize("name", RECURRENT)
def test_shipped_checkpoints_reproduce_their_probe(name: str) -> None:
    manifest, model, tokenizer = load(BUNDLED / name)
    found = probe(model, tokenizer, manifest.probe.given)
    assert found.expected == manifest.probe.expected
    assert found.score == pytest.approx(manifest.probe.score, abs=1e-3)
