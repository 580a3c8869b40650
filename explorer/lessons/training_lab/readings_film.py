"""“Training lab”: what is said of one step of a film, computed from its numbers."""

from explorer.data.digits import ink, is_drawn
from explorer.lessons.training_lab.expected_alignment import on_right, right_cells, right_places
from explorer.records.language import t
from explorer.records.training_run import LabFilm, LabFrame, LabPoint
from explorer.records.wording import token

#: Characters of an answer that a sentence quotes.
MOST_SHOWN = 40


def describe_shown(
    film: LabFilm,
    frame: LabFrame,
    task: str,
    point: LabPoint | None,
    *,
    tells_weight: bool = True,
    end: bool = False,
    after: LabPoint | None = None,
) -> str:
    """Say what the model writes at a step, how much it looks where it should, and how many new examples are right.

    Args:
        point: what was measured last; None before anything was.
        tells_weight: whether the weight on the right tokens is told.
        end: whether it is the end of a film, which may be playing still.
        after: what was measured at the end of the training, where the film ends before it.
    """
    said = [_written(film, frame, _when(frame.step, end=end, goes_on=after is not None))]
    if tells_weight and film.columns:
        said.append(_looked(film, frame, task))
    if point is not None:
        right = t("**{share}** of new examples come out right.")
        if point.step != frame.step:
            right = t("**{share}** of new examples come out right (measured at step {step}).")
        said.append(right.format(share=f"{point.accuracy:.0%}", step=point.step))
        if task == "verses":
            said.append(t("Expect no new couplet to come out exactly: a poet has many second lines to choose from."))
    if after is not None and frame.step == film.steps[-1]:
        said.append(_went_on(after))
    return " ".join(said)


def _when(step: int, *, end: bool, goes_on: bool) -> str:
    if end and goes_on:
        said = t("At the end of the film, after {step} steps,")
    elif step == 1:
        said = t("At the end, after {step} step,") if end else t("After {step} step")
    else:
        said = t("At the end, after {step} steps,") if end else t("After {step} steps")
    return said.format(step=step)


def _went_on(after: LabPoint) -> str:
    return t("The training went on to step {last}: then {share} of them.").format(
        last=after.step, share=f"{after.accuracy:.0%}"
    )


def _written(film: LabFilm, frame: LabFrame, when: str) -> str:
    if not frame.output and film.expected != "":
        said = t("{when} it writes nothing.")
    elif film.expected is None:
        said = t("{when} it writes “{output}”.")
    elif frame.output == film.expected:
        said = t("{when} it writes “{output}”: right.")
    else:
        said = t("{when} it writes “{output}”, not “{expected}”.")
    shown = frame.output if len(frame.output) <= MOST_SHOWN else f"{frame.output[:MOST_SHOWN].rstrip()} …"
    return said.format(when=when, output=shown.replace("**", ""), expected=film.expected)


def _looked(film: LabFilm, frame: LabFrame, task: str) -> str:
    if is_drawn(film.source):
        inked = ink(film.source).ravel() > 0
        said = t("**{share}** of its weight lies on ink, which covers {part} of the picture.")
        return said.format(share=f"{frame.weights[0, : inked.size][inked].sum():.0%}", part=f"{inked.mean():.0%}")
    positions = right_places(task, film.source)
    if any(positions) and len(film.columns) == len(film.source) + 1:
        cells = right_cells(positions, frame.weights.shape)
        chance = cells.sum(-1)[cells.any(-1)].mean() / len(film.columns)
        said = t("**{share}** of its weight lies on the tokens it should read (by chance: {chance}).")
        return said.format(share=f"{on_right(frame.weights, cells):.0%}", chance=f"{chance:.0%}")
    row, column = divmod(int(frame.weights.argmax()), len(film.columns))
    return t("For “{query}” it looks most at “{key}” (**{weight}**).").format(
        query=token(frame.rows[row]),
        key=token(film.columns[column]),
        weight=f"{frame.weights[row, column]:.0%}",
    )
