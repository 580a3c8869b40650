"""“Training lab”: what its figures say, computed from their numbers."""

from collections.abc import Mapping, Sequence

from explorer.lessons.training_lab.records import LabCurve
from explorer.lessons.training_lab.state import Result
from explorer.records.language import t
from explorer.records.training_run import LabProgress, LabTrace
from explorer.records.wording import token
from explorer.training.lab.estimate import Estimate

#: The share of exact answers that counts as learned.
LEARNED = 0.99
#: Trainings that a reading speaks of.
MOST_SAID = 4


def said_time(seconds: int | float) -> str:
    """Say a duration in the unit that suits it."""
    if seconds < 90:
        return t("{seconds:.0f} s").format(seconds=seconds)
    return t("{minutes:.1f} min").format(minutes=seconds / 60)


def said_examples(result: Result) -> str:
    """Say how many examples there are to learn from: of a task that makes them anew for each seed, about."""
    if result.params.table is not None:
        return f"{result.n_train:,}"
    return t("about {n}").format(n=f"{float(f'{result.n_train:.2g}'):,.0f}")


def said_cost(cost: Estimate | None, minutes: int | float, *, failed: bool = False) -> str:
    """Say what a training will take on this machine; `failed`: no estimate will come any more."""
    if cost is None:
        return t("its time could not be estimated") if failed else t("its time is being estimated …")
    said = t("about {time}, if nothing else keeps this machine busy").format(time=said_time(cost.seconds))
    if not cost.within_minutes:
        said = t("not all of its steps within {minutes:g} minutes on this machine").format(minutes=minutes)
    return said + t("; {size:.0f} MB of weights are kept while you look").format(size=cost.size_bytes / 1e6)


def said_phase(progress: LabProgress, most_training: int) -> str:
    """Say where a training stands, and why it ended."""
    if progress.phase == "waiting":
        return t("{training} are training; you are number {position} of those that wait.").format(
            training=most_training, position=progress.place_in_line
        )
    if progress.phase == "failed":
        return {
            "diverged": t("It broke off: the loss is no number any more. Try a lower learning rate."),
            "memory": t("It broke off: it needed more memory than a training may take. Try a smaller model or batch."),
            "lost": t("The machine that trained it is lost; what came before stays. It can begin again."),
        }.get(progress.reason, t("It broke off ({reason}).").format(reason=progress.reason))
    if progress.phase == "stopped":
        stopped = t("Stopped before its first step.")
        if progress.snapshots:
            stopped = t("Stopped at step {step}; what was computed stays.")
        return {
            "abandoned": t("Stopped: nobody was looking any more."),
            "time": t("Stopped: its time was over."),
        }.get(progress.reason, stopped.format(step=progress.step))
    if progress.phase == "done":
        by_time = t("Its time was up at step {step} of {total}.")
        said = by_time if progress.reason == "time" else t("Done: {step} steps in {time}.")
        return said.format(step=progress.step, total=progress.total_steps, time=said_time(progress.seconds))
    return {
        "starting": t("Starting: the examples are made, and PyTorch is loaded …"),
        "training": t("Training: step {step} of {total}."),
        "paused": t("Resting at step {step} of {total}."),
        "stopping": t("Stopping …"),
    }[progress.phase].format(step=progress.step, total=progress.total_steps)


def describe_lengths(runs: Sequence[tuple[str, Mapping[int, tuple[int, int]]]]) -> str:
    """Say how many of the longest sources each training has right."""
    last = min(max(counts) for _, counts in runs)
    names = tell_apart([name for name, _ in runs])
    each = [
        f"{name} **{counts[last][1] / counts[last][0]:.0%}**" for name, (_, counts) in zip(names, runs, strict=True)
    ]
    return t("Right at length {last}: {each}.").format(last=last, each=t("; ").join(each))


def describe_curves(runs: tuple[LabCurve, ...], *, along: str = "step") -> str:
    """Say when each training had learned its task, or how far it is."""
    measured = [run for run in runs if run.points]
    if not measured:
        return t("No point is measured yet.")
    if len(measured) == 1:
        return _reached(measured[0])
    names = tell_apart([run.name for run in measured])
    said = [f"{name}: {_briefly(run, along)}" for name, run in list(zip(names, measured, strict=True))[:MOST_SAID]]
    whole = t("; ").join(said) + t(".")
    return whole[0].upper() + whole[1:]


def tell_apart(names: Sequence[str]) -> list[str]:
    """Return what tells trainings apart: their names without the parts that all of them share."""
    parts = [name.split(" · ") for name in names]
    if len({len(each) for each in parts}) > 1:
        return list(names)
    own = [
        [part for part, column in zip(each, zip(*parts, strict=True), strict=True) if len(set(column)) > 1]
        for each in parts
    ]
    return [" · ".join(each) if each else name for each, name in zip(own, names, strict=True)]


def _reached(run: LabCurve) -> str:
    first = next((point for point in run.points if point.accuracy >= LEARNED), None)
    last = run.points[-1]
    if first is not None:
        return t(
            "{share} of the held-out examples exact after {time} (step {step}); at step {last} it is {now}."
        ).format(
            share=f"{first.accuracy:.1%}",
            time=said_time(first.seconds),
            step=first.step,
            last=last.step,
            now=f"{last.accuracy:.1%}",
        )
    if len(run.points) == 1:
        said = t("{share} of the held-out examples exact at step {step}, after {time}; the loss is {to}.")
    else:
        said = t(
            "{share} of the held-out examples exact at step {step}, after {time}; the loss went from {from_} to {to}."
        )
    return said.format(
        share=f"{last.accuracy:.1%}",
        step=last.step,
        time=said_time(last.seconds),
        from_=f"{run.points[0].loss:.2f}",
        to=f"{last.loss:.3g}",
    )


def _briefly(run: LabCurve, along: str) -> str:
    first = next((point for point in run.points if point.accuracy >= LEARNED), None)
    shown = first or run.points[-1]
    share = f"{LEARNED if first else shown.accuracy:.0%}"
    if along == "seconds":
        return t("**{share}** exact after {time}").format(share=share, time=said_time(shown.seconds))
    return t("**{share}** exact at step {step}").format(share=share, step=shown.step)


def describe_trace(trace: LabTrace) -> str:
    """Say what a model writes, and where it looks most; without attention, where it is least sure."""
    if not trace.crosses:
        return describe_sureness(trace)
    weights = trace.crosses[-1].weights.mean(0)
    row, column = divmod(int(weights.argmax()), weights.shape[1])
    record = trace.crosses[-1]
    return f"{said_output(trace)} " + t("For “{query}” it looks most at “{key}” (**{weight}**).").format(
        query=token(record.query_labels[row]),
        key=token(record.key_labels[column]),
        weight=f"{weights[row, column]:.0%}",
    )


def said_output(trace: LabTrace) -> str:
    """Say what the model writes, and whether it is right."""
    if trace.right is None:
        return t("At step {step} it writes “{output}”.").format(step=trace.step, output=trace.output)
    said = (
        t("At step {step} it writes “{output}”: right.")
        if trace.right
        else t("At step {step} it writes “{output}”; right would be “{expected}”.")
    )
    return said.format(step=trace.step, output=trace.output, expected=trace.expected)


def describe_sureness(trace: LabTrace) -> str:
    """Say what a model without attention writes, and where it is least sure."""
    least = min(trace.written, key=lambda each: each.probability)
    return f"{said_output(trace)} " + t("It is least sure of “{token}” ({share}).").format(
        token=least.label, share=f"{least.probability:.0%}"
    )
