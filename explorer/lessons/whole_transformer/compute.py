"""“The Transformer, whole”: translate a sentence, then record the pass over it."""

from explorer.inference.search.batching import decode_all
from explorer.inference.translator import request
from explorer.inference.translator.translate import finished, load
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
    translator, text, source = request.encoded(asked)
    if len(source) > MOST_TOKENS:
        raise TooLong(len(source))
    found = decode_all(translator.prepared, [source], asked.options)[0]
    translation = finished(translator, text, source, found, asked.options)
    if len(translation.trace.written_ids) > MOST_TOKENS:
        raise TooLong(len(translation.trace.written_ids))
    return Result(whole=observe(load(params.checkpoint), translation.trace))
