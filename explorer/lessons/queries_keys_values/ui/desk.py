"""The desk: what catches the eye, and what is looked for."""

from functools import partial
from typing import Any

from explorer.attention.attend import attend
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import weights
from explorer.lessons.queries_keys_values.live import desk
from explorer.lessons.queries_keys_values.records.scene import WITH
from explorer.lessons.queries_keys_values.ui import tables
from explorer.lessons.queries_keys_values.ui.controls import cues
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import heat_map, predict

CODE = (attend,)


def controls() -> lesson.Params:
    """Draw salience and what is wanted."""
    return cues()


def stage(params: lesson.Params) -> None:
    """Draw the desk with both looks."""
    result = cache.compute(lesson.compute, params)
    shown: dict[str, Any] = {"title": t("One desk, looked at twice"), "reading": readings.describe_desk(result)}
    shown |= {"table": lambda: tables.scene(result.scene), "provenance": result.scene.attention.provenance}
    names = readings.object_names()
    if heat_map.instead("qk_desk_map", partial(weights.looks, result.scene, names=names), of=params, **shown):
        return
    desk.PICTURE.show("qk_desk", partial(desk.pack_desk, result.scene), **shown)


def answer() -> predict.Answer:
    """Look for something red to read, and say what gets the most weight."""
    cues = state.Cues(query=(1.0, 1.0, 0.0, 0.0, 0.0))
    scene = cache.compute(lesson.compute, lesson.Params(cues=cues)).scene
    scores = dict(zip(scene.objects, scene.scores[WITH].tolist(), strict=True))
    best = int(scene.weights[WITH].argmax())
    said = {name: f"{scores[name]:.2f}" for name in ("cup", "newspaper", "book")}
    return scene.objects[best], said | {"weight": f"{scene.weights[WITH, best]:.2f}"}
