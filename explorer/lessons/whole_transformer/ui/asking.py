"""From the sentence in the rail to a recorded pass, or to a message."""

import streamlit as st

from explorer.lessons import whole_transformer as lesson
from explorer.lessons.whole_transformer.compute import TooLong
from explorer.lessons.whole_transformer.state import MOST_CHARACTERS, MOST_TOKENS
from explorer.ui import choice, refusals
from explorer.ui.language import t


def sentence() -> lesson.Params:
    """Ask for the sentence."""
    return lesson.Params(text=choice.text(t("English sentence"), MOST_CHARACTERS, key="wt_text"))


def record(params: lesson.Params) -> lesson.Result | None:
    """Return the pass; where there is none, say why and what to do."""
    try:
        with refusals.explained(params.checkpoint), st.spinner(t("Loading the translator (once for all visitors) …")):
            return recorded(params)
    except TooLong as refused:
        said = t("This sentence or its translation has {length} pieces; the picture has room for {limit}: shorten it.")
        st.info(said.format(length=refused.length, limit=MOST_TOKENS), icon=":material/edit:")
    return None


def recorded(params: lesson.Params) -> lesson.Result:
    """Return the pass, computed once for everybody. A record holds megabytes, so that few are kept."""
    return _recorded(params.text, params.checkpoint)


@st.cache_resource(max_entries=16, show_spinner=False)
def _recorded(text: str, checkpoint: str) -> lesson.Result:
    return lesson.compute(lesson.Params(text=text, checkpoint=checkpoint))
