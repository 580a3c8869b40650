"""The process in which a lab run trains: `python -m explorer.service.lab.worker <folder>`, started by `LabRun`.

It finds the recipe in the folder, reads orders, one a line (`pause`, `go on`, `stop`), and writes what happens as lines
of JSON. When the other end of its input is gone, it takes its folder away and ends.
"""

import contextlib
import os
import shutil
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path

import torch

from explorer.inference.device import pick_lab_device
from explorer.inference.engine.allocator import keep_memory
from explorer.records.training_run import LabPoint
from explorer.service.process import obey, say
from explorer.training.lab.files import RECIPE, describe, keep, snapshots_of
from explorer.training.lab.loop import Diverged, LabTraining, points_at
from explorer.training.lab.recipe import LabRecipe

#: Memory that a run may take beyond what the libraries took to start.
MEMORY_BYTES = 1_500_000_000
#: How much a run steps back behind the pages.
NICENESS = 5
#: How often it says where it stands.
SAY_EVERY_S = 0.5


class RunOrders:
    """The orders of the server, read by a thread of their own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._paused = self.stop = self.alone = False
        obey(self._obey, self._be_alone)

    def wait_while_paused(self) -> bool:
        """Wait until there is something to do; whether there was a pause."""
        with self._changed:
            paused = self._paused and not self.stop
            if paused:
                say("paused")
                self._changed.wait_for(lambda: not self._paused or self.stop)
                say("training")
        return paused

    def _be_alone(self) -> None:
        self.alone = True
        self._obey("stop")

    def _obey(self, order: str) -> None:
        with self._changed:
            self.stop |= order == "stop"
            self._paused = order == "pause" or (self._paused and order != "go on")
            self._changed.notify_all()


def main(folder: Path) -> None:
    """Train, and say how it goes."""
    recipe = LabRecipe.from_json((folder / RECIPE).read_text(encoding="utf-8"))
    be_modest()
    orders = RunOrders()
    try:
        phase, reason = train(recipe, folder, orders)
    except BrokenPipeError:  # nobody listens: the other side is gone, or will be as soon as that is noticed
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)  # or Python tries once more to say what nobody hears
    except Diverged:
        phase, reason = "failed", "diverged"
    except (MemoryError, RuntimeError) as error:
        if not out_of_memory(error):
            raise
        phase, reason = "failed", "memory"
    if orders.alone:
        shutil.rmtree(folder, ignore_errors=True)
        return
    say("end", phase=phase, reason=reason)


def train(recipe: LabRecipe, folder: Path, orders: RunOrders) -> tuple[str, str]:
    """Return the run itself: how it ended, and why."""
    device = pick_lab_device()
    training = LabTraining(recipe, device=device)
    describe(training, folder)
    say("built", device=device.type)
    due = sorted({0, *points_at(recipe.steps)})
    kept = {*due[:: snapshots_of(training.n_parameters, len(due))], recipe.steps}
    said = time.monotonic()
    for point in training.run():
        kept_it = point is not None and (point.step in kept or training.out_of_time)
        if point is not None:
            _report(training, point, folder, keep_it=kept_it)
        elif time.monotonic() - said > SAY_EVERY_S:
            say("step", step=training.step, seconds=training.seconds)
            said = time.monotonic()
        orders.wait_while_paused()
        if orders.stop:
            if not (kept_it or orders.alone):
                keep(training, folder)
                say("kept", step=training.step, seconds=training.seconds)
            return "stopped", "stopped"
    return "done", "time" if training.out_of_time else ""


def _report(training: LabTraining, point: LabPoint, folder: Path, *, keep_it: bool) -> None:
    if keep_it:
        keep(training, folder)
    say("point", point=asdict(point), kept=keep_it)


def be_modest() -> None:
    """Bound this process: one thread, after the pages, within bounded memory (as far as the system knows these)."""
    torch.set_num_threads(1)
    keep_memory()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if sys.platform.startswith("linux") and pick_lab_device().type == "cpu":  # CUDA reserves far more than it takes
        import resource  # which Windows has not

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY_BYTES
        with contextlib.suppress(ValueError, OSError):  # a stricter limit stands already
            resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def out_of_memory(error: BaseException) -> bool:
    """Return whether it says so; torch on a CPU has no exception of its own for it."""
    return isinstance(error, MemoryError) or "memory" in str(error).lower()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
