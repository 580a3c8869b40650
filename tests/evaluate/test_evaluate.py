"""Scores against all references, and a command that says what is wrong."""

import gzip
from pathlib import Path

import pytest
import sacrebleu
import torch

from explorer.data.parallel.directions import Direction
from explorer.data.parallel.pairs import Pair
from explorer.data.text import TextError
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate.__main__ import main
from explorer.evaluate.text import text_loss
from explorer.evaluate.translations import bleu, score, score_unseen, translate_all
from explorer.inference.engine.prepared import prepare
from explorer.inference.gpt.generate import losses
from explorer.inference.search.decode import DecodingOptions
from explorer.models.translator import Translator
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.inference.gpt.test_generate import TOKENIZER as CHARACTERS, tiny_gpt, write_gpt

PAIRS = [
    Pair("The cat saw the dog.", ("Le chat a vu le chien.", "Le chat vit le chien.")),
    Pair("I'm busy.", ("Je suis occupé.",)),
]

EN_FR = Direction("en", "fr")


@pytest.fixture
def tokenizer() -> Tokenizer:
    return tiny_tokenizer()


@pytest.fixture
def model(tokenizer: Tokenizer) -> Translator:
    return tiny_model(tokenizer.vocab_size)


def test_every_reference_counts() -> None:
    assert score(["Le chat vit le chien.", "Je suis occupé."], PAIRS).bleu == pytest.approx(100)
    assert score(["Le chat a vu le chien.", "Je suis occupé."], PAIRS).bleu == pytest.approx(100)
    assert score(["Un chat a vu le chien.", "Je suis occupé."], PAIRS).bleu < 90


def test_same_as_the_library_with_one_reference() -> None:
    pairs = [Pair(pair.source, pair.targets[:1]) for pair in PAIRS]
    outputs = ["Un chat a vu le chien.", "Je suis fatigué."]
    found = score(outputs, pairs)
    references = [[pair.targets[0] for pair in pairs]]
    assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(outputs, references).score)
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(outputs, references).score)
    assert found.n_lines == 2
    assert "version:" in found.bleu_signature


def test_order_of_lines_is_kept(model: Translator, tokenizer: Tokenizer) -> None:
    texts = ["I'm busy.", "The cat saw the dog. The dog saw the cat.", "The cat", "a", ""]
    options = DecodingOptions(beam=2, max_length=12)
    together = translate_all(prepare(model), tokenizer, texts, options)
    assert together == [translate_all(prepare(model), tokenizer, [text], options)[0] for text in texts]


def test_a_text_longer_than_the_model_reads_is_cut(model: Translator, tokenizer: Tokenizer) -> None:
    assert len(translate_all(prepare(model), tokenizer, ["cat " * 500], DecodingOptions(beam=1, max_length=5))) == 1


def test_bleu_of_a_model_in_training_leaves_it_alone(model: Translator, tokenizer: Tokenizer) -> None:
    model.train()
    before = [parameter.clone() for parameter in model.parameters()]
    assert 0 <= bleu(model, tokenizer, PAIRS, EN_FR) < 100
    assert model.training
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))


@pytest.fixture
def checkpoint(tmp_path: Path, model: Translator) -> Path:
    write(tmp_path / "tiny", model)
    return tmp_path / "tiny"


def test_command(checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join("\t".join((pair.source, *pair.targets)) for pair in PAIRS)
    (tmp_path / "test.tsv.gz").write_bytes(gzip.compress(rows.encode()))
    out = tmp_path / "out.txt"
    assert main([str(checkpoint), str(tmp_path / "test.tsv.gz"), "--beam", "2", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "BLEU" in printed
    assert "chrF" in printed
    assert "2 lines" in printed
    assert len(out.read_text().splitlines()) == 2


@pytest.mark.parametrize("wrong", ["checkpoint", "pairs", "beam", "device"])
def test_command_says_what_is_wrong(
    wrong: str, checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test.tsv").write_text("a\tb\n")
    if wrong == "device":
        monkeypatch.setenv("EXPLORER_DEVICE", "abacus")
    arguments = {
        "checkpoint": ["nowhere", str(tmp_path / "test.tsv")],
        "pairs": [str(checkpoint), str(tmp_path / "none.tsv")],
        "beam": [str(checkpoint), str(tmp_path / "test.tsv"), "--beam", "0"],
        "device": [str(checkpoint), str(tmp_path / "test.tsv")],
    }[wrong]
    assert main(arguments) == 2
    assert capsys.readouterr().err.strip()


def test_text_is_scored_in_windows_of_the_training_length() -> None:
    model, text = tiny_gpt(max_length=8), "the quick brown fox jumps the fox"  # 33 characters: four windows
    ids = torch.tensor(CHARACTERS.encode(text))
    expected = losses(model, ids[:32].view(4, 8), ids[1:].view(4, 8)).mean()
    assert text_loss(model, CHARACTERS, text) == pytest.approx(float(expected), abs=1e-6)
    assert text_loss(model, CHARACTERS, text + " quick") == pytest.approx(float(expected), abs=1e-6)
    with pytest.raises(TextError, match="no window of 8"):
        text_loss(model, CHARACTERS, "the quic")


def test_command_on_a_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_gpt(tmp_path / "a", tiny_gpt(max_length=8))
    (tmp_path / "input.txt").write_text("the quick brown fox jumps\n" * 20)
    for data in (tmp_path, tmp_path / "input.txt"):
        assert main([str(tmp_path / "a"), str(data)]) == 0
        assert "nats per character (52 held-out characters)" in capsys.readouterr().out
    assert main([str(tmp_path / "a"), str(tmp_path / "none.txt")]) == 2
    assert "no input.txt" in capsys.readouterr().err
    assert main([str(tmp_path / "a"), str(tmp_path), "--everyday", "--beam", "2"]) == 2
    assert "--everyday, --beam: not read of a gpt" in capsys.readouterr().err


def test_near_duplicates_of_the_training_data_are_left_out() -> None:
    translations = ["Le chat vit le chien.", "Je ne sais pas."]
    found = score_unseen(translations, PAIRS, ["The cat saw a dog!"], EN_FR)
    assert found == score(translations[1:], PAIRS[1:], "fr")
    assert score_unseen(translations, PAIRS, ["The cat saw the dog.", "I'm free."], EN_FR) is None
    assert score_unseen(translations, PAIRS, ["Far away."], EN_FR) == score(translations, PAIRS, "fr")


def test_command_scores_without_near_duplicates(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{pair.source}\t{pair.targets[0]}\n" for pair in PAIRS]
    (tmp_path / "test.tsv").write_text("".join(rows))
    (tmp_path / "train.tsv").write_text("The cat saw the bird.\tLe chat a vu l'oiseau.\n")
    arguments = [str(checkpoint), str(tmp_path / "test.tsv"), "--beam", "1"]
    assert main([*arguments, "--training", str(tmp_path / "train.tsv")]) == 0
    assert "1 lines, without near-duplicates: 50.0% of the sources" in capsys.readouterr().out
    (tmp_path / "train.tsv").write_text("".join(rows))
    assert main([*arguments, "--training", str(tmp_path / "train.tsv")]) == 0
    printed = capsys.readouterr()
    assert "near-duplicates" not in printed.out
    assert "none is left to score" in printed.err
