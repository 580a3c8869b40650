"""“Measured here”: the stored curves with their errors, and the same on a sample of the reader's size."""

from collections.abc import Sequence
from functools import partial

from explorer.data.text import excerpt
from explorer.lessons.positional_encoding import extrapolation, trained, trained_readings
from explorer.lessons.positional_encoding.figures import compared as figures
from explorer.lessons.positional_encoding.records.extrapolation import BeyondProgress, BeyondRecord, Over
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.records.language import t
from explorer.records.provenance import joint
from explorer.scenes.positional_encoding import MEASURED
from explorer.ui import job_progress
from explorer.ui.scene import picture, rail

CODE = (extrapolation.measure,)
Chosen = tuple[Over, trained.WindowsParams]


def controls() -> Chosen:
    """Ask of what the loss is drawn, and how much text is read here."""
    asked = rail.ask(MEASURED.controls)
    return asked.pop("over"), trained.WindowsParams(**asked)


def stage(chosen: Chosen) -> dict[str, str]:
    """The stored curves; below them what is measured here."""
    over, asked = chosen
    records = widgets.of_all(extrapolation.read_measurement)
    if records:
        _curves("pe_beyond", records, over, t("Beyond the training length"), of=over)
        note = t("{count} texts of four training lengths, read by {models} models.")
        job_progress.watch(
            "pe_measure",
            trained.measure,
            asked,
            partial(_sample, over=over),
            label=t("Measure here"),
            note=note.format(count=asked.n_windows, models=len(trained.KINDS)),
        )
    return {"characters": f"{len(excerpt()):,}"}


def _sample(progress: BeyondProgress, over: Over) -> None:
    """Show the sample's result as far as it is known."""
    if progress.records:
        title = t("Measured here, on {done} of {total} texts").format(
            done=progress.records[0].n_windows, total=progress.total // len(trained.KINDS)
        )
        of = (over, progress.done, progress.records[0].provenance)
        _curves("pe_measured", progress.records, over, title, of=of, fits_screen=False)


def _curves(
    key: str, records: Sequence[BeyondRecord], over: Over, title: str, *, of: object, fits_screen: bool = True
) -> None:
    picture.show_chart(
        key,
        partial(figures.beyond, records, over=over, names=trained.kind_names()),
        title=title,
        reading=trained_readings.describe_beyond(records, over),
        provenance=joint([record.provenance for record in records]),
        of=of,
        fits_screen=fits_screen,
    )
