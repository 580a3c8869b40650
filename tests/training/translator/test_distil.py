"""Pairs that a translator writes for another."""

import re
from pathlib import Path

import numpy as np
import pytest

from explorer.data.parallel.directions import Direction, read_part
from explorer.data.tokenizer import Tokenizer
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions, length_factor
from explorer.inference.translator.teacher_forcing import score_target_pairs, score_targets
from explorer.training.__main__ import main
from explorer.training.translator.distil import Teacher, best_share, distil, sentences, teacher
from explorer.training.translator.recipe import PairFolder

FORWARD, BACK = "translator-multi30k-en-de", "translator-multi30k-de-en"
TEXTS = [
    "A man in a blue shirt is standing on a ladder cleaning a window.",
    "Two dogs run through the snow.",
    "Three young men jump.",
    "A crowd watches two acrobats on a rope.",
    "The old woman next to the bus is laughing loudly.",
    "A cyclist repairs his wheel beside a muddy road.",
    "Someone is selling hot soup to tourists near a bridge.",
]
SEARCH = DecodingOptions(beam=4)


@pytest.fixture(scope="module")
def forward() -> Teacher:
    return teacher(FORWARD)


@pytest.fixture(scope="module")
def back() -> Teacher:
    return teacher(BACK)


def test_the_translation_is_chosen_that_both_directions_find_best(forward: Teacher, back: Teacher) -> None:
    chosen, scores = zip(*distil(TEXTS, forward, back, SEARCH), strict=True)
    first = [guess for guess, _ in distil(TEXTS, forward, None, SEARCH)]
    best: list[str] = []
    for text, hypotheses in zip(
        TEXTS, decode_all(forward.prepared, [forward.read(t) for t in TEXTS], SEARCH), strict=True
    ):
        totals = {}
        for each in hypotheses:
            written = forward.tokenizer.decode(each.ids)
            (again,) = score_targets(back.prepared, back.read(written), [back.written(text)])
            totals[written] = each.score + again.sum() / length_factor(len(again), SEARCH.length_penalty)
        best.append(max(totals, key=lambda written: totals[written]))
        assert scores[len(best) - 1] == pytest.approx(totals[best[-1]], abs=1e-3)
    assert list(chosen) == best
    assert list(chosen) != first
    assert re.fullmatch("Zwei Hunde (laufen|rennen) durch den Schnee[.]", first[1])


def test_pairs_are_scored_as_one_by_one(back: Teacher) -> None:
    pairs = [("Zwei Hunde laufen durch den Schnee.", TEXTS[1]), ("Drei.", TEXTS[2]), ("Ein Mann.", TEXTS[0])]
    sources, targets = [back.read(one) for one, _ in pairs], [back.written(other) for _, other in pairs]
    together = score_target_pairs(back.prepared, sources, targets)
    for source, target, found in zip(sources, targets, together, strict=True):
        np.testing.assert_allclose(found, score_targets(back.prepared, source, [target])[0], atol=1e-4)


def test_the_best_are_kept_in_their_order() -> None:
    pairs = [("a", "A", -3.0), ("b", "B", -1.0), ("c", "C", -4.0), ("d", "D", -2.0)]
    assert best_share(pairs, 0.5) == [("b", "B"), ("d", "D")]
    assert best_share(pairs, 1) == [pair[:2] for pair in pairs]


def write(folder: Path, **parts: list[str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, lines in parts.items():
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_a_sentence_comes_once_and_not_if_it_stands_beside(tmp_path: Path) -> None:
    one = write(
        tmp_path / "one", train=["A dog.\t狗。", "a dog\t一只狗。", "A  cat.\t猫。", "Held out!\t一。", "Known\t二。"]
    )
    true = write(tmp_path / "true", train=["Known.\tBekannt."], dev=["x\ty"], test=["HELD OUT\tVerborgen"])
    corpora = [PairFolder(folder=one, language="zh")]
    assert sentences(corpora, "en", [true], "de") == ["A dog.", "A cat."]
    assert sentences(corpora, "zh", [], "en") == ["狗。", "一只狗。", "猫。", "一。", "二。"]


@pytest.mark.parametrize(
    ("checkpoint", "language", "text"), [(FORWARD, "en", "Two dogs."), (BACK, "de", "Zwei Hunde.")]
)
def test_the_command_writes_a_folder_that_training_reads(
    tmp_path: Path, checkpoint: str, language: str, text: str
) -> None:
    column = f"{text}\t两只狗。" if language == "en" else f"Something else.\t{text}"
    name = "zh" if language == "en" else "de"
    data, out = write(tmp_path / "data", train=[column]), tmp_path / "out"
    assert main(["distil", checkpoint, "--data", f"{name}={data}", "--out", str(out), "--threads", "1"]) == 0
    direction = Direction(*checkpoint[-5:].split("-"))
    (pair,) = read_part(out, "train", direction)
    assert pair.source == text
    ((expected, _),) = distil([text], teacher(checkpoint), None, SEARCH)
    assert pair.targets == (expected,)
    assert [path.name for path in out.iterdir()] == ["train.tsv"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["vit-cifar10"], "no translator of sub-words"),
        (["no-such-model"], "no-such-model"),
        ([FORWARD, "--back", FORWARD], "translates en-de"),
        ([FORWARD, "--data", "zh=/nowhere"], "/nowhere"),
        ([FORWARD, "--keep", "-0.5"], "--keep is -0.5"),
        ([FORWARD, "--threads", "-1"], "threads is -1"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    data = write(tmp_path / "data", train=["A dog.\t狗。"])
    given_data = [] if "--data" in words else ["--data", f"zh={data}"]
    assert main(["distil", *words, *given_data, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_training_data_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = write(tmp_path / "data", train=["A dog.\t狗。"])
    assert main(["distil", FORWARD, "--data", f"zh={data}", "--out", str(data)]) == 2
    assert "has training data already" in capsys.readouterr().err
    assert (data / "train.tsv").read_text(encoding="utf-8") == "A dog.\t狗。\n"


def test_what_is_too_long_is_cut(forward: Teacher) -> None:
    most = forward.prepared.config.max_length
    assert len(forward.read("dog " * 3000)) == most
    assert len(forward.written("dog " * 3000)) == most
    assert isinstance(forward.tokenizer, Tokenizer)
