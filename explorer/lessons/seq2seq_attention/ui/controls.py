"""Widgets of “Recurrent attention”: what is read, by which models, how the output is searched, and which step is open.

All are bound to the URL but those of models that a reader brought along: no link can carry these.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.inference.translator.request import BOX_CHARACTERS
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import lab, state
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.ui import choice, fields, uploaded_models
from explorer.ui.scene import rail

#: Of each task: the key of its text box.
BOXES: Mapping[state.Task, str] = {"de-en": "sa_text", "couplet": "sa_line", "lab": "sa_own"}
_NAMES_CHARACTERS = 600


def names() -> dict[str, str]:
    """Return the mechanisms, short enough for a button."""
    return {
        "none": t("No attention"),
        "fixed": t("Word for word"),
        "dot": t("Dot (Luong)"),
        "scaled_dot": t("Scaled dot"),
        "general": t("General (Luong)"),
        "concat": t("Concat (Luong)"),
        "additive": t("Additive (Bahdanau)"),
    }


def list_brought() -> dict[str, str]:
    """Return recurrent models of the lab that the reader brought along: folder to name."""
    return {str(folder): name for name, folder in uploaded_models.models("lab_recurrent").items()}


def model_names(there: Sequence[state.RecurrentModel]) -> dict[str, str]:
    """Name each model by its mechanism, and by its own name where several share one or a reader brought it."""
    said, own = names(), list_brought()
    kinds = [(each.task, each.mechanism) for each in there]
    return {
        each.name: said[each.mechanism]
        if kinds.count((each.task, each.mechanism)) == 1 and each.task != "lab"
        else f"{said[each.mechanism]} · {own.get(each.name, Path(each.name).name)}"
        for each in there
    }


def one_model(box: Any, fold: Any) -> lesson.Params:
    """Ask which model writes, what it reads, and how the output is searched; the model decides what can be read.

    Args:
        box: where the text stands.
        fold: where all else stands.
    """
    with box:
        uploaded_models.keep_in_touch()
    every = state.models(list(list_brought()))
    there = [each for task in ("lab", "couplet", "de-en") for each in every if each.task == task]
    ids = {f"own-{position}" if each.task == "lab" else each.name: each for position, each in enumerate(there)}
    if not ids:
        return lesson.Params(models=())
    with fold:
        said = {"couplet": t("Couplets: {name}"), "lab": t("Yours: {name}"), "de-en": "{name}"}
        titles = model_names(there)
        shown = {key: said[each.task].format(name=titles[each.name]) for key, each in ids.items()}
        model = ids[choice.select(t("Which model writes?"), shown, key="sa_look")]
        beam, penalty = search()
    with box:
        text = read(model.task, [model])
    return lesson.Params(task=model.task, text=text, models=(model.name,), beam=beam, length_penalty=penalty)


def several_models(box: Any, fold: Any) -> lesson.Params:
    """Ask for a sentence, which models read it, and how the output is searched; arguments as of `one_model`."""
    with box:
        uploaded_models.keep_in_touch()
    every, own = state.models(list(list_brought())), bool(list_brought())
    with fold:
        task: state.Task = "lab" if own and st.toggle(t("Compare models of yours"), key="sa_yours") else "de-en"
        there = [each for each in every if each.task == task]
        chosen = _own_models(there) if task == "lab" else _models(there)
        beam, penalty = search()
    with box:
        text = read(task, there)
    return lesson.Params(task=task, text=text, models=chosen, beam=beam, length_penalty=penalty)


def parts() -> tuple[Any, Any, Any]:
    """Return the places of the text, of what moves most, and of the fold, from top to bottom."""
    return st.container(), st.container(), rail.more()


def read(task: state.Task, there: Sequence[state.RecurrentModel]) -> str:
    """Ask what is read: typed, or one of the examples."""
    key, examples = BOXES[task], _examples(task, there)
    label = {
        "de-en": t("A German sentence"),
        "couplet": t("The first line of a couplet"),
        "lab": t("A text like those that your model was trained on"),
    }[task]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        hint: dict[str, Any] = {"placeholder": t("Type it and press Enter"), "on_change": forget}
        if task == "lab":  # stands in no link
            text = st.text_input(label, examples[0], BOX_CHARACTERS, key, **hint) or ""
        else:
            text = choice.text(label, BOX_CHARACTERS, key=key, **hint)
        with st.popover("", icon=":material/list:", help=t("Examples"), key="sa_examples"):
            choice.examples(examples, key, **_first_step())
    return text


def _examples(task: state.Task, there: Sequence[state.RecurrentModel]) -> tuple[str, ...]:
    """Return the examples of the task; for the reader's models, those that each was not trained on."""
    if task != "lab":
        return state.EXAMPLES[task]
    return tuple(dict.fromkeys(text for each in there for text in lab.lab_examples(each))) or ("",)


def forget() -> None:
    """Forget the step and what was forced, since another text has other steps; in a callback."""
    fields.set_values(_first_step())


def _first_step() -> dict[str, Any]:
    return {key: DEFAULTS[key] for key in ("sa_step", "sa_at", "sa_force")}


def _models(there: Sequence[state.RecurrentModel]) -> tuple[str, ...]:
    """Ask which models read it; those that are shown first if none of the names in the link is there."""
    asked = choice.hidden_param(t("Mechanisms"), key="sa_models", most=_NAMES_CHARACTERS)
    first, said = state.first_shown(there), model_names(there)
    chosen = tuple(name for name in said if name in asked.split()) or first
    st.session_state["sa_models_shown"] = list(chosen)
    st.pills(
        t("How the decoder looks at the source"),
        list(said),
        format_func=lambda name: said[name],
        selection_mode="multi",
        key="sa_models_shown",
        on_change=_follow,
        args=(first,),
    )
    return chosen


def _follow(first: tuple[str, ...]) -> None:
    chosen = tuple(st.session_state["sa_models_shown"])
    fields.set_values({"sa_models": "" if chosen == first else " ".join(chosen)})


def _own_models(there: Sequence[state.RecurrentModel]) -> tuple[str, ...]:
    """Ask which of the reader's models read it; before anybody chooses, those that learnt the same as the first."""
    said, given = model_names(there), there[0].manifest.probe.given
    usual = [each.name for each in there if each.manifest.probe.given == given]
    kept = [name for name in st.session_state.get("sa_own_models") or () if name in said]
    st.session_state["sa_own_models"] = kept or usual
    chosen = st.pills(
        t("Your models"),
        list(said),
        format_func=lambda name: said.get(name, name),
        selection_mode="multi",
        key="sa_own_models",
        on_change=forget,
        help=t("Brought back in the training lab. They are yours alone, so a link to this page leaves them out."),
    )
    return tuple(name for name in said if name in chosen)


def search() -> tuple[int, float]:
    """Ask how the output is searched."""
    return choice.ask("sa_beam"), choice.ask("sa_penalty")
