"""The notes' model and its changes: files, steps recomputed from the weights, what counts, and what is drawn when."""

import csv
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from explorer.checkpoints import store
from explorer.checkpoints.manifest import read_manifest
from explorer.inference.seq2seq import translate as seq2seq
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import alignments, notes, state
from explorer.scenes.seq2seq_attention import BALL
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
def test_a_trained_step_is_an_lstm_and_one_look(name: str) -> None:
    """Rebuild what each shipped model saw from its file, `nn.LSTM`, `nn.LSTMCell` and a softmax."""
    record = lesson.compute(lesson.Params(text=BALL, models=(name,), beam=1)).records[name]
    trace, config = record.trace, seq2seq.load(name).prepared.config
    weights = {key: each.float() for key, each in load_file(store.BUNDLED / name / "model.safetensors").items()}
    d, layers, table = config.d_hidden, config.n_layers, weights["embedding.weight"] * config.d_embedding**0.5
    reader = nn.LSTM(config.d_embedding, d, layers, bidirectional=True)
    reader.load_state_dict({key[16:]: each for key, each in weights.items() if key.startswith("encoder.network.")})
    with torch.no_grad():
        read, (h_n, c_n) = reader(table[list(trace.source_ids)])
        memory = read[:, :d] + read[:, d:]
        sums = [(h_n[2 * i] + h_n[2 * i + 1], c_n[2 * i] + c_n[2 * i + 1]) for i in range(layers)]
        mapped = lambda i, x: x @ weights[f"bridge.{i}.weight"].T + weights[f"bridge.{i}.bias"]  # noqa: E731
        kept = [(mapped(2 * i, h).tanh(), mapped(2 * i + 1, c)) for i, (h, c) in enumerate(sums)]
        context, keys = torch.zeros(d), memory
        if "alignment.scorer.weight" in weights:
            keys = memory @ weights["alignment.scorer.weight"].T / d**0.5
        for step, token in zip(trace.steps, (config.bos_id, *trace.written_ids), strict=False):
            below = torch.cat([table[token], context])
            for i in range(layers):
                cell = nn.LSTMCell(len(below), d)
                cell.load_state_dict({key: weights[f"cell.network.{key}_l{i}"] for key in cell.state_dict()})
                kept[i] = cell(below, kept[i])
                below = kept[i][0]
            shares = (keys @ below).softmax(0)
            context = shares @ memory
            np.testing.assert_allclose(step.weights, shares, atol=1e-4)
            np.testing.assert_allclose(step.context, context, atol=1e-4)


def test_concat_with_both_matrices_is_the_additive_score() -> None:
    record = lesson.compute(lesson.Params(models=(ADDITIVE,))).records[ADDITIVE]
    found = notes.concatenated(ADDITIVE, record)
    assert found["count"] == len(record.trace.steps) * len(record.trace.source.labels)
    assert 0 <= found["gap"] < 1e-4
    scores = replace(record.trace.steps[0], scores=record.trace.steps[0].scores + 1)
    moved = replace(record, trace=replace(record.trace, steps=(scores, *record.trace.steps[1:])))
    assert notes.concatenated(ADDITIVE, moved)["gap"] == pytest.approx(1, abs=1e-3)
    with pytest.raises(TypeError):
        notes.concatenated(store.NOTES[0], record)


def test_what_is_compared_is_in_no_menu() -> None:
    assert not {each.name for each in state.models()} & {*store.COMPARED}
    assert [each.name for each in state.compared(store.SMALL_COUPLETS)] == [*store.SMALL_COUPLETS]


def test_what_is_asked_about_is_drawn_with_the_answer(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="notes")
    hidden = f"{notes.names()[store.NOTES[2]]} 2.99"
    assert hidden not in said(app)
    next(each for each in app.button if each.label == "it translates worse").click().run()
    assert not app.exception
    assert hidden in said(app)
    assert "With half it reaches 25.1" in said(app)


def test_three_models_of_couplets_answer_and_say_what_they_foresee(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="couplets", sa_who="trained", sa_formal="false")
    text = said(app) + live(app, "sa_couplets_film").decode(errors="replace")
    for each in state.compared(store.SMALL_COUPLETS):
        metrics = each.manifest.metrics
        assert f"{metrics['wb14123_test_4000_right']:.1f}% of the characters foreseen" in text
        assert alignments.trained_names()[each.mechanism] in text
        params = lesson.Params(task="couplet", text=state.EXAMPLES["couplet"][0], models=(each.name,), formal=False)
        assert lesson.compute(params).records[each.name].best.text in text
