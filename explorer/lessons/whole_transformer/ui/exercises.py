"""Numbers in the answers of the exercises."""

from itertools import pairwise

import numpy as np

from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer import readings
from explorer.lessons.whole_transformer.live import names
from explorer.lessons.whole_transformer.ui import asking
from explorer.records.language import t
from explorer.training.lab.comparisons import COMPARISONS, SeededRuns, apart, read_comparisons


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    result = asking.record_pass(lesson.Params())
    whole = result.whole
    scores = sum(whole[f"{site}.scores"].size for site in whole.sites)
    read = len(whole.read.labels)
    hidden = whole.n_decoder * whole.n_heads * read * (read - 1) // 2
    called, layers = names.parts(), names.layers(whole.n_encoder, whole.n_decoder)
    added = {part: float(np.median(readings.shares_added(result, part))) for part in (*whole.sites, *whole.nets)}
    most = max(added, key=lambda part: added[part])
    stack, layer, kind = most.split(".")
    name = called["causal" if stack == "dec" and kind == "self" else kind]
    last = f"dec.{whole.n_decoder - 1}.cross"
    sharp = whole[f"{last}.weights"].max(-1).mean(-1)
    return {
        "scores": f"{scores:,}",
        "hidden": f"{hidden:,}",
        "part": t("{layer}, {part}").format(layer=layers[stack][int(layer)], part=name),
        "share": f"{added[most]:.0%}",
        "head": str(int(sharp.argmax())),
        "sharp": f"{sharp.max():.0%}",
        **_trained(),
    }


def _trained() -> dict[str, str]:
    """Return what the lab's comparisons found of depth and of additive scores."""
    runs = read_comparisons()
    seconds = {name: np.mean(runs[name].ends("seconds")) for name in runs}
    return {
        "lab_steps": str(runs["base"].recipe.steps),
        "one_layer": _spread(runs["one_layer"]),
        "two_layers": _spread(runs["base"]),
        "three_layers": _spread(runs["three_layers"]),
        "additive": _spread(runs["additive"]),
        "depth_verdict": _verdict("depth"),
        "scoring_verdict": _verdict("scoring"),
        "deep_slower": f"{seconds['three_layers'] / seconds['one_layer']:.1f}",
        "additive_slower": f"{seconds['additive'] / seconds['base']:.1f}",
    }


def _spread(runs: SeededRuns) -> str:
    ends = runs.ends()
    said = t("{mean} ({least} to {most})")
    return said.format(mean=f"{np.mean(ends):.0%}", least=f"{min(ends):.0%}", most=f"{max(ends):.0%}")


def _verdict(comparison: str) -> str:
    """Say whether the seeds tell all of a comparison apart."""
    pairs = list(pairwise(read_comparisons()[name].ends() for name in COMPARISONS[comparison]))
    told = [apart(*pair) for pair in pairs]
    if all(told):
        return t("the ranges do not overlap")
    return (
        t("some ranges overlap") if any(told) else t("the ranges overlap, so that three seeds do not tell them apart")
    )
