"""Numbers in the answers of the exercises."""

import math

import numpy as np

from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look
from explorer.records.wording import times
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_entropy(), **_surest(), **_copied()}


def _entropy() -> dict[str, str]:
    """Measure how surprised the model is by its own text, cold, as usual, and hot."""
    found = {}
    for name, temperature in (("cold", 0.0), ("usual", 0.8), ("hot", 1.6)):
        result = cache.compute(lesson.compute, lesson.Params(temperature=temperature))
        found[name] = times(math.exp(result.text.surprisal[result.text.n_given :].mean()))
    return found


def _surest() -> dict[str, str]:
    """Find the head that looks most at the character before the newest one."""
    result = cache.compute(lesson.compute, lesson.Params())
    layers, heads = look.shape(result.checkpoint)
    shares = {}
    for layer, head in np.ndindex(layers, heads):
        record = look.head_map(result, lesson.View(position=len(result.ids) - 1, layer=layer, head=head))
        shares[layer, head] = float(np.diagonal(record.weights[0], -1).mean())
    layer, head = max(shares, key=lambda each: shares[each])
    share = f"{shares[layer, head]:.0%}"
    return {"layer": str(layer), "head": str(head), "share": share, "n_heads": str(len(shares))}


def _copied() -> dict[str, str]:
    """Compare what repetition saves a model of random letters and one of plays."""
    letters, plays = (look.heads_on_repetition(name, 0) for name in ("gpt-repeats", "gpt-shakespeare"))
    return {
        "inducts": str(int(np.sum(letters.inducts))),
        "first_run": f"{math.exp(letters.loss[0]):.1f}",
        "later_runs": f"{math.exp(letters.loss[1]):.1f}",
        "plays_later": f"{math.exp(plays.loss[1]):.1f}",
    }
