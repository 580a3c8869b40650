"""“Architectures compared”: what its figures say, computed from their numbers."""

import numpy as np

from explorer.attention.architectures_cost import cost
from explorer.inference.benchmark.timing import CALL_SECONDS, PEAK_BYTES, Sweep
from explorer.lessons.architectures.state import Result
from explorer.records.architectures import NAMES, CostCurves, PathRecord
from explorer.records.language import t
from explorer.records.timing import TimingRecord
from explorer.records.wording import FLOAT, said_size, spell_large_number

#: Exponents of n and of d in table 1 of Vaswani et al. (2017).
TABLE_1 = {
    "n": {"convolution": 1, "recurrence": 1, "attention": 2},
    "d": {"convolution": 2, "recurrence": 2, "attention": 1},
}

#: A formula that is off by a smaller share holds: it would be written as 0.0%.
EXACT = 0.0005


def names() -> dict[str, str]:
    """Return what the architectures are called."""
    return {
        "convolution": t("convolution"),
        "dilated": t("dilated convolution"),
        "recurrence": t("recurrence"),
        "attention": t("self-attention"),
    }


def said_costs(result: Result) -> dict[str, dict[str, str]]:
    """Return the costs at the reader's sizes as text: for each architecture, what each quantity is."""
    said, titles = {}, names()
    for each in result.costs:
        said[titles[each.name]] = {
            t("multiply-adds per layer"): f"{each.operations:,}",
            t("steps in sequence"): f"{each.sequential:,}",
            t("longest path (steps)"): f"{each.longest_path:,}",
            t("multiply-adds until the last position depends on the first"): f"{each.operations_across:,}",
            t("parameters"): f"{each.parameters:,} ({said_size(FLOAT * each.parameters)})",
            t("activations at once"): said_size(FLOAT * each.peak),
            t("of these, attention matrix (all heads)"): said_size(FLOAT * each.matrix) if each.matrix else "–",
        }
    return said


def describe_costs(result: Result) -> str:
    """Say what self-attention needs beside the recurrence."""
    ours, theirs = result.cost("attention"), result.cost("recurrence")
    times = ours.operations / theirs.operations
    text = t("Self-attention needs **{ours}** multiply-adds, **{times:.2g} times** the recurrence.")
    if f"{times:.2g}" == "1":
        text = t("Self-attention needs **{ours}** multiply-adds, **about as many as** the recurrence.")
    return text.format(ours=spell_large_number(ours.operations), times=times)


def describe_pairs(result: Result) -> str:
    """Say how much of self-attention compares pairs."""
    ours = result.cost("attention")
    share = ours.compared / ours.operations
    return t("**{share:.0%}** of self-attention’s multiply-adds compare pairs.").format(share=share)


def describe_counted(result: Result, counted: str) -> str:
    """Say what each architecture costs at the reader's sizes, where no operations are counted."""
    title = {
        "peak": t("activations at once"),
        "sequential": t("steps in sequence"),
        "longest_path": t("longest path (steps)"),
    }[counted]
    each = t("; ").join(f"{name} **{costs[title]}**" for name, costs in said_costs(result).items())
    return t("At n = {n}, d = {d}, {counted}: {each}.").format(
        n=result.params.n, d=result.params.d, counted=title, each=each
    )


def describe_kept(result: Result) -> str:
    """Say how much of what self-attention keeps are scores and weights."""
    ours = result.cost("attention")
    return t("**{share:.0%}** of what self-attention keeps are scores and weights.").format(
        share=2 * ours.matrix / ours.peak
    )


def describe_paths(records: tuple[PathRecord, ...], step: int) -> str:
    """Say who has arrived after some steps, who is under way, and where no way leads."""
    if not step:
        return t("The signal has not left yet. Press ▸: where does it arrive first?")
    said, parts = names(), []
    for record in sorted(records, key=lambda each: (each.waits is None, each.waits or 0)):
        arrives, name = record.waits, said[record.name]
        if arrives is None:
            parts.append(t("{name}: no way back").format(name=name))
        elif arrives <= step:
            text = t("{name}: arrived after **{count}**")
            parts.append(text.format(name=name, count=arrives))
        else:
            parts.append(t("{name}: under way").format(name=name))
    text = t("After {step} step: {parts}.") if step == 1 else t("After {step} steps: {parts}.")
    return text.format(step=step, parts=t("; ").join(parts))


def announcement(sweep: Sweep) -> str:
    """Say what measuring will take, said before it begins."""
    asked = [FLOAT * cost(name, sizes).peak for name in NAMES for sizes in sweep.sizes]
    within = [size for size in asked if size <= PEAK_BYTES]
    return t(
        "{cells} cells, each timed up to {rounds} times on one thread, with at most {largest} at once. Left out are "
        "cells that would need more than {limit} (here {left}) or longer than {call:g} s for one forward pass; no new "
        "round begins after {total:g} s."
    ).format(
        cells=sweep.cells,
        rounds=sweep.rounds,
        largest=said_size(max(within)),
        left=len(asked) - len(within),
        limit=said_size(PEAK_BYTES),
        call=CALL_SECONDS,
        total=sweep.total_seconds,
    )


def describe_memory(record: TimingRecord, curves: CostCurves) -> str:
    """Say what the attention matrix takes, and whether the formulas hold."""
    matrix, peak = (FLOAT * curves.along(quantity, "attention")[-1] for quantity in ("matrix", "peak"))
    parts = [
        t("At {axis} = {size} self-attention keeps {peak} at once, {share:.0%} of it scores and weights.").format(
            axis=curves.axis, size=curves.values[-1], peak=said_size(peak), share=2 * matrix / peak
        )
    ]
    if np.isfinite(record.peak_bytes).any():
        width = FLOAT if record.provenance.dtype == "float32" else FLOAT // 2
        expected = width * np.array([curves.along("peak", name) for name in record.names])
        apart = np.nanmax(np.abs(record.peak_bytes / expected - 1))
        counted = int(np.isfinite(record.peak_bytes).sum())
        holds = t("{cells} cells were measured, and the formula holds.")
        off = t("{cells} cells were measured: at most {apart:.1%} off the formula.")
        parts.append((holds if apart < EXACT else off).format(cells=counted, apart=apart))
    return " ".join(parts)
