"""The lab from the command line: it trains, writes a checkpoint, and what it wrote is scored again."""

from pathlib import Path

import pytest

from explorer.checkpoints.manifest import MANIFEST
from explorer.checkpoints.package import pack
from explorer.checkpoints.store import load
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.evaluate import __main__ as evaluate
from explorer.inference.lab.snapshots import verify
from explorer.training.__main__ import main

SMALL = ["--d-model", "16", "--steps", "20", "--batch", "8"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "pairs.tsv"
    path.write_text("".join(f"{a}{b}\t{b}{a}\n" for a in "abcdefgh" for b in "klmnopqr"))
    return path


@pytest.fixture(scope="module")
def checkpoint(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "mine"
    assert main(["lab", "--data", str(table), *SMALL, "--out", str(out), "--mechanism", "dot"]) == 0
    return out


def test_a_whole_checkpoint(checkpoint: Path) -> None:
    loaded = load(checkpoint)
    verify(loaded)
    assert isinstance(loaded.tokenizer, TaskTokenizer)
    assert (loaded.manifest.family, loaded.manifest.metrics["steps"]) == ("lab_recurrent", 20)
    assert loaded.manifest.command == (
        "python -m explorer.training lab --data <pairs.tsv> --family recurrent --mechanism dot --d-model 16 --batch 8"
        " --seed 1 --steps 20 --out checkpoints/mine"
    )
    rows = (checkpoint / "history.csv").read_text().splitlines()
    assert (len(rows), rows[-1].split(",")[0]) == (22, "20")
    assert len((checkpoint / "held_out.tsv").read_text().splitlines()) == 12


def test_its_score_is_computed_again(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = checkpoint.parent / "mine.zip"
    packed.write_bytes(pack(checkpoint))
    exact = load(checkpoint).manifest.metrics["held_out_exact_match"]
    for where in (checkpoint, packed):
        assert evaluate.main([str(where), str(checkpoint / "held_out.tsv")]) == 0
        assert f"exact match {exact:.2%} (greedy, 12 lines)" in capsys.readouterr().out


def test_a_file_that_is_no_package(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = checkpoint.parent / "wrong.zip"
    wrong.write_bytes((checkpoint / MANIFEST).read_bytes())
    assert evaluate.main([str(wrong), str(checkpoint / "held_out.tsv")]) == 2
    assert evaluate.main([str(wrong.with_name("none.zip")), str(checkpoint / "held_out.tsv")]) == 2
    said = capsys.readouterr().err
    assert "no zip that can be read" in said
    assert "none.zip" in said


def test_a_task_and_a_transformer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.training.lab.recipe.N_TRAIN", 200)
    out = tmp_path / "t"
    more = ["--task", "numbers_zh", "--family", "transformer", "--position", "alibi", "--n-heads", "2", "--d-ff", "16"]
    assert main(["lab", *more, *SMALL, "--seed", "77", "--out", str(out)]) == 0
    manifest = load(out).manifest
    assert manifest.family == "lab_transformer"
    assert "--task numbers_zh --family transformer --d-model 16 --n-heads 2 --d-ff 16" in manifest.command
    assert "mechanism" not in manifest.command
    assert "positions: alibi" in (out / "README.md").read_text()


def test_a_table_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "few.tsv").write_text("a\tb\n")
    for name, message in (("few.tsv", "at least 20"), ("none.tsv", "none.tsv")):
        assert main(["lab", "--data", str(tmp_path / name), "--out", str(tmp_path / "out")]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
