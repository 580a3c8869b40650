"""The command: `python -m explorer.training translator …`."""

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from explorer.checkpoints.manifest import MANIFEST, read_manifest
from explorer.checkpoints.store import BUNDLED, load, read_bundled_manifests
from explorer.data.augmentation import ImageAugmentation
from explorer.data.parallel.directions import Direction
from explorer.data.parallel.pairs import EpochSource, Pair
from explorer.inference.device import DeviceRefused
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator import translate as translator
from explorer.inference.translator.translate import probe
from explorer.models.translator import Translator
from explorer.training.__main__ import main
from explorer.training.config import TrainingConfig
from explorer.training.masked.recipe import MaskedRecipe
from explorer.training.process import join
from explorer.training.seq2seq.recipe import Seq2SeqRecipe
from explorer.training.translator import recipe
from explorer.training.translator.recipe import TranslatorRecipe, spread

SHAPE = {"d-model": 16, "n-heads": 2, "n-encoder-layers": 1, "n-decoder-layers": 1, "d-ff": 32, "vocab-size": 300}
SMALL = [word for name, value in SHAPE.items() for word in (f"--{name}", str(value))]


def command(data: Path, out: Path, *more: str) -> list[str]:
    where = ["translator", "--data", str(data), "--out", str(out), "--run-folder", str(out.parent / "run")]
    return [*where, *SMALL, "--steps", "3", "--tokens-per-batch", "96", "--seed", "5", *more]


def test_it_trains_and_writes_a_whole_checkpoint(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small"
    assert main(command(data, out, "--licence", "CC BY 2.0", "--credit", "Made for a test.")) == 0
    assert {path.name for path in out.iterdir()} == {
        "manifest.json",
        "model.safetensors",
        "tokenizer.json",
        "README.md",
        "history.csv",
    }
    manifest = read_manifest(out)
    assert (manifest.seed, manifest.licence, manifest.data) == (5, "CC BY 2.0", "Made for a test.")
    assert manifest.command == (
        f"python -m explorer.training translator --data <folder>/{data.name} --d-model 16 --n-heads 2"
        " --n-encoder-layers 1 --n-decoder-layers 1 --d-ff 32 --seed 5 --steps 3 --tokens-per-batch 96"
        " --vocab-size 300 --out checkpoints/small"
    )
    assert manifest.metrics["steps"] == 3
    assert str(tmp_path) not in "".join((out / name).read_text() for name in ("README.md", "manifest.json"))
    assert manifest.revision in capsys.readouterr().out

    loaded = load(out)
    assert isinstance(loaded.model, Translator)
    again = probe(loaded.model, loaded.tokenizer, manifest.probe.given)
    assert again.expected == manifest.probe.expected
    assert again.score == pytest.approx(manifest.probe.score, abs=1e-4)


def test_the_card_says_where_the_numbers_come_from(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "small"
    main(command(data, out, "--licence", "CC BY 2.0", "--hardware", "A test machine."))
    card = (out / "README.md").read_text()
    manifest = read_manifest(out)
    assert manifest.command in card
    assert "python -m explorer.evaluate checkpoints/small" in card
    assert f"| dev | 8 | {manifest.metrics['dev_bleu']:.2f} |" in card
    assert "version:" in card
    assert "A test machine." in card
    assert "over the last 33%" in card  # decay from step 2 of 3
    assert "| step | minutes | train_loss | dev_loss | dev_bleu |" in card


def test_the_card_gives_the_score_without_near_duplicates(data: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "with_test", tmp_path / "small"
    folder.mkdir()
    for name in ("train", "dev"):
        (folder / f"{name}.tsv").write_bytes((data / f"{name}.tsv").read_bytes())
    known = (data / "train.tsv").read_text().splitlines()[:3]
    (folder / "test.tsv").write_text("\n".join([*known, "How are you today?\tComment vas-tu ?"]) + "\n")
    main(command(folder, out, "--steps", "1"))
    metrics, card = read_manifest(out).metrics, (out / "README.md").read_text()
    assert metrics["test_near_duplicates"] == 0.75
    assert f"| 75.0% | {metrics['test_bleu_without_near_duplicates']:.2f} |" in card
    assert "| near-duplicates | BLEU without near-duplicates |" in card
    assert "<data> --beam 4 --no-as-typed --training <folder>" in card


@pytest.mark.parametrize(
    "name", [name for name, each in read_bundled_manifests().items() if each.family == "translator"]
)
def test_shipped_cards_give_the_scores_without_near_duplicates(name: str) -> None:
    card, found = (BUNDLED / name / "README.md").read_text(), read_manifest(BUNDLED / name).metrics
    kept = {key: value for key, value in found.items() if key.startswith("test_bleu_without_near_duplicates")}
    assert kept
    for key, bleu in kept.items():
        assert f"| {found[key.replace('bleu_without_', '')]:.1%} | {bleu:.2f} |" in card
        assert bleu < found[key.replace("_without_near_duplicates", "")]


def test_the_card_says_in_which_arithmetic_it_was(data: Path, tmp_path: Path) -> None:
    for out, asked in ((tmp_path / "half", "--bfloat16"), (tmp_path / "full", "--float32")):
        main([*command(data, out, asked), "--run-folder", str(tmp_path / f"run-{out.name}")])
    assert "bfloat16" in (tmp_path / "half" / "README.md").read_text()
    assert "bfloat16" not in (tmp_path / "full" / "README.md").read_text()


def test_the_watched_part_is_spread_over_a_sorted_file() -> None:
    pairs = [Pair(str(i), ("x",)) for i in range(2000)]
    assert [pair.source for pair in spread(pairs, 500)][:3] == ["0", "4", "8"]
    assert len(spread(pairs, 500)) == 500
    assert spread(pairs[:3], 500) == pairs[:3]


@pytest.mark.parametrize(
    ("break_it", "message"),
    [("no folder", "has no train.tsv"), ("no dev", "has no dev.tsv"), ("malformed", "train.tsv, line 2")],
)
def test_missing_or_malformed_data_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], break_it: str, message: str
) -> None:
    folder = tmp_path / "data"
    if break_it != "no folder":
        folder.mkdir()
        (folder / "train.tsv").write_text("a\tb\nno tab\n" if break_it == "malformed" else "a\tb\n")
        if break_it == "malformed":
            (folder / "dev.tsv").write_text("a\tb\n")
    assert main(command(folder, tmp_path / "out")) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--n-heads", "3", "no multiple of n_heads 3"),
        ("--threads", "0", "threads is 0; it must be at least 1"),
        ("--directions", "fr-de", "no pairs of fr-de"),
        ("--copying", "inf", "share is inf"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, message: str
) -> None:
    assert main(command(data, tmp_path / "out", option, value)) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("config", "name", "value"),
    [
        *((TrainingConfig, name, value) for name in ("learning_rate", "minutes") for value in (math.nan, math.inf, 0)),
        *((TrainingConfig, "seed", value) for value in (-1, 2**63)),
        *((Seq2SeqRecipe, "clip", value) for value in (-1.0, 0.0, math.nan)),
        *((Seq2SeqRecipe, "teacher_forcing", value) for value in (-1.0, 2.0, math.nan)),
        *((MaskedRecipe, "asked", value) for value in (-1.0, 2.0, math.nan)),
        *((ImageAugmentation, "cutmix", value) for value in (-1.0, 2.0, math.nan)),
        (ImageAugmentation, "zoom", math.inf),
    ],
)
def test_a_number_out_of_range_is_refused_by_name(config: type, name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} .*{value}"):
        config(**{name: value})


def test_a_model_that_reads_no_character_is_refused() -> None:
    with pytest.raises(ValueError, match="max_length is 2; it must be at least 5"):
        TranslatorRecipe(shape={"max_length": 2})


@pytest.mark.parametrize("manifest", [(BUNDLED / "gpt-repeats" / MANIFEST).read_text(), '{"name": "of a web page"}'])
def test_another_checkpoint_is_not_replaced(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], manifest: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / MANIFEST).write_text(manifest)
    for words in (command(data, out), ["lab", "--task", "copy", "--out", str(out)]):
        assert main(words) == 2
        assert ("family gpt, not" if "gpt" in manifest else "schema") in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [(MANIFEST, manifest)]
    assert not (tmp_path / "run").exists()


def test_training_computes_where_the_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setenv("EXPLORER_DEVICE", "cpu")
    assert join().type == "cpu"
    monkeypatch.setenv("EXPLORER_DEVICE", "abacus")
    with pytest.raises(DeviceRefused):
        join()


def test_one_translator_learns_several_directions(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "both"
    assert main([*command(Path(f"fr={data}"), out), "--directions", "en-fr", "fr-en"]) == 0
    loaded = load(out)
    assert isinstance(loaded.model, Translator)
    assert (loaded.model.config.directions, set(loaded.tokenizer.tags)) == ("en-fr fr-en", {"<2en>", "<2fr>"})
    assert f"--data fr=<folder>/{data.name} " in loaded.manifest.command
    assert "--directions en-fr fr-en" in loaded.manifest.command
    assert {"dev_bleu_en-fr", "dev_bleu_fr-en"} <= loaded.manifest.metrics.keys()
    card = (out / "README.md").read_text()
    assert "| fr-en | dev |" in card
    assert "python -m explorer.evaluate checkpoints/both <data> --direction en-fr --beam 4" in card

    back = translator.load(str(out)).towards(Direction("fr", "en"))
    record = translator.translate(back, "Le chat voit la mer.", DecodingOptions(beam=1, max_length=8))
    assert record.trace.source.labels[0] == "<2en>"
    assert record.trace.source.special[0]
    tags = set(loaded.tokenizer.tags.values())
    assert tags < set(loaded.model.config.never_written)
    assert back.prepared.out.bias[sorted(tags)].isneginf().all()


def test_copied_numbers_are_added_to_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("train", "dev", "test"):
        (tmp_path / f"{part}.tsv").write_text("I have 3 cats.\tJ'ai 3 chats.\nIt is late.\tIl est tard.\n" * 8)
    read: dict[int, int] = {}

    def spy(pairs: list[Pair], *rest: Any, **named: Any) -> EpochSource:
        read[named["seed"]] = len(pairs)
        return EpochSource(pairs, *rest, **named)

    monkeypatch.setattr(recipe, "EpochSource", spy)
    assert main([*command(tmp_path, tmp_path / "out"), "--copying", "2"]) == 0
    assert read[5] == 16 + 2 * 16
    assert "--copying 2.0" in read_manifest(tmp_path / "out").command


def test_a_direction_without_a_folder_is_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command(Path(f"fr={data}"), tmp_path / "x"), "--directions", "en-de"]) == 2
    assert "no folder has pairs of en-de" in capsys.readouterr().err
