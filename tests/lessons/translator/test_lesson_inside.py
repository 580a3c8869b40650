"""Inside the translator: its own stepping, views, changes and comparison on a tiny random model."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from explorer.lessons import translator as lesson
from explorer.lessons.translator import (
    Params,
    Result,
    change as change_of_lesson,
    change_readings,
    change_state,
    cross,
    finished,
    stream,
)
from explorer.lessons.translator.names import name
from explorer.records.alignment import pharaoh
from explorer.records.heads import head_names
from explorer.records.residual_stream import Point
from explorer.records.wording import head_title, said_change
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("inside") / "tiny"
    write(where, tiny_model(tiny_tokenizer().vocab_size))
    return where


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return lesson.compute(Params(text="The doggish cat saw.", beam=2, checkpoint=str(folder)))


def test_the_last_point_of_the_way_says_what_the_trace_says(result: Result) -> None:
    record = stream.follow_stream(finished.best_translation(result))
    for position, step in enumerate(result.trace.steps):
        assert record.share[-1, position] == pytest.approx(step.written.probability, rel=1e-3)
        assert [each.label for each in record.likeliest[-1][position]] == [each.label for each in step.likeliest]
        if step.chosen is not None:
            assert record.rank[-1, position] == step.chosen


def test_every_point_is_read(result: Result) -> None:
    record = stream.follow_stream(finished.best_translation(result))
    assert stream.describe_lens_map(record)
    for position, token in enumerate(record.written_labels):
        assert stream.describe_norms(record, position)
        assert token in stream.describe_lens(record, position)
        for number in range(1, len(record.points)):
            assert f"rank {record.rank[number, position] + 1:,} " in stream.describe_point(record, position, number)
        assert name(record.read_labels[position]) in stream.describe_point(record, position, 0)


def test_a_sub_layer_looked_where_the_trace_says(result: Result) -> None:
    whole = result.trace.attention("decoder.layers.1.self").weights.mean(0)
    row = stream.attended_at(result, Point(what="self", layer=1), 2)
    np.testing.assert_allclose(row.weights[0, 0], whole[2, :3], atol=1e-6)
    crossed = stream.attended_at(result, Point(what="cross", layer=0), 2)
    assert crossed.key_labels == result.trace.source.labels
    assert stream.attended_at(result, Point(what="net", layer=0), 2) is None
    first = stream.attended_at(result, Point(what="self", layer=0), 0)
    assert "one token only" in stream.describe_looked(first)


def test_the_mean_is_over_the_chosen_heads_of_any_layer(result: Result) -> None:
    heads = head_names("C0.1 C1.0 C7.7 E0.0")
    drawn = cross.cross_mean(result, cross.CrossOptions(heads=heads))
    records = [result.trace.attention(f"decoder.layers.{layer}.cross").weights for layer in (0, 1)]
    np.testing.assert_allclose(drawn.weights[0], (records[0][1] + records[1][0]) / 2, atol=1e-7)
    assert "mean of C0.1 C1.0" in drawn.provenance.detail
    everything = cross.cross_mean(result, cross.CrossOptions(heads=head_names("C9.9")))
    np.testing.assert_allclose(everything.weights[0], np.concatenate(records).mean(0), atol=1e-6)


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("hide", [False, True])
def test_every_row_leads_back_to_its_token(result: Result, merge: bool, hide: bool) -> None:
    chosen = cross.CrossOptions(merge=merge, hide=hide)
    record = cross.cross_mean(result, chosen)
    for row in range(len(record.query_labels)):
        token = cross.token_of_row(result, chosen, row)
        assert cross.cross_row(result, chosen, token) == row
        assert cross.describe_cross(record, row)
    for column in range(len(record.key_labels)):
        assert name(record.key_labels[column]) in cross.describe_column(record, column)


def test_the_first_choice_is_averaged_over_the_rows(result: Result) -> None:
    record = cross.cross_mean(result, cross.CrossOptions())
    weights = np.zeros_like(record.weights)
    weights[..., 0], weights[..., 1] = 0.6, 0.4
    weights[:, 0] = np.eye(weights.shape[-1])[0]
    n = weights.shape[1]
    said = cross.describe_cross(replace(record, weights=weights), 0)
    assert said.endswith(f"On average a row gives its first choice {(1 + 0.6 * (n - 1)) / n:.0%}.")


def test_hard_pairs_are_the_argmax_of_the_mean_without_special_tokens(result: Result) -> None:
    record, pairs = cross.cross_mean(result, cross.CrossOptions()), cross.hard_alignment(result, cross.CrossOptions())
    best = record.weights[0].argmax(-1)
    source, written = result.trace.source.special, result.trace.written.special
    expected = [(int(best[row]), row) for row in range(len(best)) if not written[row] and not source[best[row]]]
    assert list(pairs) == expected
    assert pairs == cross.hard_alignment(result, cross.CrossOptions(hide=True))
    assert pharaoh(pairs) == " ".join(f"{a}-{b}" for a, b in expected)
    assert cross.describe_hard(result, cross.CrossOptions())


def test_the_best_head_gives_most_to_the_others_consensus(result: Result) -> None:
    found = cross.head_alignments(result)
    merged = [
        cross.cross_mean(result, cross.CrossOptions(heads=(head,), merge=True)) for head in cross.cross_heads(result)
    ]
    kept = len(result.trace.written.merged().labels) - sum(result.trace.written.merged().special)
    weights = np.stack([record.weights[0] for record in merged])[:, :kept, :-1].astype(np.float64)
    scores = []
    for own in weights:
        consensus = (weights.sum(0) - own).argmax(-1)
        scores.append(own[range(len(own)), consensus].mean())
    np.testing.assert_allclose(found.score.ravel(), scores, atol=1e-6)
    assert cross.cross_heads(result)[int(np.argmax(scores))] == found.best
    assert head_title(found.best) in cross.describe_best_head(found)


def asked(result: Result, **change: object) -> change_of_lesson.InterventionParams:
    return change_of_lesson.InterventionParams(
        written=finished.best_translation(result), beam=2, change=change_state.Change(**change)
    )


def test_masking_a_word_changes_the_old_translations_chances(result: Result) -> None:
    record = change_of_lesson.change(asked(result, masked=(1, 77)))
    whole = record.log_probability_before.sum()
    assert whole == pytest.approx(result.translation.best.log_probability, abs=1e-3)
    assert record.total_change == pytest.approx(record.log_probability_after.sum() - whole, abs=1e-4)
    assert record.done == record.total
    hidden = result.trace.source.words[1]
    assert not record.cross_after.weights[..., list(hidden)].any()
    assert not record.cross_after.allowed[:, list(hidden)].any()
    assert "masked words 1 77" in record.provenance.detail


def test_the_steps_lead_to_the_same_as_all_at_once(result: Result) -> None:
    params = asked(result, warmed="C1", temperature=100.0, step=0, word=2, layer=0)
    first, *_, last = change_of_lesson.change_steps(params)
    assert first.after is None
    assert first.done < first.total
    assert last.after.ids == change_of_lesson.change(params).after.ids
    assert change_readings.describe_anew(first)
    assert change_readings.describe_anew(last)


def test_a_change_that_fits_nothing_changes_nothing(result: Result) -> None:
    record = change_of_lesson.change(asked(result, masked=(99,), off=head_names("C9.9"), warmed="D77", temperature=5.0))
    assert record.total_change == 0
    assert "Every word stays" in change_readings.describe_change(record)
    assert "the same translation" in change_readings.describe_anew(record)
    after = record.log_probability_after.copy()
    after[0] -= 0.001
    assert "Every word stays" in change_readings.describe_change(replace(record, log_probability_after=after))


def test_without_a_change_nothing_is_decoded(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(change_of_lesson, "search_steps")
    record = change_of_lesson.change(asked(result))
    assert record.after == record.before
    assert record.done == record.total
    assert record.total_change == 0


def test_what_a_link_says_is_read_or_ignored() -> None:
    assert change_state.read_row("5@3") == (5, 3)
    assert [change_state.read_row(note) for note in ("", "5", "@", "-1@2", "1@²", "9" * 40 + "@1")] == [None] * 6
    assert change_state.read_words("3 1 3 99 x -1 ²", 5) == (1, 3)
    change = change_state.Change(masked=(3,), step=1, word=3)
    assert not change.overwrites
    assert change_state.Change(warmed="C1").does_nothing
    assert change_state.Change(step=1).does_nothing
    assert not change_state.Change(step=1, word=0).does_nothing
    assert change_state.Change(temperature=-4.0).temperature > 0


def test_the_alignment_is_read_in_numbers(result: Result) -> None:
    pairs, source = cross.hard_alignment(result, cross.CrossOptions()), result.trace.source
    assert len(pairs) > 1
    said = cross.describe_hard(result, cross.CrossOptions())
    back = sum(after[0] < before[0] for before, after in pairwise(pairs))
    assert said.startswith(f"Pairs: {len(pairs)}; steps back in the source: {back}.")
    bare = [label for position, label in enumerate(source.labels[:-1]) if position not in dict(pairs)]
    assert ("Every source word has a partner" in said) == (not bare)
    assert all(f"“{label}”" in said for label in bare[:4])
    found = cross.head_alignments(result)
    cell = found.best.layer, found.best.head
    best = cross.describe_best_head(found)
    assert f"gives {found.score[cell]:.0%} of its weight" in best
    assert f"for {found.agreement[cell]:.0%} of {found.words} words" in best


def test_the_lens_counts_what_is_settled_early(result: Result) -> None:
    record = stream.follow_stream(finished.best_translation(result))
    ranks = record.rank[list(record.layer_ends)]  # [ends of layers, tokens]
    early = int((ranks[-2:] == 0).all(0).sum())
    said = stream.describe_lens_map(record)
    assert said.startswith(f"{early} of {len(record.written_labels)} pieces")
    assert ("Farthest from it" in said) == bool(ranks[-2].any())
    settled = replace(record, rank=np.zeros_like(record.rank))
    assert "Farthest" not in stream.describe_lens_map(settled), "nothing is far from anything"


def test_a_change_names_what_loses_most(result: Result) -> None:
    record = change_of_lesson.change(asked(result, masked=(1,)))
    least = int(record.change.argmin())
    assert record.change[least] < -change_readings.SMALL
    said = change_readings.describe_change(record)
    change = said_change(float(record.change[least]), strong=True)
    assert said == f"“{record.before.labels[least]}” loses most: it becomes {change}."
