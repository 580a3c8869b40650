"""Why the counts mislead: how many multiply-adds a second each layer does, at each size."""

from functools import partial

import streamlit as st

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, why_not_as_counted
from explorer.lessons.architectures.compute import fits, glance
from explorer.lessons.architectures.figures import measured as figures
from explorer.lessons.architectures.ui import tables
from explorer.lessons.architectures.ui.measured import Chosen, controls
from explorer.records.language import t
from explorer.ui import cache, messages
from explorer.ui.scene import picture

__all__ = ["CODE", "controls", "stage"]

CODE = (why_not_as_counted.speeds,)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the speed of each layer over its size."""
    with st.spinner(t("Measuring on this machine …")):
        record = messages.compute(glance, chosen.params.sweep(chosen.axis))
    if record is None:
        return {"causes": ""}
    curves = cache.compute(lesson.compute, chosen.params).curves[chosen.axis].only(record.values)
    picture.show_chart(
        "ar_speed",
        partial(figures.speed, record, curves, names=readings.names()),
        title=t("Multiply-adds a second"),
        note=t("level lines would mean that the count is the time"),
        reading=why_not_as_counted.describe_speeds(record, curves),
        table=lambda: tables.tabulate_measurements(record, curves),
        of=(chosen, record.seconds.tobytes()),
    )
    causes = why_not_as_counted.diverging(record, curves, fits(record))
    return {"causes": "\n".join(f"- {sentence}" for sentence in causes)}
