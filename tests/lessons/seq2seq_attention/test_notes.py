"""The notes' model and its changes: files, steps recomputed from the weights, what counts, and what is drawn when."""

import csv
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from explorer.checkpoints import store
from explorer.checkpoints.manifest import read_manifest
from explorer.inference.seq2seq import translate as seq2seq
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import alignments, notes, readings, state
from explorer.lessons.seq2seq_attention.figures import wiring
from explorer.lessons.seq2seq_attention.records import Wiring
from explorer.lessons.seq2seq_attention.ui.papers import WIRED
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_parts import Stepped
from explorer.scenes.seq2seq_attention import BALL, EGRETS, ORIOLES
from tests.models.test_notes_model import transcribed
from tests.models.test_seq2seq_model import made
from tests.support.pages import OpenPage, live, said

PAGE, ADDITIVE = "pages/05_seq2seq_attention.py", "seq2seq-de-en-additive"


def test_courses_are_those_of_the_files() -> None:
    for course, name in zip(notes.courses(), store.NOTES, strict=True):
        with (store.BUNDLED / name / "history.csv").open() as file:
            rows = list(csv.DictReader(file))
        np.testing.assert_allclose(course.dev_loss, [float(row["dev_loss"]) for row in rows], rtol=1e-6)
        np.testing.assert_allclose(course.seconds, [float(row["processor_seconds"]) for row in rows], rtol=1e-6)
        metrics = read_manifest(store.BUNDLED / name).metrics
        assert (course.bleu, course.minutes) == (metrics["test_bleu_beam_5"], metrics["processor_minutes"])


def test_only_what_exceeds_the_spread_is_called_a_difference() -> None:
    base, *_ = found = notes.courses()
    apart = {each.model: each.bleu - base.bleu for each in found}
    for name in notes.CHANGED:
        wanted = "same" if abs(apart[name]) <= 1.5 else "better" if apart[name] > 0 else "worse"
        assert notes.verdict(found, name, 1.5) == wanted
    moved = (base, replace(found[1], bleu=base.bleu + 1.6))
    assert notes.verdict(moved, found[1].model, 1.5) == "better"
    assert notes.verdict(moved, found[1].model, 1.7) == "same"
    assert notes.names()[found[1].model] in notes.describe_counting(moved, 1.5)


@pytest.mark.parametrize("name", store.NOTES)
def test_a_trained_model_is_the_notes_formulas(name: str) -> None:
    """Rebuild what each shipped model saw and scored from its file, `nn.LSTM` and the formulas alone."""
    record = lesson.compute(lesson.Params(text=BALL, models=(name,), beam=1)).records[name]
    trace, config = record.trace, seq2seq.load(name).prepared.config
    stored = load_file(store.BUNDLED / name / "model.safetensors")
    model = Seq2Seq(config).double()
    model.load_state_dict({key: each.double() for key, each in stored.items()})
    with torch.no_grad():
        found = transcribed(
            model, torch.tensor(trace.source_ids), torch.tensor([config.bos_id, *trace.written_ids[:-1]])
        )
    for step, weights, context in zip(trace.steps, found.weights, found.contexts, strict=True):
        np.testing.assert_allclose(step.weights, weights, atol=1e-4)
        np.testing.assert_allclose(step.context, context, atol=1e-4)
    assert trace.written_ids == tuple(_without(found.logits, config.pad_id, config.bos_id).argmax(-1).tolist())


def _without(logits: torch.Tensor, *never: int) -> torch.Tensor:
    return logits.index_fill(1, torch.tensor(never), -torch.inf)


@pytest.mark.parametrize("name", store.NOTES)
def test_every_checkpoint_is_wired_as_the_notes_say(name: str) -> None:
    manifest = read_manifest(store.BUNDLED / name)
    config, given = manifest.config, manifest.metrics.get("teacher_forcing", 1.0)
    wanted = {"cell": "lstm", "bidirectional": True, "joining": "projected", "start": "summed", "query": "before"}
    assert config | wanted | {"context": "input", "readout": "bare", "dropout": 0.0} == config
    assert len({config[each] for each in ("d_embedding", "d_hidden", "d_encoder", "d_attention")}) == 1
    learned = "params" in name
    assert (config["mechanism"], config["score_bias"]) == (("concat", True) if learned else ("scaled_dot", False))
    assert given == (1.0 if name in notes.GIVEN else 0.5)
    assert config["n_layers"] == (2 if name.endswith("two") else 1)
    assert Wiring.of(config) == WIRED["notes"]


def _wirings() -> dict[str, Wiring]:
    """All that are drawn: the papers', the notes', and that of every recurrent model that ships."""
    there = {
        name: each for name, each in store.read_bundled_manifests().items() if each.family in ("seq2seq", "couplet")
    }
    return {name: Wiring.of(each.config) for name, each in there.items()} | WIRED


@pytest.mark.parametrize("wired", sorted(set(_wirings().values()), key=repr), ids=repr)
def test_the_arrows_are_what_a_model_so_configured_computes(wired: Wiring) -> None:
    """An arrow stands where the one box moves the other, and nowhere else."""
    model = made(mechanism="general", query=wired.query, context=wired.context, readout=wired.readout)
    source, word = torch.tensor([[7, 8, 9]]), torch.tensor([5])
    allowed = source != 0
    memory, row = model.encode(source, allowed), torch.tensor([[0.0, 0.0, 1.0]]).double()

    def stepped(word: torch.Tensor = word, forced: int | None = None) -> Stepped:
        rows = {} if forced is None else {forced: row}
        return model.step(word, memory, allowed, memory.initial, number=1, forced=rows)

    drawn = {*wiring.entering(wired), *([("last", "next")] if wiring.reads_word(wired) else [])}
    free, parts = stepped(), [torch.randn(1, 1, n).double().requires_grad_() for n in (12, 12, 8)]
    model.step_outputs(*parts).sum().backward()
    moved = lambda forced: not torch.equal(stepped(forced=forced).state[0][0], free.state[0][0])  # noqa: E731
    assert drawn == {
        arrow
        for arrow, there in {
            ("context", "cell"): moved(1),
            ("seen", "cell"): moved(0),
            ("context", "next"): parts[1].grad is not None,
            ("last", "next"): parts[2].grad is not None,
        }.items()
        if there
    }
    other = stepped(word + 1).attended
    assert free.attended is not None
    assert other is not None
    assert torch.equal(free.attended.weights, other.weights) == (wired.query == "before")


def test_the_first_state_is_the_sum_of_both_ends() -> None:
    record = lesson.compute(lesson.Params(text=BALL, models=(notes.BASE,), beam=1)).records[notes.BASE]
    found = notes.first_state(notes.BASE, record)
    np.testing.assert_allclose(found.first, found.forward + found.backward, atol=1e-6)
    np.testing.assert_allclose(found.first[-1, 0], record.trace.steps[0].before, atol=1e-6)
    assert np.abs(found.forward - found.backward).max() > 0.1


def test_concat_with_both_matrices_is_the_additive_score() -> None:
    record = lesson.compute(lesson.Params(models=(ADDITIVE,))).records[ADDITIVE]
    found = notes.score_concat(ADDITIVE, record)
    assert found["count"] == len(record.trace.steps) * len(record.trace.source.labels)
    assert 0 <= found["gap"] < 1e-4
    scores = replace(record.trace.steps[0], scores=record.trace.steps[0].scores + 1)
    moved = replace(record, trace=replace(record.trace, steps=(scores, *record.trace.steps[1:])))
    assert notes.score_concat(ADDITIVE, moved)["gap"] == pytest.approx(1, abs=1e-3)
    with pytest.raises(TypeError):
        notes.score_concat(store.NOTES[0], record)


def test_what_is_compared_is_in_no_menu() -> None:
    assert not {each.name for each in state.models()} & {*store.COMPARED}
    assert [each.name for each in state.list_compared(store.SMALL_COUPLETS)] == [*store.SMALL_COUPLETS]


def test_what_is_asked_about_is_drawn_with_the_answer(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="notes")
    hidden = [f"{notes.names()[each.model]} {math.exp(each.dev_loss[-1]):.1f}" for each in notes.courses()][3:]
    assert not any(each in said(app) for each in hidden)
    next(each for each in app.button if each.label == "it translates worse").click().run()
    assert not app.exception
    assert all(each in said(app) for each in hidden)
    bleu = read_manifest(store.BUNDLED / notes.GIVEN[0]).metrics["test_bleu_beam_5"]
    assert f"With all right words it reaches {bleu:.1f}" in said(app)


def test_the_poets_line_is_forced_beside_what_the_model_writes(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="couplets", sa_who="true")
    (model,) = (each for each in state.models() if each.task == "couplet")
    params = lesson.Params(task="couplet", text=ORIOLES, models=(model.name,), second=EGRETS)
    own, given = lesson.compute(params).records.values()
    assert given.best.text == EGRETS != own.best.text
    assert given.trace.alignment is not None
    assert given.trace.alignment.weights[0].argmax(-1).tolist() == list(range(8))  # straight across, and the end
    assert all(each in said(app) for each in (own.best.text, EGRETS, readings.describe_given(given)))
    assert "Both lines are Du Fu’s" in said(app)
    again = open_page(PAGE, scene="couplets", sa_who="true", sa_true="一行白鹭上蓝天")
    assert "Both lines are Du Fu’s" not in said(again)
    assert "at most 25 are read" in said(open_page(PAGE, scene="couplets", sa_who="true", sa_true="山" * 30))


def test_three_models_of_couplets_answer_and_say_what_they_foresee(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="couplets", sa_who="trained", sa_formal="false")
    text = said(app) + live(app, "sa_couplets_live").decode(errors="replace")
    for each in state.list_compared(store.SMALL_COUPLETS):
        metrics = each.manifest.metrics
        assert f"{metrics['wb14123_test_4000_right']:.1f}% of the characters foreseen" in text
        assert alignments.trained_names()[each.mechanism] in text
        params = lesson.Params(task="couplet", text=state.EXAMPLES["couplet"][0], models=(each.name,), formal=False)
        assert lesson.compute(params).records[each.name].best.text in text
