"""Every head of a model: small squares, the chosen one large, and one of its rows over the text."""

from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from explorer.figures.look import look
from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import readings, state, wording
from explorer.lessons.open_model.figures import maps
from explorer.lessons.open_model.live import every_head as live
from explorer.lessons.open_model.ui import asked, controls as widgets, gate, tables
from explorer.opened.refused import ModelRefused
from explorer.records.language import current_language, t
from explorer.records.opened.look import ModelLook, code
from explorer.scenes import DEFAULTS
from explorer.scenes.open_model import WRITER
from explorer.ui import cache, choice, fields, plot_clicks
from explorer.ui.scene import heat_map, picture, predict

CODE = (ModelLook.count,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage."""

    params: lesson.Params
    view: lesson.View


def controls() -> Chosen:
    """Ask for the model, its text, and what the squares show."""
    params = widgets.params()
    rest = widgets.rest()
    shown = choice.buttons(t("Squares show"), {"maps": t("maps"), "rules": t("rules")}, key="om_show")
    (site, head), word = widgets.head(), widgets.word("om_word")
    view = lesson.View(site=site, head=head, rest=rest, shown=cast("state.Shown", shown), word=word)
    return Chosen(params=params, view=view)


def stage(chosen: Chosen) -> None:
    """Draw all heads, or the heat map of the chosen one."""
    if not gate.is_passed(chosen.params):
        return
    result = widgets.look_at(chosen.params)
    site, head = state.clamp_head(result, chosen.view.site, chosen.view.head)
    view = lesson.View(site=site, head=head, rest=chosen.view.rest, shown=chosen.view.shown, word=chosen.view.word)
    if heat_map.ask_heat_map():
        _map(result, view)
    else:
        _squares(result, view)
    widgets.warm()


def _squares(result: lesson.Result, view: lesson.View) -> None:
    one = _whole(result, view)
    of = (result.params, view.rest, view.shown, look(), current_language(), one is None or (view.site, view.head))
    head = asked.request_place("om_head", (view.site, view.head), *of)
    word = asked.request_place("om_word", (-1 if view.word is None else view.word,), *of)
    most = max(len(tokens) for tokens in (result.look.keys, result.look.queries))
    picture.heading(result.card.name, wording.describe(result.card))
    live.PICTURE.show(
        "om_heads",
        partial(live.pack, result, view, head, word, one),
        tells={
            "head": asked.tells("om_head", widgets.every_head(result), widgets.every_place(result)),
            "word": asked.tells("om_word", *widgets.every_word(range(most))),
        },
        title=t("Every head"),
        reading=readings.describe_head(result, view),
        provenance=result.provenance,
        table=lambda: tables.heads(result),
    )


def _whole(result: lesson.Result, view: lesson.View) -> npt.NDArray[np.uint8] | None:
    """Return the map of the view's head where its square is but a summary; None where it is not, or cannot be had."""
    if result.look.is_whole(view.site):
        return None
    try:
        record = widgets.maps(result.params, view.site)
    except ModelRefused:
        return None  # the summary stands large, too
    return code(record.weights[view.head])


def _map(result: lesson.Result, view: lesson.View) -> None:
    """Draw the chosen head with Plotly."""
    widgets.pick_head(result, view)
    record = widgets.maps(result.params, view.site)
    queries, keys = state.tokens(result, view)
    heat_map.show(
        "om_head_map",
        partial(
            maps.head,
            record,
            view.head,
            keys,
            (wording.names(queries), wording.names(keys)),
            beside=view.rest,
            row=view.word,
        ),
        title=t("{model}, layer {layer}, head {head}").format(
            model=result.card.name, layer=state.site(result, view).layer, head=view.head
        ),
        reading=readings.describe_head(result, view),
        of=(result.params, view),
        height=picture.Height(less=52),
        on_click=partial(_click, len(queries)),
    )


def _click(count: int, position: plot_clicks.Place) -> None:
    fields.set_values({"om_word": str(min(max(round(position["y"]), 0), count - 1))})


def answer() -> predict.Answer:
    """Say how much weight lies on the first word of the text that stands there first: of its head, and of all."""
    params = lesson.Params(model=WRITER, text=str(DEFAULTS["om_text"]))
    result = cache.once(partial(lesson.compute, params), "open_model", params)
    site, head = map(int, str(DEFAULTS["om_head"]).split("."))
    own = state.rule(result, lesson.View(site=site, head=head)).rest
    right = "half" if own > 0.5 else "some" if own > 0.1 else "few"
    said = {"own": f"{own:.0%}", "share": f"{result.look.rested:.0%}", "word": result.look.keys.row.labels[0]}
    return right, said | {"heads": str(sum(each.heads for each in result.look.sites))}
