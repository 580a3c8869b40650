"""Couplets: second lines in the form of the first, whatever the first is."""

import pytest

from explorer.inference.search.decode import DecodingOptions, length_factor
from explorer.inference.seq2seq.couplets import CoupletRule, answer, answer_all, force_answer
from explorer.inference.seq2seq.trace import log_probability, recurrent_trace
from explorer.inference.seq2seq.translate import LoadedSeq2Seq
from explorer.inference.translator.translate import InputRefused
from tests.inference.recurrent import BEAM, GREEDY, LINES, row
from tests.support.couplets import keeps_form


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("options", [GREEDY, BEAM])
def test_second_lines_keep_the_form(couplets: LoadedSeq2Seq, line: str, options: DecodingOptions) -> None:
    record = answer(couplets, line, options)
    assert all(keeps_form(line, candidate.text) for candidate in record.candidates)
    assert record.best.finished
    assert len(record.trace.steps) == len(line) + 1


def test_candidates_have_the_models_own_probabilities(couplets: LoadedSeq2Seq) -> None:
    """The search saw only tokens that keep the form; what it took from the others is no part of what is shown."""
    record = answer(couplets, LINES[0], BEAM)
    assert len(record.candidates) > 1
    for each in record.candidates:
        written = [*couplets.tokenizer.encode(each.text), couplets.tokenizer.eos_id]
        source, prepared = record.trace.source_ids, couplets.prepared
        trace = recurrent_trace(prepared, couplets.tokenizer, source, written, couplets.provenance, forced={})
        assert each.log_probability == pytest.approx(log_probability(trace), abs=1e-4)
        factor = length_factor(len(written), BEAM.length_penalty)
        assert each.score == pytest.approx(each.log_probability / factor, abs=1e-5)


def test_many_lines_at_once_are_those_of_one(couplets: LoadedSeq2Seq) -> None:
    together = answer_all(couplets.prepared, couplets.tokenizer, LINES, BEAM)
    assert together == [answer(couplets, line, BEAM).best.text for line in LINES]


def test_without_the_form_a_couplet_model_is_free(couplets: LoadedSeq2Seq) -> None:
    free = [answer(couplets, line, GREEDY, formal=False).best.text for line in LINES]
    assert not all(keeps_form(line, text) for line, text in zip(LINES, free, strict=True))


def test_a_forced_couplet_keeps_past_and_form(couplets: LoadedSeq2Seq) -> None:
    record = answer(couplets, LINES[0], BEAM)
    forced = force_answer(couplets, record, BEAM, {2: row(record, 5)})
    assert forced.best.text[:2] == record.best.text[:2]
    assert keeps_form(LINES[0], forced.best.text)
    assert [position for position, step in enumerate(forced.trace.steps) if step.forced] == [2]


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


def test_a_rule_forbids_what_has_no_character(couplets: LoadedSeq2Seq) -> None:
    rule = CoupletRule(LINES[0], couplets.tokenizer)
    free = rule.allowed([], couplets.tokenizer.vocab_size + 10)
    assert free is not None
    assert not free[:4].any()
    assert not free[couplets.tokenizer.vocab_size :].any()
