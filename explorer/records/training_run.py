"""Reports of the training lab: the course of a run, and where it stands."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.readonly import record
from explorer.records.sequence import Likely

Phase = Literal["waiting", "starting", "training", "paused", "stopping", "stopped", "done", "failed"]
#: Nothing more will come.
ENDED: tuple[Phase, ...] = ("stopped", "done", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabPoint:
    """One point of the curves.

    Attributes:
        step: optimiser steps before it.
        seconds: of training before it, pauses left out.
        loss: mean cross-entropy of a target token in nats, of the training examples since the point before; at step 0
            that of the held-out ones.
        held_out_loss: the same of the held-out examples.
        accuracy: share of held-out examples that the model writes without any mistake, 0…1.
        tokens_per_second: target tokens trained on since the point before.
    """

    step: int
    seconds: float
    loss: float
    held_out_loss: float
    accuracy: float
    tokens_per_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LabProgress:
    """The progress of a run.

    Attributes:
        points: of the curves, the oldest first.
        step: of the newest message, which may be past the last point.
        total_steps: after which it ends.
        seconds: of training, pauses left out.
        seconds_left: as far as can be told from its speed; 0 at its end.
        snapshots: steps whose weights can be looked at, in order.
        phase: what it is doing.
        reason: why it stopped or failed: `time`, `stopped`, `memory`, `diverged`, `abandoned`, `lost`, or the last line
            of an error; empty otherwise.
        device: that trains it, as its worker says; empty before that.
        place_in_line: how many come first, from 1; 0 if it does not wait.
    """

    points: tuple[LabPoint, ...] = ()
    step: int = 0
    total_steps: int
    seconds: float = 0.0
    seconds_left: float = 0.0
    snapshots: tuple[int, ...] = ()
    phase: Phase = "waiting"
    reason: str = ""
    device: str = ""
    place_in_line: int = 0

    @property
    def ended(self) -> bool:
        """Say whether nothing more will come."""
        return self.phase in ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class LabTrace:
    """The output, probabilities and attention of one step's model for a text.

    Attributes:
        step: of the training.
        source: the text, as it was read.
        output: what the model writes.
        expected: the right answer; None where it is not known.
        written: one for each row: the token that was read or written there, with the probability the model gave it.
        attentions: of every layer and site, cross-attention among them; none without attention.
    """

    step: int
    source: str
    output: str
    expected: str | None
    written: tuple[Likely, ...]
    attentions: tuple[AttentionRecord, ...]

    @property
    def crosses(self) -> tuple[AttentionRecord, ...]:
        """The alignments: one a layer, rows the target and columns the source."""
        return tuple(record for record in self.attentions if record.kind == "cross")

    @property
    def right(self) -> bool | None:
        """Say whether the output is the expected one; None where that is not known."""
        return None if self.expected is None else self.output == self.expected


@record
class LabFrame:
    """One step of a film of a training.

    Attributes:
        step: of the training.
        output: what the model writes by itself.
        rows: the tokens that it reads or writes, the end among them.
        sure: probability that the model gives each of them, `[rows]`.
        weights: `[rows, columns]`; no columns for a model without attention.
    """

    step: int
    output: str
    rows: tuple[str, ...]
    sure: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]


@record
class LabFilm:
    """One text at step after step of a training.

    Attributes:
        expected: its right answer; None where it is not known.
        columns: the tokens that are read, the end among them; empty for a model without attention.
        frames: the oldest first.
    """

    source: str
    expected: str | None
    columns: tuple[str, ...]
    frames: tuple[LabFrame, ...]

    @property
    def steps(self) -> tuple[int, ...]:
        """Return the steps of the frames."""
        return tuple(frame.step for frame in self.frames)

    def at(self, step: int) -> LabFrame:
        """Return the last frame up to a step; the first one before that."""
        return next((frame for frame in reversed(self.frames) if frame.step <= step), self.frames[0])


def to_csv(points: tuple[LabPoint, ...]) -> str:
    """The curves as CSV, one row a point."""
    rows = ["step,seconds,loss,held_out_loss,accuracy,tokens_per_second"]
    rows += [
        f"{p.step},{p.seconds:.2f},{p.loss:.6g},{p.held_out_loss:.6g},{p.accuracy:.4f},{p.tokens_per_second:.1f}"
        for p in points
    ]
    return "\n".join(rows) + "\n"
