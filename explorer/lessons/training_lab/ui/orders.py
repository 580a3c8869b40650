"""State of a training, what can be done with it, and its model to take away."""

import streamlit as st

from explorer.lessons.training_lab import readings
from explorer.lessons.training_lab.ui.runs import OwnRun
from explorer.records.training_run import LabProgress
from explorer.service.lab.queue import MOST_TRAINING
from explorer.training.lab.export import name_of, package
from explorer.ui import downloads, figure_card
from explorer.ui.language import t


def status(own: OwnRun, progress: LabProgress) -> None:
    """Show on one line where the training stands, and what can be done."""
    said = figure_card.escape(_said(own, progress))
    with st.container(key="tl_status", horizontal=True, vertical_alignment="center", gap="small"):
        if progress.phase == "failed":
            st.error(said, icon=":material/error:")
        elif progress.phase == "waiting":
            st.info(said, icon=":material/hourglass_top:")
        else:
            st.progress(min(1.0, progress.step / max(1, progress.total_steps)), said)
        if progress.ended or progress.phase == "stopping":
            return
        if progress.phase == "paused":
            st.button(t("Go on"), key="tl_go_on", icon=":material/play_arrow:", on_click=own.entry.go_on)
        else:
            st.button(t("Pause"), key="tl_pause", icon=":material/pause:", on_click=own.entry.pause)
        st.button(t("Stop"), key="tl_stop", icon=":material/stop:", on_click=own.entry.stop)


def _said(own: OwnRun, progress: LabProgress) -> str:
    said = f"{own.name} — {readings.said_phase(progress, MOST_TRAINING, t)}"
    if progress.phase == "training" and progress.step:
        left = t("{time} left").format(time=readings.said_time(progress.seconds_left, t))
        speed = progress.points[-1].tokens_per_second if progress.points else 0.0
        fast = t("{n} tokens a second").format(n=f"{speed:,.0f}") if speed else ""
        said = " · ".join(filter(None, (said, left, fast)))
    return said


def take(own: OwnRun, progress: LabProgress, step: int) -> None:
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
