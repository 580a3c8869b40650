"""A lab run as seen from outside: its process, its folder, and how far it is."""

import contextlib
import shutil
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from explorer.data.files import temporary_folder
from explorer.records.training_run import LabPoint, LabProgress, Phase
from explorer.service.cluster import cluster
from explorer.service.lab.elsewhere import LOST, ClusterTraining
from explorer.service.metrics import note_loss
from explorer.service.process import Process, WorkerProcess, command as worker_command
from explorer.training.lab.files import ERRORS, RECIPE
from explorer.training.lab.recipe import LabRecipe

#: What starts a worker; its folder is appended.
WORKER = worker_command("explorer.service.lab.worker")
PREFIX = "attention-explorer-lab-"
#: How much of an error message is kept.
MOST_REASON = 300
#: A worker that does not end by itself is given this long.
PATIENCE_S = 5.0


@runtime_checkable
class Training(Process, Protocol):
    """A process that trains, wherever it runs."""

    def wait(self) -> None:
        """Wait for its end, once it says nothing more."""


def start_here(folder: Path, command: Sequence[str] = WORKER) -> WorkerProcess:
    """Return a worker of this machine that trains the recipe in a folder, which is taken away with it.

    Raises:
        OSError: the system gives no process.
    """
    with (folder / ERRORS).open("wb") as errors:
        return WorkerProcess([*command, str(folder)], folder=folder, errors=errors)


class LabRun:
    """One run in a process of its own, here or on the cluster. Any thread may call anything at any time.

    Attributes:
        folder: of its snapshots; is there until `close`.
    """

    def __init__(self, recipe: LabRecipe, process: Training, folder: Path, on_end: Callable[[], object]) -> None:
        self.recipe, self.folder, self._process, self._on_end = recipe, folder, process, on_end
        self._lock = threading.Lock()
        self._progress = LabProgress(total_steps=recipe.steps, phase="starting")
        self._killed = False
        self._listener = threading.Thread(target=self._listen, name=f"lab {folder.name}", daemon=True)
        self._listener.start()

    @classmethod
    def start(
        cls,
        recipe: LabRecipe,
        *,
        command: Sequence[str] = WORKER,
        on_end: Callable[[], object] = lambda: None,
    ) -> "LabRun":
        """Start training at once, without a queue.

        Args:
            command: starts another program that speaks like `explorer.service.lab.worker`.
            on_end: is called by a thread of the run when its process is gone; must not wait for anything.

        Raises:
            OSError: the system gives no process or no folder.
        """
        folder = temporary_folder(PREFIX)
        try:
            # Not through the pipe, which would hold the caller up until the worker has started to read.
            (folder / RECIPE).write_text(recipe.to_json(), encoding="utf-8")
            there, here = cluster(), partial(start_here, folder, command)
            process = here() if there is None else ClusterTraining(there, folder, here)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(recipe, process, folder, on_end)

    def progress(self) -> LabProgress:
        """Return the progress."""
        return self._progress

    @property
    def ended(self) -> bool:
        """Return whether its process is gone or about to go."""
        return self._progress.ended

    def pause(self) -> None:
        """Ask it to rest after the current step."""
        self._order("pause")

    def go_on(self) -> None:
        """Ask it to train on."""
        self._order("go on")

    def stop(self) -> None:
        """Ask it to end after the current step; what was computed stays."""
        self._order("stop")

    def kill(self) -> None:
        """End it now; what was computed stays."""
        with self._lock:
            self._killed = True
        self._process.kill()

    def close(self) -> None:
        """End it now and take its folder away; to be called once nobody looks at it any more."""
        self.kill()
        if threading.current_thread() is not self._listener:
            self._listener.join()
        self._process.close()

    def _order(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended already
            self._process.order(line)

    def _listen(self) -> None:
        """Follow what the worker says until it ends; then see how."""
        for message in self._process.messages():
            with contextlib.suppress(ValueError, KeyError, TypeError):  # no message of ours
                self._note(message)
        self._process.wait()
        if not self._progress.ended:
            phase: Phase = "stopped" if self._killed else "failed"
            reason = "stopped" if self._killed else self._last_words()
            if not self._killed:
                note_loss("lab")
            self._progress = replace(self._progress, phase=phase, reason=reason, seconds_left=0.0)
        self._on_end()

    def _note(self, message: dict[str, Any]) -> None:
        now, what = self._progress, message["is"]
        if what == "built":
            now = replace(now, phase="training", device=str(message.get("device", "")))
        elif what in ("paused", "training"):
            now = replace(now, phase=what)
        elif what == "point":
            point = LabPoint(**message["point"])
            now = replace(now, points=(*now.points, point), step=point.step, seconds=point.seconds)
        elif what in ("step", "kept"):
            now = replace(now, step=int(message["step"]), seconds=float(message["seconds"]))
        elif what == "end":
            now = replace(now, phase=message["phase"], reason=str(message["reason"]))
            if now.reason == LOST:
                note_loss("lab")
        if message.get("kept") or what == "kept":
            now = replace(now, snapshots=(*now.snapshots, now.step))
        self._progress = replace(now, seconds_left=self._left(now))

    def _left(self, now: LabProgress) -> float:
        """Estimate the seconds left at the speed so far, but never beyond the minutes."""
        if now.ended or now.step == 0:
            return 0.0 if now.ended else 60 * self.recipe.minutes
        left = now.seconds / now.step * (now.total_steps - now.step)
        return max(0.0, min(left, 60 * self.recipe.minutes - now.seconds))

    def _last_words(self) -> str:
        """Return the last line that a worker wrote before it died."""
        try:
            lines = (self.folder / ERRORS).read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            lines = []
        return lines[-1][:MOST_REASON] if lines else f"exit code {self._process.exit_code}"
