"""“Text generation”: the numbers behind its figures, as tables."""

import pandas as pd

from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look
from explorer.lessons.text_generation.figures.text import fate_names
from explorer.records.generation import InductionRecord, NextRecord
from explorer.records.language import t


def text(result: lesson.Result, view: lesson.View) -> pd.DataFrame:
    """Return every token with its surprisal and how much the chosen step looked at it."""
    labels = result.text.labels
    return pd.DataFrame(
        {
            t("token"): labels,
            t("given"): [position < result.text.n_given for position in range(len(labels))],
            t("surprise in nats"): result.text.surprisal,
            t("looked at from the chosen token"): look.looked_at(result, view),
        }
    )


def next_tokens(record: NextRecord) -> pd.DataFrame:
    """Return the likeliest next tokens with both probabilities."""
    fates = fate_names()
    return pd.DataFrame(
        {
            t("token"): [each.label for each in record.likeliest],
            t("the model says"): [each.model for each in record.likeliest],
            t("the sampler draws"): [each.drawn for each in record.likeliest],
            t("in the sampler"): [fates[each.fate] for each in record.likeliest],
        }
    )


def pair(before: lesson.Result, after: lesson.Result) -> pd.DataFrame:
    """Return the tokens of two texts and their surprisal, place by place."""
    columns = {t("as it was"): before.text, t("written anew"): after.text}
    parts = {
        name: pd.DataFrame({t("token"): each.labels, t("surprise in nats"): each.surprisal})
        for name, each in columns.items()
    }
    return pd.concat(parts, axis=1)


def induction(record: InductionRecord, names: tuple[str, ...]) -> pd.DataFrame:
    """Return three scores for every head."""
    layers, heads = record.prefix.shape
    lines = [
        (f"{layer}.{head}", *(float(each[layer, head]) for each in (record.prefix, record.copying, record.previous)))
        for layer in range(layers)
        for head in range(heads)
    ]
    return pd.DataFrame(lines, columns=[t("head"), *names])
