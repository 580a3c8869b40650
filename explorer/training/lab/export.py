"""From a lab run to a checkpoint: scored as stored, with a card."""

import tempfile
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from explorer.checkpoints.manifest import Manifest
from explorer.checkpoints.package import CARD, pack
from explorer.checkpoints.store import save
from explorer.data.task_source import whole
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.inference.lab.exact_match import exact_match
from explorer.inference.lab.snapshots import VOCABULARY, load_snapshot, probe
from explorer.records.training_run import LabPoint
from explorer.training.lab.files import STORED_AS
from explorer.training.lab.loop import LabModel
from explorer.training.lab.recipe import MAX_LENGTH, LabRecipe, data_of, held_out
from explorer.training.model_card import model_card

LICENCE = "CC0-1.0"
#: Tasks whose examples are not made by rule.
LICENCES = {"own": "not stated", "digits": "CC-BY-4.0", "verses": "MIT"}
DIGITS = (
    "Made by explorer.data.tasks, task digits: scikit-learn's copy of Alpaydin & Kaynak (1998), Optical Recognition of"
    " Handwritten Digits, UCI Machine Learning Repository, its 8 x 8 pixels rounded to four shades."
)
VERSES = (
    "Famous couplets of the Tang, from explorer.data.verses: the poems are in the public domain, the selection is this"
    " project's."
)
#: Fields of a recipe that only one family has.
ONLY = {
    "recurrent": ("mechanism", "cell", "context", "d_embedding", "teacher_forcing"),
    "transformer": ("n_heads", "d_ff", "position", "scoring", "norm", "residual", "attention_dropout"),
}


def export_lab(
    recipe: LabRecipe, model: LabModel, tokenizer_file: Path, out: Path, *, step: int, points: Sequence[LabPoint] = ()
) -> Manifest:
    """Write a model of a run as a checkpoint, with a card.

    Args:
        model: as it was after a step.
        tokenizer_file: its vocabulary.
        out: folder of the checkpoint.
        step: how many steps were made.
        points: of the curves up to there; seconds and speed come from the last.
    """
    example = held_out(recipe, 1)[0].source
    tokenizer = TaskTokenizer.load(tokenizer_file)
    batches = whole(data_of(recipe).held_out, tokenizer, max_length=MAX_LENGTH, rows=250)
    stored = type(model)(model.config)  # type: ignore[arg-type]
    stored.load_state_dict(model.state_dict())
    loss, accuracy = exact_match(stored.half().float(), batches)
    seconds = next((point.seconds for point in reversed(points) if point.step <= step), 0.0)
    manifest = save(
        out,
        family=STORED_AS[recipe.family],
        config=model.config,
        model=model,
        tokenizer_file=tokenizer_file,
        data=_data(recipe),
        licence=LICENCES.get(recipe.task, LICENCE),
        command=command(recipe, out.name),
        seed=recipe.seed,
        metrics={
            "steps": float(step),
            "seconds": round(seconds, 1),
            "held_out_exact_match": accuracy,
            "held_out_loss": loss,
        },
        probe=lambda kept, reader: probe(kept, reader, example),
    )
    n_parameters = sum(parameter.numel() for parameter in model.parameters())
    card = model_card(
        "lab",
        out.name,
        manifest,
        n_parameters=n_parameters,
        n_held_out=len(data_of(recipe).held_out),
        recipe=recipe,
        unit="the shades of pixels, row by row, and digits" if recipe.task == "digits" else tokenizer.unit,
    )
    (out / CARD).write_text(card, encoding="utf-8")
    return manifest


def package(recipe: LabRecipe, folder: Path, step: int, points: Sequence[LabPoint] = ()) -> bytes:
    """Pack a snapshot of a run into one file to take away; `explorer.checkpoints.package.unpack` opens it again.

    Raises:
        SnapshotMissing: there are no weights of this step.
    """
    model = load_snapshot(folder, step)
    with tempfile.TemporaryDirectory() as parent:
        out = Path(parent) / name_of(recipe)
        export_lab(recipe, model, folder / VOCABULARY, out, step=step, points=points)
        return pack(out)


def name_of(recipe: LabRecipe) -> str:
    """Return a name for its checkpoint, such as `lab-reverse-additive`."""
    how = recipe.mechanism if recipe.family == "recurrent" else "transformer"
    return f"lab-{recipe.task}-{how}".replace("_", "-")


def command(recipe: LabRecipe, name: str) -> str:
    """Return the command that trains the same model, with what differs from the defaults."""
    other = ONLY["transformer" if recipe.family == "recurrent" else "recurrent"]
    words = ["python -m explorer.training lab", "--data <pairs.tsv>" if recipe.task == "own" else ""]
    for entry in fields(recipe):
        value = getattr(recipe, entry.name)
        if entry.name in ("pairs", *other) or (recipe.task == "own" and entry.name == "task"):
            continue
        if isinstance(value, bool):
            words += [] if value == entry.default else [f"--{'' if value else 'no-'}{entry.name}"]
        elif value != entry.default or entry.name in ("task", "family", "seed"):
            words.append(f"--{entry.name.replace('_', '-')} {value}")
    return " ".join(word for word in (*words, f"--out checkpoints/{name}") if word)


def _data(recipe: LabRecipe) -> str:
    n_train = len(data_of(recipe).train)
    if recipe.task == "own":
        return f"A reader's own pairs: {n_train:,} to train on."
    if recipe.task in ("digits", "verses"):
        return f"{DIGITS if recipe.task == 'digits' else VERSES} {n_train:,} to train on."
    return f"Made by explorer.data.tasks, task {recipe.task}: {n_train:,} examples to train on."
