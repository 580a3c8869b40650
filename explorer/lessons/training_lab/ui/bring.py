"""Bring a model: one that was taken away is opened again and asked."""

from dataclasses import replace

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.lab.film import frame
from explorer.inference.lab.snapshots import open_snapshot, verify
from explorer.inference.translator.translate import InputRefused
from explorer.lessons.training_lab import drawn, readings, readings_film, recorded, state, uploaded
from explorer.lessons.training_lab.ui import stage as stages
from explorer.lessons.training_lab.ui.recordings import find_unusable  # noqa: F401 - the kit asks for it
from explorer.records import Provenance
from explorer.records.language import t
from explorer.records.training_run import LabFrame
from explorer.training.lab.reference_runs import read_runs
from explorer.ui import messages, uploaded_models
from explorer.ui.scene import picture

CODE = (verify,)
Opened = uploaded_models.Uploaded | None
TEXT_CHARACTERS = 320


def controls() -> tuple[Opened, str, state.View]:
    """The file, what is asked, and which head is looked at."""
    opened = uploaded_models.receive("tl_upload", verify)
    uploaded_models.keep_in_touch(keeps=True)  # after what is opened, which counts
    if opened is None:
        return None, "", state.View()
    manifest = opened.manifest
    said = t("Opened: {name}, seed {seed}.").format(name=opened.name, seed=manifest.seed)
    exact = manifest.metrics.get("held_out_exact_match")
    if exact is not None:
        said += " " + t("Its manifest says: {exact} of the held-out examples exact.").format(exact=f"{exact:.1%}")
    st.success(messages.plain(said), icon=":material/task_alt:")
    given = manifest.probe.given
    typed = st.text_input(
        t("Ask it"), max_chars=TEXT_CHARACTERS, key="tl_upload_text", placeholder=given[:TEXT_CHARACTERS]
    )
    try:
        view = _attention(*uploaded.stored_shape(opened.folder))
    except CheckpointError:
        uploaded_models.say_gone()
        return None, "", state.View()
    return opened, typed.strip() or given, view


def _attention(n_layers: int, n_heads: int) -> state.View:
    """Ask which layer and head are looked at; in no link, for nobody else has the model."""
    view = state.View(layer=n_layers - 1)
    if n_layers > 1:
        layers = list(range(n_layers))
        layer = st.segmented_control(t("Layer"), layers, default=n_layers - 1, required=True, key="tl_upload_layer")
        view = replace(view, layer=int(layer or 0))
    if n_heads > 1:
        shown = {"mean": t("mean")}
        head = st.segmented_control(
            t("Head"),
            ["mean", *range(n_heads)],
            default="mean",
            required=True,
            format_func=lambda each: shown.get(each, str(each)),
            key="tl_upload_head",
        )
        view = replace(view, head=head if isinstance(head, int) else None)
    return view


def stage(chosen: tuple[Opened, str, state.View]) -> None:
    """The map of what is asked; of the recorded training until there is a model."""
    opened, text, view = chosen
    if opened is None:
        _example()
        return
    try:
        trace = uploaded.look_stored(opened.folder, text, opened.manifest.metrics.get("steps", 0.0))
    except InputRefused as refused:
        messages.info(refused.explain())
        return
    except CheckpointError:
        uploaded_models.say_gone()
        return
    title = t("By {name}: {source}").format(source=drawn.said_source(trace.source, None), name=opened.name)
    columns = trace.crosses[-1].key_labels if trace.crosses else ()
    said = readings.describe_trace(trace)
    _map(
        frame(trace, view.layer, view.head),
        trace.source,
        columns,
        "",
        title,
        said,
        open_snapshot(opened.folder).provenance,
    )


def _example() -> None:
    run = read_runs()["reverse"]
    film = run.films[0]
    seen = film.frames[-1]
    title = t("By the recorded training, at step {step}: {source}").format(
        source=drawn.said_source(film.source, film.expected), step=seen.step
    )
    said = readings_film.describe_shown(film, seen, run.recipe.task, None)
    _map(seen, film.source, film.columns, run.recipe.task, title, said, recorded.provenance(run))


def _map(
    seen: LabFrame, source: str, columns: tuple[str, ...], task: str, title: str, reading: str, provenance: Provenance
) -> None:
    picture.show_chart(
        "tl_stored",
        stages.still(seen, source, columns, task),
        title=title,
        note=t("a row is written, a column is read"),
        reading=reading,
        provenance=provenance,
        of=(provenance, source, seen.step, seen.output, seen.weights.tobytes()),
        own=True,
    )
