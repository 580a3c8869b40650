"""Switch heads off: the translation without them, and what each word of the old one loses."""

import math
from functools import partial
from typing import cast

import numpy as np
import streamlit as st

from explorer.inference.translator.ablation import remove_heads
from explorer.lessons.multi_head import ablation, finding, removal_readings, state, wording
from explorer.lessons.multi_head.figures import bars
from explorer.lessons.multi_head.live import head_tiles
from explorer.lessons.multi_head.state import Result, View
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.lessons.multi_head.ui.all_heads import head_at
from explorer.records.ablation import AblationRecord, AblationSweepRecord, How
from explorer.records.heads import PARTS, HeadMeasures, HeadName, codes
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.scenes import DEFAULTS
from explorer.ui import cache, choice, fields, plot_clicks
from explorer.ui.live.told import Action, OneOf
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (remove_heads,)
Chosen = ablation.AblationParams
#: What fits into a link: the notation of every head of a model ten times as large.
_NOTATION_CHARACTERS = 5000
#: With at most this many cells, source times target, all heads are measured without asking: within a second.
CELLS_AT_ONCE = 256
#: From this share of lost words on a translation falls apart.
APART = 1 / 3


def controls() -> Chosen:
    """Ask which heads are switched off, and how; a hidden bound text carries them as `E0.3 C2.1`."""
    how_place, rest = st.container(), st.container()
    with how_place:
        names = {"off": t("adds nothing"), "uniform": t("looks at all alike")}
        how = cast("How", choice.buttons(t("A head switched off"), names, key="mh_how"))
    with rest, rail.more():
        result = widgets.sentence()
        widgets.examples()
        heads = _removed(result, how)
        there = {row.head: row for row in result.measures}
        st.session_state["mh_off_shown"] = list(heads)
        st.multiselect(
            t("Heads switched off"),
            list(there),
            format_func=lambda head: name_head(there[head]),
            key="mh_off_shown",
            placeholder=t("Choose heads"),
            on_change=lambda: write(st.session_state["mh_off_shown"]),
        )
    return ablation.AblationParams(params=result.params, heads=heads, how=how)


def _removed(result: Result, how: How) -> tuple[HeadName, ...]:
    text = choice.hidden_param(t("Heads switched off"), key="mh_off", most=_NOTATION_CHARACTERS)
    return finding.parse_removed(result, text, lambda: measure_heads(result, how))


def measure_heads(result: Result, how: How) -> AblationSweepRecord:
    """Return what each head alone costs; half a second for a short sentence."""
    with st.spinner(t("Switching off every head in turn …")):
        return cache.compute(ablation.sweep_all, ablation.SweepParams(params=result.params, how=how))


def name_head(row: HeadMeasures) -> str:
    """Return a head with its label, if it has one."""
    title = wording.head_title(row.head)
    return f"{title} · {wording.label_score(row.label)}" if row.label else title


def write(heads: list[HeadName]) -> None:
    """Switch these heads off, and no others; in a callback."""
    fields.set_values({"mh_off": codes(heads) or "–"})


def stage(chosen: Chosen) -> None:
    """Draw the heads as switches, and beside them what comes out."""
    result = widgets.compute_sentence(chosen.params)
    if len(result.source_ids) * len(result.target_ids) <= CELLS_AT_ONCE and heat_map.ask_heat_map():
        _alone(result, chosen)
        return
    with st.spinner(t("Translating without these heads …")):  # they may write on and on: seconds for a long text
        record = cache.compute(ablation.ablate, chosen)
    waits = predict.is_held_back()
    tables.both(record, waits=waits)
    small, large = st.columns([9, 11], gap="medium")
    with small:
        _switches(result, chosen.heads)
    with large:
        _changes(record, chosen, waits=waits)


def _alone(result: Result, chosen: Chosen) -> None:
    """Draw what each head alone costs, those that are switched off framed; a click switches one."""
    sweep = measure_heads(result, chosen.how)
    positions = {sweep.head(row, column): (row, column) for row, column in np.ndindex(sweep.flips.shape[:2])}
    picture.show_chart(
        "mh_alone_map",
        partial(bars.importance, sweep, names=tables.row_names(sweep)),
        title=t("What switching off each head alone does to the old translation"),
        reading=removal_readings.describe_sweep(sweep),
        table=lambda: tables.sweep(sweep),
        of=(chosen.params, chosen.how),
        height=picture.Height(less=53, less_low=89, most=640),
    )

    def switched(position: plot_clicks.Place) -> None:
        rows, columns = sweep.flips.shape[:2]
        head = sweep.head(clamp(round(position["y"]), rows), clamp(round(position["x"]), columns))
        write(list({*chosen.heads} ^ {head}))

    plot_clicks.listen("mh_alone_map", switched, frames=[plot_clicks.cell(*positions[head]) for head in chosen.heads])


def _switches(result: Result, off: tuple[HeadName, ...]) -> None:
    groups = {wording.site_title(part): state.overview(result, View(merge=True), sites=(part,)) for part in PARTS}

    def toggled(position: head_tiles.Place) -> None:
        write(list(set(off) ^ {head_at(position)}))

    positions = [(PARTS.index(head.part), head.layer, head.head) for head in off]
    told = {"chosen": Action(toggled, position=OneOf(head_tiles.positions(groups)))}
    drawn = partial(head_tiles.pack, groups, off=positions)
    head_tiles.PICTURE.draw("mh_switches", drawn, tells=told, title=t("All heads"), provenance=result.provenance)


def _changes(record: AblationRecord, chosen: Chosen, *, waits: bool) -> None:
    picture.show_chart(
        "mh_changes",
        partial(bars.changes, record, waits=waits),
        title=t("What each word of the old translation lost"),
        reading=removal_readings.describe_ablation(record),
        table=lambda: tables.changes(record),
        of=(chosen, waits),
        height=picture.Height(less=138, less_low=174, most=560),
    )


def answer() -> predict.Answer:
    """Switch off the head that is needed most, and together all heads that are harmless alone."""
    result = widgets.example()
    most, harmless = (
        finding.parse_removed(result, which, lambda: measure_heads(result, "off"))
        for which in (DEFAULTS["mh_off"], finding.HARMLESS)
    )
    needed, spared = (
        cache.compute(ablation.ablate, ablation.AblationParams(params=result.params, heads=heads))
        for heads in (most, harmless)
    )
    lost = [wording.token(word) for word, kept in zip(needed.before_words, needed.before_kept, strict=True) if not kept]
    right = "same" if not lost else "word" if len(lost) < APART * len(needed.before_words) else "apart"
    return right, {
        "word": " ".join(lost),
        "count": str(len(harmless)),
        "heads": str(len(result.measures)),
        "times": wording.times(math.exp(min(-spared.total_change, 700.0))),
    }
