"""The page's lesson: the three steps recomputed from the record, notes of a link, samples, and what readings say."""

import csv
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointMissing
from explorer.data.parallel.multi30k import lower, tokenise_moses
from explorer.data.parallel.pairs import Pair
from explorer.figures.look import LIGHT, faint
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq import translate as seq2seq
from explorer.inference.seq2seq.bleu import caption_bleu, outputs
from explorer.inference.translator.translate import InputRefused
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import (
    details,
    forced_weights,
    lab,
    length_sample,
    lengths as lengths_of_lesson,
    numbers,
    readings,
    readings_lengths,
    seeds,
    state,
)
from explorer.lessons.seq2seq_attention.figures.columns import LEAST, column
from explorer.lessons.seq2seq_attention.live import details as live_details
from explorer.lessons.seq2seq_attention.records import Wiring
from explorer.lessons.seq2seq_attention.seed_runs import seed_runs
from explorer.nn.alignment import MECHANISMS
from explorer.records.wording import percent, token
from explorer.scenes.seq2seq_attention import CAR, DRESSES, LONG, RIDER
from explorer.training.lab.recipe import MAX_LENGTH, held_out
from tests.lab_folders import SMALL, untrained

NONE, FIXED, ADDITIVE = (f"seq2seq-de-en-{name}" for name in ("none", "fixed", "additive"))
NAMES = {name: name for name in MECHANISMS}


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    """The default sentence through the shipped models."""
    return lesson.compute(lesson.Params(models=(NONE, FIXED, ADDITIVE)))


def test_every_step_is_score_weigh_average(result: lesson.Result) -> None:
    trace = result.records[ADDITIVE].trace
    model = seq2seq.load(ADDITIVE).prepared.model
    scorer = model.alignment.scorer
    query, key, v = (each.detach().numpy() for each in (scorer.query_weight, scorer.key_weight, scorer.v))
    for step in trace.steps:
        scores = np.tanh(step.before @ query.T + trace.states @ key.T) @ v  # Bahdanau et al. 2015, A.1.2
        np.testing.assert_allclose(step.scores, scores, atol=1e-3)
        weights = np.exp(step.scores - step.scores.max())
        np.testing.assert_allclose(step.weights, weights / weights.sum(), atol=1e-5)
        np.testing.assert_allclose(step.context, step.weights @ trace.states, atol=1e-5)


def test_without_attention_every_step_sees_one_vector(result: lesson.Result) -> None:
    trace = result.records[NONE].trace
    assert all(np.array_equal(step.context, trace.summary) for step in trace.steps)
    assert trace.pharaoh() == ""
    assert numbers.context_parts(result.records[NONE], trace.steps[0]) is None
    assert numbers.by_steps(result.records[NONE]) is None


def test_the_parts_of_a_context_add_up_to_it(result: lesson.Result) -> None:
    trace = result.records[ADDITIVE].trace
    for step in trace.steps:
        parts, weights = numbers.context_parts(result.records[ADDITIVE], step), numbers.word_weights(trace, step)
        assert parts is not None
        whole = parts.parts.sum(0) + (0 if parts.rest is None else parts.rest)
        np.testing.assert_allclose(whole, step.context, atol=1e-5)
        assert sum(parts.shares) == pytest.approx(1, abs=1e-4)
        assert set(np.argsort(-weights)[: len(parts.positions)].tolist()) == set(parts.positions)


def test_models_stand_from_none_to_the_first_attention() -> None:
    found = state.models()
    for task in ("de-en", "couplet"):
        kinds = [MECHANISMS.index(each.mechanism) for each in found if each.task == task]
        assert kinds == sorted(kinds)
    assert {NONE, FIXED, ADDITIVE} <= {each.name for each in found}
    assert all(each.manifest.family in ("seq2seq", "couplet") for each in found)
    german = [each for each in found if each.task == "de-en"]
    assert state.first_shown(german) == (NONE, FIXED, ADDITIVE)


def test_one_more_model_finds_its_place(tmp_path: Path) -> None:
    more = str(store.BUNDLED / FIXED)
    found = [each.name for each in state.models([more])]
    assert found.index(more) in (found.index(FIXED) - 1, found.index(FIXED) + 1)
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "manifest.json").write_text("{")
    assert str(damaged) not in [each.name for each in state.models([str(damaged), str(tmp_path)])]


def test_absurd_parameters_are_clamped() -> None:
    params = lesson.Params(beam=10**9, length_penalty=-3.0, models=("a", "a", *map(str, range(40))))
    assert params.beam == state.MOST_BEAM
    assert params.length_penalty == 0
    assert len(params.models) == len(set(params.models)) == 8


@pytest.mark.parametrize("weights", [(0.0,) * 9 + (3.0,), (0.2, 0.8) + (0.0,) * 8, (1.0,) * 10])
def test_a_note_says_again_what_was_forced(result: lesson.Result, weights: tuple[float, ...]) -> None:
    forced = forced_weights.Forced(step=4, weights=weights)
    read = forced_weights.parse_forced(forced_weights.format_forced(forced), result.records[ADDITIVE])
    assert read is not None
    assert read.step == 4
    np.testing.assert_allclose(np.array(read.weights) / sum(read.weights), np.array(weights) / sum(weights))


@pytest.mark.parametrize(
    "note",
    [
        *("", "@", "4", "4@", "@4", "4@99", "99@1", "-1@1", "4@-1", "4@1.5", "²@1", "4@²", "<script>", "9" * 900),
        *("4=1,2", "4=" + "0," * 9 + "0", *(f"4={bad}" + ",1" * 9 for bad in ("nan", "-1", "1e999", "x", ""))),
    ],
)
def test_a_note_that_fits_nothing_forces_nothing(result: lesson.Result, note: str) -> None:
    assert forced_weights.parse_forced(note, result.records[ADDITIVE]) is None


def test_nothing_can_be_forced_without_attention(result: lesson.Result) -> None:
    assert forced_weights.parse_forced("1@1", result.records[NONE]) is None
    assert forced_weights.parse_forced("1@1", result.records[FIXED]) is not None


def test_a_forced_look_at_the_sofa_writes_a_couch(result: lesson.Result) -> None:
    record = result.records[ADDITIVE]
    forced = forced_weights.one_hot(2, record.trace.source.labels.index("sofa"), len(record.trace.source.labels))
    found = forced_weights.force(forced_weights.ForceParams(params=result.params, model=ADDITIVE, forced=forced))
    words = found.forced.trace.written.word_labels
    assert words[:3] == ("a", "small", "couch")
    assert [word for word, kept in zip(words, found.forced_kept, strict=True) if not kept]
    assert found.forced_kept[:2] == (True, True)
    assert found.own.best.text == record.best.text
    assert found.forced.trace.steps[2].forced
    said = readings.describe_forced(found)
    assert f"{found.forced_kept.count(False)} of {len(found.forced_kept)} tokens" in said
    assert said.endswith(f"gone of the model’s own: {found.own_kept.count(False)}.")
    itself = replace(found, forced=found.own, forced_kept=(True,), own_kept=(True,))
    assert "The output stays the same." in readings.describe_forced(itself)
    assert "Log-probability" not in readings.describe_forced(itself), "nothing has changed"
    assert "were put here by hand" in readings.describe_scores(found.forced, found.forced.trace.steps[2])


def test_attention_reorders_where_the_others_cannot(result: lesson.Result) -> None:
    texts = {name: record.best.text for name, record in result.records.items()}
    assert "cat" in texts[ADDITIVE]
    assert "couch" in texts[ADDITIVE]
    assert "cat" not in texts[NONE]
    assert "couch" not in texts[FIXED]
    straw = readings.describe_straw(result.records[FIXED], result.records[ADDITIVE])
    best = result.records[ADDITIVE].trace.alignment.weights[0].argmax(-1)
    off = sum(position != min(row, 9) for row, position in enumerate(best.tolist()))
    assert f"{off} of {len(best)} times" in straw


def test_the_straw_man_runs_out_of_source() -> None:
    found = lesson.compute(lesson.Params(text=RIDER, models=(FIXED, ADDITIVE)))
    trace = found.records[FIXED].trace
    n = len(trace.source.labels)
    assert len(trace.written.labels) > n
    assert all(step.weights.argmax() == n - 1 for step in trace.steps[n - 1 :])
    assert f"From step {n + 1} on it can only look at “end”" in readings.describe_straw(found.records[FIXED], None)
    for step, position in zip(trace.steps, [*range(n), *[n - 1] * n], strict=False):
        said = readings.describe_scores(found.records[FIXED], step)
        word = trace.source.word_labels[trace.source.word_of(position)]
        assert f"the weight of “{token(word)}” is 1" in said
    best = found.records[ADDITIVE].trace.alignment.weights[0].argmax(-1).tolist()
    assert len(best) > n  # the diagonal ends at the last token of the source
    off = sum(position != min(row, n - 1) for row, position in enumerate(best))
    assert f"{off} of {len(best)} times" in readings.describe_straw(*found.records.values())


def test_readings_say_the_numbers(result: lesson.Result) -> None:
    record = result.records[ADDITIVE]
    source = record.trace.source
    assert len(source.words) < len(source.labels), "a word is cut into pieces"
    for step in record.trace.steps:
        weights, scores = numbers.word_weights(record.trace, step), numbers.word_scores(record.trace, step)
        np.testing.assert_allclose(
            np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(), weights, atol=1e-5
        )
        best = int(weights.argmax())
        said = readings.describe_scores(record, step)
        assert f"“{token(source.word_labels[best])}” fits best (score {scores[best]:.2f})" in said
        second = int(np.argsort(-weights)[1])
        gap = scores[best] - scores[second]
        assert f"scores {gap:.2f} less and gets {np.exp(-gap):.2g} times as much" in said
        cosine = step.before @ step.after / np.linalg.norm(step.before) / np.linalg.norm(step.after)
        assert f"the cosine between before and after is {cosine:.2f}." in readings.describe_state(step)
        moved = np.linalg.norm(step.after - step.before) / np.linalg.norm(step.before)
        assert f"moves the state by {percent(moved)} of its length" in readings.describe_state(step)
        pieces = step.weights * (record.trace.states @ step.context) / (step.context @ step.context)
        along = source.add_pieces(pieces)
        most, said = int(along.argmax()), readings.describe_context(record, step)
        assert f"“{token(source.word_labels[most])}” makes up {percent(along[most])} of the context" in said
    assert "320 numbers" in readings.describe_alignment(result.records[NONE])
    assert "nothing was compared" in readings.describe_alignment(result.records[FIXED])
    back, n = numbers.pharaoh_counts(record.trace)
    assert f"than the one before: {back} of {n}." in readings.describe_alignment(record)
    assert back >= 1


def test_details_that_arrived_are_counted(result: lesson.Result) -> None:
    for name in (NONE, ADDITIVE):
        there, every = details.count_details(result.records[name])
        assert there < every or name == ADDITIVE
        assert f"**{there} of {every}** details arrived." in readings.describe_kept(result.records[name])


@pytest.mark.parametrize(
    ("wired", "asks", "enters", "loops"),
    [
        (Wiring(query="before", context="input"), "**before**", "context and the last word", True),
        (Wiring(query="before", context="input", readout="bare"), "**before**", "new state **alone**", True),
        (Wiring(query="after", context="output"), "**after**", "the context stands beside the new state", False),
        (Wiring(query="after", context="next"), "**after**", "next step reads the context too", True),
    ],
)
def test_the_wiring_says_who_asks_where_the_context_goes_and_whether_it_loops(
    wired: Wiring, asks: str, enters: str, loops: bool
) -> None:
    text = readings.describe_wiring(wired)
    assert text.startswith(f"The state {asks} the step asks")
    assert enters in text
    assert ("**must be a loop**" in text) == loops != ("needs no loop" in text)


@pytest.mark.parametrize("search", ["greedy", "beam 5"])
def test_the_curves_are_those_of_the_files(search: str) -> None:
    german = [each for each in state.models() if each.task == "de-en"]
    curves = lengths_of_lesson.read_measurements(german, search)
    assert [curve.model for curve in curves] == [each.name for each in german]
    for curve in curves:
        with (store.BUNDLED / curve.model / "lengths.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["search"] == search]
        assert [group.bleu for group in curve.groups] == [float(row["bleu"]) for row in rows]
        assert sum(group.sentences for group in curve.groups) == 1000
    by_name = {curve.model: curve for curve in curves}
    gaps = [a.bleu - n.bleu for a, n in zip(by_name[ADDITIVE].groups, by_name[NONE].groups, strict=True)]
    assert gaps[-2] > 2 * gaps[0]  # the bottleneck: what the page is about
    said = readings_lengths.describe_lengths((by_name[NONE], by_name[ADDITIVE]), NAMES)
    assert f"{gaps[0]:.1f} BLEU ahead" in said
    assert f"**{max(gaps):.1f}** for" in said
    turned = readings_lengths.describe_lengths((by_name[ADDITIVE], by_name[NONE]), NAMES)
    assert f"{gaps[0]:.1f} BLEU behind" in turned
    assert f"and at least {min(gaps):.1f} for all others" in turned
    assert "-" not in turned.replace("–", "").split("for sources")[0]
    assert lengths_of_lesson.read_measurements(german, "nonsense") == ()
    assert readings_lengths.describe_lengths((), NAMES)


def test_lengths_of_other_weights_are_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    german = [each for each in state.models() if each.task == "de-en"]
    assert lengths_of_lesson.find_unmeasured(german) == {}
    for each in german:
        shutil.copytree(each.folder, tmp_path / each.name, ignore=shutil.ignore_patterns("*.safetensors"))
    monkeypatch.setattr(store, "BUNDLED", tmp_path)
    other, none, halved = german[0].name, german[1].name, german[2].name
    path = tmp_path / other / "lengths.csv"
    path.write_text(path.read_text().replace(german[0].manifest.revision, "0badbeef"))
    (tmp_path / none / "lengths.csv").unlink()
    (tmp_path / halved / "lengths.csv").write_text("revision,search\nx,greedy\n")
    lost = lengths_of_lesson.find_unmeasured(german)
    assert {name: type(error) for name, error in lost.items()} == {
        other: CheckpointDamaged,
        none: CheckpointMissing,
        halved: CheckpointDamaged,
    }
    assert "measured other weights" in str(lost[other])
    for name, error in lost.items():
        assert lengths_of_lesson.MEASURE_COMMAND.format(name=name) in str(error)
        assert str(tmp_path) not in str(error)
    assert [curve.model for curve in lengths_of_lesson.read_measurements(german, "greedy")] == [
        each.name for each in german[3:]
    ]


@pytest.mark.parametrize(("search", "metric"), [("greedy", "test_bleu"), ("beam 5", "test_bleu_beam_5")])
def test_ahead_is_said_of_more_than_the_spread_alone(search: str, metric: str) -> None:
    german = [each for each in state.models() if each.task == "de-en"]
    scores, runs = seeds.scores_of(german, search), seed_runs()
    assert scores == {each.mechanism: each.manifest.metrics[metric] for each in german}
    said = seeds.describe_seeds(scores, runs, NAMES)
    here, _, early = said.replace("−", "-").partition("The small models")
    for mechanism in ("additive", "general", "scaled_dot"):
        assert f"{NAMES[mechanism]} {round(scores[mechanism] - scores['fixed'], 2):+.1f}" in here
    dot = round(scores["dot"] - scores["fixed"], 2)
    assert f"{NAMES['dot']} {dot:+.1f}" in here
    assert ("not told apart" in here) == (abs(dot) <= runs.spread)
    assert scores["scaled_dot"] - scores["dot"] > 2 * runs.spread  # what the page claims of the division by √d
    assert f"behind: {NAMES['none']} {round(scores['none'] - scores['fixed'], 2):+.1f}" in here
    assert "ahead:" not in early  # general has 1.2 more, and seeds differ by 1.5
    assert f"not told apart: {NAMES['scaled_dot']} -1.3, {NAMES['general']} +1.2" in early
    assert f"behind: {NAMES['none']} -6.6, {NAMES['additive']} -1.6" in early


def test_the_spread_decides_and_nothing_is_said_without_the_diagonal() -> None:
    runs = replace(seed_runs(), spread=2.0)
    assert f"ahead: {NAMES['general']} +2.1" in seeds.describe_seeds({"fixed": 10.0, "general": 12.1}, runs, NAMES)
    equal = seeds.describe_seeds({"fixed": 10.0, "general": 12.0}, runs, NAMES)
    assert f"not told apart: {NAMES['general']} +2.0" in equal
    assert "on the test set" not in seeds.describe_seeds({"general": 12.1}, runs, NAMES)
    assert seeds.scores_of(state.models(), "nonsense") == {}


def test_the_stored_runs_say_how_they_were_made() -> None:
    runs = seed_runs()
    assert runs.options == "--d-hidden 160 --d-encoder 80 --d-embedding 128 --d-attention 80"
    assert f"--steps {runs.steps} " in runs.command
    assert {each.mechanism for each in state.models() if each.task == "de-en"} >= set(runs.bleu)
    assert runs.origin.startswith("Transcribed")


def test_the_sample_is_scored_as_the_test_set_is() -> None:
    pairs = length_sample.own_sample()[::4]
    params = length_sample.SampleParams(models=(NONE, FIXED), name="own", pairs=pairs, search="greedy")
    steps = list(length_sample.recompute(params))
    assert [step.done for step in steps] == [8, 10, 18, 20]
    assert all(step.total == 20 for step in steps)
    model = seq2seq.load(NONE)
    found = outputs(model.prepared, model.tokenizer, [lower(each) for each, _ in pairs], DecodingOptions(beam=1))
    expected = caption_bleu(found, [tokenise_moses(each) for _, each in pairs]).score
    assert dict(steps[-1].overall)[NONE] == pytest.approx(expected)
    assert "BLEU over 10 sentences" in readings_lengths.describe_sample(steps[-1], NAMES)
    assert "10 sentences of own" in str(steps[-1].curves[0].provenance)
    assert [group.first for group in steps[-1].curves[0].groups] == list(length_sample.SAMPLE_SPANS)


def test_our_own_sample_spans_short_and_long() -> None:
    lengths = [len(source.split()) for source, _ in length_sample.own_sample()]
    assert len(lengths) == 40
    assert (min(lengths), max(lengths)) == (3, 33)


@pytest.mark.parametrize(
    ("content", "pairs"),
    [
        ("ein hund\ta dog\n", [("ein hund", "a dog")]),
        ("\ufeffein hund,a dog\r\n\r\neine katze,a cat", [("ein hund", "a dog"), ("eine katze", "a cat")]),
        ('"ein hund, klein","a dog, small"', [("ein hund, klein", "a dog, small")]),
        ('ein "hund"\ta "dog"\tmore', [('ein "hund"', 'a "dog"')]),
    ],
)
def test_two_columns_are_read(content: str, pairs: list[tuple[str, str]]) -> None:
    assert list(length_sample.file_sample(content.encode())) == pairs


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"\xff\xfe\x00", "text"),
        (b"a\x00b\tc", "text"),
        (b"one column", "columns"),
        (b"a\tb\nc\t \n", "columns"),
        (b"a\t" + b"b" * 2000, "long"),
        (b"a," + b"b" * 200_000, "long"),
        (b'a,"b\nc"\n,d', "columns"),
        (b"a\tb\n" * 501, "pairs"),
        (b"a" * 600_000, "bytes"),
    ],
)
def test_another_file_is_told_what_to_do(content: bytes, reason: str) -> None:
    with pytest.raises(length_sample.SampleRefused) as refused:
        length_sample.file_sample(content)
    assert refused.value.reason == reason
    assert "{" not in refused.value.explain()


def test_the_local_corpus_is_used_only_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXPLORER_DATA", raising=False)
    assert length_sample.local_sample(10) == ()
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    assert length_sample.local_sample(10) == ()


def test_a_sample_of_the_local_corpus_is_spread_over_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [Pair(str(number), (str(number),)) for number in range(1000)]
    monkeypatch.setattr("explorer.lessons.seq2seq_attention.length_sample.read_multi30k", lambda *_: pairs)
    monkeypatch.setenv("EXPLORER_DATA", str(tmp_path))
    for most in (1, 260, 340, 1000, 5000):
        sample = [int(source) for source, _ in length_sample.local_sample(most)]
        assert len(sample) == min(most, 1000)
        assert sample[-1] >= 1000 - 1000 / len(sample) - 1
        assert sample == sorted(set(sample))


def test_a_couplets_form_is_no_matter_of_german() -> None:
    assert state.EXAMPLES["couplet"][0] == "两个黄鹂鸣翠柳"
    assert math.isclose(lesson.Params(task="couplet").length_penalty, 1.0)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small model of the lab, as its reader brings it along."""
    return str(untrained(SMALL, tmp_path_factory.mktemp("brought")))


def test_a_model_of_the_lab_is_there_only_if_it_is_named(own: str) -> None:
    (found,) = (each for each in state.models([own]) if each.task == "lab")
    assert (found.name, found.mechanism) == (own, "additive")
    assert not [each for each in state.models() if each.task == "lab"]


def test_its_examples_were_held_out_and_their_answers_are_known(own: str) -> None:
    model = state.models([own])[-1]
    pairs = held_out(SMALL, 6)
    assert lab.lab_examples(model) == tuple(pair.source for pair in pairs)
    assert [lab.lab_answer(model, pair.source) for pair in pairs] == [pair.targets[0] for pair in pairs]
    assert lab.lab_answer(model, " abz ") == "zba"
    other = replace(model, manifest=replace(model.manifest, data="Made by explorer.data.tasks, task nonsense: 3"))
    assert lab.lab_examples(other) == (model.manifest.probe.given,)
    assert lab.lab_answer(other, "abz") is None


def test_a_model_of_the_lab_writes_what_its_manifest_promises_and_can_be_forced(own: str) -> None:
    model = state.models([own])[-1]
    probe = model.manifest.probe
    params = lesson.Params(task="lab", text=probe.given, models=(own,), beam=1)
    record = lesson.compute(params).records[own]
    assert record.best.text == probe.expected
    assert record.best.log_probability == pytest.approx(probe.score, abs=1e-3)
    assert record.trace.source.labels == (*probe.given, "</s>")
    assert record.provenance.model == "uploaded"
    forced = forced_weights.force(
        forced_weights.ForceParams(params=params, model=own, forced=forced_weights.one_hot(0, 1, len(probe.given) + 1))
    )
    np.testing.assert_allclose(forced.forced.trace.steps[0].weights, np.eye(len(probe.given) + 1)[1])


def test_its_text_is_tidied_not_put_in_lower_case(own: str) -> None:
    record = lesson.compute(lesson.Params(task="lab", text="  ab\u200b “C” ", models=(own,))).records[own]
    assert record.source == "ab “C”"
    for text, reason in ((" \u200b", "empty"), ("a" * MAX_LENGTH, "too_long"), ("a" * 10_001, "too_long")):
        with pytest.raises(InputRefused) as refused:
            lesson.compute(lesson.Params(task="lab", text=text, models=(own,)))
        assert refused.value.reason == reason


def test_words_add_up_the_weights_of_their_tokens(result: lesson.Result) -> None:
    record = result.records[ADDITIVE]
    position = record.trace.source.word_labels.index("katze")
    step = record.trace.steps[2]
    weights, states = numbers.of_words(record, step)
    assert len(record.trace.source.words[position]) > 1
    assert weights[position] == pytest.approx(step.weights[list(record.trace.source.words[position])].sum())
    np.testing.assert_allclose(weights @ states, step.context, atol=1e-4)
    assert f"looks at **katze** with {weights[position]:.0%}" in readings.describe_step(record, 2)


def test_the_column_that_is_taken_away_holds_the_followed_words_context(result: lesson.Result) -> None:
    record = next(each for each in result.records.values() if each.trace.alignment is not None)
    figure = column(record, 1)
    _, weights, contexts = numbers.looks(record, pieces=False)
    strip = next(trace for trace in figure.data if trace.type == "heatmap")
    np.testing.assert_allclose(np.ravel(strip.z), contexts[1, : numbers.DRAWN], atol=1e-6)
    flows = [each for each in figure.layout.shapes if each.fillcolor == faint(LIGHT.query, 0.9)]
    assert len(flows) == (weights[1] >= LEAST).sum()
    assert "context" in [each.text for each in figure.layout.annotations]
    assert not any(trace.type == "heatmap" for trace in column(record, None).data), "no word, no context"


def test_details_are_looked_up_in_the_output() -> None:
    found = lesson.compute(lesson.Params(text=DRESSES, models=(NONE, ADDITIVE))).records
    assert details.count_details(found[NONE])[0] < details.count_details(found[ADDITIVE])[0]
    unknown = lesson.compute(lesson.Params(text="ein hund", models=(NONE, ADDITIVE))).records
    assert details.count_details(unknown[NONE]) == (0, 0)
    assert [each.label for each in details.details(unknown[NONE])] == ["ein", "hund"]
    said = readings.describe_detail(unknown, details.details(unknown[NONE])[1])
    assert "“" in said
    assert "keeps" not in said, "nobody has listed what would say it"


def test_what_became_of_a_detail_waits_for_the_guess() -> None:
    found = lesson.compute(lesson.Params(models=(NONE, FIXED, ADDITIVE))).records
    for waits in (False, True):
        packed = live_details.pack(found, across=3, waits=waits)
        every = [each for column in packed["columns"] for each in column["details"]]
        assert all(each["source"] for each in every)
        assert any(each["mark"] or each["rows"] or each["instead"] for each in every) == (not waits)


def test_a_detail_is_a_phrase_and_says_where_it_stands() -> None:
    """“An old man” is no old car; the long sentence shows what the preset says."""
    models = (NONE, FIXED, ADDITIVE)
    found = lesson.compute(lesson.Params(text=CAR, models=models)).records
    car = details.details(found[NONE])[0]
    assert "old man" in found[FIXED].best.text
    assert not details.said_by(found[FIXED], car)
    written = found[ADDITIVE].trace.written.word_labels
    assert [written[row] for row in details.said_by(found[ADDITIVE], car)] == ["old", "car"]
    assert readings.describe_detail(found, car) == f"Only **{ADDITIVE}** keeps “an old car”."
    source = found[NONE].trace.source.word_labels
    assert [source[position] for position in car.source] == ["alten", "auto"]
    assert [details.count_details(record)[0] for record in found.values()] == [3, 3, 4]
    long = lesson.compute(lesson.Params(text=LONG, models=models)).records
    assert [details.count_details(record) for record in long.values()] == [(3, 8), (5, 8), (6, 8)]


@pytest.mark.parametrize("text", details.DETAILS)
def test_listed_details_name_words_of_their_sentence(text: str) -> None:
    record = lesson.compute(lesson.Params(text=text, models=(NONE,))).records[NONE]
    assert len(details.details(record)) == len(details.DETAILS[text])
