"""From what was typed to a translation on the stage, or to a message."""

import html
from collections.abc import Callable, Sequence
from functools import partial, wraps

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.inference.translator.budget import announcement, budget
from explorer.inference.translator.piece import Piece
from explorer.inference.translator.request import CHECKPOINT, translator_for
from explorer.inference.translator.translate import LoadedTranslator
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, readings, sentences
from explorer.lessons.translator.figures import bars
from explorer.lessons.translator.ui import rail, writing
from explorer.lessons.translator.ui.rail import Asked
from explorer.records.language import t
from explorer.service.translation.requests import arithmetic_of, warm
from explorer.service.translation.ticket import TranslatedSentence, tokens_a_second
from explorer.ui import cache, choice, fields, messages
from explorer.ui.scene import beside, picture, runs_on

#: Ribbons leave room for the second picture below them.
_STYLE = """.translated{font-size:22px;line-height:1.3;font-weight:650;margin:0;overflow-wrap:anywhere}
.translated.many{font-size:18px}.translated mark{background:none;color:inherit;text-decoration:underline;
text-decoration-thickness:.09em;text-underline-offset:.18em}.st-key-stage{--less:76px;--less-low:62px;
--ribbons-gap:clamp(84px,100dvh/var(--screen,1) - 530px,260px)}
@media (max-width:760px){.translated{font-size:19px;line-height:1.25}}"""
_BIG = """<p class="translated beside-switch{many}" translate="no" lang="{language}">{text}</p>"""
#: Of a sentence on its button.
_SHOWN = 60


def of_translation(draw: Callable[[lesson.Result, Asked], None]) -> Callable[[Asked], dict[str, str]]:
    """Make a stage of what draws a translation: it says what cannot be translated, and which model is gone."""

    @wraps(draw)
    def stage(asked: Asked) -> dict[str, str]:
        result = translate(asked)
        if result is not None:
            with messages.explain(result.params.checkpoint):  # a model that was brought along can be gone by now
                draw(result, asked)
        return {}

    return stage


def translate(asked: Asked) -> lesson.Result | None:
    """Load the model, translate and show the translation; where that is impossible, say why and what to do.

    Returns:
        The sentence that is looked into.
    """
    followed = None
    with messages.explain(asked.params.checkpoint):
        with st.spinner(t("Loading the translator (once for all visitors) …")):
            translator = translator_of(asked.params)
        found: Sequence[Piece] = sentences.sentences(asked.params)
        reading = _note(asked, translator, found)
        if translator.direction is not None:
            messages.wrong_language(asked.params.text, translator.direction.source)
        shown = st.container(key="translation")
        with shown:
            followed = writing.follow(translator, repr(asked.params), asked.params, found, _STYLE)
    if followed is None:
        return None
    if followed[0] != found:
        said = t("Something was lost on the way, so it was read again in another way.")
        with reading.container():
            messages.caption(f"{said} {readings.describe_changes(followed[0])}".strip())
    found, answers = followed
    _offer(asked, found)
    requests = sentences.requests(asked.params, found)
    number = _sentence(asked, [piece.text for piece in found])
    with shown:
        _translation(translator, found, answers, number, say_speed(translator, asked.params, answers))
    cost = budget(translator, requests[number])
    if cost.is_long:
        with asked.note:
            messages.caption(announcement(cost))
    answer = sentences.FoundSentence(
        params=requests[number],
        revision=translator.manifest.revision,
        hypotheses=answers[number].hypotheses,
        piece=found[number],
    )
    return cache.compute(sentences.looked_into, answer)


def translator_of(params: lesson.Params) -> LoadedTranslator:
    """Return the model, here for the traces and in the queue for the translations.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    if params.checkpoint == CHECKPOINT:
        warm(params.checkpoint)  # beside the loading here
    return translator_for(params)


def _note(asked: Asked, translator: LoadedTranslator, found: Sequence[Piece]) -> DeltaGenerator:
    """Say below the sentence how it is read, what the model was trained on, and how good it is.

    Returns:
        The place that says how it is read.
    """
    about = (readings.describe_training(translator), readings.describe_everyday(translator))
    with asked.note:
        if unseen := readings.describe_unseen(found, translator.tokenizer):
            messages.caption(unseen)
        reading = st.empty()
        if changes := readings.describe_changes(found):
            with reading.container():
                messages.caption(changes)
        with st.popover(t("How good is it?"), icon=":material/info:", type="tertiary", key="tr_how_good"):
            for line in filter(None, about):
                st.markdown(line)
    return reading


def _offer(asked: Asked, found: Sequence[Piece]) -> None:
    """Offer to read what was typed where something else is read for it, and the way back."""
    as_typed = asked.params.as_typed
    if as_typed or any(each.read for piece in found for each in piece.replaced):
        label = t("Read it with repairs") if as_typed else t("Read it as typed")
        with asked.note:
            change = {rail.AS_TYPED: not as_typed}
            st.button(label, key="tr_reading", type="tertiary", on_click=fields.set_values, args=(change,))


def _sentence(asked: Asked, texts: Sequence[str]) -> int:
    """Ask which sentence is looked into; the first if there is one only, and no widget then."""
    if len(texts) < 2:
        return 0
    names = {str(n): text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…" for n, text in enumerate(texts)}
    with asked.note:
        return int(choice.select(t("Look into which part?"), names, key="tr_sentence"))


def show_sureness(result: lesson.Result, *, fits_screen: bool = True) -> None:
    """Draw how likely each word of a translation was; `fits_screen` as of `picture.show_chart`."""
    picture.show_chart(
        "tr_sure",
        partial(bars.sureness, result.trace.written, result.trace.steps),
        title=t("How likely was each word?"),
        note=t("point at a bar for what else could have stood there"),
        reading=readings.describe_translation(result),
        provenance=result.provenance,
        of=finished.best_translation(result),
        fits_screen=fits_screen,
    )


def _translation(
    translator: LoadedTranslator,
    found: Sequence[Piece],
    answers: Sequence[TranslatedSentence],
    chosen: int,
    speed: str,
) -> None:
    """Draw the translation, large, the sentence that is looked into underlined."""
    many = len(answers) > 1
    texts = sentences.detokenize(translator, [each.hypotheses[0].ids for each in answers], found)
    texts = tuple(text or "∅" for text in texts)
    shown = [html.escape(text) for text in texts]
    if many:
        shown[chosen] = f"<mark>{shown[chosen]}</mark>"
    language = translator.direction.target.replace("_", "-") if translator.direction else "und"
    text = sentences.join(texts, shown)
    beside.show(_BIG.format(text=text, many=" many" if many else "", language=language), style=_STYLE)
    runs_on.note(speed)
    if not all(each.hypotheses[0].finished for each in answers):
        beside.show_caption(t("The translator did not come to an end; this is as far as it got."))
    writing.shortages(answers)


def say_speed(translator: LoadedTranslator, params: lesson.Params, answers: Sequence[TranslatedSentence]) -> str:
    """Say on which device, in which arithmetic and how fast a text was translated."""
    return runs_on.describe_device(
        str(translator.prepared.device), arithmetic_of(params, translator), tokens_a_second(answers)
    )


def candidates(result: lesson.Result) -> pd.DataFrame:
    """Return every translation that the search found, the best first."""
    found, said = result.translation.candidates, result.translation.said
    return pd.DataFrame(
        {
            t("translation"): list(said),
            t("beam score"): [round(each.score, 3) for each in found],
            t("log-probability (nats)"): [round(each.log_probability, 3) for each in found],
            t("tokens"): [len(each.labels) for each in found],
        }
    )
