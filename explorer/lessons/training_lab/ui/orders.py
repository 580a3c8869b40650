"""State of a training, what can be done with it, and its model to take away."""

import streamlit as st

from explorer.lessons.training_lab import readings
from explorer.lessons.training_lab.ui import runs
from explorer.records.language import t
from explorer.records.training_run import LabProgress
from explorer.service.lab.queue import MOST_TRAINING
from explorer.training.lab.export import name_of, package
from explorer.ui import downloads, messages
from explorer.ui.scene import runs_on


def status(own: runs.OwnRun, progress: LabProgress) -> None:
    """Show on one line where the training stands, and what can be done."""
    said = _said(own, progress)
    with st.container(key="tl_status", horizontal=True, vertical_alignment="center", gap="small"):
        if progress.phase == "failed":
            messages.error(said)
            if progress.reason == "lost":
                again = (own.entry.recipe,)
                st.button(t("Begin again"), key="tl_anew", icon=":material/replay:", on_click=runs.start, args=again)
        elif progress.phase == "waiting":
            messages.info(said, ":material/hourglass_top:")
        else:
            st.progress(min(1.0, progress.step / max(1, progress.total_steps)), messages.plain(said))
        if progress.ended or progress.phase == "stopping":
            return
        if progress.phase == "paused":
            st.button(t("Go on"), key="tl_go_on", icon=":material/play_arrow:", on_click=own.entry.go_on)
        else:
            st.button(t("Pause"), key="tl_pause", icon=":material/pause:", on_click=own.entry.pause)
        st.button(t("Stop"), key="tl_stop", icon=":material/stop:", on_click=own.entry.stop)


def _said(own: runs.OwnRun, progress: LabProgress) -> str:
    """Say where it stands, how long it will take, and what trains it how fast."""
    parts = [f"{own.name} — {readings.said_phase(progress, MOST_TRAINING)}"]
    if progress.phase == "training" and progress.step:
        parts.append(t("{time} left").format(time=readings.said_time(progress.seconds_left)))
    if progress.points and progress.phase != "failed":
        by = own.provenance
        parts.append(runs_on.describe_device(by.device, by.dtype, progress.points[-1].tokens_per_second))
    return " · ".join(parts)


def take(own: runs.OwnRun, progress: LabProgress, step: int) -> None:
    """Show the button that hands out the model of a step; the file is made when it is pressed."""
    entry, folder = own.entry, own.entry.folder
    if folder is None:
        return
    downloads.file(
        t("Take this model away (step {step}, zip)").format(step=step),
        lambda: package(entry.recipe, folder, step, progress.points),
        f"{name_of(entry.recipe)}-step-{step}.zip",
        "application/zip",
        key="tl_take",
        icon=":material/download:",
        large=True,
        said=t("Weights, manifest, vocabulary and card. “Bring a model” opens it, on a later day too."),
    )
