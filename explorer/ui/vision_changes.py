"""Page 12: take patches and heads away and see the answers move. A fragment of its own."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from explorer.figures import vision as figures
from explorer.figures import vision_patches as patches
from explorer.lessons import vision as lesson
from explorer.records.image import Answer, Picture
from explorer.records.provenance import Provenance
from explorer.ui import cached, card, clicks, layout
from explorer.ui import vision_tables as tables
from explorer.ui.controls import vision as controls
from explorer.ui.language import t
from explorer.ui.vision_attention import clicked


@st.fragment
def explore(picture: Picture, result: lesson.Result) -> None:
    """What is taken away, what the models then say, and what each part is worth."""
    layout.prose("vision", "hide")
    asked = controls.taken(result)
    if asked.patches or asked.heads:
        st.button(t("Put everything back"), icon=":material/undo:", key="vi_back", on_click=controls.nothing_taken)
    changed = cached.compute(lesson.change, asked)
    left, right = st.columns([5, 6], gap="large")
    with left:
        _picture(picture, changed)
    with right:
        _answers(changed)
    with st.spinner(t("Taking every patch and every head away, one at a time …")):
        worth = cached.compute(lesson.effects, result.params)
    left, right = st.columns([5, 6], gap="large")
    with left:
        _patches_missed(worth)
    with right:
        _heads_missed(worth, changed)


def _picture(picture: Picture, changed: lesson.Changed) -> None:
    grid, hidden = changed.attention.grid, changed.params.patches
    card.show(
        "vi_hide",
        patches.patches(picture, grid, hidden=hidden, t=t),
        title=t("Click a patch to hide it, or to show it again"),
        reading=t("{n} of {patches} patches are hidden, painted in the picture's mean colour.").format(
            n=len(hidden), patches=grid**2
        ),
        table=lambda: tables.hidden(hidden, grid),
        provenance=changed.attention.provenance,
    )
    clicks.listen("vi_hide", lambda place: controls.toggle_patch(1 + clicked(place, grid), grid**2))


def _answers(changed: lesson.Changed) -> None:
    names = (t("Transformer"), t("Convolutional network"))
    series = {}
    for name, after, before in zip(names, changed.after, changed.before, strict=True):
        series[name] = after
        series[t("{model}, before").format(model=name)] = before
    card.show(
        "vi_moved",
        figures.answers(series, names=class_names(changed), faint=list(series)[1::2], t=t),
        title=t("What the models say now, and what they said"),
        reading=lesson.reading_changed(changed, t),
        table=lambda: tables.answers(series),
        provenance=both(changed.after),
    )


def both(answers: Sequence[Answer]) -> Provenance:
    """Of a figure that shows what several models say."""
    *others, last = [each.provenance for each in answers]
    models = [f"{each.model}@{each.revision}" for each in others]
    return replace(last, model=", ".join([*models, last.model]))


def class_names(source: lesson.Changed | lesson.Result) -> dict[str, str]:
    """The classes in the reader's language."""
    known = source.after if isinstance(source, lesson.Changed) else source.answers
    return {each: lesson.class_name(each, t) for answer in known for each in answer.classes}


def _patches_missed(worth: lesson.Hidden) -> None:
    card.show(
        "vi_patches_missed",
        figures.patches_missed(worth, t=t),
        title=t("Without each patch alone: change of “{answer}”").format(answer=lesson.class_name(worth.of, t)),
        reading=lesson.reading_effects(worth, t),
        table=lambda: tables.missed(worth),
        provenance=worth.provenance,
    )
    grid = len(worth.patches)
    clicks.listen("vi_patches_missed", lambda place: controls.toggle_patch(1 + clicked(place, grid), grid**2))


def _heads_missed(worth: lesson.Hidden, changed: lesson.Changed) -> None:
    card.show(
        "vi_heads_missed",
        figures.heads_missed(worth, t=t),
        title=t("Without each head alone: click one to switch it off"),
        reading=t("Heads that are switched off now: {heads}.").format(
            heads=" ".join(f"{one}.{two}" for one, two in changed.params.heads) or t("none")
        ),
        table=lambda: tables.missed(worth),
        provenance=worth.provenance,
    )
    layers, heads = worth.heads.shape

    def toggled(place: clicks.Place) -> None:
        layer, head = (min(max(round(place[axis]), 0), n - 1) for axis, n in (("y", layers), ("x", heads)))
        controls.toggle_head(layer, head)

    frames = [
        {"x0": head - 0.5, "x1": head + 0.5, "y0": layer - 0.5, "y1": layer + 0.5, "axis": 1.0}
        for layer, head in changed.params.heads
    ]
    clicks.listen("vi_heads_missed", toggled, frames=frames)
