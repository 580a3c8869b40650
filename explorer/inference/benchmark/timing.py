"""Forward time, measured honestly: warm, on one thread, in shuffled order, every repetition kept."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt
import torch

from explorer.attention.architectures_cost import cost
from explorer.inference.benchmark.clock import PAGE, clock, clock_name, one_thread, page_faults, seconds
from explorer.inference.benchmark.layers import Layer, layer, module
from explorer.inference.benchmark.peak_memory import peak_bytes
from explorer.inference.benchmark.sweep import Measurable
from explorer.inference.device import arithmetic, pick_device
from explorer.records import Provenance
from explorer.records.architectures import NAMES, LayerSizes
from explorer.records.timing import TimingRecord

#: What a visitor may ask of a shared machine: one forward pass, its memory, and all of it together.
CALL_SECONDS, PEAK_BYTES, TOTAL_SECONDS = 0.25, 256 * 2**20, 25.0
#: Each cell is timed once a round. A sample is at least this long, so that the clock's own cost does not count.
ROUNDS, SAMPLE_SECONDS, MOST_CALLS = 9, 0.004, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """A sweep over every architecture at every size.

    Attributes:
        axis: `n` or `d`: what grows.
        sizes: ascending along the axis.
        rounds: how often each cell is timed.
        total_seconds: after this long no new round begins (three are always done).
    """

    axis: str
    sizes: tuple[LayerSizes, ...]
    rounds: int = ROUNDS
    total_seconds: float = TOTAL_SECONDS

    @property
    def cells(self) -> int:
        """Architectures times sizes."""
        return len(NAMES) * len(self.sizes)

    @property
    def names(self) -> tuple[str, ...]:
        """The architectures."""
        return NAMES

    @property
    def values(self) -> tuple[int, ...]:
        """The sizes along the axis."""
        return tuple(getattr(sizes, self.axis) for sizes in self.sizes)

    @property
    def detail(self) -> str:
        """Name what stays the same."""
        first = self.sizes[0]
        fixed = f"d {first.d}" if self.axis == "n" else f"n {first.n}"
        return f"{fixed}, kernel {first.kernel}, {first.heads} heads"

    def operations(self, name: str, column: int) -> float:
        """Multiply-adds, by formula."""
        return float(cost(name, self.sizes[column]).operations)

    def peak(self, name: str, column: int) -> float:
        """Numbers alive at once, by formula."""
        return float(cost(name, self.sizes[column]).peak)

    def build(self, name: str, column: int | None, device: torch.device, dtype: torch.dtype) -> Layer:
        """A layer and its input."""
        sizes = LayerSizes(n=2, d=8) if column is None else self.sizes[column]
        return layer(name, module(name, sizes).to(device, dtype), sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingProgress:
    """A measurement so far, and how far it has come."""

    record: TimingRecord
    done: int
    total: int


def measure(sweep: Measurable, *, device: torch.device | None = None) -> Iterator[TimingProgress]:
    """Time every cell of a sweep, first upwards once and then in rounds of a new random order each.

    Yields after every cell, so that it can be stopped; nothing global is changed in between.

    Raises:
        DeviceRefused: if no device is given and `EXPLORER_DEVICE` asks for one that is not there.
    """
    bench = _Bench(sweep, device or pick_device())
    yield bench.so_far()
    bench.wake()
    for row, name in enumerate(sweep.names):
        for column in range(len(sweep.values)):
            bench.warm(row, column, name)
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

    def __init__(self, sweep: Measurable, device: torch.device) -> None:
        self.sweep, self.device, self.dtype = sweep, device, arithmetic(device)
        shape = (len(sweep.names), len(sweep.values))
        self.seconds = np.full((*shape, sweep.rounds), np.nan)
        self.bytes, self.fresh = np.full(shape, np.nan), np.full(shape, np.nan)
        self.once, self.counting = np.zeros(shape), np.zeros(shape)  # seconds of one call: bare, and counting memory
        self.left_out = np.full(shape, "", dtype="<U8")
        self.layers: dict[tuple[int, int], Layer] = {}
        self.done, self.total = 0, shape[0] * shape[1] * sweep.rounds

    def wake(self) -> None:
        """Run each layer once, small: the first calls of a process load what the later ones find."""
        with one_thread():
            for name in self.sweep.names:
                peak_bytes(self._layer(name))
                seconds(self._layer(name))

    def warm(self, row: int, column: int, name: str) -> None:
        """Build a cell, run it once, count its memory, time it; or say why it is left out."""
        self.left_out[row, column] = self._too_much(row, column, name)
        if self.left_out[row, column]:
            self.done += self.sweep.rounds
            return
        with one_thread():
            built = self.layers[row, column] = self._layer(name, column)
            first = seconds(built)
            if self._soon(self.counting, row, column, share=0.5):
                now = clock(self.device)
                start = now()
                self.bytes[row, column] = peak_bytes(built)
                self.counting[row, column] = now() - start
        self.sample((row, column), 0)
        self.once[row, column] = min(first, self.seconds[row, column, 0])

    def _layer(self, name: str, column: int | None = None) -> Layer:
        return self.sweep.build(name, column, self.device, self.dtype)

    def sample(self, cell: tuple[int, int], turn: int) -> None:
        """Time one cell once: one call, or as many as make a sample long enough to be timed."""
        with one_thread():
            once = np.nanmin(self.seconds[cell]) if turn else seconds(self.layers[cell])
            calls = min(MOST_CALLS, max(1, ceil(SAMPLE_SECONDS / once)))
            faults = page_faults()
            self.seconds[(*cell, turn)] = seconds(self.layers[cell], calls)
            self.fresh[cell] = np.fmin(self.fresh[cell], (page_faults() - faults) * PAGE / calls)
        self.done += 1

    def _too_much(self, row: int, column: int, name: str) -> str:
        """Say why a cell would be more than a visitor may ask, judged by its formula and by the smaller one before."""
        if self.sweep.peak(name, column) * self.dtype.itemsize > PEAK_BYTES:
            return "memory"
        if column and self.left_out[row, column - 1]:
            return str(self.left_out[row, column - 1])
        return "" if self._soon(self.once, row, column) else "time"

    def _soon(self, took: npt.NDArray[np.float64], row: int, column: int, *, share: float = 1.0) -> bool:
        """Tell whether a call will end within a share of the limit, grown by its operations from the size before."""
        if column == 0:
            return True
        grown, before = (self.sweep.operations(self.sweep.names[row], position) for position in (column, column - 1))
        expected = took[row, column - 1] * grown / before
        return bool(0 < expected <= share * CALL_SECONDS)

    def so_far(self) -> TimingProgress:
        """Return what is measured by now, frozen."""
        rounds = int(np.isfinite(self.seconds).sum(-1).max())
        record = TimingRecord(
            names=self.sweep.names,
            axis=self.sweep.axis,
            values=self.sweep.values,
            seconds=self.seconds,
            peak_bytes=self.bytes,
            fresh_bytes=self.fresh,
            left_out=tuple(tuple(map(str, row)) for row in self.left_out),
            provenance=self._provenance(rounds),
        )
        return TimingProgress(record=record, done=self.done, total=self.total)

    def _provenance(self, rounds: int) -> Provenance:
        detail = f"{self.sweep.detail}, batch 1, PyTorch {torch.__version__}, 1 thread"
        return Provenance.of(
            measure,
            device=self.device.type,
            dtype=str(self.dtype).removeprefix("torch."),
            seed=0,
            detail=f"{detail}, {clock_name(self.device)}, up to {rounds} rounds",
        )
