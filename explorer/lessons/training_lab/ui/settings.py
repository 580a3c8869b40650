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
from explorer.scenes.training_lab import SETTINGS
from explorer.training.lab.recipe import BOUNDS, DEFAULTS, LAB_FAMILIES, LAB_TASKS, LabRecipe
from explorer.ui import choice, fields
from explorer.ui.scene import rail

WIDTHS = (16, 32, 64, 96, 100, 128, 192, 256)
HEADS = (1, 2, 4, 5, 8)
INNER = (32, 64, 128, 256, 512)
EMBEDDINGS = (8, 16, 32, 64, 128, 256)
DROPOUT, DROPPED = (0.0, 0.1, 0.2, 0.3, 0.5), (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
RATES = (0.0001, 0.0003, 0.001, 0.002, 0.003, 0.005, 0.01, 0.03, 0.1)
BATCHES = (4, 8, 16, 32, 64, 128, 256)
STEPS = (20, 50, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 5000)
MOST_SEED = 99
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
    asked = {**(_transformer() if transformer else _recurrent()), **_sizes(transformer=transformer), **_training()}
    if transformer:
        _say_heads(asked)
        st.caption(t("Its embeddings are as long as its states, and it has no cell: recurrent models ask for these."))
    else:
        st.caption(t("Heads, norms, residual connections and dropout on the weights belong to a Transformer."))
    return asked


def _say_heads(asked: dict[str, Any]) -> None:
    """Say how many heads there will be, if the width does not allow as many as are asked for."""
    used = LabRecipe(**asked, family="transformer", position=st.session_state.get("tl_position", "none")).n_heads
    if used != asked["n_heads"]:
        said = t("With a width of {width}, {used} heads are used instead of {count}.")
        st.caption(said.format(width=asked["d_model"], used=used, count=asked["n_heads"]))


def _recurrent() -> dict[str, Any]:
    cells = {"gru": "GRU", "lstm": "LSTM"}
    cell = choice.buttons(t("Cell"), cells, key="tl_cell")
    places = {
        "input": t("before the cell (Bahdanau)"),
        "output": t("after the cell (Luong)"),
        "next": t("after it and into the next step (input feeding)"),
    }
    forced = t("How often, while training, the decoder reads the right token before it; else it reads its own.")
    return {
        "cell": cell,
        "context": choice.select(t("The context enters"), places, key="tl_context"),
        "teacher_forcing": choice.slider(t("Teacher forcing"), 0.0, 1.0, 0.25, key="tl_forcing", help=forced),
    }


def _transformer() -> dict[str, Any]:
    names = naming.names()
    said = {"scaled_dot": names["scaled_dot"], "additive": names["additive"]}
    scoring = choice.select(t("Scores"), said, key="tl_scoring")
    if scoring == "additive":
        st.caption(t("Rotary and ALiBi positions act inside a dot product: additive scores cannot have them."))
    places = {"pre": t("before each step"), "post": t("after it")}
    ways = {"on": t("yes"), "off": t("no")}
    on_weights = t("While training, so large a share of the attention weights is set to 0.")
    return {
        "scoring": scoring,
        "n_heads": choice.select_slider(t("Heads"), HEADS, key="tl_heads"),
        "d_ff": choice.select_slider(t("Feed-forward width"), INNER, key="tl_inner"),
        "norm": choice.buttons(t("Layers normalise"), places, key="tl_norm"),
        "residual": choice.buttons(t("Residual connections"), ways, key="tl_residual") == "on",
        "attention_dropout": choice.select_slider(
            t("Dropout on the weights"), DROPPED, key="tl_dropped", help=on_weights
        ),
    }


def _sizes(*, transformer: bool) -> dict[str, Any]:
    most = int(BOUNDS["n_layers"][1])
    embedding = (
        {}
        if transformer
        else {"d_embedding": choice.select_slider(t("Embedding size"), EMBEDDINGS, key="tl_embedding")}
    )
    width = t("Embedding and hidden size (d_model)") if transformer else t("Hidden size (d_model)")
    return {
        **embedding,
        "d_model": choice.select_slider(width, WIDTHS, key="tl_width"),
        "n_layers": choice.slider(t("Layers"), 1, most, key="tl_layers"),
    }


def _training() -> dict[str, Any]:
    """Ask how it is trained, and for how long."""
    ends = t("Whichever comes first, the steps or the minutes, ends the training.")
    most = float(BOUNDS["minutes"][1])
    return {
        "dropout": choice.select_slider(t("Dropout"), DROPOUT, key="tl_dropout"),
        "learning_rate": choice.select_slider(t("Learning rate"), RATES, key="tl_rate"),
        "batch": choice.select_slider(t("Batch (examples)"), BATCHES, key="tl_batch"),
        "seed": choice.slider(t("Seed"), 0, MOST_SEED, key="tl_seed"),
        "steps": choice.select_slider(t("Steps"), STEPS, key="tl_steps"),
        "minutes": choice.slider(t("At most (minutes)"), 0.5, most, 0.5, key="tl_minutes", help=ends),
    }


def set_again(recipe: LabRecipe) -> None:
    """Set everything as it was for a training; in a callback. What has no such stop goes to the nearest."""
    stops: dict[str, tuple[str, tuple[Any, ...]]] = {
        "d_model": ("tl_width", WIDTHS),
        "d_embedding": ("tl_embedding", EMBEDDINGS),
        "dropout": ("tl_dropout", DROPOUT),
        "attention_dropout": ("tl_dropped", DROPPED),
        "n_heads": ("tl_heads", HEADS),
        "d_ff": ("tl_inner", INNER),
        "learning_rate": ("tl_rate", RATES),
        "batch": ("tl_batch", BATCHES),
        "steps": ("tl_steps", STEPS),
    }
    plain = ("task", "family", "mechanism", "cell", "context", "position", "scoring", "norm", "seed", "minutes")
    state = {f"tl_{name}": getattr(recipe, name) for name in plain}
    state |= {"tl_forcing": round(4 * recipe.teacher_forcing) / 4}
    state |= {"tl_layers": recipe.n_layers, "tl_residual": "on" if recipe.residual else "off"}
    for name, (key, options) in stops.items():
        asked = getattr(recipe, name)
        state[key] = sorted((abs(option - asked), option) for option in options)[0][1]
    fields.set_values(state)
