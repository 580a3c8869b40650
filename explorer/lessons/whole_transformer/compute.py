"""“The Transformer, whole”: translate a sentence, then record the pass over it."""

from functools import partial

from explorer.inference.search.batching import decode_all
from explorer.inference.translator import request
from explorer.inference.translator.pieces import readings
from explorer.inference.translator.translate import clean, encode_source, finish_translation, load
from explorer.inference.translator.whole_pass import observe
from explorer.lessons.whole_transformer.state import MOST_TOKENS, Params, Result


class TooLong(ValueError):
    """A sentence, or its translation, has more tokens than the picture has room for.

    Attributes:
        length: in tokens, of the longer one.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(f"{length} tokens, and at most {MOST_TOKENS} can be drawn")


def compute(params: Params) -> Result:
    """Translate one sentence and record everything that the model computed.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        TooLong: it, or its translation, has more tokens than can be drawn.
        CheckpointError: the checkpoint cannot be used.
    """
    asked = request.Params(text=params.text, checkpoint=params.checkpoint)
    clean(params.text)
    translator = request.translator_for(asked)
    normalised = partial(request.normalise_text, translator)
    for piece in readings(params.text, translator.tokenizer, translator.rewritten, normalised):
        source = encode_source(translator, piece.text)
        if len(source) > MOST_TOKENS:
            raise TooLong(len(source))
        found = decode_all(translator.prepared, [source], asked.options)[0]
        if piece.kept(translator.tokenizer.decode(found[0].ids)):
            break
    translation = finish_translation(translator, piece.text, source, found, asked.options, piece)
    if len(translation.trace.written_ids) > MOST_TOKENS:
        raise TooLong(len(translation.trace.written_ids))
    return Result(whole=observe(load(params.checkpoint), translation.trace), replaced=translation.replaced)
