"""Heads carried over from one text into another: each alone, as a grid, and the answer that follows."""

import html
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import carried, readings
from explorer.lessons.open_model.carried import CarriedParams, EachCarried
from explorer.lessons.open_model.figures import grids
from explorer.lessons.open_model.ui import controls as widgets, gate, tables, words
from explorer.opened import ask
from explorer.records.language import t
from explorer.records.opened.texts import FRANCE, ITALY
from explorer.records.wording import clamp, percent
from explorer.scenes.open_model import WRITER
from explorer.ui import choice, fields, job_progress, messages, plot_clicks
from explorer.ui.scene import picture, predict

CODE = (ask.carry_over,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage."""

    params: CarriedParams
    site: int
    head: int


def controls() -> Chosen:
    """Ask for the model, the text, and the one that heads are carried over from."""
    params = widgets.params("om_into", 68)
    other = choice.area(t("Carried over from"), widgets.MOST_TEXT, key="om_from", height=68).strip()
    site, head = widgets.head("om_carry")
    return Chosen(params=CarriedParams(of=params, other_text=other), site=site, head=head)


def stage(chosen: Chosen) -> None:
    """Draw how far each head moves the answer, and the answer with the chosen one carried over."""
    of = chosen.params.of
    if not gate.is_passed(of):
        return
    known = carried.read_recorded(chosen.params)
    if known:
        _draw(known, chosen)
    else:
        count = sum(site.heads for site in widgets.look_at(of).look.sites)
        label = t("Carry {count} heads over, one by one").format(count=count)
        job_progress.watch("om_carried", carried.read, chosen.params, partial(_draw, chosen=chosen), label=label)
    widgets.warm()


def _draw(found: EachCarried, chosen: Chosen) -> None:
    if not found.is_told:
        said = t("After both texts the model writes “{word}”: no answer could move. Take texts with two answers.")
        messages.info(said.format(word=found.answer.label))
        return
    site = clamp(chosen.site, found.done)
    head = clamp(chosen.head, len(found.site(site).chance))
    first, second = st.columns([5, 3], gap="medium")
    with first:
        picture.show_chart(
            "om_carried_grid",
            partial(_drawn, found),
            title=t("“{one}” or “{two}”, with one head from the other text").format(
                one=found.answer.label, two=found.carried.label
            ),
            note=t("blue: towards “{word}”").format(word=found.carried.label),
            reading=readings.describe_carried(found, site, head),
            provenance=found.provenance,
            table=lambda: tables.list_carried(found),
            of=(chosen, found.done),
            height=picture.Height(most=430, less=24),
        )
        plot_clicks.listen("om_carried_grid", partial(_choose, found), frames=[plot_clicks.cell(head, site)])
    with second:
        _answers(found, chosen.params.of.text, site, head)


def _drawn(found: EachCarried) -> object:
    word = html.escape(found.carried.label).replace("{", "{{").replace("}", "}}")
    said = t("{value} of both go to “{word}”").format(value="{value}", word=word)
    return grids.draw_changes(found.shares - np.float32(found.before), found.shares, said=said)


def _choose(found: EachCarried, position: plot_clicks.Place) -> None:
    site = clamp(round(position["x"]), found.done)
    fields.set_values({"om_carry": f"{site}.{clamp(round(position['y']), len(found.site(site).chance))}"})


def _answers(found: EachCarried, text: str, site: int, head: int) -> None:
    """Show the text with the word that is written now, and both lists of words."""
    after = found.site(site).likeliest[head]
    words.show_written(text, after[0].label)
    words.show(t("As it is"), (found.answer, found.carried), strong=found.answer.label)
    words.show(t("With this head carried over"), after, strong=found.answer.label, changed=True)


def answer() -> predict.Answer:
    """Say how far one head alone moves the answer."""
    found = carried.read_recorded(CarriedParams(of=lesson.Params(model=WRITER, text=FRANCE), other_text=ITALY))
    assert found is not None
    site, head = found.strongest()
    share = float(found.shares[site, head])
    right = "all" if share > 0.9 else "half" if share > 0.25 else "little"
    return right, {
        "layer": str(site),
        "head": str(head),
        "before": percent(found.before),
        "after": percent(share),
        "word": found.carried.label,
    }
