"""The lecture notes' own model and what they change in it, trained alike: courses, costs, and which change counts."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import torch

from explorer.attention import scoring
from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, read_manifest
from explorer.inference.seq2seq.translate import load
from explorer.lessons.seq2seq_attention.records import FirstState, TrainingCost
from explorer.nn.scorers import Additive
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import join_sentences, typeset
from explorer.training.loop import Run

#: The model that the others change, the changed ones, and those of them that read all right words while they train.
BASE, CHANGED, GIVEN = store.NOTES[0], store.NOTES[1:], store.NOTES[3:]
Verdict = Literal["better", "worse", "same"]


def names() -> dict[str, str]:
    """Return what each of them is called, by checkpoint."""
    said = (
        t("the notes’ model"),
        t("parameters in the score"),
        t("two layers"),
        t("all right words given"),
        t("both: parameters, right words"),
    )
    return dict(zip(store.NOTES, said, strict=True))


def find_unusable() -> tuple[str, CheckpointError] | None:
    """Return what is wrong with the first of them that cannot be used; None where all can."""
    for name in store.NOTES:
        try:
            _course(name)
        except CheckpointError as error:
            return f"checkpoints/{name}", error
    return None


def courses() -> tuple[TrainingCost, ...]:
    """Read the courses of the trainings from the files beside the weights.

    Raises:
        CheckpointError: a file is missing or damaged.
    """
    return tuple(_course(name) for name in store.NOTES)


def _course(name: str) -> TrainingCost:
    manifest = read_manifest(store.BUNDLED / name)
    try:
        with (store.BUNDLED / name / "history.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        numbers = {
            each: np.array([float(row[each]) for row in rows], np.float32)
            for each in ("step", "processor_seconds", "dev_loss")
        }
        return TrainingCost(
            model=name,
            step=numbers["step"].astype(np.int64),
            seconds=numbers["processor_seconds"],
            dev_loss=numbers["dev_loss"],
            bleu=manifest.metrics["test_bleu_beam_5"],
            minutes=manifest.metrics["processor_minutes"],
            provenance=Provenance.of(
                Run,
                dtype="bfloat16",
                seed=manifest.seed,
                model=name,
                revision=manifest.revision,
                detail=manifest.command,
            ),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointDamaged(f"checkpoints/{name} has no usable history.csv or metrics: {error}") from error


def verdict(found: Sequence[TrainingCost], name: str, spread: float) -> Verdict:
    """Say how a change moved BLEU: a difference of no more than the spread over seeds is none."""
    bleu = {each.model: each.bleu for each in found}
    by = round(bleu[name] - bleu[BASE], 2)
    return "same" if abs(by) <= spread else "better" if by > 0 else "worse"


def describe(found: Sequence[TrainingCost], spread: float) -> str:
    """Say of each change what it costs and what it brings, and which counts."""
    return join_sentences([_changes(found), describe_counting(found, spread)])


def _changes(found: Sequence[TrainingCost]) -> str:
    base = next(each for each in found if each.model == BASE)
    called = names()
    said = t("{name}: {by} BLEU for {times} times the processor’s time")
    changes = [
        said.format(
            name=called[each.model], by=f"{each.bleu - base.bleu:+.1f}", times=f"{each.minutes / base.minutes:.1f}"
        )
        for each in found
        if each.model != BASE
    ]
    return typeset(t("; ").join(changes) + t("."))


def describe_counting(found: Sequence[TrainingCost], spread: float) -> str:
    """Say which changes move BLEU by more than seeds do."""
    called, there = names(), [each.model for each in found]
    some = [called[name] for name in CHANGED if name in there and verdict(found, name, spread) != "same"]
    return (
        t("More than the spread over seeds, {spread} BLEU: **{names}**.").format(
            spread=f"{spread:.1f}", names=t(", ").join(some)
        )
        if some
        else t("No change that is drawn is larger than the spread over seeds, {spread} BLEU.").format(
            spread=f"{spread:.1f}"
        )
    )


@torch.inference_mode()
def first_state(checkpoint: str, record: RecurrentRecord) -> FirstState:
    """Compute where both directions ended on what a model read, and the first state that its decoder makes of them.

    Args:
        checkpoint: of LSTM cells, whose encoder reads from both sides.
        record: what it wrote.
    """
    seq2seq = load(checkpoint)
    model, layers = seq2seq.prepared.model, seq2seq.prepared.config.n_layers
    ids = torch.tensor([record.trace.source_ids], device=seq2seq.prepared.device)
    _, (hidden, cell) = model.encoder.network(model.embedding(ids))
    ends = torch.stack([hidden, cell], 1).view(layers, 2, 2, -1)  # [layers, directions, hidden and cell, d_hidden]
    first = torch.stack([torch.cat(parts) for parts in model.encode(ids, torch.ones_like(ids) > 0).initial])
    forward, backward = ends.float().cpu().unbind(1)
    return FirstState(
        forward=forward.numpy(),
        backward=backward.numpy(),
        first=first.float().cpu().numpy(),  # [layers, hidden and cell, d_hidden]
        source=record.trace.source.labels,
        provenance=replace(seq2seq.provenance, detail="start: summed"),
    )


@torch.inference_mode()
def score_concat(checkpoint: str, record: RecurrentRecord) -> Mapping[str, float]:
    """Compute Luong's concat, vᵀ tanh(W [q; k]), with W = [W_q W_k] of a trained additive score.

    Args:
        checkpoint: whose score is additive.
        record: what it wrote; each of its steps asks with the state before it.

    Returns:
        `count` of the scores, and their largest `gap` to those of the record.

    Raises:
        TypeError: the score is not additive.
    """
    alignment = load(checkpoint).prepared.model.alignment
    scorer = None if alignment is None else alignment.scorer
    if not isinstance(scorer, Additive):
        raise TypeError(f"{checkpoint} has no additive score")
    asked = torch.from_numpy(np.stack([step.before for step in record.trace.steps]))
    keys = torch.from_numpy(record.trace.states.copy())
    weight = torch.cat([scorer.query_weight, scorer.key_weight], -1).cpu()  # [d_hidden, d_query + d_key]
    scores = scoring.concat(asked, keys, weight=weight, v=scorer.v.cpu())
    own = torch.from_numpy(np.stack([step.scores for step in record.trace.steps if step.scores is not None]))
    return {"count": float(own.numel()), "gap": float((scores - own).abs().max())}
