"""What a model loses on text longer than it was trained on.

`python -m explorer.inference.extrapolation checkpoints/positions-*` writes `extrapolation.json` into each folder; a
test computes a part of it again.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, CheckpointMissing
from explorer.checkpoints.store import BUNDLED
from explorer.data.text import excerpt
from explorer.inference.gpt import LoadedGPT, loaded, losses
from explorer.inference.positions import checkpoint
from explorer.nn.positions import POSITION_KINDS, LearnedPositions, PositionKind
from explorer.records import positions_files
from explorer.records.positions import BeyondProgress, BeyondRecord

FILE = "extrapolation.json"
#: Total lengths, in training lengths.
TIMES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
#: Buckets to a training length.
BUCKETS = 4
#: Windows read between two yields: 0.1 to 0.3 s.
AT_ONCE = 2
DECIMALS = 3

Losses = npt.NDArray[np.float64]


def extrapolate(
    kinds: Sequence[PositionKind] = POSITION_KINDS, *, n_windows: int = 24, seed: int = 0
) -> Iterator[BeyondProgress]:
    """Measure the bundled models on a sample of the excerpt, ever more of it; every kind reads the same windows.

    Args:
        kinds: which models.
        n_windows: of four times the training length, drawn without replacement; clamped to those there are.
        seed: of the draw.
    """
    models = [loaded(checkpoint(kind)) for kind in kinds]
    yield from measure(models, n_windows=n_windows, seed=seed)


def measure(models: Sequence[LoadedGPT], *, n_windows: int | None = None, seed: int = 0) -> Iterator[BeyondProgress]:
    """Read windows of the excerpt with every model, a few at a time, and yield what is known so far.

    Windows of four training lengths start at every training length, so that every bucket of places sees about the same
    text. The loss at a place does not depend on what follows it, so one pass over the longest gives all lengths.

    Args:
        models: decoder-only models of one training length.
        n_windows: how many; None for all of the excerpt, in order.
        seed: of the draw.
    """
    length = models[0].model.config.max_length
    starts = _starts(length, n_windows, seed)
    found: dict[str, list[Losses]] = {each.name: [] for each in models}
    total, done = len(starts) * len(models), 0
    yield BeyondProgress(records=(), done=0, total=total)
    for first in range(0, len(starts), AT_ONCE):
        batch = starts[first : first + AT_ONCE]
        for each in models:
            found[each.name].append(_losses(each, batch, length))
            done += len(batch)
            records = tuple(_record(model, found[model.name], seed) for model in models if found[model.name])
            yield BeyondProgress(records=records, done=done, total=total)


def limit(gpt: LoadedGPT) -> int | None:
    """The longest text a model can read at all; None where nothing limits it."""
    positions = gpt.model.positions
    return positions.weight.shape[0] if isinstance(positions, LearnedPositions) else None


def stored(kind: PositionKind) -> BeyondRecord:
    """The measurement that lies beside a bundled model: all windows of the excerpt.

    Raises:
        CheckpointMissing: it is not there.
        CheckpointDamaged: it is none, or of other weights.
    """
    path = BUNDLED / checkpoint(kind) / FILE
    if not path.is_file():
        raise CheckpointMissing(f"{path} is missing: run `python -m explorer.inference.extrapolation {path.parent}`.")
    try:
        record = positions_files.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise CheckpointDamaged(f"{path} cannot be read ({error}): check the project out again.") from error
    if record.provenance.revision != loaded(checkpoint(kind)).manifest.revision:
        raise CheckpointDamaged(f"{path} measured other weights: run `python -m explorer.inference.extrapolation`.")
    return record


def _starts(length: int, n_windows: int | None, seed: int) -> npt.NDArray[np.int64]:
    longest = round(TIMES[-1] * length)
    every = np.arange(0, len(excerpt()) - longest, length)
    if n_windows is None:
        return every
    return np.random.default_rng(seed).permutation(every)[: max(n_windows, 1)]


def _losses(gpt: LoadedGPT, starts: npt.NDArray[np.int64], length: int) -> Losses:
    """`[windows, places]` in nats; NaN at places that the model cannot read."""
    longest, end = round(TIMES[-1] * length), limit(gpt)
    readable = longest if end is None else min(end, longest)
    ids = torch.tensor(gpt.tokenizer.encode(excerpt()))
    windows = ids[torch.from_numpy(starts)[:, None] + torch.arange(readable + 1)]
    whole = np.full((len(starts), longest), np.nan)
    whole[:, :readable] = losses(gpt.model, windows[:, :-1], windows[:, 1:]).double().numpy()
    return whole


def _record(gpt: LoadedGPT, found: Sequence[Losses], seed: int) -> BeyondRecord:
    config = gpt.model.config
    whole = np.concatenate(found)
    lengths = np.array([round(times * config.max_length) for times in TIMES])
    width = max(1, config.max_length // BUCKETS)
    edges = np.arange(0, whole.shape[1] + 1, width)
    totals = [_mean(whole[:, :length]) for length in lengths]
    buckets = [_mean(whole[:, start : start + width]) for start in edges[:-1]]
    return BeyondRecord(
        kind=config.position,
        trained_length=config.max_length,
        limit=limit(gpt),
        lengths=lengths,
        loss=np.array([mean for mean, _ in totals]),
        loss_error=np.array([error for _, error in totals]),
        edges=edges,
        bucket_loss=np.array([mean for mean, _ in buckets]),
        bucket_error=np.array([error for _, error in buckets]),
        n_windows=len(whole),
        provenance=replace(
            gpt.provenance("explorer.inference.extrapolation.measure", f"{len(whole)} windows of the excerpt"),
            seed=seed,
        ),
    )


def _mean(part: Losses) -> tuple[float, float]:
    """Mean and its standard error over windows. Windows that share text count once."""
    means = part.mean(1)
    independent = min(len(means), max(1, len(excerpt()) // part.shape[1]))
    error = means.std(ddof=1) / np.sqrt(independent) if len(means) > 1 else np.nan
    return float(means.mean()), float(error)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m explorer.inference.extrapolation", description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+", help="folders of decoder-only models")
    given = parser.parse_args(arguments)
    try:
        models = [replace(loaded(str(folder)), name=folder.name) for folder in given.checkpoints]
    except CheckpointError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for folder, each in zip(given.checkpoints, models, strict=True):
        *_, last = measure([each])
        (record,) = last.records
        (folder / FILE).write_text(positions_files.dumps(record), encoding="utf-8")
        said = ", ".join(f"{n}: {x:.{DECIMALS}f}" for n, x in zip(record.lengths, record.loss, strict=True))
        sys.stdout.write(f"{folder} @ {each.manifest.revision}: {said} ({record.n_windows} windows)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
