"""The search's lesson on a tiny random model: the tree, other ways to choose, the length penalty, and writing on."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from explorer.inference.search.decode import length_factor
from explorer.inference.translator import search_tree
from explorer.inference.translator.teacher_forcing import next_tokens, score_targets
from explorer.inference.translator.translate import InputRefused, load
from explorer.lessons import translator as lesson
from explorer.lessons.translator import search, search_edit, search_readings
from explorer.lessons.translator.search_edit import with_text
from explorer.lessons.translator.search_readings import turning_points
from explorer.records.search import SearchRecord
from explorer.records.wording import times
from tests.checkpoints.conftest import tiny_tokenizer, write
from tests.inference.conftest import tiny_translator


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> lesson.Result:
    folder = tmp_path_factory.mktemp("search") / "tiny"
    write(folder, tiny_translator(vocab_size=tiny_tokenizer().vocab_size))
    return lesson.compute(lesson.Params(text="The doggish cat saw.", beam=4, checkpoint=str(folder)))


@pytest.fixture(scope="module")
def asked(result: lesson.Result) -> search.SearchParams:
    return search.SearchParams.of(result)


@pytest.fixture(scope="module")
def record(asked: search.SearchParams) -> SearchRecord:
    return search.search(asked)


def position(result: lesson.Result, number: int) -> search_edit.PlaceParams:
    return search_edit.PlaceParams(
        asked=search.SearchParams.of(result), target=result.trace.written_ids, position=number
    )


def test_the_tree_ends_in_the_pages_translation(result: lesson.Result, record: SearchRecord) -> None:
    best = record.nodes[record.found[0]]
    assert best.text == result.translation.best.text
    assert best.total == result.translation.best.log_probability
    assert tuple(record.nodes[each].label for each in record.path(record.found[0])) == result.trace.written.labels


@torch.inference_mode()
def test_every_number_is_the_models_own_over_the_tokens_that_can_be_written(
    result: lesson.Result, record: SearchRecord, asked: search.SearchParams
) -> None:
    """As the page says: what is never written is taken out, and the rest is divided by its sum; in every view alike."""
    translator = load(result.params.checkpoint)
    model, config = translator.prepared.model, translator.prepared.config
    never = list(config.never_written)
    ids = ([result.trace.source_ids], [[config.bos_id]])
    raw = model(*(torch.tensor(each, device=translator.prepared.device) for each in ids))[0, 0].softmax(-1)
    scaled = raw / (1 - raw[never].sum())
    scaled[never] = 0
    assert raw[never].sum() > 1e-3, "there is something to take out"
    labels = translator.tokenizer.pieces(range(len(scaled)))
    expected = {label: pytest.approx(float(share), rel=1e-4) for label, share in zip(labels, scaled, strict=True)}
    for node in record.nodes:
        if node.step == 1:
            assert math.exp(node.log_probability) == expected[node.label]
    for each in result.trace.steps[0].likeliest:
        assert each.probability == expected[each.label]
    ways = search.ways(search.WaysParams(asked=asked, samples=3, temperature=0.3))
    for text in ways.texts:
        assert math.exp(text.log_probabilities[0]) == expected[text.candidate.labels[0]]
    for other in search_edit.alternatives(position(result, 0)):
        assert other.probability == expected[other.label]


def test_the_reading_of_the_tree_counts_its_nodes(record: SearchRecord) -> None:
    way = record.path(record.found[0])
    for step in (1, 2, record.n_steps):
        said = search_readings.describe_tree(record, step)
        kept = [node for node in record.nodes if node.step == step and node.fate in ("continued", "pruned", "open")]
        finished = [node for node in record.nodes if node.step <= step and node.fate == "finished"]
        assert f"step {step} of {record.n_steps}: hypotheses kept {len(kept)}, finished {len(finished)}, pruned" in said
        if step < len(way):
            assert f"stands in place {record.nodes[way[step - 1]].rank + 1} here" in said
    assert search_readings.describe_tree(record, 10**6) == search_readings.describe_tree(record, record.n_steps)
    assert search_readings.describe_tree(record, -5) == search_readings.describe_tree(record, 1)


def test_where_the_winner_stood_lowest(record: SearchRecord) -> None:
    """A winner that was third once is said to have been."""
    way = record.path(record.found[0])
    lower = replace(record.nodes[way[0]], rank=2)
    moved = replace(record, nodes=tuple(lower if n == way[0] else node for n, node in enumerate(record.nodes)))
    assert "only in place 3 at step 1" in search_readings.describe_tree(moved, record.n_steps)


def test_what_finished_is_ranked_by_the_formula_without_decoding(
    asked: search.SearchParams, record: SearchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.inference.search.decode.decode", None)
    for penalty in (0.0, 0.6, 2.0):
        order = search.rank_hypotheses(record, penalty)
        assert len(order) == len(record.finished) >= 4
        scores = [each.node.total / length_factor(each.node.step, penalty) for each in order]
        assert [each.score for each in order] == pytest.approx(scores)
        assert scores == sorted(scores, reverse=True)
        assert [each.position for each in order] == list(range(len(order)))
    assert [each.before for each in search.rank_hypotheses(record, asked.params.length_penalty)] == list(
        range(len(order))
    )


def test_turning_points_are_where_first_places_differ(record: SearchRecord) -> None:
    for at in turning_points(record):
        before, after = (search.rank_hypotheses(record, penalty)[0].node for penalty in (at - 0.01, at))
        assert before is not after
    said = search_readings.describe_ranking(record, 0.6)
    assert ("changes hands" in said) == bool(turning_points(record))


def test_a_short_and_a_long_hypothesis_change_places(record: SearchRecord) -> None:
    """−4 nats in 2 tokens against −5 in 8: equal where ((5+8)/(5+2))^α = 5/4."""
    long, short = record.finished[:2]
    nodes = list(record.nodes)
    for number, step, total in ((long, 8, -5.0), (short, 2, -4.0)):
        nodes[number] = replace(nodes[number], step=step, total=total)
    two = object.__new__(SearchRecord)  # its steps need not fit together here
    object.__setattr__(two, "nodes", tuple(nodes[each] for each in (long, short)))
    (at,) = turning_points(two)
    assert at == pytest.approx(math.log(5 / 4) / math.log(13 / 7), abs=0.011)


def test_ways_are_numbers_of_the_model(asked: search.SearchParams) -> None:
    how = search.WaysParams(asked=asked, temperature=1.5, top_k=20, seed=3, samples=4)
    found = search.ways(how)
    assert [each.name for each in found.texts] == ["greedy", "beam", "sample-1", "sample-2", "sample-3", "sample-4"]
    for text, kept in zip(found.texts, found.kept, strict=True):
        (row,) = score_targets(load(asked.params.checkpoint).prepared, asked.source, [text.candidate.ids])
        np.testing.assert_allclose(text.log_probabilities, row, atol=1e-4)
        assert text.running[-1] == pytest.approx(text.candidate.log_probability, abs=1e-3)
        assert "".join(text.surface) == text.candidate.text
        assert len(kept) == len(text.surface)
    assert all(found.kept[1])
    assert search.ways(how).texts[2].candidate == found.texts[2].candidate
    assert "sample" in search_readings.describe_ways(found)
    assert found.provenance.seed == 3


def test_absurd_ways_are_clamped(asked: search.SearchParams) -> None:
    how = search.WaysParams(asked=asked, temperature=-1.0, top_k=10**9, top_p=-3.0, seed=-1, samples=10**6)
    assert (how.temperature, how.top_k, how.top_p, how.seed, how.samples) == (0.1, 100, 0.05, 0, 6)
    assert how.sampling.samples == 6


def test_alternatives_are_the_likeliest_others(result: lesson.Result) -> None:
    at = position(result, 1)
    found = search_edit.alternatives(at)
    prepared = load(result.params.checkpoint).prepared
    likeliest = next_tokens(prepared, at.asked.source, at.target[:1], 9)
    assert [each.id for each in found] == [each.id for each in likeliest if each.id != at.target[1]][:8]
    assert at.target[1] not in {each.id for each in found}


@pytest.mark.parametrize("number", [0, 1, -1])
def test_writing_on_keeps_what_was_given(result: lesson.Result, number: int) -> None:
    n = len(result.trace.written_ids)
    at = position(result, number % n)
    other = search_edit.alternatives(at)[0]
    found = search_edit.rewrite(search_edit.EditParams(at=at, token=other.id))
    ids = found.after.candidate.ids
    assert ids[: at.position + 1] == (*at.target[: at.position], other.id)
    assert found.given == at.position + 1
    assert found.before.candidate.ids == at.target
    own = found.before.log_probabilities[: at.position]
    np.testing.assert_allclose(found.after.log_probabilities[: at.position], own, atol=1e-4)
    assert math.exp(found.after.log_probabilities[at.position]) == pytest.approx(other.probability, rel=1e-3)
    assert found.change == pytest.approx(found.after.running[-1] - found.before.running[-1], abs=1e-3)
    said = search_readings.describe_rewritten(found)
    assert f"at position {at.position + 1}" in said
    assert ("less likely" in said) == (found.change < 0)


def test_ending_earlier_needs_no_search(result: lesson.Result) -> None:
    at, end = position(result, 0), load(result.params.checkpoint).tokenizer.eos_id
    found = search_edit.rewrite(search_edit.EditParams(at=at, token=end))
    assert found.after.candidate.ids == (end,)
    assert found.after.candidate.finished
    assert "“end” instead of" in search_readings.describe_rewritten(found)


def test_words_of_ones_own(result: lesson.Result) -> None:
    at = position(result, 1)
    found = search_edit.rewrite(search_edit.EditParams(at=at, text="  the <b>dog</b> "))
    assert "the <b>dog</b>" in found.after.candidate.text
    assert found.replaced_by.endswith("the <b>dog</b>")
    tokenizer = load(result.params.checkpoint).tokenizer
    assert tokenizer.decode(found.after.candidate.ids[: found.given]).endswith("the <b>dog</b>")


@pytest.mark.parametrize("text", ["α", "привет", "日本 maison", "한국", "مرحبا"])
def test_words_that_no_translation_is_written_with_can_be_put_there(result: lesson.Result, text: str) -> None:
    found = search_edit.rewrite(search_edit.EditParams(at=position(result, 1), text=text))
    assert text in found.after.candidate.text
    assert math.isfinite(found.change)


def test_a_piece_replaced_by_itself_changes_nothing(result: lesson.Result) -> None:
    at = position(result, 0)
    found = search_edit.rewrite(search_edit.EditParams(at=at, token=at.target[0]))
    assert found.same
    itself = replace(found, after=found.before)
    assert search_readings.describe_rewritten(itself) == "The same stands at position 1 already: nothing is changed."
    further = replace(found.before, candidate=replace(found.before.candidate, ids=(*at.target, at.target[0])))
    said = search_readings.describe_rewritten(replace(found, after=further))
    assert "nothing is changed up to there. Written on from there, the whole becomes as likely as before." in said
    assert "“end”" not in said


@pytest.mark.parametrize(("kept", "said"), [(True, "from there stood in the old"), (False, "did not stand in the old")])
def test_one_token_written_on_is_no_plural(result: lesson.Result, kept: bool, said: str) -> None:
    at = position(result, 1)
    found = search_edit.rewrite(search_edit.EditParams(at=at, token=search_edit.alternatives(at)[0].id))
    one = replace(found, kept=((), (True,) * found.given + (kept,)))
    assert said in search_readings.describe_rewritten(one)


def test_a_token_beyond_what_can_be_written_is_refused(result: lesson.Result) -> None:
    at, most = position(result, 1), load(result.params.checkpoint).prepared.config.max_length
    last = replace(at, target=at.target[:1] * most, position=most - 1)
    with pytest.raises(InputRefused) as refused:
        search_edit.rewrite(search_edit.EditParams(at=last, token=at.target[0]))
    assert (refused.value.reason, refused.value.length) == ("too_long", most)


@pytest.mark.parametrize(
    ("text", "reason"), [("\u200b \x00", "empty"), ("é" * 201, "too_long"), ("字" * 190, "too_long")]
)
def test_words_that_cannot_stand_there(result: lesson.Result, text: str, reason: str) -> None:
    with pytest.raises(InputRefused) as refused:
        search_edit.rewrite(search_edit.EditParams(at=position(result, 1), text=text))
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("before", "number", "text", "after"),
    [
        ("The cat saw the dog.", "cat", "dog", "The dog"),
        ("The cat saw.", ".", "!", "The cat saw!"),
        ("The cat saw.", "cat", ".", "The."),
        ("The cat", None, "saw", "The cat saw"),
        ("The cat", None, ".", "The cat."),
        ("我看狗", "看", "想", "我想"),
        ("我看", None, "狗", "我看狗"),
    ],
)
def test_a_space_stands_where_one_stood(before: str, number: str | None, text: str, after: str) -> None:
    """At the first piece of a word, or after the last one."""
    tokenizer = tiny_tokenizer()
    target = [*tokenizer.encode(before), tokenizer.eos_id]
    start = len(tokenizer.encode(before[: before.index(number)])) if number else len(target) - 1
    assert tokenizer.decode(with_text(tokenizer, target, start, text)) == after


def test_an_edit_of_one_translation_fits_no_other(result: lesson.Result) -> None:
    target = result.trace.written_ids
    ids = [search_edit.place_id(target, number) for number in range(len(target))]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & {search_edit.place_id((*target[:-1], 9, 2), number) for number in range(len(target) + 1)}


def test_memory_that_runs_out_sends_the_search_to_the_cpu(
    asked: search.SearchParams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulated: the first try of each piece of work fails."""
    calls: list[int] = []
    decode = search_tree.decode

    def failing(*given: object, **named: object) -> object:
        calls.append(1)
        if len(calls) == 1:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return decode(*given, **named)

    expected = search.search(asked)
    monkeypatch.setattr(search_tree, "decode", failing)
    found = search.search(asked)
    assert len(calls) == 2
    assert found.provenance.device == "cpu"
    assert [node.label for node in found.nodes] == [node.label for node in expected.nodes]


def test_ways_are_read_by_their_odds(asked: search.SearchParams) -> None:
    found = search.ways(search.WaysParams(asked=asked, temperature=1.5, top_k=20, seed=3, samples=4))
    greedy, beam, *drawn = (each.candidate for each in found.texts)
    behind = beam.log_probability - max(each.log_probability for each in drawn)
    said = search_readings.describe_ways(found)
    if (factor := times(math.exp(abs(behind)))) == "1":
        assert "The likeliest sample is as likely." in said
    else:
        assert f"sample is **{factor} times** {'less' if behind > 0 else 'as'} likely" in said
    if greedy.ids == beam.ids:
        assert "wrote the same." in said
    else:
        assert f"a text {times(math.exp(beam.log_probability - greedy.log_probability))} times as likely" in said
    worse = replace(beam, ids=greedy.ids[:1], log_probability=greedy.log_probability - math.log(2))
    first, second, *others = found.texts
    below = replace(found, texts=(first, replace(second, candidate=worse), *others))
    assert "a text 2 times less likely than greedy search" in search_readings.describe_ways(below)
