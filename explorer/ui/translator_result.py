"""Page 09: from what was typed to a translation on the screen, or to a message."""

import html
import time
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.device import DeviceRefused
from explorer.inference.translator import LoadedTranslator, loaded
from explorer.lessons import translator as lesson
from explorer.ui import cached, card
from explorer.ui.language import t

_BIG = """<style>.translated{{font-size:clamp(1.5rem,2.6vw,2.6rem);line-height:1.25;font-weight:600;margin:.2rem 0;
overflow-wrap:anywhere}}</style><p class="translated" lang="{language}">{text}</p>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A result, and how long it took when it was computed."""

    result: lesson.Result
    elapsed_ms: float


def translate(params: lesson.Params) -> lesson.Result | None:
    """Load the model, translate and show the translation; where that is impossible, say why and what to do."""
    try:
        with st.spinner(t("Loading the translator (once for all visitors) …")):
            ours = params.checkpoint == lesson.CHECKPOINT
            translator = cached.compute(loaded, params.checkpoint) if ours else loaded(params.checkpoint)
        _announce(translator, params)
        with st.spinner(t("Translating …"), show_time=True):
            timed = cached.compute(_timed, params)
    except lesson.InputRefused as refused:
        st.info(card.escape(refused.explain(t)), icon=":material/edit:")
        return None
    except DeviceRefused as refused:
        st.error(card.escape(str(refused)), icon=":material/memory:")
        return None
    except CheckpointError as error:
        no_checkpoint(params.checkpoint, error)
        return None
    _translation(timed)
    return timed.result


def _timed(params: lesson.Params) -> Timed:
    start = time.perf_counter()
    result = lesson.compute(params)
    return Timed(result=result, elapsed_ms=1000 * (time.perf_counter() - start))


def _announce(translator: LoadedTranslator, params: lesson.Params) -> None:
    cost = lesson.budget(translator, params)
    if cost.is_long:
        st.info(card.escape(lesson.announcement(cost, t)), icon=":material/straighten:")


def no_checkpoint(name: str, error: CheckpointError) -> None:
    """Say that a checkpoint cannot be used, and what to do."""
    st.error(
        t(
            "The translator’s weights, checkpoints/{name}, are missing or damaged, so there is nothing to translate"
            " with. Fetch them again (git lfs pull, or a fresh checkout); all other pages work without them."
        ).format(name=card.escape(name)),
        icon=":material/folder_off:",
    )
    with st.expander(t("What exactly is wrong")):
        st.text(str(error))


def language(params: lesson.Params) -> str:
    """Of what is written; a model that was brought along writes no language that is known."""
    return "fr" if params.checkpoint == lesson.CHECKPOINT else "und"


def _translation(timed: Timed) -> None:
    """The translation, large; where it comes from; and what else was found."""
    record, view = timed.result.translation, lesson.View()
    with st.container(key="translation"):
        st.html(_BIG.format(text=html.escape(record.best.text) or "∅", language=language(timed.result.params)))
        if not record.best.finished:
            st.caption(t("The translator did not come to an end; this is as far as it got."))
        st.markdown(f":material/visibility: {card.escape(lesson.reading_translation(timed.result, view, t))}")
        took = t("computed in {ms:,.0f} ms").format(ms=timed.elapsed_ms)
        st.caption(f":material/fingerprint: {t('Computed by')} {card.escape(f'{record.provenance} · {took}')}")
    title = t("Alternatives: what the search found ({n})").format(n=len(record.candidates))
    with st.expander(title, icon=":material/format_list_numbered:", key="tr_alternatives"):
        st.dataframe(candidates(timed.result), key="tr_candidates", hide_index=True)
        st.markdown(f":material/visibility: {card.escape(lesson.reading_candidates(timed.result, view, t))}")


def candidates(result: lesson.Result) -> pd.DataFrame:
    """Every translation that the search found, the best first."""
    found = result.translation.candidates
    return pd.DataFrame(
        {
            t("translation"): [each.text for each in found],
            t("score"): [round(each.score, 3) for each in found],
            t("log-probability (nats)"): [round(each.log_probability, 3) for each in found],
            t("tokens"): [len(each.labels) for each in found],
        }
    )
