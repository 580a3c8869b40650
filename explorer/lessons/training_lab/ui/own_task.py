"""Your own task: two columns, learned by a model of the reader's choice."""

import streamlit as st

from explorer.data.documents.tables import TextTable
from explorer.data.parallel.own_pairs import MOST_BYTES, OWN_EXAMPLE, open_pairs
from explorer.lessons.training_lab import state
from explorer.lessons.training_lab.ui import runs, settings, stage as stages, start
from explorer.lessons.training_lab.ui.recordings import find_unusable  # noqa: F401 - the kit asks for it
from explorer.records.language import t
from explorer.training.lab.loop import objective_of
from explorer.training.lab.reference_runs import read_runs
from explorer.ui import choice, how_read, uploads
from explorer.ui.visitors import remember

CODE = (objective_of,)
#: Own examples that fit into a link; more come as a file.
TABLE_CHARACTERS = 2000


def controls() -> stages.Choice:
    """The table, what a token is, and the text that is looked at."""
    remember()
    mine = tuple(each for each in runs.list_runs() if each.entry.recipe.task == "own")
    own = stages.which(mine)
    above = st.container()
    table, unit = _table()
    params, foot = settings.ask_own_settings(table, unit)
    result = start.compute_settings(params)
    if result is not None:
        with foot:
            start.announce_size(result)
    with above:
        start.button(result)
    run = read_runs()["own"]
    text = stages.example(own, run)
    view = state.View()
    if own is not None:
        view = stages.attention(*state.attention_shape(own.entry.recipe))
    return stages.Choice(own=own, recorded=run, exact=True, text=text, view=view)


def _table() -> tuple[TextTable, str]:
    """Ask for the reader's own two columns: a file, or what stands in the box."""
    label, hint = t("My examples: source, tab or comma, target; one pair a line"), OWN_EXAMPLE[:60]
    text = choice.area(label, TABLE_CHARACTERS, key="tl_table", height=110, placeholder=hint)
    file = uploads.file(
        t("or a file of two columns (CSV, TSV; stands in no link)"),
        ["csv", "tsv", "txt"],
        key="tl_file",
        max_upload_size=MOST_BYTES // 1_000_000,
    )
    if file is not None:
        table = how_read.open_file(open_pairs, file.read(MOST_BYTES + 1), f"tl_file_{file.file_id}")
    else:
        table = how_read.open_text(open_pairs, text, "tl_table") if text else open_pairs(OWN_EXAMPLE)
    units = {"characters": t("Characters"), "words": t("Words")}
    unit = choice.buttons(t("A token is"), units, key="tl_unit")
    return table, unit


def stage(chosen: stages.Choice) -> dict[str, str]:
    """The film of the own task; the Roman numerals until one is trained."""
    stages.draw(chosen, tells_weight=True)
    last = read_runs()["own"].points[-1]
    return {"loss": f"{last.loss:.2g}", "held_out_loss": f"{last.held_out_loss:.2g}", "exact": f"{last.accuracy:.0%}"}
