"""“Multi-head and self-attention”: what the translator does when nobody may look where its heads rest."""

import numpy as np

from explorer.inference.search.batching import decode_all
from explorer.inference.translator.intervention import Intervention, intervene, read_again
from explorer.inference.translator.request import Params
from explorer.inference.translator.subwords import candidate
from explorer.inference.translator.trace import token_row
from explorer.inference.translator.translate import encode_source, load
from explorer.lessons.multi_head.ablation import translate_whole
from explorer.lessons.multi_head.records import UnseenEnd
from explorer.records.sequence import match_tokens


def hide_end(params: Params) -> UnseenEnd:
    """Translate while neither encoder nor decoder may look at the end of the source.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    whole, before = load(params.checkpoint), translate_whole(params)
    source, target = encode_source(whole, before.source), before.best.ids
    hidden = intervene(whole.prepared, Intervention(hidden=(len(source) - 1,)))
    ((found, *_),) = decode_all(hidden, [source], params.options)
    after = candidate(whole.tokenizer, found)
    words = [token_row(whole.tokenizer, each).word_labels for each in (target, after.ids)]
    logs = [read_again(each, source, target).logs[-1] for each in (intervene(whole.prepared, Intervention()), hidden)]
    return UnseenEnd(
        before=before.best,
        after=after,
        before_words=words[0],
        after_words=words[1],
        after_kept=match_tokens(*words)[1],
        end_lost=float(np.exp(float(logs[0] - logs[1]))),
        provenance=whole.provenance.by(intervene, detail=f"last source token hidden, beam {params.beam}"),
    )
