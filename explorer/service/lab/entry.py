"""One run of one owner, as the lab keeps it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from explorer.records.training_run import LabProgress
from explorer.service.lab.process import LabRun
from explorer.training.lab.recipe import LabRecipe

#: What an owner wants of a run.
Wish = Literal["train", "rest", "stop"]


@runtime_checkable
class EntryKeeper(Protocol):
    """The lab, as far as an entry knows it."""

    def want(self, entry: "LabEntry", what: Wish) -> None:
        """Note what an owner wants of a run, and act on it."""

    def drop(self, entry: "LabEntry") -> None:
        """End a run and forget it."""

    def place_in_line(self, entry: "LabEntry") -> int:
        """Return the place in line from 1; 0 for one that does not wait."""


@dataclass(slots=True, eq=False)
class LabEntry:
    """One run of one owner, from the line to its end.

    Attributes:
        number: in the order in which they came.
        lab: where it waits and trains.
        run: its process and folder; None before it has started.
        has_place: whether it may train now.
        since: when its owner last wanted something else (`time.monotonic`).
        reason: why the lab stopped it, or why it could not start.
    """

    number: int
    owner: str
    recipe: LabRecipe
    lab: EntryKeeper
    run: LabRun | None = None
    wants: Wish = "train"
    has_place: bool = False
    since: float = 0.0
    reason: str = ""

    @property
    def folder(self) -> Path | None:
        """Return the folder of its snapshots; None before it has started."""
        return None if self.run is None else self.run.folder

    @property
    def ended(self) -> bool:
        """Return whether nothing more will come."""
        return self.wants == "stop" if self.run is None else self.run.ended

    def progress(self) -> LabProgress:
        """Return the progress."""
        now = LabProgress(total_steps=self.recipe.steps) if self.run is None else self.run.progress()
        if self.ended:
            failed = self.run is None and self.reason not in ("", "abandoned")
            phase = now.phase if self.run is not None else "failed" if failed else "stopped"
            return replace(now, phase=phase, reason=self.reason or now.reason or "stopped" * (self.run is None))
        if self.wants == "stop":
            return replace(now, phase="stopping")
        if self.wants == "rest":
            return replace(now, phase="paused")
        return now if self.has_place else replace(now, phase="waiting", place_in_line=self.lab.place_in_line(self))

    def pause(self) -> None:
        """Rest, and let the next in line have the place."""
        self.lab.want(self, "rest")

    def go_on(self) -> None:
        """Train on, as soon as there is a place."""
        self.lab.want(self, "train")

    def stop(self) -> None:
        """End; what was computed stays."""
        self.lab.want(self, "stop")

    def close(self) -> None:
        """End, and forget everything about it."""
        self.lab.drop(self)
