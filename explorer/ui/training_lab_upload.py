"""Page 10: a model that was taken away, brought back and asked."""

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.lab_snapshots import verify
from explorer.lessons import training_lab as lesson
from explorer.ui import card, layout, training_lab_map, uploaded
from explorer.ui.controls import training_lab_parts as controls
from explorer.ui.language import t


def bring() -> None:
    """Open a file, and show what its model makes of a text."""
    layout.prose("training_lab", "files")
    opened = uploaded.receive("tl_upload", verify)
    if opened is None:
        return
    manifest = opened.manifest
    said = t("Opened: {name}, seed {seed}.").format(name=opened.name, seed=manifest.seed)
    exact = manifest.metrics.get("held_out_exact_match")
    if exact is not None:
        said += " " + t("Its manifest says: {exact} of the held-out examples exact.").format(exact=f"{exact:.1%}")
    st.success(card.escape(said), icon=":material/task_alt:")
    _asked(opened)


@st.fragment
def _asked(opened: uploaded.Uploaded) -> None:
    text = controls.upload_text(opened.manifest.probe.given)
    try:
        view = controls.upload_attention(*lesson.stored_shape(opened.folder))
        trace = lesson.look_stored(opened.folder, text, opened.manifest.metrics.get("steps", 0.0))
    except lesson.InputRefused as refused:
        st.info(card.escape(refused.explain(t)), icon=":material/edit:")
        return
    except CheckpointError:
        uploaded.say_gone()
        return
    said = lesson.said_source(trace.source, trace.expected, t)
    title = t("By {name}: {source}").format(source=said, name=opened.name)
    training_lab_map.picture("tl_stored", trace, view, "", title, lesson.stored_provenance(opened.folder))
