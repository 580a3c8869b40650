"""Every head of a trained translator, what it measures, what is inside it, and what becomes without it."""

from explorer.inference.translator.attention_inputs import observe
from explorer.inference.translator.request import Params
from explorer.inference.translator.translate import encode_source, load, translate
from explorer.lessons.multi_head.measures import measure_all
from explorer.lessons.multi_head.state import Result


def compute(params: Params) -> Result:
    """Translate a text, keep every attention with what it read, and measure every head.

    The model is loaded on the first call and kept for the process.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator = load(params.checkpoint)
    translation = translate(translator, params.text, params.options)
    source, target = tuple(encode_source(translator, translation.source)), translation.best.ids
    return Result(
        params=params,
        translation=translation,
        source_ids=source,
        target_ids=target,
        inputs=observe(translator.prepared, source, target),
        measures=measure_all(translation.trace),
    )
