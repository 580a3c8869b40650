"""From key to weight: query and keys in numbers, the parts of each score, and what softmax makes of it."""

from functools import partial
from typing import Any

from explorer.attention.scoring import dot
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import weights
from explorer.lessons.queries_keys_values.live import sums
from explorer.lessons.queries_keys_values.records.scene import WITH
from explorer.lessons.queries_keys_values.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.live.told import Link, OneOf
from explorer.ui.scene import heat_map, predict

CODE = (dot,)
Chosen = tuple[lesson.Params, lesson.View]


def controls() -> Chosen:
    """Draw which object is written out, salience and what is wanted."""
    chosen = choice.select(t("Score written out for"), readings.object_names(), key="qk_object")
    return widgets.cues(), lesson.View(chosen=chosen)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw keys, scores and weights in the same rows; a click on one writes its score out."""
    params, view = chosen
    result = cache.compute(lesson.compute, params)
    names, features = readings.object_names(), readings.feature_names()
    named: dict[str, Any] = {"names": names, "features": features}
    said = {"asked": readings.describe_keys(result)}
    if heat_map.instead(
        "qk_parts_map",
        partial(weights.parts, result.scene, view.number, **named),
        title=t("What each feature adds to each score"),
        reading=readings.describe_parts(result, view),
        table=lambda: tables.parts(result.scene),
        provenance=result.scene.attention.provenance,
        of=chosen,
    ):
        return said
    sums.PICTURE.show(
        "qk_parts",
        partial(sums.pack_sums, result.scene, view.number),
        tells={"row": Link("qk_object", OneOf(list(state.OBJECTS)))},
        title=t("Query times key, added up, put through softmax"),
        reading=readings.describe_parts(result, view),
        table=lambda: tables.parts(result.scene),
        provenance=result.scene.attention.provenance,
    )
    return said


def answer() -> predict.Answer:
    """Want red, too, and say whose score grows most."""
    now, red = (
        cache.compute(lesson.compute, lesson.Params(cues=each)).scene
        for each in (state.Cues(), state.Cues(query=(1.0, 1.0, 0.0, 0.0, 0.0)))
    )
    grown = dict(zip(now.objects, (red.scores - now.scores)[WITH].tolist(), strict=True))
    said = {name: f"{grown[name]:.2g}" for name in ("cup", "book", "newspaper")}
    return max(grown, key=grown.__getitem__), said | {"weight": f"{red.weights[WITH].max():.2f}"}
