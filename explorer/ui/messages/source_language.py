"""What is said before a translation where the text is not in the language that the model reads."""

import streamlit as st

from explorer.records.language import t
from explorer.records.wording import join_sentences
from explorer.ui.messages.place import at, info, place


def wrong_language(text: str, expected: str, also: str = "") -> None:
    """Say that a text seems not to be in the language that is read; nothing where it may well be.

    Args:
        expected: code of a language whose words were counted; of any other, nothing can be said.
        also: a sentence about what the model has read.
    """
    # Its lists of words import torch, which the home page does without.
    from explorer.inference.translator.source_language import language_of

    names = {"en": t("English"), "fr": t("French"), "de": t("German"), "zh": t("Chinese")}
    if expected not in names:
        return
    found = language_of(text, expected)
    if found == expected:
        return
    said = (
        t("This looks like {found}, not like {expected}.").format(found=names[found], expected=names[expected])
        if found
        else t("This does not look like {expected}.").format(expected=names[expected])
    )
    invents = t("The model reads only {expected}, and will invent.").format(expected=names[expected])
    with place():
        beside_switch = st.container(key="wrong_language")
    with at(beside_switch):
        info(join_sentences([said, invents, also]), ":material/translate:")
