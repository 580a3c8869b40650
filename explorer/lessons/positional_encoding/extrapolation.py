"""Measure what a model loses on text longer than it was trained on.

`python -m explorer.lessons.positional_encoding.extrapolation checkpoints/positions-*` writes `extrapolation.json`
into each folder; a test computes a part of it again.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError, CheckpointMissing, file_of
from explorer.checkpoints.store import BUNDLED
from explorer.data.text import excerpt
from explorer.inference.gpt.generate import LoadedGPT, load, losses
from explorer.lessons.positional_encoding.records import files
from explorer.lessons.positional_encoding.records.extrapolation import BeyondProgress, BeyondRecord
from explorer.lessons.positional_encoding.trained_decoders import checkpoint
from explorer.nn.positions import POSITION_KINDS, LearnedPositions, PositionKind
from explorer.records.arrays import Float64

FILE = "extrapolation.json"
#: What measures it again.
COMMAND = "python -m explorer.lessons.positional_encoding.extrapolation"
#: Total lengths, in training lengths.
TIMES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
#: Buckets to a training length.
BUCKETS = 4
#: Positions read between two yields, two windows of the bundled models: 0.1 to 0.3 s.
AT_ONCE = 1024


def extrapolate(
    kinds: Sequence[PositionKind] = POSITION_KINDS, *, n_windows: int = 24, seed: int = 0
) -> Iterator[BeyondProgress]:
    """Measure the bundled models on a sample of the excerpt, ever more of it; every kind reads the same windows.

    Args:
        n_windows: of four times the training length, drawn without replacement; clamped to those there are.
    """
    models = [load(checkpoint(kind)) for kind in kinds]
    yield from measure(models, n_windows=n_windows, seed=seed)


def measure(models: Sequence[LoadedGPT], *, n_windows: int | None = None, seed: int = 0) -> Iterator[BeyondProgress]:
    """Read windows of the excerpt with every model, a few at a time, and yield what is known so far.

    Windows of four training lengths start at every training length, so that every bucket of positions sees about as
    much text. The loss at a position does not depend on what follows it, so one pass over the longest gives all.

    Args:
        models: decoder-only models of one training length.
        n_windows: how many; None for all of the excerpt, in order.
    """
    starts = _starts(models[0].model.config.max_length, n_windows, seed)
    readings = [_Reading(each, len(starts), None if n_windows is None else seed) for each in models]
    at_once = max(1, AT_ONCE // readings[0].longest)
    yield BeyondProgress(records=(), done=0, total=len(starts) * len(models))
    for first in range(0, len(starts), at_once):
        for each in readings:
            each.read(starts[first : first + at_once])
            records = tuple(reading.record() for reading in readings if reading.n_windows)
            done = sum(reading.n_windows for reading in readings)
            yield BeyondProgress(records=records, done=done, total=len(starts) * len(models))


def limit(gpt: LoadedGPT) -> int | None:
    """Return the longest text a model can read at all; None where nothing limits it."""
    positions = gpt.model.positions
    return positions.weight.shape[0] if isinstance(positions, LearnedPositions) else None


def read_measurement(kind: PositionKind) -> BeyondRecord:
    """Return the measurement that lies beside a bundled model: all windows of the excerpt.

    Raises:
        CheckpointMissing: it is not there.
        CheckpointDamaged: it is none, or of other weights.
    """
    path = BUNDLED / checkpoint(kind) / FILE
    again = f"run `{COMMAND} checkpoints/{checkpoint(kind)}`"
    if not path.is_file():
        raise CheckpointMissing(f"{file_of(path)} is missing: {again}.")
    try:
        record = files.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise CheckpointDamaged(f"{file_of(path)} cannot be read ({error}): check the project out again.") from error
    if record.provenance.revision != load(checkpoint(kind)).manifest.revision:
        raise CheckpointDamaged(f"{file_of(path)} measured other weights: {again}.")
    return replace(record, provenance=record.provenance.by(measure))


def _starts(length: int, n_windows: int | None, seed: int) -> npt.NDArray[np.int64]:
    longest = round(TIMES[-1] * length)
    every = np.arange(0, len(excerpt()) - longest, length)
    if n_windows is None:
        return every
    return np.random.default_rng(seed).permutation(every)[: max(n_windows, 1)]


class _Reading:
    """One model's losses at each position of the windows it has read; NaN at positions that it cannot read."""

    def __init__(self, gpt: LoadedGPT, n_windows: int, seed: int | None) -> None:
        self.gpt, self.seed, self.n_windows = gpt, seed, 0
        self.longest = round(TIMES[-1] * gpt.model.config.max_length)
        self._text = torch.tensor(gpt.tokenizer.encode(excerpt()))
        self._losses = np.full((n_windows, self.longest), np.nan)

    def read(self, starts: npt.NDArray[np.int64]) -> None:
        """Read the windows that start there, as far as the model can."""
        end = limit(self.gpt)
        readable = self.longest if end is None else min(end, self.longest)
        windows = self._text[torch.from_numpy(starts)[:, None] + torch.arange(readable + 1)]
        found = losses(self.gpt.model, windows[:, :-1], windows[:, 1:]).cpu().double().numpy()
        self._losses[self.n_windows : self.n_windows + len(starts), :readable] = found
        self.n_windows += len(starts)

    def record(self) -> BeyondRecord:
        """Return the record as far as it is known."""
        config, whole = self.gpt.model.config, self._losses[: self.n_windows]
        lengths = np.array([round(times * config.max_length) for times in TIMES])
        width = max(1, config.max_length // BUCKETS)
        edges = np.arange(0, self.longest + 1, width)
        totals = [_mean(whole[:, :length]) for length in lengths]
        buckets = [_mean(whole[:, start : start + width]) for start in edges[:-1]]
        detail = f"{self.n_windows} windows of the excerpt"
        provenance = self.gpt.provenance(measure, detail)
        return BeyondRecord(
            kind=config.position,
            trained_length=config.max_length,
            limit=limit(self.gpt),
            lengths=lengths,
            loss=np.array([mean for mean, _ in totals]),
            loss_error=np.array([error for _, error in totals]),
            edges=edges,
            bucket_loss=np.array([mean for mean, _ in buckets]),
            bucket_error=np.array([error for _, error in buckets]),
            n_windows=self.n_windows,
            provenance=replace(provenance, seed=self.seed),
        )


def _mean(part: Float64) -> tuple[float, float]:
    """Return the mean and its standard error over windows. Windows that share text count once."""
    means = part.mean(1)
    independent = min(len(means), max(1, len(excerpt()) // part.shape[1]))
    error = means.std(ddof=1) / np.sqrt(independent) if len(means) > 1 else np.nan
    return float(means.mean()), float(error)


def _said(loss: float) -> str:
    return "not possible" if np.isnan(loss) else f"{loss:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.lessons.positional_encoding.extrapolation", description=__doc__
    )
    parser.add_argument("checkpoints", type=Path, nargs="+", help="folders of decoder-only models")
    given = parser.parse_args(arguments)
    try:
        models = [replace(load(str(folder)), name=folder.name) for folder in given.checkpoints]
    except CheckpointError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for folder, each in zip(given.checkpoints, models, strict=True):
        *_, last = measure([each])
        (record,) = last.records
        (folder / FILE).write_text(files.dumps(record), encoding="utf-8")
        said = ", ".join(f"{length}: {_said(record.at(length))}" for length in record.lengths.tolist())
        sys.stdout.write(f"{folder} @ {each.manifest.revision}: {said} ({record.n_windows} windows)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
