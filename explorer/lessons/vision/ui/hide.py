"""“Hide a patch”: patches and heads are taken away, and the answers move."""

from functools import partial

import streamlit as st

from explorer.figures import patches
from explorer.inference.vision.trace import cover_patches, without_heads
from explorer.lessons.vision import readings, state
from explorer.lessons.vision.compute import effects
from explorer.lessons.vision.figures import answers as figures
from explorer.lessons.vision.ui import answers, controls as widgets, picture as pictures
from explorer.records.image import Classification, PatchAttention, patch_name
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes.vision import HIDE
from explorer.ui import cache, choice, plot_clicks
from explorer.ui.scene import picture, predict

CODE = (cover_patches, without_heads)
Taken = tuple[tuple[int, ...], tuple[state.HeadPlace, ...]]
Chosen = tuple[pictures.Seen | None, Taken, str]


def controls() -> Chosen:
    """Parts that are taken away, the chart beside the picture, and the picture."""
    names = {"answers": t("Answers"), "patches": t("Each patch"), "heads": t("Each head")}
    what = choice.buttons(t("Beside the picture"), names, key="vi_worth")
    taken = widgets.ask_removed()
    return pictures.ask(), taken, what


def stage(chosen: Chosen) -> None:
    """The picture with its hidden patches, and what that does."""
    seen, (hidden, off), what = chosen
    if seen is None:
        return
    changed = pictures.classify_changed(seen.result, patches=hidden, heads=off, own=seen.own)
    first, second = st.columns(2, gap="medium")
    with first:
        _picture(seen, changed)
    with second:
        if what == "answers":
            _answers(changed, (seen, hidden, off), own=seen.own)
        else:
            _worth(seen, what, off)


def _picture(seen: pictures.Seen, changed: state.Changed) -> None:
    grid, hidden = changed.before.attention.grid, changed.params.patches
    picture.show_chart(
        "vi_hide",
        partial(patches.patches, seen.picture, grid, hidden=hidden, asked=most_looked_at(changed.before.attention)),
        title=seen.picture.name,
        note=t("blue frame: where the model looks most"),
        reading=readings.describe_hidden(changed),
        provenance=changed.before.attention.provenance,
        of=(seen, hidden),
        height=picture.Height(across=50, phone="calc(100vw - 20px)"),
        own=seen.own,
    )
    plot_clicks.listen("vi_hide", lambda position: widgets.toggle_patch(1 + widgets.clicked_patch(position), grid**2))


def most_looked_at(attention: PatchAttention) -> int:
    """Return the patch, from 0, that the class token weighs most in the last layer, mean over heads."""
    return int(attention.weights[-1].mean(0)[0, 1:].argmax())


def _answers(changed: state.Changed, of: object, *, own: bool) -> None:
    series: dict[str, Classification] = {}
    faint: list[str] = []
    models = (t("Transformer"), t("Convolutional network"))
    for name, after, before in zip(models, changed.after, changed.before.answers, strict=True):
        series[name] = after
        if changed.params.patches or changed.params.heads:
            faint.append(t("{model}, before").format(model=name))
            series[faint[-1]] = before
    answers.show(
        "vi_moved",
        series,
        faint=faint,
        title=t("What the models say now, and what they said"),
        reading=readings.describe_changed(changed),
        of=of,
        own=own,
    )


def _worth(seen: pictures.Seen, what: str, off: tuple[state.HeadPlace, ...]) -> None:
    with st.spinner(t("Taking every patch and every head away, one at a time …")):
        worth = cache.compute(effects, seen.result.params, own=seen.own)
    grid, of = len(worth.patches), readings.class_name(worth.of)
    drawn = figures.patches_missed if what == "patches" else figures.heads_missed
    title = t("Without each patch alone") if what == "patches" else t("Without each head alone")
    key = f"vi_{what}_missed"
    picture.show_chart(
        key,
        partial(drawn, worth),
        title=title,
        note=t("change of “{answer}”").format(answer=of),
        reading=readings.describe_effects(worth),
        of=seen,
        height=picture.Height(across=42, phone="calc(100vw - 60px)") if what == "patches" else picture.USUAL,
        own=seen.own,
    )

    def clicked(position: plot_clicks.Place) -> None:
        if what == "patches":
            widgets.toggle_patch(1 + widgets.clicked_patch(position), grid**2)
            return
        positions = zip(("y", "x"), worth.heads.shape, strict=True)
        layer, head = (clamp(round(position[axis]), n) for axis, n in positions)
        widgets.toggle_head(layer, head)

    framed = off if what == "heads" else ()
    plot_clicks.listen(key, clicked, frames=[plot_clicks.cell(layer, head) for layer, head in framed])


def answer() -> predict.Answer:
    """Compute what hiding the patch that the class token weighs most does to the Transformer's answer."""
    result = pictures.usual()
    number = int(HIDE.prediction.reveals["vi_hidden"]) if HIDE.prediction else 0
    changed = pictures.classify_changed(result, patches=(number - 1,))
    best = result.answers[0].order[0]
    before, after = (float(each[0].probabilities[best]) for each in (result.answers, changed.after))
    worth = cache.compute(effects, result.params)
    right = "half" if after < before / 2 else "less" if after < before else "kept"
    return right, {
        "before": f"{before:.2f}",
        "after": f"{after:.2f}",
        "missed": patch_name(1 + int(worth.patches.argmin()), len(worth.patches)),
        "change": f"{worth.patches.min():+.2f}",
    }
