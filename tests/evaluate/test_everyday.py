"""What is wrong with everyday sentences: counted, kept in the manifest, shown in the card and beside the sentence."""

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import BUNDLED, read_bundled_manifests
from explorer.data.parallel.everyday import Everyday, read_everyday
from explorer.evaluate import everyday
from explorer.evaluate.__main__ import main
from explorer.evaluate.judged import read_verdicts
from explorer.evaluate.translations import translate_texts
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.translate import load
from explorer.lessons.translator.readings import WEAK, describe_everyday
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write
from tests.conftest import ROOT

COUNTED = [name for name, manifest in read_bundled_manifests().items() if manifest.everyday]
CAME = "8 000 sont venus ici hier."
NUMBER = Everyday(kind="numbers", source="8,000", references=(CAME,), must=(("8000",),), must_not=())
SENTENCES = [
    NUMBER,
    replace(NUMBER, source="12", must=(("12",),)),
    replace(NUMBER, kind="idioms", must=(), must_not=("chien",)),
]


def test_what_is_wrong_is_counted_by_kind() -> None:
    said = [CAME, "13 sont venus", "8 000 chiens sont venus ici hier."]
    counts = everyday.count(SENTENCES, said, "fr")
    assert list(counts) == ["numbers", "idioms", "all"]
    assert (counts["numbers"]["sentences"], counts["numbers"]["wrong"], counts["numbers"]["missing"]) == (2, 1, 1)
    assert (counts["idioms"]["wrong"], counts["idioms"]["forbidden"]) == (1, 1)
    assert (counts["all"]["sentences"], counts["all"]["wrong"]) == (3, 2)
    assert counts["numbers"]["length_ratio"] == pytest.approx((6 + 3) / 12, abs=0.01)
    rows = everyday.table(counts).splitlines()
    assert rows[2].startswith("| numbers | 2 | 1 (50%) | 1 | 0 | 0 | 0 | 0 | 0.75 |")
    assert len({row.count("|") for row in rows}) == 1


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    write(folder, tiny_model(tiny_tokenizer("en-fr").vocab_size, "en-fr"))
    (folder / "README.md").write_text("# tiny\n\n## Limits and intended use\n\nNone.\n")
    columns = "kind\tsource\treferences\tmust_contain\tmust_not_contain\n"
    (tmp_path / "everyday_en-fr.tsv").write_text(columns + "numbers\tThe cat\tle chat\t8000\t\n")
    return folder


def test_the_command_records_the_counts_once(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(checkpoint), str(checkpoint.parent), "--everyday"]
    assert main(words) == 0
    assert not read_manifest(checkpoint).everyday
    for turn in range(2):
        assert main([*words, "--record"]) == 0
        if not turn:
            path = checkpoint / "README.md"
            path.write_text(path.read_text().replace("## Limits", "## News\n\nSome.\n\n## Limits"))
    found = read_manifest(checkpoint).everyday
    assert found["en-fr"]["numbers"]["missing"] == 1
    card = (checkpoint / "README.md").read_text()
    assert card.count(everyday.section("tiny", found)) == card.count("## Everyday sentences") == 1
    assert card.startswith("# tiny\n\n## Everyday")
    assert card.endswith("## News\n\nSome.\n\n## Limits and intended use\n\nNone.\n")
    assert everyday.table(found["en-fr"]) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (["--beam", "1"], "usual search"),
        (["--length-penalty", "1"], "usual search"),
        (["--as-typed"], "--as-typed: not read with --everyday"),
        (["--direction", "en-fr fr-en"], "--direction takes one"),
    ],
)
def test_what_cannot_be_recorded_is_said(
    checkpoint: Path, other: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(checkpoint), str(checkpoint.parent), "--everyday", "--record", *other]) == 2
    assert message in capsys.readouterr().err


def test_a_card_without_the_place_is_left_alone(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkpoint / "README.md").write_text("# tiny\n")
    assert main([str(checkpoint), str(checkpoint.parent), "--everyday", "--record"]) == 2
    assert "no heading" in capsys.readouterr().err
    assert not read_manifest(checkpoint).everyday


def test_pairs_are_not_recorded(checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pairs.tsv").write_text("The cat.\tLe chat.\n")
    assert main([str(checkpoint), str(tmp_path / "pairs.tsv"), "--record"]) == 2
    assert "--everyday" in capsys.readouterr().err


def test_pairs_can_be_scored_as_the_page_translates_them(checkpoint: Path, tmp_path: Path) -> None:
    pairs, plain, typed = (tmp_path / name for name in ("pairs.tsv", "plain.txt", "typed.txt"))
    pairs.write_text("THE CAT SAT.\tLe chat.\n")
    assert main([str(checkpoint), str(pairs), "--no-as-typed", "--out", str(plain)]) == 0
    assert main([str(checkpoint), str(pairs), "--out", str(typed)]) == 0
    assert typed.read_text() == typed.read_text().upper() != plain.read_text()


def test_scores_of_some_pairs_go_into_the_manifest(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pairs.tsv").write_text("".join(f"The cat has {n} dogs.\tLe chat a {n} chiens.\n" for n in range(1, 8)))
    assert main([str(checkpoint), str(tmp_path / "pairs.tsv"), "--limit", "3", "--record-as", "news"]) == 0
    printed = capsys.readouterr().out
    assert "(3 lines" in printed
    assert "of 3)" in printed
    assert "tokens/s" in printed
    metrics = read_manifest(checkpoint).metrics
    assert {"news_bleu_en-fr", "news_chrf_en-fr", "news_numbers_kept_en-fr"} <= metrics.keys()
    assert 0 <= metrics["news_numbers_kept_en-fr"] <= 1


def test_what_misses_an_aim_is_said() -> None:
    good = {"sentences": 100, "wrong": 3, "length_ratio": 1.0}
    assert everyday.report_missed_aims({"all": good, "numbers": good, "long": good}) == "Every aim is reached."
    said = everyday.report_missed_aims(
        {"all": {**good, "wrong": 16}, "numbers": good, "long": {**good, "length_ratio": 0.8}}
    )
    assert said == "Aims missed: all 16.0% wrong (at most 15%); length ratio of long sentences 0.80 (0.9–1.1)."


@pytest.mark.parametrize("name", COUNTED)
def test_a_card_shows_the_counts_of_its_manifest(name: str) -> None:
    counts = read_bundled_manifests()[name].everyday
    assert {*counts} == {*read_bundled_manifests()[name].config["directions"].split()}
    assert everyday.section(name, counts) in (BUNDLED / name / "README.md").read_text()
    for direction, kinds in counts.items():
        assert len(read_everyday(ROOT / "tests" / "data" / f"everyday_{direction}.tsv")) == kinds["all"]["sentences"]


def test_the_first_translator_still_writes_what_was_counted() -> None:
    translator = load("translator-en-fr")
    assert translator.direction is not None
    sentences = [each for each in read_everyday(ROOT / "tests" / "data" / "everyday_en-fr.tsv") if each.kind == "dates"]
    texts = [each.source for each in sentences]
    options = DecodingOptions()
    said = translate_texts(translator.prepared, translator.tokenizer, texts, options, direction=translator.direction)
    recorded = translator.manifest.everyday["en-fr"]
    assert everyday.count(sentences, said, "fr")["dates"] == recorded["dates"]
    stored = {name: replace(each, sha256="0" * 64) for name, each in translator.manifest.files.items()}
    others = replace(translator, manifest=replace(translator.manifest, files=stored))  # which nobody has read
    assert f"At least {recorded['all']['wrong'] / recorded['all']['sentences']:.0%} of" in describe_everyday(others)


def test_what_readers_judged_goes_before_what_was_counted() -> None:
    translator = load("translator-en-fr")
    found = read_verdicts("en-fr", translator.manifest.revision)
    assert found is not None
    assert f"{found.share:.0%} of {found.sentences} test sentences came out wrong" in describe_everyday(translator)
    assert describe_everyday(translator).startswith("A weak direction") == (found.share > WEAK)
    assert read_verdicts("en-fr", "00000000") is None


def test_every_reading_is_of_a_checkpoint_and_of_its_sentences() -> None:
    _, *rows = (
        line.split("\t")
        for line in (ROOT / "explorer" / "evaluate" / "judged.tsv").read_text(encoding="utf-8").splitlines()
    )
    for direction, revision, judge, sentences, wrong in rows:
        numbers = [int(each) for each in wrong.split(" ")]
        assert numbers == sorted(set(numbers))
        assert 1 <= numbers[0] <= numbers[-1] <= int(sentences)
        assert len(read_everyday(ROOT / "tests" / "data" / f"everyday_{direction}.tsv")) == int(sentences)
        assert len(bytes.fromhex(revision)) == 4
        assert judge
