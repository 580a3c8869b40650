"""Page 09: a trained Transformer translates a sentence, and every attention that made the translation is kept."""

from explorer.inference.decoding import DecodingOptions
from explorer.inference.translator import InputRefused, loaded, translate
from explorer.lessons._translator_again import Written, written
from explorer.lessons._translator_budget import Budget, announcement, budget
from explorer.lessons._translator_cross import (
    Chosen,
    cross_heads,
    cross_mean,
    cross_overview,
    cross_row,
    hard_alignment,
    head_alignments,
    reading_best_head,
    reading_column,
    reading_cross,
    reading_hard,
    token_of_row,
)
from explorer.lessons._translator_documents import Document
from explorer.lessons._translator_readings import (
    reading_alternatives,
    reading_candidates,
    reading_map,
    reading_selected,
    reading_translation,
)
from explorer.lessons._translator_sentences import (
    MOST_SENTENCES,
    Found,
    Sentence,
    join,
    looked_into,
    said,
    sentences,
    where,
)
from explorer.lessons._translator_state import (
    CHECKPOINT,
    EXAMPLE,
    MOST_BEAM,
    MOST_CHARACTERS,
    MOST_LENGTH_PENALTY,
    Params,
    Result,
    Site,
    View,
    attention,
    head_of,
    row_of,
    rows_and_columns,
    selected,
    shown,
    step,
    token,
)
from explorer.lessons._translator_stream import (
    attended_at,
    follow_stream,
    lens_name,
    point_name,
    reading_lens,
    reading_lens_map,
    reading_looked,
    reading_norms,
    reading_point,
)

__all__ = [
    "CHECKPOINT",
    "EXAMPLE",
    "MOST_BEAM",
    "MOST_CHARACTERS",
    "MOST_LENGTH_PENALTY",
    "MOST_SENTENCES",
    "Budget",
    "Chosen",
    "Document",
    "Found",
    "InputRefused",
    "Params",
    "Result",
    "Sentence",
    "Site",
    "View",
    "Written",
    "announcement",
    "attended_at",
    "attention",
    "budget",
    "compute",
    "cross_heads",
    "cross_mean",
    "cross_overview",
    "cross_row",
    "follow_stream",
    "hard_alignment",
    "head_alignments",
    "head_of",
    "join",
    "lens_name",
    "looked_into",
    "point_name",
    "reading_alternatives",
    "reading_best_head",
    "reading_candidates",
    "reading_column",
    "reading_cross",
    "reading_hard",
    "reading_lens",
    "reading_lens_map",
    "reading_looked",
    "reading_map",
    "reading_norms",
    "reading_point",
    "reading_selected",
    "reading_translation",
    "row_of",
    "rows_and_columns",
    "said",
    "selected",
    "sentences",
    "shown",
    "step",
    "token",
    "token_of_row",
    "where",
    "written",
]


def compute(params: Params) -> Result:
    """Translate one sentence and keep what the translator attended to and thought likely.

    The model is loaded on the first call and kept for the process (`explorer.inference.translator.loaded`).

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    options = DecodingOptions(beam=params.beam, length_penalty=params.length_penalty)
    return Result(params=params, translation=translate(loaded(params.checkpoint), params.text, options))
