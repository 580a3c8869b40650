"""Numbers of this process for whoever runs it, as Prometheus reads them: how many and how long, no word of a reader."""

import logging
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

#: Name, kind and meaning of each. Seconds are histograms, whose bounds are `BOUNDS_S`.
FAMILIES = {
    "explorer_readers": ("gauge", "Pages that are open and connected."),
    "explorer_rooms": ("gauge", "Rooms with a wall, a remote control or a phone at this process."),
    "explorer_seats": ("gauge", "Phones in rooms at this process."),
    "explorer_waiting": ("gauge", "Orders that wait in a queue."),
    "explorer_workers_lost_total": ("counter", "Workers that ended, or had to be ended, in the middle of work."),
    "explorer_store_away_total": ("counter", "Orders in rooms that were put off: the store did not answer."),
    "explorer_run_seconds": ("histogram", "From the beginning of a page's run, or a fragment's, to its end."),
    "explorer_translation_seconds": ("histogram", "From the ask for a sentence to its translation."),
}
BOUNDS_S = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Times:
    total_s: float = 0.0
    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))


class Metrics:
    """Numbers by name and label. Any thread may call anything."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gauges: dict[tuple[str, str], Callable[[], int]] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._times: dict[tuple[str, str], _Times] = {}

    def watch(self, name: str, read: Callable[[], int], label: str = "") -> None:
        """Have a number read whenever somebody asks; `label` is `name="value"`."""
        with self._lock:
            self._gauges[name, label] = read

    def count(self, name: str, label: str = "") -> None:
        """Count one more."""
        with self._lock:
            self._counts[name, label] += 1

    def time(self, name: str, seconds: float, label: str = "") -> None:
        """Note how long something took."""
        with self._lock:
            times = self._times.setdefault((name, label), _Times())
            times.total_s += seconds
            times.counts[bisect_left(BOUNDS_S, seconds)] += 1

    def write(self) -> str:
        """Write all numbers in Prometheus' text format, version 0.0.4."""
        with self._lock:
            gauges, counts = dict(self._gauges), dict(self._counts)
            times = {key: _Times(each.total_s, list(each.counts)) for key, each in self._times.items()}
        samples: dict[str, list[str]] = {name: [] for name in FAMILIES}
        for (name, label), read in gauges.items():
            samples[name].append(_sample(name, label, read()))
        for (name, label), number in counts.items():
            samples[name].append(_sample(name, label, number))
        for (name, label), each in times.items():
            samples[name] += _histogram(name, label, each)
        lines: list[str] = []
        for name, (kind, meaning) in FAMILIES.items():
            bare = [_sample(name, "", 0)] if kind == "counter" and not samples[name] else []
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}", *samples[name], *bare]
        return "\n".join(lines) + "\n"


def _sample(name: str, label: str, number: float) -> str:
    return f"{name}{{{label}}} {number}" if label else f"{name} {number}"


def _histogram(name: str, label: str, times: _Times) -> Iterator[str]:
    so_far, before = 0, f"{label}," if label else ""
    for bound, number in zip((*map("{:g}".format, BOUNDS_S), "+Inf"), times.counts, strict=True):
        so_far += number
        yield _sample(f"{name}_bucket", f'{before}le="{bound}"', so_far)
    yield _sample(f"{name}_sum", label, round(times.total_s, 6))
    yield _sample(f"{name}_count", label, so_far)


#: Of this process.
METRICS = Metrics()


def note_loss(worker: str) -> None:
    """Note that a worker process ended, or had to be ended, in the middle of its work."""
    METRICS.count("explorer_workers_lost_total", f'worker="{worker}"')
    _LOG.warning("a worker was lost: %s", worker)
