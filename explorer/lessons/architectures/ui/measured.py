"""Measured here: time and memory of three layers on this machine, beside the counts."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from explorer.attention.architectures_cost import cost
from explorer.inference.benchmark.timing import TimingProgress, measure
from explorer.inference.device import DeviceRefused, pick_device
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, why_not_as_counted
from explorer.lessons.architectures.compute import crossings, equal_costs, fits, glance
from explorer.lessons.architectures.figures import measured as figures
from explorer.lessons.architectures.live import memory
from explorer.lessons.architectures.ui import controls as widgets, tables
from explorer.records.architectures import CostCurves
from explorer.records.language import t
from explorer.records.timing import TimingRecord
from explorer.ui import cache, choice, job_progress, messages, tables as shared_tables
from explorer.ui.scene import beside, link, picture, predict

CODE = (measure,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Sizes, the one that grows, and what is shown: `here`, `curve` or `memory`."""

    params: lesson.Params
    axis: str
    shown: str


def controls() -> Chosen:
    """Ask what is shown, and for the sizes."""
    shown = choice.ask("ar_beside")
    params, axis = widgets.sizes()
    return Chosen(params=params, axis=axis, shown=shown)


def stage(chosen: Chosen) -> None:
    """Draw what a short measurement found, until a long one is asked for."""
    sweep = chosen.params.sweep(chosen.axis)
    try:
        pick_device()
    except DeviceRefused as refused:
        messages.error(str(refused), ":material/memory:")
        return
    said = t("Measuring on this machine …")
    job_progress.compute_with_progress("ar_glance", glance, sweep, partial(_offered, chosen), said=said)


def _offered(chosen: Chosen, short: TimingRecord) -> None:
    """Draw the short measurement, and offer the long one."""
    job_progress.watch(
        f"ar_measure_{chosen.axis}",
        measure,
        chosen.params.sweep(chosen.axis),
        partial(_found, chosen),
        label=t("Measure every size here"),
        note=t("now: up to {axis} = {most:,}").format(axis=chosen.axis, most=short.values[-1]),
        before=lambda: _draw(chosen, short),
    )


def _found(chosen: Chosen, found: TimingProgress) -> None:
    if found.record.rounds.any():
        _draw(chosen, found.record)


def _draw(chosen: Chosen, record: TimingRecord) -> None:
    """Draw counts and times at the reader's size, or as it grows, or memory; what is asked once it is answered."""
    measured, record = record, _without_recurrence(record) if predict.is_held_back() else record
    curves = cache.compute(lesson.compute, chosen.params).curves[chosen.axis].only(record.values)
    {"here": _here, "curve": _curve, "memory": _memory}[chosen.shown](chosen, record, curves)
    if link.presenting():
        return  # a table is nothing for a room, and would make the page scroll
    said = readings.announcement(chosen.params.sweep(chosen.axis))
    device = t("Device: {device}.").format(device=record.provenance.device)
    with beside.fold(t("How each grows, measured and counted"), ":material/table:", type="compact"):
        beside.show_markdown(shared_tables.markdown(tables.exponents(measured, curves, fits(measured))))
        beside.show_prose("architectures", "measured_table", announcement=f"{said} {device}")


def _here(chosen: Chosen, record: TimingRecord, curves: CostCurves) -> None:
    position = why_not_as_counted.find_place(record, curves)
    size = f"{chosen.axis} = {record.values[position]:,}"
    picture.show_chart(
        "ar_here",
        partial(figures.here, record, curves, position, names=readings.names()),
        title=t("At {size}: counted, and measured").format(size=size),
        reading=why_not_as_counted.describe_here(record, curves),
        table=lambda: tables.tabulate_measurements(record, curves),
        of=(chosen, record.seconds.tobytes()),
        height=picture.Height(less=126),
    )


def _curve(chosen: Chosen, record: TimingRecord, curves: CostCurves) -> None:
    crossed = crossings(record)
    equal = equal_costs(chosen.params, chosen.axis)
    picture.show_chart(
        "ar_time",
        partial(figures.time, record, curves, crossings=crossed, equal=equal, names=readings.names()),
        title=t("Time of a forward pass"),
        note=t("dotted: as the count grows; upright strokes: the middle half of all runs"),
        reading=why_not_as_counted.describe_time(record, curves, crossed),
        table=lambda: tables.tabulate_measurements(record, curves),
        of=(chosen, record.seconds.tobytes()),
        height=picture.Height(less=126),
    )


def _memory(chosen: Chosen, record: TimingRecord, curves: CostCurves) -> None:
    picture.heading(memory.title())
    memory.PICTURE.show(
        "ar_memory",
        partial(memory.pack, record, chosen.params, chosen.axis),
        title=memory.title(),
        reading=readings.describe_memory(record, curves),
        table=lambda: tables.tabulate_measurements(record, curves),
        provenance=record.provenance,
    )


def _without_recurrence(record: TimingRecord) -> TimingRecord:
    """Return it as if the recurrence, which the reader guesses, were not measured yet."""
    hidden = np.array(record.names) == "recurrence"
    return replace(record, seconds=np.where(hidden[:, None, None], np.nan, record.seconds))


def answer() -> predict.Answer:
    """Say which is faster, by the short measurement."""
    params = lesson.Params(n=256)
    record = cache.compute(glance, params.sweep("n"))
    position = record.values.index(params.n)
    took = {name: 1e3 * record.median[record.names.index(name), position] for name in ("attention", "recurrence")}
    counted = {name: cost(name, params.sizes()).operations for name in took}
    return min(took, key=took.__getitem__), {
        "times": f"{counted['attention'] / counted['recurrence']:.1f}",
        **{name: f"{value:.3g}" for name, value in took.items()},
        "ratio": f"{took['recurrence'] / took['attention']:.2g}",
    }
