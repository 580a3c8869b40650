"""Numbers in the answers of the exercises."""

from dataclasses import replace

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import ablation, finding, inside, state, wording
from explorer.lessons.multi_head.ui import controls, switch_off
from explorer.records.wording import said_change
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    result = controls.example()
    return {**_sizes(result), **_mean(result), **_needed(result)}


def _sizes(result: lesson.Result) -> dict[str, str]:
    """Count the numbers of a head's query, and those of all projections of one attention."""
    steps = {step.symbol: step.sizes for step in inside.shapes(result, lesson.View())}
    heads, _, d_key = steps["Q"]
    d_model = steps["X"][1]
    return {
        "d_model": str(d_model),
        "heads": str(heads),
        "d_key": str(d_key),
        "numbers": f"{3 * d_model * heads * d_key:,}",
        "one": f"{3 * d_model * d_model:,}",
    }


def _mean(result: lesson.Result) -> dict[str, str]:
    """Compare the weight of a head that follows swapped words with the mean of its layer."""
    view = replace(finding.find(result, "swap", lesson.View(site="cross")), merge=True)
    record, row = state.viewed_attention(result, view), state.shown_row(result, view) or 0
    column = int(record.weights[view.head, row].argmax())
    return {
        "word": wording.token(record.query_labels[row]),
        "looked": wording.token(record.key_labels[column]),
        "sure": f"{record.weights[view.head, row, column]:.0%}",
        "mean": f"{record.weights[:, row, column].mean():.0%}",
    }


def _needed(result: lesson.Result) -> dict[str, str]:
    """Take the head that is needed most away, and let it look evenly instead."""
    heads = finding.parse_removed(result, finding.NEEDED, lambda: switch_off.measure_heads(result, "off"))
    params = ablation.AblationParams(params=result.params, heads=heads)
    off, even = (cache.compute(ablation.ablate, replace(params, how=how)) for how in ablation.HOWS)
    return {
        "needed": wording.head_title(heads[0]),
        "off": said_change(off.total_change),
        "even": said_change(even.total_change),
    }
