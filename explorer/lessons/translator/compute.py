"""Translate a sentence with a trained Transformer, and keep every attention that made the translation."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import Hypothesis
from explorer.inference.translator.piece import Piece
from explorer.inference.translator.pieces import readings
from explorer.inference.translator.request import Params, encode_text, normalise_text, translator_for
from explorer.inference.translator.translate import clean, finish_translation
from explorer.lessons.translator.state import Result

Search = Callable[[Params], Sequence[Hypothesis]]


def search(params: Params) -> Sequence[Hypothesis]:
    """Return what the search finds for one sentence, the best first: here and now, without the queue."""
    translator, _, source = encode_text(params)
    return decode_all(translator.prepared, [source], params.options)[0]


def look_into(params: Params, found: Sequence[Hypothesis], piece: Piece | None = None) -> Result:
    """Return what was found for a sentence and the trace of the best: one parallel pass over it.

    Args:
        piece: how the sentence came to be read so.
    """
    translator, text, source = encode_text(params)
    return Result(params=params, translation=finish_translation(translator, text, source, found, params.options, piece))


def compute(params: Params, search: Search = search) -> Result:
    """Translate one sentence and keep what the translator attended to and thought likely.

    Args:
        search: finds the translation of what is read.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    clean(params.text)
    translator = translator_for(params)
    within = partial(normalise_text, translator)
    for piece in readings(params.text, translator.tokenizer, translator.rewritten, within, as_typed=params.as_typed):
        asked = replace(params, text=piece.text)
        found = search(asked)
        if piece.kept(translator.tokenizer.decode(found[0].ids)):
            break
    return look_into(asked, found, piece)
