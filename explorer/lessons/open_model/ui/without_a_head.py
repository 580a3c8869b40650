"""Heads switched off: each alone, as a grid, and the answer before and after."""

import html
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
import streamlit as st

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import heads_off, readings, state, wording
from explorer.lessons.open_model.figures import grids
from explorer.lessons.open_model.heads_off import EachAlone, OffParams
from explorer.lessons.open_model.ui import controls as widgets, gate, tables, words
from explorer.opened import ask
from explorer.records.language import t
from explorer.records.opened.look import RuleName
from explorer.records.opened.prediction import SlopesRecord, WithoutRecord
from explorer.records.wording import clamp
from explorer.scenes import DEFAULTS
from explorer.scenes.open_model import WRITER
from explorer.ui import cache, choice, fields, job_progress, messages, plot_clicks
from explorer.ui.scene import beside, picture, predict, rail
from explorer.ui.streamlit_internals import script_run

CODE = (ask.effects, ask.without, ask.slopes)
#: In the link, where one head is switched off.
ONE = "one"
#: Words of each list, and of the text before the answer.
_TOP, _TAIL = 5, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        group: rule of the heads that are off; None for one head.
        slope: whether squares show the estimate of one backward pass.
        percent: how much of each is left.
    """

    params: lesson.Params
    group: RuleName | None
    slope: bool
    percent: int
    site: int
    head: int


def controls() -> Chosen:
    """Ask for the model, its text, what is switched off, and how much of it is left; in the fold, what squares show."""
    params = widgets.params()
    rules: dict[str, str] = {rule: t("all of: {rule}").format(rule=each.name) for rule, each in wording.rules().items()}
    group = choice.select(t("Switch off"), {ONE: t("one head: click a square"), **rules}, key="om_group")
    percent = choice.slider(
        t("How much of it is left?"), 0, 100, heads_off.percent_step(params), key="om_left", format="%d%%"
    )
    names = {"effect": t("the effect"), "slope": t("the gradient")}
    with rail.more():
        measure = choice.buttons(t("Squares show"), names, key="om_measure")
    site, head = widgets.head("om_off")
    rule = None if group == ONE else cast("RuleName", group)
    return Chosen(params=params, group=rule, slope=measure == "slope", percent=percent, site=site, head=head)


def stage(chosen: Chosen) -> None:
    """Draw the grid of heads, and the answer without those that are off."""
    if not gate.is_passed(chosen.params):
        return
    result = widgets.look_at(chosen.params)
    known = heads_off.read_recorded(chosen.params)
    if known:
        _draw(known, result, chosen)
    else:
        count = sum(site.heads for site in result.look.sites)
        label = t("Switch {count} heads off, one by one").format(count=count)
        draw = partial(_draw, result=result, chosen=chosen)
        job_progress.watch("om_effects", heads_off.read, chosen.params, draw, label=label)
    widgets.warm()


def _draw(alone: EachAlone, result: lesson.Result, chosen: Chosen) -> None:
    one = state.clamp_head(result, chosen.site, chosen.head)
    heads = result.look.heads(chosen.group) if chosen.group else (one,)
    if not heads:
        messages.info(t("No head of this model keeps this rule on this text."))
        return
    first, second = st.columns([5, 3], gap="medium")
    off = OffParams(of=chosen.params, heads=heads, percent=chosen.percent)
    compute = partial(heads_off.compute, off, script_run.session_id())
    found = cache.once(compute, "open_model without", off)
    with first:
        _grid(alone, found, result, chosen)
    with second:
        _answers(found, result)


def _grid(alone: EachAlone, found: WithoutRecord, result: lesson.Result, chosen: Chosen) -> None:
    estimated = _slopes(chosen.params) if alone.effects.answer else None
    slope = estimated if chosen.slope and len(found.off) == 1 else None
    reading = readings.describe_without(found, alone)
    if slope:
        reading = readings.describe_slopes(slope, *found.off[0])
    answer = alone.effects.answer
    title = t("The text’s vector when one head is off")
    if answer:
        title = t("The chance of “{word}” when one head is off").format(word=answer.label)
    picture.show_chart(
        "om_off_grid",
        partial(_drawn, alone, slope),
        title=t("What one backward pass estimates of each head") if slope else title,
        note=t("orange: it falls; blue: it rises"),
        reading=reading,
        provenance=alone.provenance,
        table=lambda: tables.effects(alone.effects, estimated),
        of=(chosen, alone.done),
        height=picture.Height(most=430, less=24),
    )
    frames = [plot_clicks.cell(head, site) for site, head in found.off]
    plot_clicks.listen("om_off_grid", partial(_choose, result), frames=frames)


def _drawn(alone: EachAlone, slope: SlopesRecord | None) -> object:
    if slope:
        said = t("{value} of the chance, estimated")
        return grids.draw_changes(slope.log_probability, np.expm1(slope.log_probability), said=said, scaled=False)
    said = t("{value} without it") if alone.effects.answer else t("a cosine of {value} without it")
    return grids.draw_changes(alone.effects.change, alone.effects.chance, said=said)


def _slopes(params: lesson.Params) -> SlopesRecord:
    return cache.once(partial(heads_off.slopes, params, script_run.session_id()), "open_model slopes", params)


def _choose(result: lesson.Result, position: plot_clicks.Place) -> None:
    site = clamp(round(position["x"]), len(result.look.sites))
    head = clamp(round(position["y"]), result.look.sites[site].heads)
    fields.set_values({"om_off": f"{site}.{head}", "om_group": ONE})


def _answers(found: WithoutRecord, result: lesson.Result) -> None:
    """Show the end of the text with the word that is written now, and both lists of words."""
    if not found.before:
        return
    tail = " ".join(result.params.text.split()[-_TAIL:])
    gap = result.card.kind == "encoder"
    words.show_written("" if gap else f"… {tail}", found.after[0].label)
    _looked(found, result)
    first = found.before[0].label
    words.show(t("All heads on"), found.before[:_TOP], strong=first)
    left = t("{percent} left").format(percent=f"{found.left:.0%}") if found.left else t("Switched off")
    words.show(left, found.after[:_TOP], strong=first, changed=True)


def _looked(found: WithoutRecord, result: lesson.Result) -> None:
    """Say where the head looked from the place of the answer."""
    if len(found.off) > 1:
        return
    seen = heads_off.looked_at(result.look, *found.off[0], found.place)
    where = " · ".join(f"<b>{html.escape(word)}</b> {share:.0%}" for word, share in seen)
    if where:
        beside.show(f'<p class="om-looked">{html.escape(t("This head looked at:"))} {where}</p>', style=_STYLE)


_STYLE = """
.om-looked { margin: 0 0 4px; font-size: 16px; }
.om-looked b { color: var(--key); }
"""


def answer() -> predict.Answer:
    """Say how likely the answer stays without the head that matters most, and how many heads change it alone."""
    params = lesson.Params(model=WRITER, text=str(DEFAULTS["om_text"]))
    alone = heads_off.read_recorded(params)
    assert alone is not None
    count = alone.effects.count_beyond(heads_off.SMALL)
    site, head = alone.effects.strongest()
    found = heads_off.compute(OffParams(of=params, heads=((site, head),)))
    left = found.chance / found.chance_before
    right = "low" if found.chance < 0.1 else "half" if left < 0.75 else "high"
    return right, {
        "count": str(count),
        "heads": str(alone.heads),
        "layer": str(site),
        "head": str(head),
        "answer": found.before[0].label,
        "chance": f"{found.chance:.0%}",
        "now": found.after[0].label,
    }
