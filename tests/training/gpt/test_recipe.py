"""The decoder-only recipe and its command: it learns, goes on after an interruption, writes a whole checkpoint."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import load
from explorer.data.text import CharacterTokenizer
from explorer.inference.gpt.generate import continue_text, probe
from explorer.models.gpt import GPT, GPTConfig
from explorer.training import loop
from explorer.training.__main__ import main
from explorer.training.config import TrainingConfig
from explorer.training.gpt.recipe import TextRecipe, train_gpt
from explorer.training.loss import Diverged
from explorer.training.state import ResumeError, describe, load_averaged, trained_tokenizer

SHAPE = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_ff": 32, "dropout": 0.1, "max_length": 16, "position": "rotary"}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("text")
    (folder / "input.txt").write_text("abcdefgh\n" * 120)
    return folder


def recipe(**training: object) -> TextRecipe:
    course = {"steps": 8, "tokens_per_batch": 128, "warmup": 4, "report_every": 4, "learning_rate": 1e-2, **training}
    return TextRecipe(shape=SHAPE, n_dev=64, training=TrainingConfig(smoothing=0.0, average_decay=0.9, **course))


def command(data: Path, out: Path, *more: str) -> list[str]:
    small = [word for name in ("d_model", "n_heads", "n_layers", "d_ff") for word in (f"--{name}", str(SHAPE[name]))]
    small = [word.replace("_", "-") for word in small]
    where = ["gpt", "--data", str(data), "--out", str(out), "--run-folder", str(out.parent / "run")]
    return [*where, *small, "--length", "16", "--steps", "3", "--tokens-per-batch", "64", *more]


def test_an_alphabet_is_learnt(text: Path, tmp_path: Path) -> None:
    train_gpt(text, tmp_path, recipe(steps=120, report_every=60, warmup=10), device=CPU)
    model, tokenizer = load_averaged(tmp_path, GPT, GPTConfig), CharacterTokenizer.load(tmp_path / "tokenizer.json")
    assert continue_text(model, tokenizer, "abcd", 8)[0] == "efgh\nabc"
    rows = [line.split(",") for line in (tmp_path / "history.csv").read_text().splitlines()]
    assert rows[0] == ["step", "epoch", "minutes", "train_loss", "dev_loss", "tokens_per_second", "learning_rate"]
    assert float(rows[2][4]) < 0.6  # the first characters of a window cannot be known


def test_an_interrupted_run_goes_on_bit_for_bit(text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    train_gpt(text, straight, recipe(steps=20), device=CPU)  # an epoch has 8 batches
    original = loop.save_state

    def save_and_die(*arguments: object) -> None:
        original(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(loop, "save_state", save_and_die)
        with pytest.raises(KeyboardInterrupt):
            train_gpt(text, broken, recipe(steps=20, report_every=11), device=CPU)
    torch.manual_seed(99)
    train_gpt(text, broken, recipe(steps=20), device=CPU, resume=True)
    one, other = (
        load_file(run / json.loads((run / "state.json").read_text())["tensors"]) for run in (straight, broken)
    )
    assert [name for name in one if not torch.equal(one[name], other[name])] == []


def test_another_run_is_not_resumed_and_the_one_that_is_there_stays(text: Path, tmp_path: Path) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    train_gpt(text, run, recipe(steps=1), device=CPU)
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    other.mkdir()
    (other / "input.txt").write_text("ABCDEFGH\n" * 120)  # as many characters
    plan, wide = recipe(steps=2), replace(recipe(steps=2), shape={**SHAPE, "d_model": 32})
    for data, asked, message in (
        (text, wide, "d_model 16, not 32"),
        (text, recipe(steps=2, seed=7), "with --seed 1"),
        (other, plan, "another vocabulary"),
    ):
        with pytest.raises(ResumeError, match=message):
            train_gpt(data, run, asked, device=CPU, resume=True)
        assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_the_first_of_several_processes_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.training.state.rank", lambda: 1)
    config = GPTConfig(vocab_size=3, **SHAPE)
    describe(tmp_path, config, tokenizer=CharacterTokenizer("ab"), about={"teacher": ""}, resume=False)
    assert trained_tokenizer(tmp_path, pytest.fail, str, resume=False) == str(tmp_path / "tokenizer.json")
    assert not [*tmp_path.iterdir()]


def test_what_has_diverged_is_not_saved(text: Path, tmp_path: Path) -> None:
    with pytest.raises(Diverged, match="by step 2"):
        train_gpt(text, tmp_path, recipe(steps=4, report_every=2, learning_rate=1e30), device=CPU)
    assert not (tmp_path / "state.json").exists()


def test_the_command_writes_a_whole_checkpoint(text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "small"
    assert main(command(text, out, "--position", "alibi", "--licence", "public domain", "--hardware", "A test.")) == 0
    names = {"manifest.json", "model.safetensors", "tokenizer.json", "README.md", "history.csv"}
    assert {path.name for path in out.iterdir()} == names
    manifest, model, tokenizer = load(out)
    assert isinstance(model, GPT)
    assert (model.config.position, model.config.max_length) == ("alibi", 16)
    assert manifest.command == (
        f"python -m explorer.training gpt --data <folder>/{text.name} --position alibi --d-model 16 --n-heads 2"
        " --n-layers 1 --d-ff 32 --length 16 --seed 1 --steps 3 --tokens-per-batch 64 --out checkpoints/small"
    )
    card = (out / "README.md").read_text()
    assert manifest.command in card
    assert f"**{manifest.metrics['val_loss']:.4f} nats per character**" in card
    assert "ALiBi" in card
    assert str(tmp_path) not in card + (out / "manifest.json").read_text()
    assert manifest.revision in capsys.readouterr().out
    again = probe(model, tokenizer, manifest.probe.given)
    assert again.expected == manifest.probe.expected
    assert again.score == pytest.approx(manifest.probe.score, abs=1e-4)


def test_a_finished_run_is_exported_again(text: Path, tmp_path: Path) -> None:
    assert main(command(text, tmp_path / "small")) == 0
    before = read_manifest(tmp_path / "small")
    assert main(command(text, tmp_path / "small", "--resume", "--credit", "Another word.")) == 0
    after = read_manifest(tmp_path / "small")
    assert after.files == before.files
    assert after.data == "Another word."


@pytest.mark.parametrize(
    ("more", "message"),
    [(["--n-heads", "3"], "no multiple of n_heads 3"), (["--length", "5000"], "no window of 5,000")],
)
def test_what_cannot_be_is_said_in_one_line(
    text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert main(command(text, tmp_path / "out", *more)) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(tmp_path, tmp_path / "out")) == 2
    assert "no input.txt" in capsys.readouterr().err
