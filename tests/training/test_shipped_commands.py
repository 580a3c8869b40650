"""Whatever the README, a card or a manifest tells a reader to type is understood by the command."""

import re
import shlex
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import BUNDLED, read_bundled_manifests
from explorer.evaluate import __main__ as evaluate
from explorer.models.translator import TranslatorConfig
from explorer.training.__main__ import parser
from explorer.training.config import TrainingConfig
from explorer.training.options import Options, all_but

NAMES = sorted(read_bundled_manifests())
README = Path(__file__).parents[2] / "README.md"
TRAIN, EVALUATE = "python -m explorer.training", "python -m explorer.evaluate"


def lines(text: str, begin: str) -> list[list[str]]:
    """The words behind `begin` in every line that starts with it, up to a remark."""
    found = re.findall(rf"^{re.escape(begin)} (.+)$", text, re.MULTILINE)
    return [shlex.split(re.split(r", |  #", line)[0]) for line in found]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_a_card_parses(name: str) -> None:
    card, manifest = (BUNDLED / name / "README.md").read_text(), read_manifest(BUNDLED / name)
    training = [*lines(card, TRAIN), *lines(manifest.command, TRAIN)]
    assert len(training) >= 2
    for words in training:
        given = parser().parse_args(words)
        assert given.out.name
        assert callable(given.action)
    for words in lines(card, EVALUATE):
        evaluate.parser().parse_args(words)


@pytest.mark.parametrize("name", NAMES)
def test_the_options_of_a_card_are_those_of_the_stored_model(name: str) -> None:
    manifest = read_manifest(BUNDLED / name)
    (words,) = lines(manifest.command, TRAIN)
    given = parser().parse_args(words)
    shape = {*manifest.config} - {"vocab_size", "directions"}  # the first is about what was wished
    assert {name: getattr(given, name, value) for name, value in manifest.config.items() if name in shape} == {
        name: value for name, value in manifest.config.items() if name in shape
    }
    assert given.seed == manifest.seed


def test_every_command_of_the_readme_parses(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines(README.read_text(), TRAIN)
    assert len(found) >= 6
    for words in found:
        if "--help" not in words:
            assert callable(parser().parse_args(words).action)
            continue
        with pytest.raises(SystemExit) as end:
            parser().parse_args(words)
        assert end.value.code == 0
        assert "--out" in capsys.readouterr().out


def test_help_says_what_the_configuration_says_of_each_field(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["translator", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    for config, names in ((TrainingConfig, all_but(TrainingConfig, "bf16")), (TranslatorConfig, ("d_model", "d_ff"))):
        for name in names:
            (text,) = re.findall(rf"^ {{8}}{name}: (.+)", config.__doc__ or "", re.MULTILINE)
            assert text.split(".")[0][:60].rstrip() in said, name


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ("gpt --data a/b --out c", "--position rotary --seed 1"),
        ("gpt --data a/b --out c --length 64 --minutes 2", "--position rotary --length 64 --seed 1 --minutes 2.0"),
        ("seq2seq --data b --out c --no-bidirectional", "--mechanism additive --no-bidirectional --seed 1"),
        ("vision --data b --out c --batch 9 --teacher a/cnn", "--seed 1 --batch 9 --family vit --teacher cnn"),
        ("vision --data b --out c --gates 'se se'", "--gates 'se se' --seed 1 --family vit"),
        (
            "translator --data b --out c --directions en-de de-en --start-from x/y --keep-vocabulary",
            "--seed 1 --directions en-de de-en --start-from checkpoints/y --keep-vocabulary",
        ),
    ],
)
def test_what_differs_from_the_defaults_is_stated_and_parses_again(
    words: str, again: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Options] = []
    original = Options.__init__

    def spy(self: Options, *rest: object, **named: object) -> None:
        original(self, *rest, **named)  # type: ignore[arg-type]
        made.append(self)

    monkeypatch.setattr(Options, "__init__", spy)
    given = parser().parse_args(shlex.split(words))
    always = {"gpt": ("position", "seed"), "seq2seq": ("mechanism", "seed"), "vision": ("seed", "family")}
    word = words.split()[0]
    (options,) = [each for each in made if each._parser.prog.endswith(f" {word}")]
    assert " ".join(options.words(given, always.get(word, ("seed",)))) == again
    parser().parse_args([word, "--data", "b", "--out", "c", *shlex.split(again)])
