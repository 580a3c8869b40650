"""“Side by side”: attention against distance, of every trained model."""

from functools import partial

from explorer.lessons.positional_encoding import trained, trained_decoders, trained_readings
from explorer.lessons.positional_encoding.figures import compared as figures
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.records.language import t
from explorer.records.provenance import joint
from explorer.ui import choice
from explorer.ui.scene import picture

CODE = (trained_decoders.decay,)


def controls() -> bool:
    """Ask how the axis of the weights runs."""
    names = {"log": t("equal factors"), "linear": t("equal steps")}
    return choice.buttons(t("Axis of the weights"), names, key="pe_axis") == "log"


def stage(logarithmic: bool) -> None:
    """A line for each model."""
    records = widgets.of_all(trained_decoders.decay)
    if records:
        names = trained.kind_names()
        picture.show_chart(
            "pe_decay",
            partial(figures.decay, records, names=names, logarithmic=logarithmic),
            title=t("How far trained models look back"),
            reading=trained_readings.describe_decay(records),
            provenance=joint([record.provenance for record in records]),
            of=logarithmic,
        )
