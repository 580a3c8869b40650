"""“Efficient attention”: time and memory over n on this machine, their exponents, and where the memory ends."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.polynomial import Polynomial

from explorer.inference.benchmark import timing
from explorer.inference.benchmark.power_law import power_law
from explorer.inference.benchmark.timing import CALL_SECONDS, PEAK_BYTES
from explorer.lessons.efficient_attention import length_sweep
from explorer.lessons.efficient_attention.length_sweep import LengthSweep
from explorer.lessons.efficient_attention.readings import mechanism_names
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.timing import PowerLaw, TimingRecord
from explorer.records.wording import join_sentences, said_size, said_time

#: Memory that a reader may allow, in MiB.
ALLOWED = tuple(2**power for power in range(4, 15))
#: The ways that are drawn if not all are.
FEW = ("plain", "sdpa_flash", "window", "linear")
#: What is measured at once, so that there is something to see: the longest text, and how often.
AT_ONCE, ROUNDS = 1024, 3
#: Kernels of PyTorch that are no product of ours, by the name of their backend.
KERNELS = {"math": "SDPA math", "flash": "SDPA flash", "efficient": "SDPA memory-efficient", "cudnn": "SDPA cuDNN"}


def glance(asked: LengthSweep) -> TimingRecord:
    """Return time and memory of every way at short lengths, measured in a few rounds: seconds, not a minute."""
    short = replace(asked, values=tuple(each for each in asked.values if each <= AT_ONCE), rounds=ROUNDS)
    *_, last = timing.measure(short)
    return last.record


def only(record: TimingRecord, names: Sequence[str]) -> TimingRecord:
    """Return the record of some of its ways."""
    rows = [record.names.index(name) for name in names]
    return replace(
        record,
        names=tuple(names),
        seconds=record.seconds[rows],
        peak_bytes=record.peak_bytes[rows],
        fresh_bytes=record.fresh_bytes[rows],
        left_out=tuple(record.left_out[row] for row in rows),
    )


def cut(record: TimingRecord, name: str, longest: int) -> TimingRecord:
    """Return the record with nothing measured of one way beyond a length: a question asks for that."""
    seconds = record.seconds.copy()
    seconds[record.names.index(name), np.array(record.values) > longest] = np.nan
    return replace(record, seconds=seconds)


def everywhere(record: TimingRecord, n: int) -> dict[str, tuple[float, float, bool]]:
    """Return seconds and bytes of every way at a length, and whether they are measured or follow from its laws."""
    found, laws, counted = {}, time_laws(record), memory_counts(record)
    for row, name in enumerate(record.names):
        column = record.values.index(n) if n in record.values else None
        if column is not None and np.isfinite([record.median[row, column], record.peak_bytes[row, column]]).all():
            found[name] = float(record.median[row, column]), float(record.peak_bytes[row, column]), True
        else:
            law, count = laws[name], counted[name]
            seconds = math.nan if law is None else law.factor * float(n) ** law.exponent
            found[name] = seconds, math.nan if count is None else float(count(n)), False
    return found


def nearest_power(times: float) -> str:
    """Return 2, 4 or 8: which of them a growth is nearest to, by ratio."""
    return min(("2", "4", "8"), key=lambda each: abs(math.log(times / int(each))))


def way_names() -> dict[str, str]:
    """Return the ways that are measured, in the reader's language."""
    names = mechanism_names()
    ours = {name: names[name] for name in length_sweep.OURS}
    kernels = {f"sdpa_{backend}": said for backend, said in KERNELS.items()}
    return {
        **ours,
        **kernels,
        "plain": t("plain (ours)"),
        "flash": t("flash (ours, in Python)"),
        "sdpa_flash": t("flash, fused kernel"),
    }


def time_laws(record: TimingRecord) -> dict[str, PowerLaw | None]:
    """Return the exponent of each way's time."""
    return _laws(record, record.median)


def memory_laws(record: TimingRecord) -> dict[str, PowerLaw | None]:
    """Return the exponent of each way's memory."""
    return _laws(record, record.peak_bytes)


def memory_counts(record: TimingRecord) -> dict[str, Polynomial | None]:
    """Return the bytes of each way as a polynomial of n; None for fewer than three lengths.

    Bytes are counted, not timed: so many for every pair of positions, so many for every position, and a rest. The three
    longest lengths tell them. Where less than half of all would be for the pairs, none is: blocks fill unevenly.
    """
    sizes, found = np.array(record.values, float), dict[str, Polynomial | None]()
    for name, row in zip(record.names, record.peak_bytes, strict=True):
        there = np.flatnonzero(np.isfinite(row))[-3:]
        found[name] = None
        if len(there) == 3:
            counted = Polynomial.fit(sizes[there], row[there], 2).convert()
            pairs = counted.degree() == 2 and float(counted.coef[2]) * sizes[there[-1]] ** 2 > row[there[-1]] / 2
            found[name] = counted if pairs else Polynomial.fit(sizes[there[1:]], row[there[1:]], 1).convert()
    return found


def _laws(record: TimingRecord, values: Floats) -> dict[str, PowerLaw | None]:
    sizes = np.array(record.values, float)
    return {name: power_law(sizes, row) for name, row in zip(record.names, values, strict=True)}


def longest(count: Polynomial | None, limit_bytes: float) -> float | None:
    """Return the n at which a way's memory reaches a limit; None where it was not measured, or does not grow."""
    if count is None:
        return None
    ends = np.asarray((count - limit_bytes).roots(), complex).real
    return float(ends.max()) if (ends > 0).any() else None


def announcement(asked: LengthSweep) -> str:
    """Say what measuring will take, said before it begins."""
    return t(
        "{ways} ways at {sizes} lengths, n = {least} to {most:,} ({detail}), each timed up to {rounds} times on one "
        "thread. Left out are cells that would need more than {limit} or longer than {call:g} s for one pass; no new "
        "round begins after {total:g} s."
    ).format(
        ways=len(asked.names),
        sizes=len(asked.values),
        least=asked.values[0],
        most=asked.values[-1],
        detail=t("{heads} heads, d = {d}").format(heads=length_sweep.HEADS, d=length_sweep.D),
        rounds=asked.rounds,
        limit=said_size(PEAK_BYTES),
        call=CALL_SECONDS,
        total=asked.total_seconds,
    )


def describe_time(record: TimingRecord) -> str:
    """Say who is fastest at the shortest and at the longest length, and how much longer twice the text takes."""
    names, sizes, median = way_names(), record.values, record.median
    there = np.flatnonzero(np.isfinite(median).any(0))
    if not len(there):
        return t("Nothing is measured yet.")
    first, last = int(there[0]), int(there[-1])
    fastest = [record.names[int(np.nanargmin(median[:, column]))] for column in (first, last)]
    text = t("Fastest at n = {least}: {first}; at n = {most:,}: {last}.")
    parts = [text.format(least=sizes[first], first=names[fastest[0]], most=sizes[last], last=names[fastest[1]])]
    laws = time_laws(record)
    plain, linear = laws.get("plain"), laws.get("linear")
    if plain and linear:
        text = t(
            "Twice the text: plain attention takes **{plain:.1f}** times as long, linear attention {linear:.1f} times."
        )
        parts.append(text.format(plain=2**plain.exponent, linear=2**linear.exponent))
    return join_sentences(parts)


def describe_here(record: TimingRecord, n: int) -> str:
    """Say what plain attention takes at a length, what the fused kernel takes for the same sum, and who is fastest."""
    names = way_names()
    found = everywhere(record, n)
    found = {name: each for name, each in found.items() if math.isfinite(each[0])}
    if "plain" not in found:
        return t("Nothing is measured yet.")
    seconds, size, measured = found["plain"]
    first = t("At n = {n:,} plain attention takes **{time}** and **{size}**.")
    if not measured:
        first = t("At n = {n:,} plain attention would take about **{time}** and **{size}**.")
    parts = [first.format(n=n, time=said_time(seconds), size=said_size(size))]
    if "sdpa_flash" in found:
        seconds, size, measured = found["sdpa_flash"]
        text = t("The fused kernel does the same sum in {time} and {size}.")
        if not measured:
            text = t("The fused kernel would do the same sum in about {time} and {size}.")
        parts.append(text.format(time=said_time(seconds), size=said_size(size)))
    fastest = min(found, key=lambda name: found[name][0])
    parts.append(t("Fastest: {name}.").format(name=names[fastest]))
    return join_sentences(parts)


def describe_memory(record: TimingRecord, limit_bytes: float) -> str:
    """Say how far each reaches with the memory that is allowed."""
    names = way_names()
    reached = {name: longest(count, limit_bytes) for name, count in memory_counts(record).items()}
    found = {name: n for name, n in reached.items() if n is not None}
    if not found:
        return t("Nothing is measured yet.")
    shortest, farthest = min(found, key=lambda name: found[name]), max(found, key=lambda name: found[name])
    if len(found) == 1:
        said = t("With {limit}, {name} ends at n ≈ {n:,.0f}.")
        return said.format(limit=said_size(limit_bytes), name=names[shortest], n=found[shortest])
    text = t("With {limit}, {shortest} ends at n ≈ {least:,.0f}, {farthest} at n ≈ {most:,.0f}.")
    return text.format(
        limit=said_size(limit_bytes),
        shortest=names[shortest],
        least=found[shortest],
        farthest=names[farthest],
        most=found[farthest],
    )
