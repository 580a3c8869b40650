"""Two models beside each other: how far the maps of each head lie apart."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import models, pairs, readings
from explorer.lessons.open_model.figures import grids
from explorer.lessons.open_model.pairs import ROUNDED, PairParams
from explorer.lessons.open_model.ui import controls as widgets, gate, tables
from explorer.opened import ask
from explorer.records.language import t
from explorer.records.opened.several import ComparedModels
from explorer.scenes.open_model import WRITER
from explorer.ui import cache, choice
from explorer.ui.scene import picture, predict
from explorer.ui.streamlit_internals import script_run

CODE = (ask.compare,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage."""

    params: PairParams


def controls() -> Chosen:
    """Ask for the model, for the other one, and for a text where both are opened."""
    name, revision = widgets.model()
    known = {
        f"{ROUNDED}{count}": t("the same, weights of {count} bits").format(count=count) for count in pairs.bits(name)
    }
    names = known | {each: each for each in models.names() if each != name}
    other = choice.select(t("Beside"), names, key="om_other")
    text = "" if other in known else widgets.text()
    return Chosen(params=PairParams(of=lesson.Params(model=name, revision=revision, text=text), other=other))


def stage(chosen: Chosen) -> None:
    """Draw how far apart each head's maps lie."""
    of = chosen.params.of
    if not gate.is_passed(of):
        return
    with st.spinner(t("Both models read …")):
        found = cache.once(partial(pairs.compare, chosen.params, script_run.session_id()), "open_model pair", chosen)
    picture.show_chart(
        "om_pair",
        partial(_drawn, found),
        title=t("How much of its weight each head has elsewhere"),
        reading=readings.describe_pair(found),
        provenance=found.provenance,
        table=lambda: tables.pair(found),
        of=chosen,
    )


def _drawn(found: ComparedModels) -> object:
    said = t("{value} of its weight lies elsewhere")
    return grids.draw_heads(found.distance, said=said, most=max(float(np.nanmax(found.distance)), 0.02))


def answer() -> predict.Answer:
    """Say how far the maps move when weights are rounded to four bits."""
    of = lesson.Params(model=WRITER, text="")
    eight, four = (pairs.compare(PairParams(of=of, other=f"{ROUNDED}{count}")).distance for count in (8, 4))
    moved = float(np.nanmean(four))
    right = "hardly" if moved < 0.03 else "little" if moved < 0.2 else "much"
    return right, {"eight": f"{np.nanmean(eight):.1%}", "four": f"{moved:.0%}", "most": f"{np.nanmax(four):.0%}"}
