"""“Architectures compared”: what convolution, recurrence and self-attention cost, by formula and on this machine."""

from dataclasses import replace

import numpy as np

from explorer.attention.architectures_cost import cost, equal_cost
from explorer.inference.benchmark import timing
from explorer.inference.benchmark.power_law import crossing, power_law
from explorer.inference.benchmark.timing import Sweep
from explorer.lessons.architectures.signal_paths import walk
from explorer.lessons.architectures.state import POSITIONS, RANGES, Params, Result
from explorer.records import Provenance
from explorer.records.architectures import DRAWN, CostCurves, PathRecord
from explorer.records.timing import Crossing, PowerLaw, TimingRecord


def compute(params: Params) -> Result:
    """Return every cost at the reader's sizes, and along n and d."""
    return Result(
        params=params,
        costs=tuple(cost(name, params.sizes()) for name in DRAWN),
        curves={axis: _curves(params, axis) for axis in RANGES},
    )


def _curves(params: Params, axis: str) -> CostCurves:
    sizes = params.sweep(axis).sizes
    fixed = f"d {params.d}" if axis == "n" else f"n {params.n}"
    return CostCurves(
        axis=axis,
        at=getattr(params, axis),
        sizes=sizes,
        costs=tuple(tuple(cost(name, each) for each in sizes) for name in DRAWN),
        provenance=Provenance.of(
            cost, dtype="integers", detail=f"{fixed}, kernel {params.kernel}, {params.heads} heads, batch 1"
        ),
    )


def walks(params: Params, source: int, target: int) -> tuple[PathRecord, ...]:
    """Return the shortest way between two positions in each architecture."""
    return tuple(walk(name, POSITIONS, params.kernel, source, target) for name in DRAWN)


#: Largest sizes and rounds of the measurement that is made at once, so that there is something to see.
AT_ONCE, ROUNDS = {"n": 512, "d": 256}, 3


def glance(sweep: Sweep) -> TimingRecord:
    """Return time and memory at the smaller sizes, measured in a few rounds: seconds, not a minute."""
    sizes = tuple(each for each in sweep.sizes if getattr(each, sweep.axis) <= AT_ONCE[sweep.axis])
    *_, last = timing.measure(replace(sweep, sizes=sizes, rounds=ROUNDS))
    return last.record


def fits(record: TimingRecord) -> dict[str, PowerLaw | None]:
    """Return the exponent of each architecture's time."""
    sizes = np.array(record.values, float)
    return {name: power_law(sizes, median) for name, median in zip(record.names, record.median, strict=True)}


def crossings(record: TimingRecord) -> dict[str, Crossing | None]:
    """Return where the time of self-attention crosses that of the other two."""
    sizes = np.array(record.values, float)
    ours = record.seconds[record.names.index("attention")]
    return {
        name: crossing(sizes, ours, times)
        for name, times in zip(record.names, record.seconds, strict=True)
        if name != "attention"
    }


def equal_costs(params: Params, axis: str) -> dict[str, float | None]:
    """Return where self-attention needs as many operations as the other two, by formula."""
    return {name: equal_cost(name, axis, params.sizes()) for name in ("convolution", "recurrence")}
