"""Measured here: time and memory over the length of the text, on this machine."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.inference.benchmark import timing
from explorer.inference.benchmark.timing import TimingProgress
from explorer.inference.device import DeviceRefused
from explorer.lessons.efficient_attention import length_sweep, measured as measured_of_lesson
from explorer.lessons.efficient_attention.figures import measured as figures
from explorer.lessons.efficient_attention.length_sweep import LengthSweep
from explorer.lessons.efficient_attention.live import at_length
from explorer.lessons.efficient_attention.ui import tables
from explorer.records.language import t
from explorer.records.timing import TimingRecord
from explorer.ui import cache, choice, job_progress, messages, tables as shared_tables
from explorer.ui.scene import beside, link, picture, predict, rail

CODE = (length_sweep.LengthSweep.operations,)
#: Lengths that the question is about.
ASKED = (256, 512)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Length of the text, whether every way is drawn, what stands beside the times, and bytes that are allowed."""

    n: int
    every: bool
    beside: str
    allowed: float


def controls() -> Chosen:
    """Ask for the length, what stands beside the times, and which ways are drawn."""
    n = choice.select_slider(t("Length of the text, n"), figures.LENGTHS, key="ea_n")
    names = {"here": t("at this n"), "memory": t("memory over n")}
    beside = choice.buttons(t("Beside it"), names, key="ea_shown_beside")
    every = choice.toggle(t("Every way"), key="ea_every")
    with rail.more():
        allowed = choice.select_slider(t("Memory allowed (MiB)"), measured_of_lesson.ALLOWED, key="ea_allowed")
    return Chosen(n=n, every=every, beside=beside, allowed=allowed * 2.0**20)


def stage(chosen: Chosen) -> None:
    """Draw what a short measurement found, until a long one is asked for."""
    try:
        asked = length_sweep.sweep()
    except DeviceRefused as refused:
        messages.error(str(refused), ":material/memory:")
        return
    with st.spinner(t("Measuring on this machine …")):
        glance = cache.compute(measured_of_lesson.glance, asked)
    job_progress.watch(
        "ea_measure",
        timing.measure,
        asked,
        partial(_found, asked, glance, chosen),
        label=t("Measure longer texts here"),
        note=t("now: up to n = {n:,}").format(n=glance.values[-1]),
        before=partial(_draw, asked, glance, chosen, 0),
    )


def _found(asked: LengthSweep, glance: TimingRecord, chosen: Chosen, found: TimingProgress) -> None:
    """Draw the long measurement as soon as each way has been timed at three lengths; then its exponents."""
    if (found.record.rounds > 0).sum(1).min() < 3:
        _draw(asked, glance, chosen, 0)
    else:
        _draw(asked, found.record, chosen, found.done)


def _draw(asked: LengthSweep, record: TimingRecord, chosen: Chosen, done: int) -> None:
    """Draw times over n, and beside them the chosen length, or memory over n."""
    names = record.names if chosen.every else tuple(each for each in measured_of_lesson.FEW if each in record.names)
    some, said = measured_of_lesson.only(record, names), measured_of_lesson.way_names()
    waits = predict.is_held_back()
    drawn = measured_of_lesson.cut(some, "plain", ASKED[0]) if waits else some
    found = _every_length(drawn)[figures.LENGTHS.index(chosen.n)]
    over, second = st.columns([6, 5], gap="medium")
    with over:
        picture.show_chart(
            "ea_time",
            partial(figures.time, drawn, chosen.n, measured_of_lesson.time_laws(drawn), found, names=said),
            title=t("Time for one pass"),
            note=t("{heads} heads of {d}, both axes logarithmic").format(heads=length_sweep.HEADS, d=length_sweep.D),
            reading=measured_of_lesson.describe_time(some),
            table=lambda: tables.tabulate_measurements(record),
            provenance=record.provenance,
            of=(chosen.n, chosen.every, waits, done, record.seconds.tobytes()),
            height=picture.Height(less=110, less_low=119),
        )
    with second:
        if chosen.beside == "memory":
            _memory(record, some, chosen, done)
        else:
            _here(record, some, chosen)
    if link.presenting():
        return  # a table is nothing for a room, and would make the page scroll
    with beside.fold(t("How each grows, and where the memory ends"), ":material/table:", type="compact"):
        laws = measured_of_lesson.time_laws(record), measured_of_lesson.memory_laws(record)
        beside.show_markdown(shared_tables.markdown(tables.laws(record, *laws, chosen.allowed)))
        beside.show_prose("efficient_attention", "measured_table", announcement=measured_of_lesson.announcement(asked))


def _memory(record: TimingRecord, some: TimingRecord, chosen: Chosen, done: int) -> None:
    """Draw memory over n of some ways, and the memory that is allowed."""
    laws, said = measured_of_lesson.memory_laws(some), measured_of_lesson.way_names()
    picture.show_chart(
        "ea_memory",
        partial(figures.memory, some, laws, limit_bytes=chosen.allowed, names=said),
        title=t("Memory over n"),
        reading=measured_of_lesson.describe_memory(some, chosen.allowed),
        table=lambda: tables.tabulate_measurements(record),
        provenance=record.provenance,
        of=(chosen.allowed, chosen.every, done, record.seconds.tobytes()),
        height=picture.Height(less=110, less_low=119),
    )


def _here(record: TimingRecord, some: TimingRecord, chosen: Chosen) -> None:
    """Draw some ways at the chosen length; the picture follows the slider."""
    at_length.PICTURE.show(
        "ea_here",
        partial(at_length.pack, _every_length(some), chosen.n, names=measured_of_lesson.way_names()),
        title=t("At n = {n}: time, and memory as areas").format(n=f"{chosen.n:,}"),
        reading=measured_of_lesson.describe_here(some, chosen.n),
        table=lambda: tables.tabulate_measurements(record),
        provenance=record.provenance,
    )


def _every_length(record: TimingRecord) -> list[dict[str, figures.Here]]:
    """Return time and memory at each length of the slider; computed once for a record."""
    at_each = partial(measured_of_lesson.everywhere, record)
    return cache.once(lambda: [*map(at_each, figures.LENGTHS)], "ea_lengths", record.names, record.seconds.tobytes())


def answer() -> predict.Answer:
    """Say how much longer twice the text takes, by the short measurement."""
    record = cache.compute(measured_of_lesson.glance, length_sweep.sweep())
    first, second = (record.values.index(n) for n in ASKED)
    plain, linear = (1e3 * record.median[record.names.index(name)] for name in ("plain", "linear"))
    times = plain[second] / plain[first]
    return measured_of_lesson.nearest_power(times), {
        "before": f"{plain[first]:.2g}",
        "after": f"{plain[second]:.2g}",
        "times": f"{times:.1f}",
        "linear": f"{linear[second] / linear[first]:.1f}",
    }
