"""“Architectures compared”: what the measurement says and why it differs from the counts, from the numbers."""

from collections.abc import Mapping

import numpy as np

from explorer.attention.architectures_cost import equal_cost
from explorer.inference.benchmark.power_law import counted_law
from explorer.lessons.architectures.readings import names
from explorer.records.architectures import CostCurves
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.timing import Crossing, PowerLaw, TimingRecord
from explorer.records.wording import FLOAT, capitalise, said_size, spell_large_number


def describe_time(record: TimingRecord, curves: CostCurves, crossings: Mapping[str, Crossing | None]) -> str:
    """Say where the measured curves cross, beside where the counts say; what never crosses is said only by itself."""
    said = names()
    parts: list[str] = []
    apart: list[str] = []
    for name, found in crossings.items():
        theory = equal_cost(name, record.axis, curves.sizes[0])
        where = "" if theory is None else f"{record.axis} = {theory:.4g}"
        by_count = t("by the counts at {where}").format(where=where)
        if found is None:
            ahead = _faster(record, name)
            if ahead is None:
                continue
            text = t("{faster} is faster than {slower} at every size here; the counts cross at {where}.")
            if theory is None:
                text = t("{faster} is faster than {slower} at every size here, as by the counts.")
            slower = said[name if ahead == "attention" else "attention"]
            text = capitalise(text.format(faster=said[ahead], slower=slower, where=where))
            (apart if theory is None else parts).append(text)
            continue
        text = (
            t("Self-attention becomes faster than {name} at {axis} ≈ {at:.0f} ({low:.0f}–{high:.0f}; {count}).")
            if found.cheaper_above
            else t("Self-attention becomes slower than {name} at {axis} ≈ {at:.0f} ({low:.0f}–{high:.0f}; {count}).")
        )
        values = {"at": found.at, "low": found.low, "high": found.high, "axis": record.axis}
        parts.append(text.format(name=said[name], count=by_count, **values))
    return " ".join(parts or apart)


def find_place(record: TimingRecord, curves: CostCurves) -> int:
    """Return which of the measured sizes is nearest to the reader's."""
    return int(np.abs(np.log(np.array(record.values) / curves.at)).argmin())


def describe_here(record: TimingRecord, curves: CostCurves) -> str:
    """Say at the reader's size whether what has more to compute takes longer: self-attention or the recurrence."""
    said, position, both = names(), find_place(record, curves), ("attention", "recurrence")
    counted = {name: curves.along("operations", name)[position] for name in both}
    took = {name: record.median[record.names.index(name), position] for name in both}
    if not np.isfinite(list(took.values())).all():
        return t("At this size not both were measured.")
    less, more = sorted(both, key=counted.__getitem__)
    longer = took[more] >= took[less]
    text = t("{more} has {times} times as much to compute as {less}, and takes **{ratio} times** as long.")
    if not longer:
        text = t("{more} has {times} times as much to compute as {less}, and yet is **{ratio} times as fast**.")
    ratio = took[more] / took[less] if longer else took[less] / took[more]
    return capitalise(
        text.format(
            more=said[more], less=said[less], times=f"{counted[more] / counted[less]:.2g}", ratio=f"{ratio:.2g}"
        )
    )


def _faster(record: TimingRecord, other: str) -> str | None:
    """Say which of self-attention and another is faster at the largest size of both; None before there is one."""
    ours, theirs = (record.median[record.names.index(name)] for name in ("attention", other))
    both = np.flatnonzero(np.isfinite(ours) & np.isfinite(theirs))
    if not len(both):
        return None
    return "attention" if ours[both[-1]] < theirs[both[-1]] else other


def diverging(record: TimingRecord, curves: CostCurves, laws: Mapping[str, PowerLaw | None]) -> list[str]:
    """Return where theory and measurement part, and why: a sentence for each cause that shows in the numbers."""
    found = [_launch(record, curves), _steps(record, curves), _fresh(record, curves, laws)]
    return [sentence for sentence in found if sentence]


def describe_speeds(record: TimingRecord, curves: CostCurves) -> str:
    """Say between which speeds each architecture runs over the sizes that were measured."""
    said, parts = names(), []
    for name, speed in speeds(record, curves).items():
        if np.isfinite(speed).any():
            text = t("{name}: **{least} to {most}** a second")
            values = {
                "least": spell_large_number(float(np.nanmin(speed))),
                "most": spell_large_number(float(np.nanmax(speed))),
            }
            parts.append(text.format(name=said[name], **values))
    return capitalise(t("; ").join(parts) + t("."))


def speeds(record: TimingRecord, curves: CostCurves) -> dict[str, Floats]:
    """Return multiply-adds a second of each architecture at each size; NaN where nothing is measured."""
    return {
        name: curves.along("operations", name) / median
        for name, median in zip(record.names, record.median, strict=True)
    }


def _launch(record: TimingRecord, curves: CostCurves) -> str:
    """Say what of the smallest attention is not arithmetic."""
    speed = speeds(record, curves)["attention"]
    if np.isfinite(speed).sum() < 3:
        return ""
    least, best = int(np.flatnonzero(np.isfinite(speed))[0]), int(np.nanargmax(speed))
    if best == least:
        return ""
    took = record.median[record.names.index("attention"), least]
    arithmetic = curves.along("operations", "attention")[least] / speed[best]
    text = t(
        "**Starting costs.** At {axis} = {least} self-attention took {took:.0f} µs. At its best speed "
        "({speed} multiply-adds a second, reached at {axis} = {best}) its arithmetic would take "
        "{arithmetic:.0f} µs; the other {rest:.0%} go into starting some twenty operators, and into moving numbers."
    )
    if arithmetic < took / 2:
        text += " " + t("There the curve is flat, whatever the count says.")
    return text.format(
        axis=record.axis,
        least=record.values[least],
        best=record.values[best],
        took=1e6 * took,
        speed=spell_large_number(float(speed[best])),
        arithmetic=1e6 * arithmetic,
        rest=1 - arithmetic / took,
    )


def _steps(record: TimingRecord, curves: CostCurves) -> str:
    """Say what one step of the recurrence costs, against its share of arithmetic at the convolution's speed."""
    took = record.median[record.names.index("recurrence")]
    there = np.flatnonzero(np.isfinite(took))
    fastest = float(np.fmax.reduce(speeds(record, curves)["convolution"], initial=0.0))
    if not len(there) or not fastest:
        return ""
    last = there[-1]
    step = took[last] / curves.sizes[last].n
    arithmetic = curves.along("operations", "recurrence")[last] / curves.sizes[last].n / fastest
    text = t(
        "**Waiting costs.** The GRU does one step after another: {step:.1f} µs each at {axis} = {size}. At the speed "
        "the convolution reaches on the same machine, a step’s arithmetic would take {arithmetic:.2f} µs."
    )
    if step > 1.5 * arithmetic:
        text += " " + t("A step alone is too small to fill the machine, and none can begin before the last has ended.")
    return text.format(step=1e6 * step, axis=record.axis, size=record.values[last], arithmetic=1e6 * arithmetic)


def _fresh(record: TimingRecord, curves: CostCurves, laws: Mapping[str, PowerLaw | None]) -> str:
    """Say what becomes of the attention's speed once its matrices are large."""
    speed = speeds(record, curves)["attention"]
    there = np.flatnonzero(np.isfinite(speed))
    if len(there) < 3:
        return ""
    best, last = int(np.nanargmax(speed)), int(there[-1])
    fall = speed[best] / speed[last]
    matrix = said_size(FLOAT * curves.along("matrix", "attention")[last])
    if fall < 1.05:
        return t(
            "**Memory** does not hold self-attention up in this range: nowhere is it faster than at its largest size."
        )
    if fall < 1.25:
        return t(
            "**Memory** hardly holds self-attention up in this range: it is fastest at {axis} = {best} and loses a "
            "factor of {fall:.2f} until {last}."
        ).format(axis=record.axis, best=record.values[best], fall=fall, last=record.values[last])
    text = t(
        "**Memory costs.** From {axis} = {best} to {last} self-attention loses a factor of {fall:.1f} in speed: its "
        "scores and weights, {matrix} each, are written and read again by every operator and no longer fit into the "
        "cache."
    ).format(axis=record.axis, best=record.values[best], last=record.values[last], fall=fall, matrix=matrix)
    fresh = record.fresh_bytes[record.names.index("attention"), last]
    if np.isfinite(fresh) and fresh > 2**20:
        text += " " + t("For each pass the system handed out {fresh} of fresh memory, page by page.").format(
            fresh=said_size(float(fresh))
        )
    law = laws["attention"]
    counted = counted_law(curves, "attention", law)
    if law is not None and counted is not None and law.exponent > counted.exponent + 0.1:
        said = t("So the measured exponent, {exponent:.2f}, lies above that of the count, {counted:.2f}.")
        text += " " + said.format(exponent=law.exponent, counted=counted.exponent)
    return text
