"""Forward time, measured honestly: warm, on one thread, in shuffled order, every repetition kept."""

import mmap
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt
import torch

from explorer.attention.architectures_cost import cost
from explorer.inference.device import arithmetic, pick_device
from explorer.inference.memory import peak_bytes
from explorer.nn.architectures import Layer, layer, module
from explorer.records import Provenance
from explorer.records.architectures import NAMES, Sizes
from explorer.records.timing import TimingRecord

if sys.platform == "linux":
    import resource

_PAGE = mmap.PAGESIZE
THREAD_CLOCK = "processor time of the thread"
#: What a visitor may ask of a shared machine: one forward pass, its memory, and all of it together.
CALL_SECONDS, PEAK_BYTES, TOTAL_SECONDS = 0.25, 256 * 2**20, 25.0
#: Each cell is timed once a round. A sample is at least this long, so that the clock's own cost does not count.
ROUNDS, SAMPLE_SECONDS, MOST_CALLS = 9, 0.004, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What is measured: every architecture at every size.

    Attributes:
        axis: `n` or `d`: what grows.
        sizes: ascending along the axis.
        rounds: how often each cell is timed.
        total_seconds: after this long no new round begins (three are always done).
    """

    axis: str
    sizes: tuple[Sizes, ...]
    rounds: int = ROUNDS
    total_seconds: float = TOTAL_SECONDS

    @property
    def cells(self) -> int:
        """Architectures times sizes."""
        return len(NAMES) * len(self.sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How far a measurement has come, and what it has found so far."""

    record: TimingRecord
    done: int
    total: int


def seconds(measured: Layer, calls: int = 1) -> float:
    """Time of one forward pass, the mean of `calls` in a row, by the clock that `clock_name` names."""
    device = measured.inputs[0].device
    wait = _waiter(device)
    now = _clock(device)
    with torch.inference_mode():
        wait()
        start = now()
        for _ in range(calls):
            measured()
        wait()
        return (now() - start) / calls


def _clock(device: torch.device) -> Callable[[], float]:
    """The clock that `clock_name` names."""
    return time.thread_time if clock_name(device) == THREAD_CLOCK else time.perf_counter


def clock_name(device: torch.device) -> str:
    """What is timed. On a CPU the processor time of the thread: waiting while other visitors compute does not count.

    An accelerator computes beside the thread, and some systems count processor time too coarsely: there the wall clock.
    """
    fine = time.get_clock_info("thread_time").resolution <= 1e-6
    return THREAD_CLOCK if device.type == "cpu" and fine else "wall-clock time"


def _page_faults() -> float:
    """Pages this thread has been given by the system so far; NaN where the system does not say (not Linux)."""
    if sys.platform != "linux":
        return np.nan
    return float(resource.getrusage(resource.RUSAGE_THREAD).ru_minflt)


def _waiter(device: torch.device) -> Callable[[], None]:
    """What waits until a device is idle: an accelerator answers before it is done."""
    waiters = {"cuda": torch.cuda.synchronize, "mps": torch.mps.synchronize}
    return waiters.get(device.type, lambda: None)


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for what is measured; before and after, as many as there were."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def measure(sweep: Sweep, *, device: torch.device | None = None) -> Iterator[Measured]:
    """Time every cell of a sweep, first upwards once and then in rounds of a new random order each.

    Yields after every cell, so that it can be stopped; nothing global is changed in between.

    Raises:
        DeviceRefused: if no device is given and `EXPLORER_DEVICE` asks for one that is not there.
    """
    bench = _Bench(sweep, device or pick_device())
    bench.wake()
    yield bench.so_far()
    for row, name in enumerate(NAMES):
        for column, sizes in enumerate(sweep.sizes):
            bench.warm(row, column, name, sizes)
            yield bench.so_far()
    order = np.random.default_rng(0)
    start = time.perf_counter()
    for turn in range(1, sweep.rounds):
        if turn >= 3 and time.perf_counter() - start > sweep.total_seconds:
            break
        for number in order.permutation(len(bench.layers)):
            bench.sample(sorted(bench.layers)[number], turn)
            yield bench.so_far()
    bench.done = bench.total
    yield bench.so_far()


class _Bench:
    """The cells of a sweep while they are being measured."""

    def __init__(self, sweep: Sweep, device: torch.device) -> None:
        self.sweep, self.device, self.dtype = sweep, device, arithmetic(device)
        shape = (len(NAMES), len(sweep.sizes))
        self.seconds = np.full((*shape, sweep.rounds), np.nan)
        self.bytes, self.fresh = np.full(shape, np.nan), np.full(shape, np.nan)
        self.once, self.counting = np.zeros(shape), np.zeros(shape)  # seconds of one call: bare, and counting memory
        self.left_out = np.full(shape, "", dtype="<U8")
        self.layers: dict[tuple[int, int], Layer] = {}
        self.done, self.total = 0, sweep.cells * sweep.rounds

    def wake(self) -> None:
        """Run each layer once, small: the first calls of a process load what the later ones find."""
        with one_thread():
            for name in NAMES:
                small = Sizes(n=2, d=8)
                peak_bytes(self._layer(name, small))
                seconds(self._layer(name, small))

    def warm(self, row: int, column: int, name: str, sizes: Sizes) -> None:
        """Build a cell, run it once, count its memory, time it; or say why it is left out."""
        self.left_out[row, column] = self._too_much(row, column, name, sizes)
        if self.left_out[row, column]:
            self.done += self.sweep.rounds
            return
        with one_thread():
            built = self.layers[row, column] = self._layer(name, sizes)
            first = seconds(built)
            if self._soon(self.counting, row, column, share=0.5):
                now = _clock(self.device)
                start = now()
                self.bytes[row, column] = peak_bytes(built)
                self.counting[row, column] = now() - start
        self.sample((row, column), 0)
        self.once[row, column] = min(first, self.seconds[row, column, 0])

    def _layer(self, name: str, sizes: Sizes) -> Layer:
        return layer(name, module(name, sizes).to(self.device, self.dtype), sizes)

    def sample(self, cell: tuple[int, int], turn: int) -> None:
        """Time one cell once: one call, or as many as make a sample long enough to be timed."""
        with one_thread():
            once = np.nanmin(self.seconds[cell]) if turn else seconds(self.layers[cell])
            calls = min(MOST_CALLS, max(1, ceil(SAMPLE_SECONDS / once)))
            faults = _page_faults()
            self.seconds[(*cell, turn)] = seconds(self.layers[cell], calls)
            self.fresh[cell] = np.fmin(self.fresh[cell], (_page_faults() - faults) * _PAGE / calls)
        self.done += 1

    def _too_much(self, row: int, column: int, name: str, sizes: Sizes) -> str:
        """Why a cell would be more than a visitor may ask, judged by its formula and by the smaller one before."""
        if cost(name, sizes).peak * self.dtype.itemsize > PEAK_BYTES:
            return "memory"
        if column and self.left_out[row, column - 1]:
            return str(self.left_out[row, column - 1])
        return "" if self._soon(self.once, row, column) else "time"

    def _soon(self, took: npt.NDArray[np.float64], row: int, column: int, *, share: float = 1.0) -> bool:
        """Whether a call will end within a share of the limit if it grows by its operations from the size before."""
        if column == 0:
            return True
        grown, before = (cost(NAMES[row], self.sweep.sizes[place]).operations for place in (column, column - 1))
        expected = took[row, column - 1] * grown / before
        return bool(0 < expected <= share * CALL_SECONDS)

    def so_far(self) -> Measured:
        """What is measured by now, frozen."""
        rounds = int(np.isfinite(self.seconds).sum(-1).max())
        record = TimingRecord(
            names=NAMES,
            axis=self.sweep.axis,
            values=tuple(getattr(sizes, self.sweep.axis) for sizes in self.sweep.sizes),
            seconds=self.seconds,
            peak_bytes=self.bytes,
            fresh_bytes=self.fresh,
            left_out=tuple(tuple(map(str, row)) for row in self.left_out),
            provenance=self._provenance(rounds),
        )
        return Measured(record=record, done=self.done, total=self.total)

    def _provenance(self, rounds: int) -> Provenance:
        first = self.sweep.sizes[0]
        fixed = f"d {first.d}" if self.sweep.axis == "n" else f"n {first.n}"
        detail = f"{fixed}, kernel {first.kernel}, {first.heads} heads, batch 1, PyTorch {torch.__version__}, 1 thread"
        return Provenance(
            computed_by="explorer.inference.timing.measure",
            device=self.device.type,
            dtype=str(self.dtype).removeprefix("torch."),
            seed=0,
            detail=f"{detail}, {clock_name(self.device)}, up to {rounds} rounds",
        )
