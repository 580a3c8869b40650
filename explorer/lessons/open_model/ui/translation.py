"""A translation: what a model of two stacks looks at while it reads, while it writes, and across."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from explorer.figures import heatmap, weight_map
from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import across, models, readings, wording
from explorer.lessons.open_model.across import AcrossWords
from explorer.lessons.open_model.ui import controls as widgets, gate
from explorer.opened import sources
from explorer.records.heads import Part
from explorer.records.language import current_language, t
from explorer.records.opened.texts import SOFA
from explorer.records.wording import token
from explorer.scenes.open_model import TRANSLATES
from explorer.ui import cache, choice, tables as common
from explorer.ui.live import ribbons
from explorer.ui.live.glosses import explain_words
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (across.over_words,)
#: Languages as names of translators end in them: `opus-mt-en-de`.
_LANGUAGES = re.compile(r"[-_]([a-z]{2})[-_]([a-z]{2})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        head: None for the mean of the layer.
        marks: whether start and end are drawn.
    """

    params: lesson.Params
    part: Part
    layer: int
    head: int | None
    marks: bool


def controls() -> Chosen:
    """Ask for the model and its text, for the part, and for the layer and head."""
    name, revision = widgets.model(widgets.TRANSLATOR, "encoder-decoder")
    text = widgets.text("om_source")
    part = cast("Part", choice.buttons(t("It"), wording.part_names(), key="om_part"))
    layer, head = widgets.layer_and_head(widgets.card_of(name, revision), part, "om_stack")
    with rail.more():
        marks = choice.toggle(t("Start and end marks"), key="om_marks")
        start = choice.text(
            t("Token that the translation begins with"),
            20,
            key="om_start",
            help=t("Only for models that write several languages: M2M-100 writes French after __fr__."),
        )
    params = lesson.Params(model=name, revision=revision, text=text, start=start.strip())
    return Chosen(params=params, part=part, layer=layer, head=head, marks=marks)


def stage(chosen: Chosen) -> None:
    """Draw one head as ribbons, or as a heat map."""
    if not gate.is_passed(chosen.params, widgets.TRANSLATOR):
        return
    across.check_stacks(sources.card_of(models.find(chosen.params.model, chosen.params.revision)))
    result = widgets.look_at(chosen.params)
    site = across.find_site(result, chosen.part, chosen.layer)
    found = across.over_words(result, widgets.maps(chosen.params, site.number), site, chosen.head, marks=chosen.marks)
    said: Mapping[str, Any] = {
        "title": _title(chosen, site.layer),
        "reading": readings.describe_across(found),
        "table": lambda: common.attention(found.record),
        "provenance": found.record.provenance,
    }
    if heat_map.ask_heat_map():
        meanings = _explain(result, found, chosen.part).get("glosses", {})
        heat_map.show("om_across_map", partial(_map, found), of=(chosen, current_language()), glosses=meanings, **said)
    elif not found.record.weights.size:
        picture.show_reading(said["reading"])
    else:
        _ribbons(result, found, chosen.part, said)
    widgets.warm()


def _explain(result: lesson.Result, found: AcrossWords, part: Part) -> dict[str, Any]:
    """Return what foreign words of the picture mean, where the model's name says which languages it knows."""
    named = _LANGUAGES.search(result.card.name)
    if not named:
        return {}
    asks, asked = (list(map(token, labels)) for labels in (found.record.query_labels, found.record.key_labels))
    source, target = named.groups()
    return explain_words(asks, source if part == "encoder" else target, others=asked if part == "cross" else ())


def _ribbons(result: lesson.Result, found: AcrossWords, part: Part, said: Mapping[str, Any]) -> None:
    produced = found.record.query_role == "produced"
    picture.heading(said["title"], f"{result.card.name} · {wording.describe(result.card)}")
    ribbons.PICTURE.show(
        "om_across",
        lambda: (
            ribbons.pack(
                found.record,
                sentence=t("Writing {query}, it looks at {key}.") if produced else t("{query} looks at {key}."),
                hint=t("Point at any word."),
            )
            | _explain(result, found, part)
        ),
        **said,
    )


def _map(found: AcrossWords) -> object:
    record = found.record
    cells = heatmap.mask_values(record.weights, record.allowed)[0]
    rows, columns = (tuple(map(token, labels)) for labels in (record.query_labels, record.key_labels))
    return weight_map.draw_weights(cells, rows, columns)


def _title(chosen: Chosen, layer: int) -> str:
    return f"{wording.layer_and_head(layer, chosen.head).capitalize()} ({wording.part_names()[chosen.part]})"


def answer() -> predict.Answer:
    """Say how much of the weight that looks across lies on the end mark, in the text that the lesson begins with."""
    params = lesson.Params(model=TRANSLATES, text=SOFA)
    result = cache.once(partial(lesson.compute, params), "open_model", params)
    shares = np.concatenate(
        [
            models.attention(models.MapParams(of=params, site=site.number)).weights[..., -1].mean(-1)
            for site in result.look.sites
            if site.part == "cross"
        ]
    )
    share = float(shares.mean())
    right = min({"hardly": 0.03, "third": 1 / 3, "most": 0.75}.items(), key=lambda each: abs(each[1] - share))[0]
    return right, {"share": f"{share:.0%}", "heads": str(len(shares)), "most": f"{shares.max():.0%}"}
