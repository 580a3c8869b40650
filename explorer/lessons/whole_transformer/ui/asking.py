"""From the sentence in the rail to a recorded pass, or to a message."""

import streamlit as st

from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer.compute import TooLong
from explorer.lessons.whole_transformer.state import MOST_CHARACTERS, MOST_TOKENS
from explorer.records.language import t
from explorer.records.wording import capitalise, said_replaced
from explorer.ui import cache, choice, messages


def sentence() -> lesson.Params:
    """Ask for the sentence."""
    return lesson.Params(text=choice.text(t("English sentence"), MOST_CHARACTERS, key="wt_text"))


def record(params: lesson.Params) -> lesson.Result | None:
    """Return the pass; where there is none, say why and what to do."""
    try:
        with messages.explain(params.checkpoint), st.spinner(t("Loading the translator (once for all visitors) …")):
            result = record_pass(params)
            if read := said_replaced(result.replaced):
                messages.caption(capitalise(t("; ").join(read)))
            return result
    except TooLong as refused:
        said = t("This sentence or its translation has {length} pieces; the picture has room for {limit}: shorten it.")
        messages.info(said.format(length=refused.length, limit=MOST_TOKENS))
    return None


def record_pass(params: lesson.Params) -> lesson.Result:
    """Return the pass, computed once for everybody who reads this sentence, whatever else they ask."""
    return cache.once(lambda: lesson.compute(params), "whole", params.text, params.checkpoint)
