"""What a mechanism costs a model that was trained without it, on texts as long as in training and longer ones."""

from dataclasses import dataclass
from functools import partial

from explorer.checkpoints.manifest import CheckpointError
from explorer.lessons.efficient_attention import readings, state, task
from explorer.lessons.efficient_attention.figures import trained as figures
from explorer.lessons.efficient_attention.records.comparison import TaskProgress, TaskRecord
from explorer.lessons.efficient_attention.replacement import run_replaced
from explorer.lessons.efficient_attention.ui import tables
from explorer.records.language import t
from explorer.scenes.efficient_attention import TRAINED
from explorer.ui import job_progress, messages
from explorer.ui.scene import picture, rail

CODE = (run_replaced,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Length of the texts, and the sample that is computed again."""

    length: str
    sample: task.Sample


def controls() -> Chosen:
    """Ask how long the texts are; in the fold, which of them are read again."""
    asked = rail.ask(TRAINED.controls)
    return Chosen(length=asked.pop("length"), sample=task.Sample(**asked))


def stage(chosen: Chosen) -> None:
    """Draw the stored evaluation; below it the same on a sample of the reader's size."""
    try:
        usual, longer = task.read_evaluation()
    except CheckpointError as error:
        messages.no_checkpoint(state.GPT, error)
        return
    if chosen.length == "512":
        picture.show_chart(
            "ea_longer",
            partial(figures.longer, longer),
            title=t("Texts four times as long as in training"),
            note=t("in place of the attention of every layer"),
            reading=task.describe_longer(longer),
            table=lambda: tables.task(longer),
            of=chosen.length,
        )
        return
    _task("ea_task", usual, t("Each mechanism in place of attention"), chosen.length)
    label = t("Compute again here, on {windows} texts").format(windows=chosen.sample.n_windows)
    job_progress.watch("ea_again", task.again, chosen.sample, partial(_again, chosen.sample), label=label)


def _again(sample: task.Sample, progress: TaskProgress) -> None:
    if progress.record is not None and progress.record.points:
        _task("ea_task_again", progress.record, t("Computed here, on a sample"), (sample, progress.done))


def _task(key: str, record: TaskRecord, title: str, of: object) -> None:
    picture.show_chart(
        key,
        partial(figures.task, record, names=readings.mechanism_names()),
        title=title,
        note=t("by how much less likely the right letter is"),
        reading=task.describe_task(record),
        table=lambda: tables.task(record),
        of=of,
        height=picture.Height(phone="680px"),
    )
