"""Page 06: every head of a trained translator, what it measures, what is inside it, and what becomes without it."""

from explorer.inference.decoding import DecodingOptions
from explorer.inference.observing import exact, observe
from explorer.inference.translator import InputRefused, encode_source, translate
from explorer.lessons._multi_head_ablation import HOWS, AblationParams, SweepParams, ablate, sweep
from explorer.lessons._multi_head_aggregates import AggregateMap, aggregate
from explorer.lessons._multi_head_effects import agreements, effects, measure_effects
from explorer.lessons._multi_head_inside import contributions, inside, shapes
from explorer.lessons._multi_head_measures import measure_all
from explorer.lessons._multi_head_readings import (
    reading_aggregate,
    reading_contributions,
    reading_head,
    reading_inside,
    reading_overview,
    reading_table,
    reading_untrained,
)
from explorer.lessons._multi_head_removal_readings import reading_ablation, reading_effect, reading_sweep
from explorer.lessons._multi_head_state import (
    AGGREGATES,
    Aggregate,
    Result,
    View,
    attentions,
    head_name,
    measured,
    one_head,
    overview,
    rows_and_columns,
    shown,
    shown_column,
    shown_row,
    within,
)
from explorer.lessons._multi_head_untrained import (
    HEADS,
    MOST_SEED,
    WIDTHS,
    Comparison,
    Untrained,
    UntrainedParams,
    comparison,
    untrained,
)
from explorer.lessons._multi_head_words import head_title, label_name, label_rule, label_score
from explorer.lessons._translator_budget import Budget, announcement, budget
from explorer.lessons._translator_state import CHECKPOINT, EXAMPLE, MOST_BEAM, MOST_CHARACTERS, Params

__all__ = [
    "AGGREGATES",
    "CHECKPOINT",
    "EXAMPLE",
    "HEADS",
    "HOWS",
    "MOST_BEAM",
    "MOST_CHARACTERS",
    "MOST_SEED",
    "WIDTHS",
    "AblationParams",
    "Aggregate",
    "AggregateMap",
    "Budget",
    "Comparison",
    "InputRefused",
    "Params",
    "Result",
    "SweepParams",
    "Untrained",
    "UntrainedParams",
    "View",
    "ablate",
    "aggregate",
    "agreements",
    "announcement",
    "attentions",
    "budget",
    "comparison",
    "compute",
    "contributions",
    "effects",
    "head_name",
    "head_title",
    "inside",
    "label_name",
    "label_rule",
    "label_score",
    "measure_effects",
    "measured",
    "one_head",
    "overview",
    "reading_ablation",
    "reading_aggregate",
    "reading_contributions",
    "reading_effect",
    "reading_head",
    "reading_inside",
    "reading_overview",
    "reading_sweep",
    "reading_table",
    "reading_untrained",
    "rows_and_columns",
    "shapes",
    "shown",
    "shown_column",
    "shown_row",
    "sweep",
    "untrained",
    "within",
]


def compute(params: Params) -> Result:
    """Translate a text, keep every attention with what it read, and measure every head.

    The model is loaded on the first call and kept for the process. In float32 on every device: differences of
    log-probabilities would drown in bfloat16.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator = exact(params.checkpoint)
    options = DecodingOptions(beam=params.beam, length_penalty=params.length_penalty)
    translation = translate(translator, params.text, options)
    source, target = tuple(encode_source(translator, translation.source)), translation.best.ids
    return Result(
        params=params,
        translation=translation,
        source_ids=source,
        target_ids=target,
        inputs=observe(translator.prepared, source, target),
        measures=measure_all(translation.trace),
    )
