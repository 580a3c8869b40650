"""How a signal travels: four networks, one clock."""

from functools import partial

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, state
from explorer.lessons.architectures.compute import walks
from explorer.lessons.architectures.live import paths
from explorer.lessons.architectures.signal_paths import walk
from explorer.lessons.architectures.ui import tables
from explorer.records import Provenance
from explorer.records.language import t
from explorer.ui import choice
from explorer.ui.scene import predict

CODE = (walk,)


Chosen = lesson.View


def controls() -> Chosen:
    """Ask for both words, and the kernel; the film asks for the step."""
    step = choice.step(t("Step"), key="ar_step", last=state.POSITIONS)
    source, target = choice.ask("ar_from") - 1, choice.ask("ar_to") - 1
    return Chosen(kernel=choice.ask("ar_kernel"), source=source, target=target, step=step)


def stage(chosen: Chosen) -> None:
    """Draw the networks, with the way that the signal has gone so far."""
    records = walks(lesson.Params(kernel=chosen.kernel), chosen.source, chosen.target)
    paths.PICTURE.show(
        "ar_paths",
        partial(paths.pack, records),
        step=chosen.step,
        link_key="ar_step",
        positions=range(state.POSITIONS + 1),
        sentences=lambda: [readings.describe_paths(tuple(records), each) for each in range(state.POSITIONS + 1)],
        of=(chosen.kernel, chosen.source, chosen.target),
        title=(t("After {step} step") if chosen.step == 1 else t("After {step} steps")).format(step=chosen.step),
        table=lambda: tables.paths(records),
        provenance=Provenance.of(walk, dtype="integers", detail=f"{state.POSITIONS} positions, kernel {chosen.kernel}"),
    )


def answer() -> predict.Answer:
    """Say how many layers join the ends, by searching the connections."""
    found = {each.name: each for each in walks(lesson.Params(), 0, state.POSITIONS - 1)}
    layers = found["convolution"].steps or 0
    right = min(("1", "7", "15"), key=lambda each: abs(int(each) - layers))
    read = found["recurrence"].waits
    return right, {"layers": str(layers), "read": str(read), "attention": str(found["attention"].steps)}
