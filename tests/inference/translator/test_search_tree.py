"""The record of a search says what happened: its numbers are those of full passes, its fates those of the rule."""

import copy
import math
from pathlib import Path

import pytest
import torch

from explorer.inference.search.decode import DecodingOptions, decode, length_factor
from explorer.inference.search.hypotheses import bound_length
from explorer.inference.translator.search_tree import Recorder, record_search
from explorer.inference.translator.teacher_forcing import next_tokens, score_targets
from explorer.inference.translator.translate import LoadedTranslator, encode_source, load
from explorer.models.translator import Translator
from explorer.records.search import SearchRecord
from tests.checkpoints.conftest import tiny_tokenizer, write
from tests.inference.conftest import tiny_translator

TEXTS = ["The doggish cat saw.", "I miss you.", "naïve 日本"]


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> LoadedTranslator:
    folder = tmp_path_factory.mktemp("searching") / "tiny"
    write(folder, tiny_translator(vocab_size=tiny_tokenizer().vocab_size))
    return load(str(folder))


def search(translator: LoadedTranslator, text: str, beam: int, prefix: list[int] | None = None) -> SearchRecord:
    return record_search(translator, encode_source(translator, text), DecodingOptions(beam=beam), prefix=prefix or [])[
        1
    ]


def ids_of(translator: LoadedTranslator, record: SearchRecord, number: int) -> list[int]:
    """Tokens of a node, by their labels: those of the tiny vocabulary are distinct."""
    names = translator.tokenizer.pieces(range(translator.tokenizer.vocab_size))
    labels = [record.nodes[each].label for each in record.path(number)]
    assert all(names.count(label) == 1 for label in labels)
    return [names.index(label) for label in labels]


def exact(model: Translator, source: list[int], target: list[int]) -> torch.Tensor:
    """Log-probabilities after `target`, computed in float64 by a pass of its own."""
    with torch.no_grad():
        logits = model(torch.tensor([source]), torch.tensor([[1, *target]]))[0, -1].clone()
    logits[[model.config.pad_id, model.config.bos_id]] = -math.inf
    return logits.log_softmax(-1)


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("text", TEXTS)
def test_every_number_is_that_of_a_full_pass_in_double_precision(
    translator: LoadedTranslator, text: str, beam: int
) -> None:
    model, source = copy.deepcopy(translator.prepared.model).cpu().double(), encode_source(translator, text)
    record = search(translator, text, beam)
    known: dict[int, torch.Tensor] = {}
    for number, node in enumerate(record.nodes):
        ids = ids_of(translator, record, number)
        before = -1 if node.parent is None else node.parent
        if before not in known:
            known[before] = exact(model, source, ids[:-1])
        own = float(known[before][ids[-1]])
        total = own + (0.0 if node.parent is None else record.nodes[node.parent].total)
        assert node.log_probability == pytest.approx(own, abs=1e-4)
        assert node.total == pytest.approx(total, abs=1e-4)
        assert node.score == pytest.approx(node.total / length_factor(len(ids), 0.6))
        assert node.text == translator.tokenizer.decode(ids)


@pytest.mark.parametrize("beam", [1, 2, 4])
@pytest.mark.parametrize("text", TEXTS)
def test_fates_follow_the_rule(translator: LoadedTranslator, text: str, beam: int) -> None:
    """Of the candidates in order: `</s>` among the first `beam` ends, the first `beam` others are kept."""
    record = search(translator, text, beam)
    for step in range(1, record.n_steps + 1):
        nodes = [node for _, node in record.at(step)]
        assert [node.total for node in nodes] == sorted((node.total for node in nodes), reverse=True)
        others = [node for node in nodes if node.label != "</s>"]
        expected = {id(node) for node in others[:beam]}
        for node in nodes:
            ends = node.label == "</s>" and node.rank < beam
            assert (node.fate == "finished") == ends
            assert (node.fate in ("continued", "pruned", "open")) == (id(node) in expected)
        assert record.cutoff(step) == min((node.total for node in others[:beam]), default=None)
    for number, node in enumerate(record.nodes):
        children = [each for each in record.nodes if each.parent == number and each.fate != "dropped"]
        assert (node.fate == "continued") == bool(children)
        assert (node.fate == "open") == (node.step == record.n_steps and node.fate not in ("finished", "dropped"))


@pytest.mark.parametrize("beam", [1, 4])
def test_the_recorded_search_finds_what_an_unrecorded_one_finds(translator: LoadedTranslator, beam: int) -> None:
    for text in TEXTS:
        source, options = encode_source(translator, text), DecodingOptions(beam=beam)
        found, record = record_search(translator, source, options)
        (plain,) = decode(translator.prepared, [source], bound_length(options, len(source)))
        assert found == plain
        assert [ids_of(translator, record, number) for number in record.found] == [list(each.ids) for each in plain]
        assert [record.nodes[number].total for number in record.found] == [each.log_probability for each in plain]
        assert (record.stopped == "beaten") or record.n_steps == bound_length(options, len(source)).max_length


def test_both_ends_of_a_search_are_covered_here(translator: LoadedTranslator) -> None:
    assert {search(translator, text, beam).stopped for text in TEXTS for beam in (1, 4)} == {"beaten", "length"}


def test_a_prefix_is_the_whole_tree_at_first(translator: LoadedTranslator) -> None:
    prefix = translator.tokenizer.encode("cat saw")
    record = search(translator, TEXTS[0], 3, prefix)
    assert [len(list(record.at(step))) for step in range(1, len(prefix) + 1)] == [1] * len(prefix)
    assert all(ids_of(translator, record, number)[: len(prefix)] == prefix for number in record.found)


def test_a_recorder_follows_one_sentence(translator: LoadedTranslator) -> None:
    source = encode_source(translator, TEXTS[0])
    with pytest.raises(ValueError, match="one sentence"):
        decode(translator.prepared, [source] * 2, DecodingOptions(), observer=Recorder(beam=4, eos_id=2))


def test_what_is_given_to_texts_adds_up_to_what_the_search_found(translator: LoadedTranslator) -> None:
    """Targets of different length in one padded pass; and the likeliest next token is the greedy search's."""
    source = encode_source(translator, TEXTS[0])
    found, _ = record_search(translator, source, DecodingOptions(beam=4))
    rows = score_targets(translator.prepared, source, [each.ids for each in found])
    assert len({len(row) for row in rows}) > 1
    for row, each in zip(rows, found, strict=True):
        assert len(row) == len(each.ids)
        assert row.sum() == pytest.approx(each.log_probability, abs=1e-4)
    ((greedy,), _) = record_search(translator, source, DecodingOptions(beam=1))
    likeliest = next_tokens(translator.prepared, source, greedy.ids[:1], 5)
    assert likeliest[0].id == greedy.ids[1]
    shares = [each.probability for each in likeliest]
    assert shares == sorted(shares, reverse=True)
    assert math.log(shares[0]) == pytest.approx(
        score_targets(translator.prepared, source, [greedy.ids])[0][1], abs=1e-4
    )


def test_no_path_of_this_machine_in_the_provenance(translator: LoadedTranslator) -> None:
    record = search(translator, TEXTS[0], 2)
    assert not Path(record.provenance.model).is_absolute()
    assert "beam 2" in str(record.provenance)
