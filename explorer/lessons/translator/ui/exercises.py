"""Numbers in the answers of the exercises."""

import math

from explorer.lessons import translator as lesson
from explorer.lessons.translator import change, finished, search, state
from explorer.lessons.translator.change_state import Change
from explorer.records.wording import said_change, times
from explorer.scenes.translator import EXAMPLE, RACE
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_missed(), **_lost(), **_likelier()}


def _missed() -> dict[str, str]:
    """Find where the first word of “Elle me manque” looks most."""
    result = cache.compute(lesson.compute, lesson.Params(text="I miss her."))
    record = state.viewed_attention(result, lesson.View(layer=result.n_layers("cross") - 1, merge=True))
    keys = [position for position, label in enumerate(record.key_labels) if label in ("I", "miss", "her")]
    weights = record.weights[0, 0, keys]
    return {
        "read": record.key_labels[keys[int(weights.argmax())]],
        "share": f"{weights.max() / weights.sum():.0%}",
    }


def _lost() -> dict[str, str]:
    """Measure what the old translation loses without one source word, and without another, as factors."""
    result = cache.compute(lesson.compute, lesson.Params(text=EXAMPLE))
    labels = result.trace.source.word_labels
    lost = {}
    for name in ("not", "does"):
        changed = Change(masked=(labels.index(name),))
        record = cache.compute(
            change.change, change.InterventionParams(written=finished.best_translation(result), change=changed)
        )
        lost[f"without_{name}"] = said_change(record.total_change)
    return lost


def _likelier() -> dict[str, str]:
    """Compare greedy search with a beam of 4."""
    result = cache.compute(lesson.compute, lesson.Params(text=RACE))
    found = cache.compute(search.ways, search.WaysParams(asked=search.SearchParams.of(result), samples=1))
    greedy, beam = (each.candidate.log_probability for each in found.texts[:2])
    return {
        "greedy": times(math.exp(-greedy)),
        "beam": times(math.exp(-beam)),
        "times": f"{math.exp(beam - greedy):.2f}",
    }
