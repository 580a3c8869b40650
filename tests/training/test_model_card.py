"""Model cards: the templates give the shipped cards again, and refuse to leave something out."""

import re
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import ModelCard
from jinja2 import UndefinedError

from explorer.checkpoints.manifest import Manifest, read_manifest
from explorer.checkpoints.store import BUNDLED, load, read_bundled_manifests
from explorer.data.images import ClassNames
from explorer.evaluate.blanks import BlankScores
from explorer.inference.seq2seq.bleu import Bleu
from explorer.training.__main__ import parser
from explorer.training.command import COURSE, values
from explorer.training.model_card import model_card
from explorer.training.vision.command import AUGMENTATION

NAMES = sorted(read_bundled_manifests())
AGAIN = [name for name in NAMES if read_bundled_manifests()[name].family != "translator"]


def found(pattern: str, card: str) -> str:
    match = re.search(pattern, card, re.DOTALL)
    assert match, pattern
    return match[1]


def more(manifest: Manifest, folder: Path, given: Any, card: str) -> dict[str, Any]:
    """Return what the family's template asks for beside the run."""
    if manifest.family == "gpt":
        return {"text": "verse" if folder.name == "gpt-verse-zh" else "text"}
    if manifest.family in ("vit", "cnn"):
        names = ClassNames.load(folder / "tokenizer.json").names
        return {**values(given, AUGMENTATION), "teacher": given.teacher, "classes": names}
    if manifest.family == "masked":
        counts = dict(re.findall(r"^\| (dev|test) \| ([\d,]+) \|", card, re.MULTILINE))
        return {"scores": {part: filled(manifest, part, int(n.replace(",", ""))) for part, n in counts.items()}}
    rows = re.findall(r"^\| (\S+) \| ([^|]+) \| ([\d,]+) \| ([\d.]+) \|$", card, re.MULTILINE)
    signature = found("Signature: `([^`]+)`", card)
    scores = {
        (part, how): Bleu(score=float(bleu), n_lines=int(n.replace(",", "")), signature=signature)
        for part, how, n, bleu in rows
    }
    forcing = manifest.metrics.get("teacher_forcing", 1.0)
    return {"scores": scores, "folder": given.data.split("/")[-1], "teacher_forcing": forcing}


def filled(manifest: Manifest, part: str, n_blanks: int) -> BlankScores:
    loss, right, five = (manifest.metrics[f"{part}_{each}"] for each in ("loss", "right", "among_five"))
    return BlankScores(loss=loss, right=right / 100, among_five=five / 100, n_blanks=n_blanks)


@pytest.mark.parametrize("name", AGAIN)
def test_the_template_gives_the_shipped_card_again(name: str) -> None:
    folder = BUNDLED / name
    card, manifest = (folder / "README.md").read_text(), read_manifest(folder)
    given = parser().parse_args(re.sub(", stopped.*", "", manifest.command).split()[3:])
    facts = {
        "training": {**values(given, COURSE), "bf16": "bfloat16" in card},
        "schedule": {"decay_from": 100 - int(found(r"last\s(\d+)%", card)), "horizon": 100},
        "step": int(manifest.metrics["steps"]),
        "epoch": int(found(r"\((\d+) epochs\)", card)) - 1,
        "minutes": manifest.metrics["minutes"],
    }
    kind = {"vit": "vision", "cnn": "vision", "couplet": "seq2seq"}.get(manifest.family, manifest.family)
    n_parameters = sum(parameter.numel() for parameter in load(folder).model.parameters())
    card = re.sub(r"That equals nanoGPT's .*?\n\n", "", card, flags=re.DOTALL)  # written by hand
    hardware = found(r"Hardware: (.*?)\n\n## Quality", card)
    told = {**more(manifest, folder, given, card), "hardware": hardware, "n_parameters": n_parameters}
    assert model_card(kind, name, manifest, facts, **told) == card


@pytest.mark.parametrize("name", NAMES)
def test_the_hub_reads_the_head_of_a_card(name: str) -> None:
    data = ModelCard((BUNDLED / name / "README.md").read_text()).data
    assert data.library_name == "attention-explorer"
    assert data.language or read_bundled_manifests()[name].family in ("vit", "cnn")


def test_what_nobody_gives_is_an_error() -> None:
    manifest = read_manifest(BUNDLED / "cnn-cifar10")
    with pytest.raises(UndefinedError, match="classes"):
        model_card("vision", "x", manifest, n_parameters=1)
