"""From what was typed to a translation on the stage, or to a message."""

import html
from collections.abc import Callable, Sequence
from functools import wraps

import pandas as pd
import streamlit as st

from explorer.inference.translator.budget import announcement, budget
from explorer.inference.translator.pieces import Piece
from explorer.inference.translator.request import CHECKPOINT, translator_for
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons import translator as lesson
from explorer.lessons.translator import readings, sentences
from explorer.lessons.translator.ui import writing
from explorer.lessons.translator.ui.rail import Asked
from explorer.service.translation.requests import warm
from explorer.service.translation.ticket import TranslatedSentence
from explorer.ui import cache, choice, figure_card, refusals
from explorer.ui.language import t

#: Ribbons leave room for the second picture below them.
_STYLE = """<style>.translated{font-size:22px;line-height:1.3;font-weight:650;margin:0;overflow-wrap:anywhere}
.translated.many{font-size:18px}.translated mark{background:none;color:inherit;text-decoration:underline;
text-decoration-thickness:.09em;text-underline-offset:.18em}.st-key-stage{--less:58px;--less-low:44px;
--ribbons-gap:clamp(100px,100dvh/var(--screen,1) - 640px,260px)}</style>"""
_BIG = """<p class="translated{many}" lang="{language}">{text}</p>"""
#: Of a sentence on its button.
_SHOWN = 60


def of_translation(draw: Callable[[lesson.Result, Asked], None]) -> Callable[[Asked], dict[str, str]]:
    """Make a stage of what draws a translation: it says what cannot be translated, and which model is gone."""

    @wraps(draw)
    def stage(asked: Asked) -> dict[str, str]:
        result = translate(asked)
        if result is not None:
            with refusals.explained(result.params.checkpoint):  # a model that was brought along can be gone by now
                draw(result, asked)
        return {}

    return stage


def translate(asked: Asked) -> lesson.Result | None:
    """Load the model, translate and show the translation; where that is impossible, say why and what to do.

    Returns:
        The sentence that is looked into.
    """
    answers = None
    with refusals.explained(asked.params.checkpoint):
        with st.spinner(t("Loading the translator (once for all visitors) …")):
            translator = translator_of(asked.params)
        found = sentences.sentences(asked.params)
        _note(asked, translator, found)
        requests = sentences.requests(asked.params, found)
        shown = st.container(key="translation")
        with shown:
            answers = writing.follow(translator, repr(asked.params), found, requests, _STYLE)
    if answers is None:
        return None
    number = _sentence(asked, [piece.text for piece in found])
    with shown:
        _translation(translator, found, answers, number)
    cost = budget(translator, requests[number])
    if cost.is_long:
        with asked.note:
            st.caption(figure_card.escape(announcement(cost, t)))
    answer = sentences.FoundSentence(
        params=requests[number], revision=translator.manifest.revision, hypotheses=answers[number].hypotheses
    )
    return cache.compute(sentences.looked_into, answer)


def translator_of(params: lesson.Params) -> LoadedTranslator:
    """Return the model, here for the traces and at the desk for the translations.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    if params.checkpoint == CHECKPOINT:
        warm(params.checkpoint)  # beside the loading here
    return translator_for(params)


def _note(asked: Asked, translator: LoadedTranslator, found: Sequence[Piece]) -> None:
    """Say below the sentence how it is read, what the model was trained on, and how good it is."""
    read = (readings.describe_unseen(found, translator.tokenizer, t), readings.describe_changes(found, t))
    about = (readings.describe_training(translator, t), readings.describe_everyday(translator, t))
    with asked.note:
        for line in (*read, *about):
            if line:
                st.caption(figure_card.escape(line))


def _sentence(asked: Asked, texts: Sequence[str]) -> int:
    """Ask which sentence is looked into; the first if there is one only, and no widget then."""
    if len(texts) < 2:
        return 0
    names = {str(n): text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…" for n, text in enumerate(texts)}
    with asked.note:
        return int(choice.select(t("Look into which part?"), names, key="tr_sentence"))


def _translation(
    translator: LoadedTranslator, found: Sequence[Piece], answers: Sequence[TranslatedSentence], chosen: int
) -> None:
    """Draw the translation, large, the sentence that is looked into underlined."""
    many = len(answers) > 1
    texts = sentences.detokenize(translator, [each.hypotheses[0].ids for each in answers], found)
    texts = tuple(text or "∅" for text in texts)
    shown = [html.escape(text) for text in texts]
    if many:
        shown[chosen] = f"<mark>{shown[chosen]}</mark>"
    language = translator.direction.target if translator.direction else "und"
    text = sentences.join(texts, shown)
    st.html(_STYLE + _BIG.format(text=text, many=" many" if many else "", language=language))
    if not all(each.hypotheses[0].finished for each in answers):
        st.caption(t("The translator did not come to an end; this is as far as it got."))
    writing.shortages(answers)


def candidates(result: lesson.Result) -> pd.DataFrame:
    """Return every translation that the search found, the best first."""
    found = result.translation.candidates
    return pd.DataFrame(
        {
            t("translation"): [each.text for each in found],
            t("beam score"): [round(each.score, 3) for each in found],
            t("log-probability (nats)"): [round(each.log_probability, 3) for each in found],
            t("tokens"): [len(each.labels) for each in found],
        }
    )
