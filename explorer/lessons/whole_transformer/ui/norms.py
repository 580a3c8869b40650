"""“Where the norm stands”: pre-norm and post-norm drawn, and what training made of both."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from explorer.lessons.whole_transformer import norm_readings as readings, norms
from explorer.lessons.whole_transformer.figures import norms as figures
from explorer.lessons.whole_transformer.live import names
from explorer.lessons.whole_transformer.norms import find_unusable  # noqa: F401 - the kit asks for it
from explorer.lessons.whole_transformer.records import CourseRecord, GradientRecord, LineRecord
from explorer.lessons.whole_transformer.state import MOST_CHARACTERS
from explorer.nn.blocks import TransformerLayer
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.scenes import DEFAULTS
from explorer.scenes.whole_transformer import LESSON, NORMS
from explorer.ui import cache, choice, messages
from explorer.ui.scene import beside, picture, predict

CODE = (TransformerLayer.sublayer_input, TransformerLayer.add_residual)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A sentence, and what is shown of the models: `loss`, `line` or `gradient`."""

    params: norms.Params
    shown: str


def controls() -> Chosen:
    """Ask for the sentence, what is shown, and how deep the untrained models are."""
    compared = {"line": t("Line"), "loss": t("Loss"), "gradient": t("Gradient")}
    shown = choice.buttons(t("What is compared"), compared, key="wt_norm_shown")
    text, depth = DEFAULTS["wt_caption"], DEFAULTS["wt_untrained"]
    if shown == "line":
        text = choice.text(t("German caption"), MOST_CHARACTERS, key="wt_caption")
        messages.caption(t("Both models know 29,000 captions of photographs and nothing else."))
    if shown == "gradient":
        depth = choice.slider(t("Layers of each stack"), norms.LEAST_DEPTH, norms.MOST_DEPTH, key="wt_untrained")
    return Chosen(params=norms.Params(text=text, depth=depth), shown=shown)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw both layers, and beside them what differs."""
    courses = _courses()
    builds = tuple(norms.BUILDS if chosen.shown == "gradient" else norms.MODELS)
    drawn, differs = st.columns([1, 1.35], gap="medium")
    with differs:
        {"loss": _losses, "line": _lines, "gradient": _gradients}[chosen.shown](chosen)
    with drawn:
        picture.show_chart(
            "wt_norm_blocks",
            partial(figures.blocks, builds),
            title=t("One encoder layer, from below"),
            reading=t("The thick line is the word’s vector; **+** adds what a part made of it."),
            table=_formulas,
            provenance=Provenance.of(TransformerLayer),
            of=builds,
        )
    first = courses[0]
    return {"steps": f"{int(first.step[-1]):,}", "bleu": ", ".join(f"{each.test_bleu:.1f}" for each in courses)}


def _losses(chosen: Chosen) -> None:
    records = _courses()
    picture.show_chart(
        "wt_norm_loss",
        partial(figures.courses, records),
        title=t("Between how many pieces it hesitates, while training"),
        note=t("as unsure as among so many equally likely ones; dotted: in training"),
        reading=readings.describe_courses(records, figures.names()),
        provenance=records[0].provenance,
        of=chosen.shown,
    )


def _courses() -> tuple[CourseRecord, ...]:
    return cache.once(norms.courses, "whole_transformer.norms.courses")


def _lines(chosen: Chosen) -> None:
    """Draw the lines, and say what both models write."""
    records = _recorded(chosen.params)
    if records is None:
        return
    called = _points(records[0].points)
    told = predict.is_settled(LESSON, NORMS)
    picture.show_chart(
        "wt_norm_line",
        partial(figures.lines, records, called, told=told),
        title=t("How long a word’s vector is, from part to part"),
        reading=readings.describe_lines(records, figures.names())
        if told
        else readings.describe_begin(records, figures.names()),
        provenance=records[0].provenance,
        height=picture.Height(less=48),
        of=(chosen, told),
    )
    if told:
        beside.show_caption(readings.describe_written(records, figures.names()))


def _recorded(params: norms.Params) -> tuple[LineRecord, ...] | None:
    """Return the lines; where there are none, say why and what to do."""
    found = []
    for build, name in norms.MODELS.items():
        record = messages.compute(norms.line, replace(params, build=build), name)
        if record is None:
            return None
        found.append(record)
    return tuple(found)


def _gradients(chosen: Chosen) -> None:
    records = messages.compute(norms.gradients, chosen.params, norms.MODELS["pre"])
    if records is None:
        return
    depth = chosen.params.depth
    layers = names.layers(depth, depth)
    called = {f"{stack}.{i}": name for stack, each in layers.items() for i, name in enumerate(each)}
    picture.show_chart(
        "wt_norm_gradient",
        partial(figures.gradients, records, called),
        title=t("The first gradient of each layer, untrained"),
        table=lambda: _sizes(records, called),
        reading=readings.describe_gradients(records, figures.names()),
        provenance=records[0].provenance,
        of=chosen,
    )


def _sizes(records: tuple[GradientRecord, ...], called: Mapping[str, str]) -> pd.DataFrame:
    """Return the gradient of each layer, also where it is too short to be drawn."""
    named = figures.names()
    columns = {named[each.build]: each.size for each in records}
    return pd.DataFrame({t("layer"): [called[layer] for layer in records[0].layers]} | columns)


def _points(points: tuple[str, ...]) -> dict[str, str]:
    """Return what the points of a line are called."""
    parts, found = names.parts(), {}
    for point in points:
        stack, _, rest = point.partition(".")
        layer, _, part = rest.partition(".")
        kind = "causal" if stack == "dec" and part == "self" else part
        where = {"enc": t("E{layer}"), "dec": t("D{layer}")}[stack]
        found[point] = f"{where.format(layer=layer)} {parts[kind]}" if part else t("embedding")
    return found


def _formulas() -> pd.DataFrame:
    """Return what a part does to a vector, by build."""
    said = {"pre": "x + f(norm(x))", "post": "norm(x + f(x))", "bare": "f(norm(x))"}
    called = figures.names()
    rows = [(called[build], said[build]) for build in norms.BUILDS]
    return pd.DataFrame(rows, columns=[t("layer"), t("a part f makes of x")])


def answer() -> predict.Answer:
    """Measure whose lines grow on the first sentence."""
    found = {record.build: record for record in cache.compute(norms.lines, norms.Params())}
    pre, post = readings.grows(found["pre"]), readings.grows(found["post"])
    right = "both" if pre and post else "pre" if pre else "post" if post else "neither"
    return right, {
        "pre": f"{found['pre'].growth('dec'):.1f}",
        "post": f"{found['post'].growth('dec'):.1f}",
    }
