"""“Recurrent attention”: from what was typed to what the models wrote, or to a message."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.checkpoints.manifest import CheckpointError
from explorer.data.couplets import CoupletTokenizer
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.inference.device import DeviceRefused
from explorer.inference.seq2seq.translate import load
from explorer.inference.translator.source_language import language_of
from explorer.inference.translator.translate import InputRefused
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import lab, state
from explorer.records.language import t
from explorer.ui import cache, job_progress, messages
from explorer.ui.scene import beside


def _read_only_captions(params: lesson.Params) -> None:
    """Say above what was written what these models have read, and where a text is not even German."""
    if params.task == "de-en" and params.text not in state.EXAMPLES["de-en"]:
        captions = t("It has only read captions of photographs: whatever it reads, it writes as a caption.")
        messages.wrong_language(params.text, "de", captions)
        if language_of(params.text, "de") == "de":
            messages.caption(captions)


def write(params: lesson.Params) -> lesson.Result | None:
    """Load the models and let them write; where that is impossible, say why and what to do."""
    result, ready = None, _ready(params, nullcontext())
    if ready is not None:
        with _explained(params):
            with st.spinner(t("Reading and writing …")):
                result = cache.compute(lesson.compute, ready)
            _read_only_captions(params)
            _remarks(result)
    return result


def write_beside(params: lesson.Params, said: DeltaGenerator, draw: Callable[[lesson.Result], None]) -> None:
    """Do the same beside the page, and draw what comes of it on the stage.

    Args:
        said: where it stands which models are left out, and what the others cannot read.
    """
    ready = _ready(params, said)
    if ready is None:
        return

    def drawn(result: lesson.Result) -> None:
        with said:
            _remarks(result)
        _read_only_captions(params)
        draw(result)

    with _explained(params):
        job_progress.compute_with_progress("sa_written", lesson.compute, ready, drawn, said=t("Reading and writing …"))


@contextmanager
def _explained(params: lesson.Params) -> Iterator[None]:
    """Say why a text or a model is refused inside."""
    try:
        yield
    except InputRefused as refused:
        messages.info(explain_refusal(refused, params.task))
    except CheckpointError as error:
        messages.no_checkpoints(dict.fromkeys(params.models, error))


def _ready(params: lesson.Params, beside: AbstractContextManager[object]) -> lesson.Params | None:
    """Return the parameters without the models that cannot be loaded; None if there is none left."""
    with beside:
        messages.left_out(state.find_unusable(params.models))
    if not params.models:
        messages.no_checkpoints(state.find_unusable())
        return None
    lost = {}
    for name in params.models:
        try:
            if params.task == "lab":  # the reader's own
                load(name)
            else:
                cache.compute(load, name)
        except DeviceRefused as refused:
            messages.error(str(refused), ":material/memory:")
            return None
        except CheckpointError as error:
            lost[name] = error
    messages.no_checkpoints(lost)
    usable = tuple(name for name in params.models if name not in lost)
    return replace(params, models=usable) if usable else None


def explain_refusal(refused: InputRefused, task: state.Task) -> str:
    """Explain why a text is refused: the tokens of a couplet are characters."""
    if refused.reason == "empty":
        return t("There is nothing to read yet: type a sentence, or take an example.")
    if task == "couplet":
        refused = InputRefused("too_long", length=refused.length, limit=refused.limit, unit="characters")
    if task == "lab" and refused.unit != "characters":
        said = t("The text has {length:,} tokens, and your model reads at most {limit:,}: shorten it.")
        return said.format(length=refused.length, limit=refused.limit)
    return refused.explain()


def _remarks(result: lesson.Result) -> None:
    """Show what a model has no token for, and the right answers of the tasks that models of the lab have learnt."""
    source = next(iter(result.records.values())).source
    for name in result.params.models:
        tokenizer = load(name).tokenizer
        if isinstance(tokenizer, CoupletTokenizer | TaskTokenizer) and (unknown := tokenizer.unknown(source)):
            said = t("The model was never shown these, and reads them all as one and the same: {symbols}")
            beside.show_caption(messages.plain(said.format(symbols=" ".join(unknown[:20]))))
    if result.params.task == "lab":
        every = [each for each in state.models(result.params.models) if each.name in result.records]
        answers = [lab.lab_answer(each, result.params.text) for each in every]
        for answer in dict.fromkeys(each for each in answers if each is not None):
            beside.show_caption(f":material/task_alt: {t('The right answer:')} {messages.plain(answer)}")
