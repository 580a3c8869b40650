"""Whatever is typed is translated or refused with a reason."""

import re
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import CheckpointMissing
from explorer.checkpoints.store import BUNDLED, list_bundled, load
from explorer.data.parallel.directions import Direction
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import (
    InputRefused,
    LoadedTranslator,
    clean,
    encode_source,
    load as loaded,
    probe,
    translate,
)
from explorer.models.translator import Translator
from explorer.records.language import speaking
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write

GREEDY = DecodingOptions(beam=1, max_length=20)


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> LoadedTranslator:
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny"
    write(folder, tiny_model(tiny_tokenizer().vocab_size))
    return loaded(str(folder))


@pytest.mark.parametrize(
    "text",
    [
        "The cat saw the dog.",
        "a",
        "😀👩‍👩‍👧 !!",
        "日本語",
        "مرحبا بالعالم",
        "<script>alert('x')</script>",
        "$$\\int_0^1 e^{x^2}\\,dx$$ **bold** [a](b) :material/home:",
        "e\u0301te\u0301",
        "a\u200bb\ufeffc\u00add",
        "a\x00b\x1bc\x7f",
        "\u202eabc\u202c",
        "two\nlines\tand\u2028more",
        "</s> <pad> <s>",
        "\ud800a",
        "%s {0} {name}",
        "'; DROP TABLE --",
    ],
)
def test_anything_goes_through(translator: LoadedTranslator, text: str) -> None:
    found = translate(translator, text, GREEDY)
    assert len(found.trace.steps) == len(found.best.labels)
    assert found.trace.source.special == (*[False] * (len(found.trace.source.labels) - 1), True)


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\t\r", "\u200b\u200d\ufeff", "\x00\x01\x1f", "\u00ad", "\u3000", "\ud800"]
)
def test_nothing_visible_is_refused(translator: LoadedTranslator, text: str) -> None:
    with pytest.raises(InputRefused, match="type a sentence") as refused:
        translate(translator, text, GREEDY)
    assert refused.value.reason == "empty"


@pytest.mark.parametrize("text", ["word " * 1000, "x" * 400, "日" * 200])
def test_too_much_is_refused_with_both_numbers(translator: LoadedTranslator, text: str) -> None:
    with pytest.raises(InputRefused) as refused:
        translate(translator, text, GREEDY)
    n_tokens = len(translator.tokenizer.encode(clean(text)))
    assert (refused.value.reason, refused.value.length, refused.value.limit) == ("too_long", n_tokens, 63)
    assert f"{n_tokens:,}" in str(refused.value)
    assert "63" in str(refused.value)


def test_far_too_much_is_not_even_tokenised(translator: LoadedTranslator) -> None:
    with pytest.raises(InputRefused, match="1,000,000 characters"):
        translate(translator, "x" * 1_000_000, GREEDY)


def test_the_reason_is_said_in_the_readers_language() -> None:
    with speaking("zh"):
        assert re.search("[一-鿿]", InputRefused("empty").explain())


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        (" a  b\u00a0c\n", "a b c"),
        ("“Don’t”", '"Don\'t"'),
        ("e\u0301", "é"),
        ("a\u200bb\u00adc", "abc"),
        ("«oui»", "«oui»"),
        ("a\x00b", "ab"),
    ],
)
def test_clean(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned
    assert clean(cleaned) == cleaned


def test_candidates_are_distinct_and_ordered(translator: LoadedTranslator) -> None:
    found = translate(translator, "The cat saw the dog.", DecodingOptions(beam=8, max_length=12))
    texts = [candidate.text for candidate in found.candidates]
    assert len(set(texts)) == len(texts)
    assert 1 < len(texts) <= 8
    scores = [candidate.score for candidate in found.candidates if candidate.finished]
    assert scores == sorted(scores, reverse=True)
    assert found.best.labels == found.trace.written.labels


def test_provenance_names_the_checkpoint(translator: LoadedTranslator) -> None:
    found = translate(translator, "The cat", DecodingOptions(beam=2, length_penalty=1.0, max_length=12))
    assert found.provenance.revision == translator.manifest.revision
    assert found.provenance.detail == "beam 2, length penalty 1"
    assert str(found.provenance.device) == str(translator.prepared.device)


def test_same_object_every_time(translator: LoadedTranslator) -> None:
    assert loaded(translator.name) is translator


def test_no_checkpoint() -> None:
    with pytest.raises(CheckpointMissing):
        loaded("nowhere")


@pytest.mark.parametrize("name", [name for name in list_bundled() if name.startswith("translator")])
def test_shipped_checkpoints_reproduce_their_probe(name: str) -> None:
    manifest, model, tokenizer = load(BUNDLED / name)
    assert isinstance(model, Translator)
    found = probe(model, tokenizer, manifest.probe.given)
    assert found.expected == manifest.probe.expected
    assert found.score == pytest.approx(manifest.probe.score, abs=1e-3)


def test_probe_depends_on_the_weights(tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer()
    sound, other = tiny_model(tokenizer.vocab_size), tiny_model(tokenizer.vocab_size)
    assert probe(sound, tokenizer, "The cat") == probe(other, tokenizer, "The cat")
    other.decoder.norm.weight.data[0] += 1
    assert probe(sound, tokenizer, "The cat").score != probe(other, tokenizer, "The cat").score


def test_a_direction_the_translator_was_not_trained_for_is_refused(translator: LoadedTranslator) -> None:
    with pytest.raises(ValueError, match="translates no named language"):
        translator.towards(Direction("en", "de"))


def test_the_shipped_translator_knows_its_direction() -> None:
    shipped = loaded("translator-en-fr")
    assert (shipped.direction, shipped.directions) == (Direction("en", "fr"), (Direction("en", "fr"),))
    assert shipped.towards(Direction("en", "fr")).prepared is shipped.prepared
    assert encode_source(shipped, "Hi.")[0] not in shipped.tokenizer.special_ids  # one direction needs no tag
