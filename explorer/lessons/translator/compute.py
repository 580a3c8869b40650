"""Translate a sentence with a trained Transformer, and keep every attention that made the translation."""

from collections.abc import Callable, Sequence

from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import Hypothesis
from explorer.inference.translator.request import Params, encoded
from explorer.inference.translator.translate import finished
from explorer.lessons.translator.state import Result

Search = Callable[[Params], Sequence[Hypothesis]]


def search(params: Params) -> Sequence[Hypothesis]:
    """Return what the search finds for one sentence, the best first: here and now, without the queue."""
    translator, _, source = encoded(params)
    return decode_all(translator.prepared, [source], params.options)[0]


def look_into(params: Params, found: Sequence[Hypothesis]) -> Result:
    """Return what was found for a sentence and the trace of the best: one parallel pass over it."""
    translator, text, source = encoded(params)
    return Result(params=params, translation=finished(translator, text, source, found, params.options))


def compute(params: Params, search: Search = search) -> Result:
    """Translate one sentence and keep what the translator attended to and thought likely.

    Args:
        search: finds the translation; the page's asks the queue.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    return look_into(params, search(params))
