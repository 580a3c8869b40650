"""Training of the recurrent models: they learn, go on after an interruption, and become checkpoints."""

import csv
import gzip
import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import BUNDLED, load
from explorer.data.couplets import CoupletTokenizer
from explorer.data.tokenizer import Tokenizer
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq.bleu import (
    caption_bleu,
    caption_bleu_by_length,
    couplet_bleu,
    couplet_sentence_bleu,
    outputs,
)
from explorer.inference.seq2seq.steps import prepare_seq2seq
from explorer.inference.seq2seq.translate import probe
from explorer.models.seq2seq import Seq2Seq
from explorer.training import loop
from explorer.training.__main__ import main
from explorer.training.config import TrainingConfig
from explorer.training.seq2seq.export import lengths_of_checkpoint
from explorer.training.seq2seq.recipe import BEST, Seq2SeqRecipe, best_model, train_couplet, train_seq2seq
from explorer.training.state import ResumeError

CPU = torch.device("cpu")
SHAPE: dict[str, Any] = {
    "d_embedding": 24,
    "d_hidden": 32,
    "d_encoder": 16,
    "d_attention": 16,
    "dropout": 0.1,
    "max_length": 32,
}
FIRST = ["春风吹绿柳", "秋月照寒江", "山高云起处", "水远雁来时"]
SECOND = ["夏雨打红莲", "冬雪映暖窗", "谷静鸟啼中", "天长客去迟"]


def recipe(*, shape: dict[str, Any] = SHAPE, teacher_forcing: float = 1.0, **training: Any) -> Seq2SeqRecipe:
    course = {"steps": 8, "tokens_per_batch": 96, "warmup": 4, "report_every": 4, "average_decay": 0.9, **training}
    return Seq2SeqRecipe(
        shape=shape, vocab_size=300, n_dev=4, teacher_forcing=teacher_forcing, training=TrainingConfig(**course)
    )


@pytest.fixture(scope="session")
def couplets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("couplets")
    lines = [f"{one}\t{other}" for one, other in zip(FIRST, SECOND, strict=True)]
    names = {
        "lushi_tang": lines,
        "lushi_song": lines,
        "couplets_traditional": [*lines[1:3], *lines] * 2,
        "wb14123_test_4000": lines[:1],
        "wb14123_test_vzich_clean": lines[:1],
    }
    for name, kept in names.items():
        (folder / f"{name}.tsv.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in kept * 6).encode()))
    return folder


@pytest.mark.parametrize("mechanism", ["additive", "scaled_dot"])
def test_a_small_language_is_learnt(data: Path, tmp_path: Path, mechanism: str) -> None:
    plan = recipe(
        shape={**SHAPE, "mechanism": mechanism},
        steps=160,
        report_every=80,
        warmup=20,
        learning_rate=1e-2,
        tokens_per_batch=160,
        bf16=False,
    )
    train_seq2seq(data, tmp_path, plan, device=CPU)
    model, tokenizer = best_model(tmp_path), Tokenizer.load(tmp_path / "tokenizer.json")
    texts = ["My friend hears the sea.", "The cat sees a tree."]
    found = outputs(prepare_seq2seq(model), tokenizer, texts, DecodingOptions(beam=1))
    assert found == ["Mon ami entend la mer.", "Le chat voit un arbre."]
    rows = list(csv.DictReader((tmp_path / "history.csv").read_text().splitlines()))
    assert float(rows[-1]["dev_bleu"]) > 90
    assert 0 < float(rows[0]["processor_seconds"]) < float(rows[1]["processor_seconds"]) < 300


def test_the_best_weights_are_kept_and_not_the_last(data: Path, tmp_path: Path) -> None:
    """After the first report the learning rate is so high that everything is forgotten."""
    calm = {"steps": 120, "report_every": 120, "warmup": 20, "learning_rate": 1e-2, "tokens_per_batch": 160}
    train_seq2seq(data, tmp_path, recipe(**calm, bf16=False), device=CPU)
    kept = load_file(tmp_path / BEST)
    wild = {**calm, "steps": 124, "report_every": 124, "learning_rate": 10.0, "average_decay": 0.0, "decay_share": 0.0}
    train_seq2seq(data, tmp_path, recipe(**wild, bf16=False), device=CPU, resume=True)
    rows = list(csv.DictReader((tmp_path / "history.csv").read_text().splitlines()))
    assert float(rows[1]["dev_bleu"]) < float(rows[0]["dev_bleu"])
    assert all(torch.equal(kept[name], tensor) for name, tensor in load_file(tmp_path / BEST).items())
    with safe_open(tmp_path / BEST, framework="pt") as stored:
        assert float(stored.metadata()["goodness"]) == pytest.approx(float(rows[0]["dev_bleu"]), abs=0.01)


@pytest.mark.parametrize("bf16", [False, True])
def test_an_interrupted_run_goes_on_bit_for_bit(data: Path, tmp_path: Path, bf16: bool) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    train_seq2seq(data, straight, recipe(steps=9, report_every=5, teacher_forcing=0.5, bf16=bf16), device=CPU)
    original = loop.save_state

    def save_and_die(*arguments: Any) -> None:
        original(*arguments)
        raise KeyboardInterrupt

    plan = recipe(steps=9, report_every=5, teacher_forcing=0.5, bf16=bf16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "save_state", save_and_die)
        with pytest.raises(KeyboardInterrupt):
            train_seq2seq(data, broken, plan, device=CPU)
    torch.manual_seed(999)
    train_seq2seq(data, broken, plan, device=CPU, resume=True)
    states = [load_file(run / json.loads((run / "state.json").read_text())["tensors"]) for run in (straight, broken)]
    assert [name for name in states[0] if not torch.equal(states[0][name], states[1][name])] == []


def test_gradients_are_clipped(data: Path, tmp_path: Path) -> None:
    """Adam's first moment after one step is (1 - β) times the gradient."""
    plan = recipe(steps=1, report_every=1, bf16=False)
    train_seq2seq(data, tmp_path, Seq2SeqRecipe(**{**_fields(plan), "clip": 1e-3}), device=CPU)
    tensors = load_file(tmp_path / json.loads((tmp_path / "state.json").read_text())["tensors"])
    moments = [tensor for name, tensor in tensors.items() if name.startswith("adam.exp_avg.")]
    norm = torch.stack([moment.square().sum() for moment in moments]).sum().sqrt()
    assert float(norm) == pytest.approx(0.1 * 1e-3, rel=1e-3)


def _fields(plan: Seq2SeqRecipe) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in plan.__dataclass_fields__}


def test_resuming_nothing_says_so(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ResumeError, match="holds no run to resume"):
        train_seq2seq(data, tmp_path, recipe(), device=CPU, resume=True)


def test_a_run_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    train_seq2seq(data, tmp_path, recipe(steps=1), device=CPU)
    with pytest.raises(ResumeError, match="continue it with --resume"):
        train_seq2seq(data, tmp_path, recipe(steps=1), device=CPU)
    with pytest.raises(ResumeError, match="holds no usable run"):
        best_model(tmp_path / "nowhere")
    (tmp_path / BEST).write_bytes(b"garbage")
    with pytest.raises(ResumeError, match="holds no usable run"):
        best_model(tmp_path)


def test_what_a_run_that_was_given_up_has_left_is_not_used(data: Path, tmp_path: Path) -> None:
    Tokenizer.train(["zebra zebra"] * 3, 290).save(tmp_path / "tokenizer.json")
    train_seq2seq(data, tmp_path, recipe(steps=1), device=CPU)
    assert "Ġzebra" not in Tokenizer.load(tmp_path / "tokenizer.json").ids


def command(what: str, data: Path, out: Path, *more: str) -> list[str]:
    shape = [word for name in ("d-embedding", "d-hidden") for word in (f"--{name}", "16")]
    shape += ["--d-encoder", "8", "--d-attention", "8", "--steps", "3", "--tokens-per-batch", "96"]
    return [what, "--data", str(data), "--out", str(out), "--run-folder", str(out.parent / "run"), *shape, *more]


def test_the_command_trains_and_writes_a_whole_checkpoint(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small"
    assert main(command("seq2seq", data, out, "--vocab-size", "300", "--mechanism", "general", "--seed", "5")) == 0
    names = {"manifest.json", "model.safetensors", "tokenizer.json", "README.md", "history.csv"}
    assert {path.name for path in out.iterdir()} == names
    manifest = read_manifest(out)
    assert manifest.command == (
        f"python -m explorer.training seq2seq --data <folder>/{data.name} --mechanism general --d-embedding 16"
        " --d-hidden 16 --d-encoder 8 --d-attention 8 --seed 5 --steps 3 --tokens-per-batch 96 --vocab-size 300"
        " --out checkpoints/small"
    )
    card = (out / "README.md").read_text()
    assert manifest.command in card
    assert f"| dev | greedy | 8 | {manifest.metrics['dev_bleu']:.2f} |" in card
    assert "qᵀ W k" in card
    assert "`alignment.scorer.weight` divided by √d of the decoder's states, √16 " in card
    assert "alignment.scorer.weight" in load_file(out / "model.safetensors")
    assert str(tmp_path) not in card
    loaded = load(out)
    assert isinstance(loaded.model, Seq2Seq)
    again = probe(loaded.model, loaded.tokenizer, manifest.probe.given)
    assert again.expected == manifest.probe.expected
    assert again.score == pytest.approx(manifest.probe.score, abs=1e-4)
    capsys.readouterr()
    assert main(["seq2seq-score", "--data", str(data), "--out", str(out)]) == 0
    assert f"BLEU {manifest.metrics['dev_bleu_beam_5']:.2f}" in capsys.readouterr().out


def test_the_command_trains_couplets(couplets: Path, tmp_path: Path) -> None:
    out = tmp_path / "couplet"
    assert main(command("couplet", couplets, out)) == 0
    manifest = read_manifest(out)
    assert manifest.family == "couplet"
    assert {"wb14123_test_4000_bleu", "wb14123_test_vzich_clean_bleu_beam_5"} <= manifest.metrics.keys()
    model, tokenizer = load(out)[1:]
    assert isinstance(tokenizer, CoupletTokenizer)
    assert isinstance(model, Seq2Seq)
    assert "Couplet-Machine" in (out / "README.md").read_text()
    known = lambda name: pytest.approx(manifest.metrics[f"wb14123_test_4000_loss{name}"], abs=1e-4)  # noqa: E731
    assert _loss_of_the_first(model, tokenizer) == known("")
    straight = Seq2Seq(replace(model.config, mechanism="fixed"))  # the same model, built to look straight across
    straight.load_state_dict({key: each for key, each in model.state_dict().items() if "alignment" not in key})
    assert _loss_of_the_first(straight.eval(), tokenizer) == known("_straight")
    with torch.no_grad():
        model.alignment.scorer.v.zero_()  # every score is 0, so every weight is the same
    assert _loss_of_the_first(model, tokenizer) == known("_evenly")
    assert manifest.metrics["wb14123_test_4000_loss_evenly_short"] == manifest.metrics["wb14123_test_4000_loss_evenly"]
    assert "wb14123_test_4000_loss_long" not in manifest.metrics  # all lines have five characters
    model = load(out)[1]
    assert manifest.metrics["wb14123_test_4000_right"] == 100 * _foreseen_of_the_first(model, tokenizer)
    written = outputs(prepare_seq2seq(model), tokenizer, FIRST[:1], DecodingOptions(beam=1))
    assert manifest.metrics["wb14123_test_4000_same_length"] == (100.0 if len(written[0]) == 5 else 0.0)
    assert main(command("couplet-export", couplets, tmp_path / "again")) == 0
    assert read_manifest(tmp_path / "again").files["model.safetensors"] == manifest.files["model.safetensors"]


@torch.no_grad()
def _loss_of_the_first(model: Seq2Seq, tokenizer: CoupletTokenizer) -> float:
    """Nats a token of the first pair; all six lines of the test part are this pair."""
    one, other = (torch.tensor([[*tokenizer.encode(line[0]), 2]]) for line in (FIRST, SECOND))
    scores = model(one, torch.cat([torch.tensor([[1]]), other[:, :-1]], 1))[0].log_softmax(-1)
    return -scores[range(6), other[0]].mean().item()


@torch.no_grad()
def _foreseen_of_the_first(model: Seq2Seq, tokenizer: CoupletTokenizer) -> float:
    """Share of the five characters of the first pair that are the likeliest, each after its own beginning."""
    one, other = torch.tensor([[*tokenizer.encode(FIRST[0]), 2]]), tokenizer.encode(SECOND[0])
    begun = [torch.tensor([[1, *other[:position]]]) for position in range(5)]
    return sum(int(model(one, each)[0, -1].argmax()) == other[position] for position, each in enumerate(begun)) / 5


def test_a_card_says_how_often_the_teacher_was_heard(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "own"
    given = ["--vocab-size", "300", "--mechanism", "dot", "--cell", "lstm", "--joining", "summed", "--context", "next"]
    given += ["--query", "after", "--teacher-forcing", "0.5", "--d-encoder", "16"]
    assert main(command("seq2seq", data, out, *given)) == 0
    assert read_manifest(out).metrics["teacher_forcing"] == 0.5
    history = list(csv.DictReader((out / "history.csv").read_text().splitlines()))
    seconds = float(history[-1]["processor_seconds"])
    assert read_manifest(out).metrics["processor_minutes"] == pytest.approx(seconds / 60, abs=0.006)
    assert read_manifest(out).config["joining"] == "summed"
    card = (out / "README.md").read_text()
    assert "teacher forcing of 50 % of the tokens" in card
    assert "16 a direction, summed" in card
    assert "and into the cell of the next step" in card


def test_a_card_says_how_the_notes_wire_their_model(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "own"
    given = ["--vocab-size", "300", "--mechanism", "concat", "--score-bias", "--cell", "lstm", "--readout", "bare"]
    given += ["--joining", "projected", "--start", "summed", "--d-encoder", "16", "--d-hidden", "16"]
    assert main(command("seq2seq", data, out, *given)) == 0
    card, config = (out / "README.md").read_text(), read_manifest(out).config
    assert (config["joining"], config["start"], config["readout"], config["score_bias"]) == (
        *("projected", "summed", "bare"),
        True,
    )
    said = ("built as in the lecture notes", "vᵀ tanh(W [q; k] + b)", "read off the new state alone")
    assert all(each in card for each in (*said, "one by tanh(W [→h; ←h] + b)", "sum of where both directions"))


def test_held_out_couplets_are_not_trained_on(couplets: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        seen: dict[str, Any] = {}
        original = loop.Run.__init__

        def spy(self: loop.Run, model: Any, objective: Any, source: Any, *rest: Any) -> None:
            pairs = source._pairs
            seen["texts"] = {pairs.tokenizer.decode(row.tolist()) for row in _rows(pairs.epoch(0)[0])}
            original(self, model, objective, source, *rest)

        patch.setattr(loop.Run, "__init__", spy)
        plan = Seq2SeqRecipe(shape=SHAPE, n_dev=2, training=TrainingConfig(steps=1, report_every=1, bf16=False))
        train_couplet(couplets, tmp_path, plan, device=CPU)
    assert seen["texts"]
    assert seen["texts"] < set(FIRST)


def _rows(table: Any) -> list[Any]:
    flat, ends = table
    return [flat[a:b] for a, b in itertools.pairwise(ends)]


def test_missing_data_and_impossible_shapes_are_said_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command("seq2seq", tmp_path / "none", tmp_path / "out")) == 2
    assert "has no train.tsv" in capsys.readouterr().err
    assert main(command("couplet", tmp_path / "none", tmp_path / "out")) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(command("seq2seq", data, tmp_path / "out", "--mechanism", "dot", "--d-encoder", "9")) == 2
    assert "must be 18" in capsys.readouterr().err


def test_bleu_is_that_of_the_tokens() -> None:
    references = ["a man &apos;s hat is on the table .", "two dogs are running in the snow ."]
    perfect = caption_bleu(["A man's hat is on the table.", "two dogs are running in the snow."], references)
    assert perfect.score == pytest.approx(100)
    assert "tok:none" in perfect.signature
    assert perfect.n_lines == 2
    assert caption_bleu(["A man's hat.", "two dogs"], references).score < 50
    assert couplet_bleu(["一行白鹭上青天"], ["一行白鹭上青天"]).score == pytest.approx(100)
    assert 0 < couplet_bleu(["一行白鹭上云天"], ["一行白鹭上青天"]).score < 100


def test_bleu_by_length_sorts_sources_by_their_words() -> None:
    sources = ["ein hund", "ein " * 7 + "hund", "ein " * 30 + "hund"]
    references = ["a dog runs fast now", "a dog runs fast now", "a dog runs fast now"]
    found = caption_bleu_by_length(sources, ["a dog runs fast now", "a dog runs fast", "x"], references)
    groups = [(*ends, each.n_lines) for ends, each in found.items()]
    assert groups == [
        (1, 7, 1),
        (8, 9, 1),
        (21, None, 1),
    ]
    scores = [each.score for each in found.values()]
    assert scores[0] == pytest.approx(100)
    assert scores[0] > scores[1] > scores[2]


def test_a_test_part_is_scored_and_its_lengths_written(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "with_test"
    folder.mkdir()
    for name, source in {"train": "train", "dev": "dev", "test": "dev"}.items():
        (folder / f"{name}.tsv").write_bytes((data / f"{source}.tsv").read_bytes())
    out = tmp_path / "small"
    assert main(command("seq2seq", folder, out, "--vocab-size", "300")) == 0
    metrics = read_manifest(out).metrics
    assert metrics["test_bleu"] == metrics["dev_bleu"]
    rows = list(csv.DictReader((out / "lengths.csv").read_text().splitlines()))
    assert {row["search"] for row in rows} == {"greedy", "beam 5"}
    assert sum(int(row["sentences"]) for row in rows) == 2 * 8
    assert lengths_of_checkpoint(out, folder) == (out / "lengths.csv").read_text()
    assert lengths_of_checkpoint(out, data) == ""
    assert {row["revision"] for row in rows} == {read_manifest(out).revision}
    written = (out / "lengths.csv").read_text()
    (out / "lengths.csv").unlink()
    again = ["seq2seq-score", "--data", str(folder), "--out", str(out)]
    assert main(again) == 0
    assert not (out / "lengths.csv").exists()
    assert main([*again, "--write-lengths"]) == 0
    assert (out / "lengths.csv").read_text() == written


def test_the_shipped_card_says_by_what_w_is_divided() -> None:
    folder = BUNDLED / "seq2seq-de-en-general"
    d_hidden = read_manifest(folder).config["d_hidden"]
    assert (
        f"divided by √d of the decoder's states, √{d_hidden} (`explorer/nn/alignment.py`)"
        in (folder / "README.md").read_text()
    )


def test_lines_are_scored_one_by_one_with_one_added() -> None:
    assert couplet_sentence_bleu(["一行白鹭上青天"], ["一行白鹭上青天"]).score == pytest.approx(100)
    one_of_seven = (2 / 8 * 1 / 7 * 1 / 6 * 1 / 5) ** 0.25
    found = couplet_sentence_bleu(["一二三四五六七", "甲乙"], ["一行白鹭上青天", "丙丁"])
    assert found.score == pytest.approx(100 * one_of_seven / 2)
