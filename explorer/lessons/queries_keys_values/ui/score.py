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
from explorer.scenes.queries_keys_values import LESSON, SCORE
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
    """Make the softmax twenty times colder, and say what the book, which is second, keeps."""
    colder = float(LESSON.scene(SCORE.name).prediction.reveals["qk_calm"])  # type: ignore[union-attr]
    before, after = (
        cache.compute(lesson.compute, lesson.Params(cues=state.Cues(temperature=each))).scene
        for each in (state.Cues().temperature, colder)
    )
    book, paper = (before.objects.index(name) for name in ("book", "newspaper"))
    scores, kept = before.scores[WITH], float(after.weights[WITH, book] / before.weights[WITH, book])
    right = "same" if kept > 0.9 else "none" if kept < 0.05 else "half"
    return right, {
        "book": f"{scores[book]:.2f}",
        "newspaper": f"{scores[paper]:.2f}",
        "temperature": f"{colder:g}",
        "apart": f"{(scores[paper] - scores[book]) / colder:.3g}",
        "before": f"{before.weights[WITH, book]:.2f}",
        "after": f"{after.weights[WITH, book]:.3f}",
    }
