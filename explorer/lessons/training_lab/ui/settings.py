"""Settings of a training, bound to the link; the same recipe finds what was recorded."""

from typing import Any, cast

import streamlit as st

from explorer.data.documents.tables import TextTable
from explorer.data.parallel.own_pairs import OWN_EXAMPLE
from explorer.lessons import training_lab as lesson
from explorer.lessons.training_lab import naming
from explorer.nn.alignment import MECHANISMS
from explorer.nn.positions import IN_SCORE, POSITION_KINDS
from explorer.records.language import t
from explorer.scenes import CONTROLS
from explorer.scenes.controls import SelectSlider
from explorer.scenes.training_lab import EMBEDDING, RECURRENT, SETTINGS, TRAINING, TRANSFORMER
from explorer.training.lab.recipe import DEFAULTS, LAB_FAMILIES, LAB_TASKS, LabRecipe
from explorer.ui import choice, fields, messages
from explorer.ui.scene import rail

#: Widgets whose usual value depends on the family.
_BY_FAMILY = {"tl_width": "d_model", "tl_rate": "learning_rate", "tl_steps": "steps"}


def usual(family: str) -> dict[str, Any]:
    """Return the values of the widgets that depend on the family of models."""
    of_family = DEFAULTS[cast("Any", family)]
    return {key: of_family.get(name, SETTINGS[key]) for key, name in _BY_FAMILY.items()}


def draw(*, folded: bool) -> tuple[lesson.Params, Any]:
    """Ask what is to be trained. Nothing starts by choosing.

    Args:
        folded: whether all of it stands behind one line.

    Returns:
        What is set, and where there is room below it.
    """
    first = st.container()
    line = st.expander(one_line(), icon=":material/tune:", type="compact", key="tl_settings") if folded else rail.more()
    with line:
        first = st.container() if folded else first
        asked, foot = _family() | _rest(), st.container()
    with first:
        return _params(_task() | asked | _looks(asked)), foot


def ask_own_settings(table: TextTable, unit: str) -> tuple[lesson.Params, Any]:
    """Ask for everything but the task, which is the reader's own; as `draw`."""
    with rail.more():
        asked = _family() | _rest()
        asked, foot = asked | _looks(asked), st.container()
    recipe = LabRecipe(task="own", pairs=_ANY, unit=cast("lesson.Unit", unit), **cast("Any", asked))
    return lesson.Params(recipe=recipe, table=table), foot


#: Stands for the reader's pairs until they are read.
_ANY = (("", ""),)


def one_line() -> str:
    """Say what is set, in one line."""
    recipe = LabRecipe(
        **{name: st.session_state.get(f"tl_{name}", SETTINGS[f"tl_{name}"]) for name in ("task", "family", "mechanism")}
    )
    steps = st.session_state.get("tl_steps", SETTINGS["tl_steps"])
    return t("{model} · {steps} steps").format(model=naming.said_model(recipe), steps=steps)


def _params(asked: dict[str, Any]) -> lesson.Params:
    table = None
    if asked["task"] == "own":
        table = st.session_state.get("tl_table") or OWN_EXAMPLE
    unit = cast("lesson.Unit", st.session_state.get("tl_unit", "characters"))
    pairs = _ANY if table else ()
    return lesson.Params(recipe=LabRecipe(unit=unit, pairs=pairs, **asked), table=table)


def _task() -> dict[str, Any]:
    names = naming.names()
    tasks = {task: names[task] for task in LAB_TASKS}
    return {"task": choice.select(t("Task"), tasks, key="tl_task")}


def _family() -> dict[str, Any]:
    names = naming.names()
    families: dict[str, str] = {family: names[family] for family in LAB_FAMILIES}
    return {"family": choice.buttons(t("Model"), families, key="tl_family", then=_follow)}


def _follow() -> None:
    """Move to the new family's usual value every widget that still stands at the usual one of the other; a callback."""
    family = st.session_state["tl_family"]
    old, new = usual(next(each for each in LAB_FAMILIES if each != family)), usual(family)
    fields.set_values({key: new[key] for key in old if st.session_state.get(key, SETTINGS[key]) == old[key]})


def _looks(asked: dict[str, Any]) -> dict[str, Any]:
    """Ask for what tells models of a family apart most: the score, or how it knows places."""
    names = naming.names()
    if asked["family"] == "transformer":
        barred = IN_SCORE if asked["scoring"] == "additive" else ()
        kinds: dict[str, str] = {kind: names[kind] for kind in POSITION_KINDS if kind not in barred}
        return {"position": choice.select(t("Position codes"), kinds, key="tl_position")}
    every: dict[str, str] = {each: names[each] for each in MECHANISMS}
    return {"mechanism": choice.select(t("Attention"), every, key="tl_mechanism")}


def _rest() -> dict[str, Any]:
    """Ask for sizes and training. What the other family alone has is not asked for, and that is said."""
    transformer = st.session_state.get("tl_family", SETTINGS["tl_family"]) == "transformer"
    own = _transformer() if transformer else rail.ask(RECURRENT)
    asked = own | _sizes(transformer=transformer) | rail.ask(TRAINING)
    if transformer:
        _say_heads(asked)
        messages.caption(
            t("Its embeddings are as long as its states, and it has no cell: recurrent models ask for these.")
        )
    else:
        messages.caption(t("Heads, norms, residual connections and dropout on the weights belong to a Transformer."))
    return asked


def _say_heads(asked: dict[str, Any]) -> None:
    """Say how many heads there will be, if the width does not allow as many as are asked for."""
    used = LabRecipe(**asked, family="transformer", position=st.session_state.get("tl_position", "none")).n_heads
    if used != asked["n_heads"]:
        said = t("With a width of {width}, {used} heads are used instead of {count}.")
        messages.caption(said.format(width=asked["d_model"], used=used, count=asked["n_heads"]))


def _transformer() -> dict[str, Any]:
    names = naming.names()
    said = {"scaled_dot": names["scaled_dot"], "additive": names["additive"]}
    scoring = choice.select(t("Scores"), said, key="tl_scoring")
    if scoring == "additive":
        messages.caption(t("Rotary and ALiBi positions act inside a dot product: additive scores cannot have them."))
    asked = rail.ask(TRANSFORMER)
    return asked | {"scoring": scoring, "residual": asked["residual"] == "on"}


def _sizes(*, transformer: bool) -> dict[str, Any]:
    label = {"label": t("Embedding and hidden size (d_model)")} if transformer else {}
    embedding = {} if transformer else rail.ask({"tl_embedding": EMBEDDING})
    return {**embedding, "d_model": choice.ask("tl_width", **label), "n_layers": choice.ask("tl_layers")}


def set_again(recipe: LabRecipe) -> None:
    """Set everything as it was for a training; in a callback. What has no such stop goes to the nearest."""
    plain = ("task", "family", "mechanism", "cell", "context", "position", "scoring", "norm", "seed", "minutes")
    state = {f"tl_{name}": getattr(recipe, name) for name in plain}
    state |= {"tl_forcing": round(4 * recipe.teacher_forcing) / 4}
    state |= {"tl_layers": recipe.n_layers, "tl_residual": "on" if recipe.residual else "off"}
    for key in SETTINGS:
        if isinstance(control := CONTROLS.get(key), SelectSlider):
            asked = getattr(recipe, control.field_of(key))
            state[key] = min(control.options, key=lambda option: abs(option - asked))
    fields.set_values(state)
