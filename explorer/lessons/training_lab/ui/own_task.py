"""Your own task: two columns, learned by a model of the reader's choice."""

import streamlit as st

from explorer.data.parallel.own_pairs import MOST_BYTES, OWN_EXAMPLE
from explorer.lessons.training_lab import state
from explorer.lessons.training_lab.ui import runs, settings, stage as stages, start
from explorer.lessons.training_lab.ui.recordings import lost  # noqa: F401 - the kit asks for it
from explorer.training.lab.loop import objective_of
from explorer.training.lab.reference_runs import measured
from explorer.ui import choice, visitors
from explorer.ui.language import t

CODE = (objective_of,)
#: Own examples that fit into a link; more come as a file.
TABLE_CHARACTERS = 2000


def controls() -> stages.Choice:
    """The table, what a token is, and the text that is looked at."""
    visitors.remember()
    mine = tuple(each for each in runs.kept() if each.entry.recipe.task == "own")
    own = stages.which(mine)
    above = st.container()
    table, unit = _table()
    params, foot = settings.own(table, unit)
    result = start.computed(params)
    if result is not None:
        with foot:
            start.announced(result)
    with above:
        start.button(result)
    run = measured()["own"]
    text = stages.example(own, run)
    view = state.View()
    if own is not None:
        view = stages.attention(*state.attention_shape(own.entry.recipe))
    return stages.Choice(own=own, recorded=run, exact=True, text=text, view=view)


def _table() -> tuple[str | bytes, str]:
    """Ask for the reader's own two columns: a file, or what stands in the box."""
    label, hint = t("My examples: source, tab or comma, target; one pair a line"), OWN_EXAMPLE[:60]
    text = choice.area(label, TABLE_CHARACTERS, key="tl_table", height=110, placeholder=hint)
    file = st.file_uploader(
        t("or a file of two columns (CSV, TSV; stands in no link)"),
        type=["csv", "tsv", "txt"],
        key="tl_file",
        max_upload_size=MOST_BYTES // 1_000_000,
    )
    units = {"characters": t("Characters"), "words": t("Words")}
    unit = choice.segmented(t("A token is"), units, key="tl_unit")
    return file.read(MOST_BYTES + 1) if file is not None else text or OWN_EXAMPLE, unit


def stage(chosen: stages.Choice) -> dict[str, str]:
    """The film of the own task; the Roman numerals until one is trained."""
    stages.draw(chosen, tells_weight=True)
    last = measured()["own"].points[-1]
    return {"loss": f"{last.loss:.2g}", "held_out_loss": f"{last.held_out_loss:.2g}", "exact": f"{last.accuracy:.0%}"}
