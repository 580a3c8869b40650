"""A trained decoder-only model with another mechanism in place of its attention: what it loses.

`python -m explorer.lessons.efficient_attention.replacement checkpoints/positions-rotary` writes
`attention_variants.json` into the folder; a test computes a part of it again.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from explorer.attention.efficient.variants import Variant
from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, CheckpointMissing, file_of
from explorer.checkpoints.store import BUNDLED
from explorer.data.text import excerpt
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.lessons.efficient_attention.captured_qkv import apply_positions
from explorer.lessons.efficient_attention.records import files
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskProgress, TaskRecord
from explorer.lessons.efficient_attention.state import REACH, Params
from explorer.nn.blocks import EncoderLayer
from explorer.nn.head_parts import project

HERE = "explorer.lessons.efficient_attention.replacement"
FILE = "attention_variants.json"
#: Windows that are read at a time, of the training length.
AT_ONCE = 16
#: What is evaluated on windows of the training length, and on longer ones.
SWEEP = (
    *(Variant(name="window", width=width) for width in (1, 2, 4, 8, 16, 32, 64, 128)),
    *(Variant(name="dilated", width=width, gap=2) for width in (2, 4, 8, 16, 32)),
    *(Variant(name="strided", stride=stride) for stride in (4, 8, 16, 32)),
    *(Variant(name="longformer", width=width, n_global=4) for width in (4, 8, 16, 32)),
    *(Variant(name="block", block=block, reach=1) for block in (4, 8, 16, 32)),
    *(Variant(name="bigbird", block=block, n_global=1, n_random=1) for block in (4, 8, 16, 32)),
    Variant(name="linear"),
    *(Variant(name="performer", n_features=n_features) for n_features in (16, 64, 256, 1024)),
    *(Variant(name="grouped", groups=groups) for groups in (4, 2, 1)),
)
#: The sliders' other stops, with the page's other settings: what is asked for by dragging has been evaluated, too.
BETWEEN = tuple(
    variant
    for name, setting in {
        "window": "width",
        "dilated": "width",
        "strided": "stride",
        "global": "n_global",
        "longformer": "width",
        "block": "reach",
    }.items()
    for stop in range(REACH[setting][0], REACH[setting][1] + 1)
    if (variant := replace(Params(name=name), **{setting: stop}).variant(name)) not in SWEEP  # type: ignore[arg-type]
)
LONGER = tuple(Variant(name="window", width=width) for width in (16, 32, 64, 96, 128, 192, 256, 384, 512))
#: Windows of either length that the command reads, in training lengths.
LENGTHS = {1: ((*SWEEP, *BETWEEN), 160), 4: (LONGER, 40)}


@torch.inference_mode()
def losses(
    gpt: LoadedGPT,
    variant: Variant,
    read: Int[Tensor, "windows positions"],
    following: Int[Tensor, "windows positions"],
) -> Float[Tensor, "windows positions"]:
    """Return cross-entropy at each place with `variant` in place of the attention of every layer, in nats.

    Raises:
        ValueError: if a setting does not fit the model's heads, or its scores are more than q·k (ALiBi).
    """
    logits = gpt.model.logits(run_replaced(gpt, variant, read.to(gpt.device))).float()
    return F.cross_entropy(logits.flatten(0, 1), following.to(gpt.device).flatten(), reduction="none").view(read.shape)


def run_replaced(
    gpt: LoadedGPT, variant: Variant, ids: Int[Tensor, "windows positions"]
) -> Float[Tensor, "windows positions d_model"]:
    """Run the model's forward pass, layer by layer, with another mechanism between its projections."""
    x = gpt.model.embed(ids)
    for layer in gpt.model.layers:
        assert isinstance(layer, EncoderLayer)
        normed = layer.self_norm(x)
        query, key, value = project(layer.self_attention, normed, normed)
        heads = variant.attend(apply_positions(gpt, query), apply_positions(gpt, key), value, causal=True)
        x = x + layer.self_attention.output(heads.transpose(1, 2).flatten(2))  # [windows, positions, d_model]
        x = x + layer.feed_forward(layer.feed_forward_norm(x))
    last: Tensor = gpt.model.norm(x)
    return last


def evaluate(
    gpt: LoadedGPT, variants: Sequence[Variant], *, times: int = 1, n_windows: int = 32, seed: int | None = None
) -> Iterator[TaskProgress]:
    """Read windows of the excerpt with exact attention, then with each variant; yields after every few windows.

    Args:
        times: length of a window, in training lengths.
        n_windows: clamped to those there are.
        seed: of their choice; None takes the first ones.
    """
    length = gpt.model.config.max_length * times
    windows = _windows(gpt, length, n_windows, seed)
    at_once = max(1, AT_ONCE // times)
    batches = list(torch.split(windows, at_once))
    total, done = (len(variants) + 1) * len(batches), 0
    found: list[npt.NDArray[np.float64]] = []
    record: TaskRecord | None = None
    yield TaskProgress(record=None, done=0, total=total)
    for variant in (Variant(name="plain"), *variants):
        parts = []
        for batch in batches:
            parts.append(losses(gpt, variant, batch[:, :-1], batch[:, 1:]).cpu().double().mean(1).numpy())
            done += 1
            if batch is not batches[-1]:
                yield TaskProgress(record=record, done=done, total=total)
        found.append(np.concatenate(parts))
        record = _record(gpt, variants, found, length, seed)
        yield TaskProgress(record=record, done=done, total=total)


def point(gpt: LoadedGPT, variant: Variant, exact: npt.NDArray[np.float64]) -> TaskPoint:
    """Return the loss with one variant on as many windows of the training length as exact attention has read.

    Args:
        exact: mean loss of each window with exact attention, `[windows]`.
    """
    length = gpt.model.config.max_length
    return _point(variant, _read(gpt, variant, _windows(gpt, length, len(exact), None)), exact, length)


def exact_losses(gpt: LoadedGPT, n_windows: int) -> npt.NDArray[np.float64]:
    """Return the mean loss of each window of the training length, as the model was trained."""
    return _read(gpt, Variant(name="plain"), _windows(gpt, gpt.model.config.max_length, n_windows, None))


def _read(gpt: LoadedGPT, variant: Variant, windows: Int[Tensor, "windows positions"]) -> npt.NDArray[np.float64]:
    batches = torch.split(windows, AT_ONCE)
    return np.concatenate(
        [losses(gpt, variant, each[:, :-1], each[:, 1:]).cpu().double().mean(1).numpy() for each in batches]
    )


def _windows(gpt: LoadedGPT, length: int, n_windows: int, seed: int | None) -> Int[Tensor, "windows positions"]:
    """Return windows of the excerpt that do not overlap, each with the token after its last."""
    text = torch.tensor(gpt.tokenizer.encode(excerpt()))
    starts = np.arange(0, len(text) - length, length)
    if seed is not None:
        starts = np.random.default_rng(seed).permutation(starts)
    starts = starts[: max(1, n_windows)]
    return text[torch.from_numpy(starts)[:, None] + torch.arange(length + 1)]


def _record(
    gpt: LoadedGPT,
    variants: Sequence[Variant],
    found: Sequence[npt.NDArray[np.float64]],
    length: int,
    seed: int | None,
) -> TaskRecord:
    """Return the record as far as it is known; the first of what is found is exact attention."""
    exact, *others = found
    detail = f"{len(exact)} windows of {length} characters of the excerpt"
    return TaskRecord(
        length=length,
        trained_length=gpt.model.config.max_length,
        exact=float(exact.mean()),
        n_windows=len(exact),
        points=tuple(_point(variant, each, exact, length) for variant, each in zip(variants, others, strict=False)),
        provenance=replace(gpt.provenance(evaluate, detail), seed=seed),
    )


def _point(variant: Variant, found: npt.NDArray[np.float64], exact: npt.NDArray[np.float64], length: int) -> TaskPoint:
    mask, added = variant.mask(length, causal=True), found - exact
    return TaskPoint(
        name=variant.name,
        settings=tuple(variant.own().items()),
        cells=None if mask is None else float(mask.sum() / length),
        loss=float(found.mean()),
        added=float(added.mean()),
        added_error=float(added.std(ddof=1) / np.sqrt(len(added))) if len(added) > 1 else np.nan,
    )


def read_evaluation(checkpoint: str) -> tuple[TaskRecord, ...]:
    """Return the evaluation that lies beside a bundled model.

    Raises:
        CheckpointMissing: it is not there.
        CheckpointDamaged: it is none, or of other weights.
    """
    path, again = BUNDLED / checkpoint / FILE, f"`python -m {HERE} checkpoints/{checkpoint}`"
    if not path.is_file():
        raise CheckpointMissing(f"{file_of(path)} is missing: run {again}.")
    try:
        records = files.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise CheckpointDamaged(f"{file_of(path)} cannot be read ({error}): check the project out again.") from error
    if len(records) != len(LENGTHS):
        raise CheckpointDamaged(f"{file_of(path)} is not whole: run {again}.")
    if any(each.provenance.revision != load(checkpoint).manifest.revision for each in records):
        raise CheckpointDamaged(f"{file_of(path)} evaluated other weights: run {again}.")
    return tuple(replace(each, provenance=each.provenance.by(evaluate)) for each in records)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog=f"python -m {HERE}", description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+", help="folders of decoder-only models")
    given = parser.parse_args(arguments)
    for folder in given.checkpoints:
        try:
            gpt = replace(load(str(folder)), name=folder.name)
        except CheckpointError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        records = []
        for times, (variants, n_windows) in LENGTHS.items():
            *_, last = evaluate(gpt, variants, times=times, n_windows=n_windows)
            assert last.record is not None
            records.append(last.record)
            for point in last.record.points:
                settings = " ".join(f"{name} {value}" for name, value in point.settings)
                sys.stdout.write(f"{folder} n {last.record.length} {point.name} {settings}: {point.loss:.3f}\n")
        (folder / FILE).write_text(files.dumps(records), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
