"""Page 09: a trained Transformer translates a sentence, and every attention that made the translation is kept."""

from explorer.inference.decoding import DecodingOptions
from explorer.inference.translator import InputRefused, loaded, translate
from explorer.lessons._translator_again import Written, direction, translators, written
from explorer.lessons._translator_budget import Budget, announcement, budget
from explorer.lessons._translator_change import ChangeParams, change, change_steps
from explorer.lessons._translator_change_readings import reading_anew, reading_change, reading_cross_after
from explorer.lessons._translator_change_state import TEMPERATURES, Change, read_row, read_words
from explorer.lessons._translator_cross import (
    Chosen,
    cross_heads,
    cross_mean,
    cross_overview,
    cross_row,
    hard_alignment,
    head_alignments,
    heads_of,
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
from explorer.lessons._translator_search import (
    LEAST_TEMPERATURE,
    LEAST_TOP_P,
    MOST_SAMPLES,
    MOST_SEED,
    MOST_TEMPERATURE,
    MOST_TOP_K,
    Ranked,
    SearchParams,
    Ways,
    WaysParams,
    ranked,
    search,
    ways,
)
from explorer.lessons._translator_search_edit import (
    MOST_EDIT_CHARACTERS,
    EditParams,
    PlaceParams,
    Rewritten,
    alternatives,
    place_id,
    rewrite,
)
from explorer.lessons._translator_search_readings import (
    reading_ranking,
    reading_rewritten,
    reading_tree,
    reading_ways,
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
    "LEAST_TEMPERATURE",
    "LEAST_TOP_P",
    "MOST_BEAM",
    "MOST_CHARACTERS",
    "MOST_EDIT_CHARACTERS",
    "MOST_LENGTH_PENALTY",
    "MOST_SAMPLES",
    "MOST_SEED",
    "MOST_SENTENCES",
    "MOST_TEMPERATURE",
    "MOST_TOP_K",
    "TEMPERATURES",
    "Budget",
    "Change",
    "ChangeParams",
    "Chosen",
    "Document",
    "EditParams",
    "Found",
    "InputRefused",
    "Params",
    "PlaceParams",
    "Ranked",
    "Result",
    "Rewritten",
    "SearchParams",
    "Sentence",
    "Site",
    "View",
    "Ways",
    "WaysParams",
    "Written",
    "alternatives",
    "announcement",
    "attended_at",
    "attention",
    "budget",
    "change",
    "change_steps",
    "compute",
    "cross_heads",
    "cross_mean",
    "cross_overview",
    "cross_row",
    "direction",
    "follow_stream",
    "hard_alignment",
    "head_alignments",
    "head_of",
    "heads_of",
    "join",
    "lens_name",
    "looked_into",
    "place_id",
    "point_name",
    "ranked",
    "read_row",
    "read_words",
    "reading_alternatives",
    "reading_anew",
    "reading_best_head",
    "reading_candidates",
    "reading_change",
    "reading_column",
    "reading_cross",
    "reading_cross_after",
    "reading_hard",
    "reading_lens",
    "reading_lens_map",
    "reading_looked",
    "reading_map",
    "reading_norms",
    "reading_point",
    "reading_ranking",
    "reading_rewritten",
    "reading_selected",
    "reading_translation",
    "reading_tree",
    "reading_ways",
    "rewrite",
    "row_of",
    "rows_and_columns",
    "said",
    "search",
    "selected",
    "sentences",
    "shown",
    "step",
    "token",
    "token_of_row",
    "translators",
    "ways",
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
