"""On a picture: what a model that sees looks at, one head over the picture and every head over small copies."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from explorer.figures import patches, small_maps
from explorer.inference.vision.samples import middle_square, names, picture_of, sample
from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import models, readings, seeing, wording
from explorer.lessons.open_model.seeing import PictureParams, Seeing
from explorer.lessons.open_model.ui import controls as widgets, gate
from explorer.opened import sources
from explorer.records.image import Picture, patch_name
from explorer.records.language import t
from explorer.records.wording import clamp, parse_int
from explorer.scenes import DEFAULTS
from explorer.scenes.open_model import SEES
from explorer.ui import cache, choice, fields, plot_clicks, tables as common
from explorer.ui.live import patches as live
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import heat_map, own_picture, picture, predict
from explorer.ui.streamlit_internals import script_run

CODE = (seeing.compute,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        name: of the picture, or what its file hashes to.
        own: whether the reader brought it.
        head: None for the mean of the layer.
        asks: 0 for the class token, then the patches row by row.
    """

    model: str
    revision: str
    name: str
    own: bool
    layer: int
    head: int | None
    asks: int


def controls() -> Chosen:
    """Ask for the model, the picture, and the layer and head; who asks is clicked."""
    model, revision = widgets.model(widgets.SEER, "vision")
    mine = own_picture.read("om_picture")
    offered = ({own_picture.OWN: t("Your own")} if mine else {}) | names()
    name = choice.select(t("Which picture?"), offered, key="om_picture") if offered else ""
    with st.expander(t("Your own picture"), icon=":material/add_photo_alternate:", type="compact"):
        own_picture.receive({"om_picture": own_picture.OWN}, "om_picture")
    layer, head = widgets.layer_and_head(widgets.card_of(model, revision), "encoder", "om_eye")
    asks = parse_int(choice.hidden_param(t("Who asks?"), key="om_asker", most=6)) or 0
    own = mine is not None and name == own_picture.OWN
    said = mine.digest if mine and own else name
    return Chosen(model=model, revision=revision, name=said, own=own, layer=layer, head=head, asks=asks)


def stage(chosen: Chosen) -> None:
    """Draw the chosen head large, and every head small."""
    if not gate.is_passed(lesson.Params(model=chosen.model, revision=chosen.revision), widgets.SEER):
        return
    square = cache.once(partial(_square, chosen), "open_model square", chosen.name, own=chosen.own)
    found = _seen(chosen, square)
    first, second = st.columns([1.1, 1], gap="medium")
    with first:
        _large(chosen, found, square)
    with second:
        _small(chosen, found, square)
    widgets.warm()


def _square(chosen: Chosen) -> Picture:
    mine = own_picture.read("om_picture") if chosen.own else None
    pixels = middle_square(mine.pixels) if mine else middle_square(sample(chosen.name), chosen.name)
    return picture_of(pixels, mine.name if mine else chosen.name, len(pixels))


def _seen(chosen: Chosen, square: Picture) -> Seeing:
    params = PictureParams(
        model=chosen.model, revision=chosen.revision, pixels=square.seen.tobytes(), side=len(square.seen)
    )
    make = partial(seeing.compute, params, chosen.layer, chosen.asks, script_run.session_id())
    with st.spinner(t("The model looks …")):
        key = chosen.model, chosen.revision, chosen.name, chosen.layer, chosen.asks
        return cache.once(make, "open_model seeing", key, own=chosen.own)


def _large(chosen: Chosen, found: Seeing, square: Picture) -> None:
    weights = found.head(chosen.head)
    what = wording.layer_and_head(found.layer, chosen.head)
    head = "mean of its heads" if chosen.head is None else f"head {chosen.head}"
    detail = f"{found.provenance.detail}, {head}, token {found.asks}"
    values = weights[found.asks, 1:].reshape(found.grid, found.grid)
    said: Mapping[str, Any] = {
        "title": t("What {who} looks at").format(who=patch_name(found.asks, found.grid)),
        "table": lambda: common.on_picture(values),
        "provenance": replace(found.provenance, detail=detail),
    }
    if heat_map.ask_heat_map():
        heat_map.show(
            "om_picture_map",
            partial(patches.overlay, square, values, style="colour", asks=found.asks - 1, value_title=t("weight")),
            height=picture.Height(across=50, phone="calc(100vw + 20px)"),
            of=chosen,
            own=chosen.own,
            on_click=partial(_map_clicked, found.grid),
            reading=readings.describe_seeing(found, chosen.head),
            **said,
        )
        return
    live.PICTURE.show(
        "om_seen",
        partial(
            live.pack,
            square.uri,
            weights,
            found.asks,
            note=f"{what} · {found.card.name}",
            line=t("{query} looks most at {best}: {share} of its weight."),
            light=True,
        ),
        tells={"chosen": Action(_asks, query=Index(len(weights)))},
        reading=readings.describe_class_token(found, chosen.head),
        **said,
    )


def _asks(query: int) -> None:
    fields.set_values({"om_asker": str(query)})


def _map_clicked(grid: int, position: plot_clicks.Place) -> None:
    row, column = (clamp(round(position[axis]), grid) for axis in "yx")
    _asks(1 + row * grid + column)


def _small(chosen: Chosen, found: Seeing, square: Picture) -> None:
    """Draw every head over small copies of the picture; a click opens one."""
    maps = found.maps()
    layers, heads = maps.shape[:2]
    rows, columns = ([str(each) for each in range(count)] for count in (heads, layers))
    picture.show_chart(
        "om_seen_heads",
        partial(
            small_maps.overview,
            square,
            maps.swapaxes(0, 1),
            rows=rows,
            columns=columns,
            hover=t("layer {column}, head {row}; row and column {position} of the picture: {value}"),
        ),
        title=t("In every head"),
        note=t("columns: layers; rows: heads; click one"),
        reading=readings.describe_sight(found),
        table=lambda: common.per_head(found.maps()),
        provenance=found.provenance,
        of=chosen,
        own=chosen.own,
        fits_screen=False,
    )
    step = found.grid + small_maps.GAP
    plot_clicks.listen("om_seen_heads", partial(_opened, (layers, heads), step))


def _opened(shape: tuple[int, int], step: int, position: plot_clicks.Place) -> None:
    layer, head = (clamp(int(position[axis] // step), count) for axis, count in zip("xy", shape, strict=True))
    fields.set_values({"om_eye": f"{layer}.{head}"})


def answer() -> predict.Answer:
    """Say how much of all weight lies on the class token, in the picture that the lesson begins with."""
    name = str(DEFAULTS["om_picture"])
    found = models.find(SEES, "")
    layers = range(sources.card_of(found).layers)
    pixels = middle_square(sample(name), name)
    params = PictureParams(model=SEES, revision="", pixels=pixels.tobytes(), side=len(pixels))
    seen = [seeing.compute(params, layer, 0).weights[..., 0].mean() for layer in layers]
    share = float(sum(seen) / len(seen))
    right = min({"even": 0.015, "quarter": 0.25, "half": 0.6}.items(), key=lambda each: abs(each[1] - share))[0]
    grid = seeing.compute(params, 0, 0).grid
    return right, {"share": f"{share:.1%}", "even": f"{1 / (grid**2 + 1):.1%}"}
