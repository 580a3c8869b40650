"""Widgets that the deeper scenes share: the batch, what is forbidden, and who asks."""

from typing import Any

import streamlit as st

from explorer.lessons import masked_softmax as lesson
from explorer.lessons.masked_softmax import batch, state
from explorer.lessons.masked_softmax.compute import sentence as sentence_of_lesson
from explorer.lessons.masked_softmax.records import NotationError, display_tokens, read_lengths
from explorer.lessons.masked_softmax.ui import by_hand
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.ui import cache, choice, messages
from explorer.ui.scene import rail

Asked = tuple[lesson.Params, lesson.Result, lesson.View]


def ask() -> Asked:
    """Ask which sentence and which query of it; the batch itself in the fold."""
    top, bottom = st.container(key="ms_here"), st.container(key="ms_rest")
    with bottom, rail.more():
        params = lesson.Params(**_rules(), **_rare())
    with top:
        return choose_word(params)


def batch_first() -> Asked:
    """Ask for the batch and its masks, then which sentence and which query of it."""
    top, middle, bottom = (st.container(key=f"ms_{name}") for name in ("here", "whose", "rest"))
    with bottom, rail.more():
        rest = _rare()
    with top:
        params = lesson.Params(**_rules(), **rest)
    with middle:
        return choose_word(params)


def choose_word(params: lesson.Params) -> Asked:
    """Ask which sentence is shown, and which of its words asks."""
    result = cache.compute(lesson.compute, params)
    names = {str(number): f"{number} · {sentence_of_lesson(mask)}" for number, mask in enumerate(result.masks, start=1)}
    row = int(choice.select(t("Sentence shown"), names, key="ms_batch")) - 1
    labels = display_tokens(result.masks[row].query_labels)
    asks = {str(position): f"{position} · {label}" for position, label in enumerate(labels, start=1)}
    query = int(choice.select(t("Which word asks?"), asks, key="ms_query")) - 1
    return params, result, lesson.View(batch=row, query=query)


def _rules() -> dict[str, Any]:
    """Ask for the sentences, and whether future and distant words are forbidden."""
    return {"sentences": _sentences(), "causal": choice.ask("ms_causal"), "window": choice.ask("ms_window")}


def _rare() -> dict[str, Any]:
    """Ask for what is set seldom: padding, lengths, cells changed by hand, seed."""
    padding, left = choice.ask("ms_padding"), choice.ask("ms_left")
    lengths, hand = _lengths(padding), by_hand.cells("ms_hand", t("Cells changed by hand"))
    return {"padding": padding, "left": left, "lengths": lengths, "hand": hand, "seed": choice.ask("ms_seed")}


def _sentences() -> tuple[tuple[str, ...], ...]:
    """Ask what was typed, a sentence a line; the default, and a message, where there is no word."""
    said = t("Up to 4 sentences of 16 words; a Chinese character is a word.")
    typed = choice.area(t("Sentences of the batch, one a line"), 600, key="ms_text", height=110, help=said)
    split = tuple(batch.words(line) for line in typed.splitlines())
    if not any(split):
        messages.info(t("Type at least one word. Until then the first example stands."))
        return tuple(batch.words(line) for line in DEFAULTS["ms_text"].splitlines())
    if len(list(filter(None, split))) > state.MAX_SENTENCES or max(map(len, split)) > state.MAX_WORDS:
        messages.info(t("Too much to draw: the first 16 words of the first 4 sentences are used."))
    return split


def _lengths(padded: bool) -> tuple[tuple[int, ...], ...]:
    """Ask for the valid lengths that were typed; none, and a message, where they cannot be read."""
    said = t(
        "One number for each sentence, separated by semicolons: 5; 2; 4. "
        "Or one for each query of a sentence: 1 2 3 4 5; 2; 4."
    )
    label, example = t("Valid lengths"), t("count the words")
    typed = choice.text(label, 300, key="ms_lengths", placeholder=example, help=said, disabled=not padded)
    if not padded:
        return ()
    try:
        return read_lengths(typed)
    except NotationError as error:
        by_hand.not_understood(error, t("Write lengths such as 5; 2; 4. Until then the words are counted."))
        return ()
