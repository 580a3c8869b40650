"""“Recurrent attention”: numbers as tables, and the titles of what is read and what is written."""

from collections.abc import Sequence

import pandas as pd

from explorer.lessons.seq2seq_attention import state
from explorer.lessons.seq2seq_attention.figures.columns import plain_names
from explorer.lessons.seq2seq_attention.numbers import by_steps, of_words, word_scores, word_weights
from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.recurrent import DecoderStep, RecurrentRecord
from explorer.ui import tables


def alignment_table(record: RecurrentRecord) -> pd.DataFrame:
    """Return the weights of the source words at each step; without any, the vector that stands for all of them."""
    summary, alignment = record.trace.summary, by_steps(record)
    if alignment is None:
        return tables.matrix(summary[:, None], tuple(map(str, range(summary.size))), (t("one vector"),))
    return tables.attention(alignment, 0)


def step_table(record: RecurrentRecord, step: DecoderStep) -> pd.DataFrame:
    """Return weight and state of each source word, then the context and the memory."""
    weights, states = of_words(record, step)
    labels = [*plain_names(record.trace.source.word_labels, None), t("context"), t("its memory")]
    rows = [*states.tolist(), step.context.tolist(), step.before.tolist()]
    table = pd.DataFrame(rows, index=pd.Index(tables.number_labels(tuple(labels))))
    shares = [*(weights.tolist() if step.weights is not None else [None] * len(weights)), None, None]
    table.insert(0, t("weight"), shares)
    return table


def score_table(record: RecurrentRecord, step: DecoderStep) -> pd.DataFrame:
    """Return score and weight of each source word."""
    names = pd.Index(tables.number_labels(tuple(plain_names(record.trace.source.word_labels, None))))
    scored, weights = word_scores(record.trace, step), word_weights(record.trace, step)
    return pd.DataFrame({t("score"): scored, t("weight"): weights}, names)


def vector_table(rows: Sequence[tuple[str, Float32]]) -> pd.DataFrame:
    """Return vectors, a row for each."""
    return pd.DataFrame([vector for _, vector in rows], pd.Index(tables.number_labels(tuple(name for name, _ in rows))))


def side_titles(task: state.Task) -> tuple[str, str]:
    """Return what the columns and the rows of an alignment are.

    Plotly draws the title of a horizontal axis across labels of Chinese characters: the other axis says both.
    """
    if task == "couplet":
        return " ", t("second line (columns: first line)")
    if task == "lab":
        return " ", t("output (columns: input)")
    return t("German, as it was read"), t("English, as it was written")
