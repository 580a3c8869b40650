"""Switch heads off: the translation without them, and what each piece of the old one loses."""

import math
from functools import partial
from typing import cast

import streamlit as st

from explorer.inference.translator.ablation import ablated
from explorer.lessons.multi_head import ablation, finding, removal_readings, state, wording
from explorer.lessons.multi_head.figures import bars
from explorer.lessons.multi_head.state import Result, View
from explorer.lessons.multi_head.ui import controls as widgets, head_tiles, tables
from explorer.records.ablation import AblationRecord, AblationSweepRecord, How
from explorer.records.heads import PARTS, HeadMeasures, HeadName, codes
from explorer.ui import cache, choice, fields
from explorer.ui.language import t
from explorer.ui.scene import picture, predict, rail

CODE = (ablated,)
Chosen = ablation.AblationParams
#: What fits into a link: the notation of every head of a model ten times as large.
_NOTATION_CHARACTERS = 5000
#: So many times less likely is “hardly”, and “over a hundred times”.
HARDLY, MANY = 2.0, 100.0


def controls() -> Chosen:
    """Ask which heads are switched off, and how; a hidden bound text carries them as `E0.3 C2.1`."""
    how_place, rest = st.container(), st.container()
    with how_place:
        names = {"off": t("adds nothing"), "uniform": t("looks at all alike")}
        how = cast("How", choice.segmented(t("A head switched off"), names, key="mh_how"))
    with rest, rail.more():
        result = widgets.sentence()
        widgets.examples()
        heads = _removed(result, how)
        there = {row.head: row for row in result.measures}
        st.session_state["mh_off_shown"] = list(heads)
        st.multiselect(
            t("Heads switched off"),
            list(there),
            format_func=lambda head: named(there[head]),
            key="mh_off_shown",
            placeholder=t("Choose heads"),
            on_change=lambda: write(st.session_state["mh_off_shown"]),
        )
    return ablation.AblationParams(params=result.params, heads=heads, how=how)


def _removed(result: Result, how: How) -> tuple[HeadName, ...]:
    text = choice.note(t("Heads switched off"), key="mh_off", most=_NOTATION_CHARACTERS)
    return finding.removed(result, text, lambda: measured(result, how))


def measured(result: Result, how: How) -> AblationSweepRecord:
    """Return what each head alone costs; half a second for a short sentence."""
    with st.spinner(t("Switching off every head in turn …")):
        return cache.compute(ablation.sweep_all, ablation.SweepParams(params=result.params, how=how))


def named(row: HeadMeasures) -> str:
    """Return a head with its label, if it has one."""
    title = wording.head_title(row.head, t)
    return f"{title} · {wording.label_score(row.label, t)}" if row.label else title


def write(heads: list[HeadName]) -> None:
    """Switch these heads off, and no others; in a callback."""
    fields.put({"mh_off": codes(heads) or "–"})


def stage(chosen: Chosen) -> None:
    """Draw the heads as switches, and beside them what comes out."""
    result = widgets.computed(chosen.params)
    record = cache.compute(ablation.ablate, chosen)
    tables.both(record)
    small, large = st.columns([9, 11], gap="medium")
    with small:
        _switches(result, chosen.heads)
    with large:
        _changes(record, chosen)


def _switches(result: Result, off: tuple[HeadName, ...]) -> None:
    groups = {wording.site_title(part, t): state.overview(result, View(merge=True), sites=(part,)) for part in PARTS}

    def toggled(place: head_tiles.Place) -> None:
        write(list(set(off) ^ {HeadName(part=PARTS[place[0]], layer=place[1], head=place[2])}))

    places = [(PARTS.index(head.part), head.layer, head.head) for head in off]
    head_tiles.draw(groups, key="mh_switches", chosen=None, on_choose=toggled, off=places)


def _changes(record: AblationRecord, chosen: Chosen) -> None:
    picture.show(
        "mh_changes",
        partial(bars.changes, record, t=t),
        title=t("What each piece of the old translation lost"),
        reading=removal_readings.describe_ablation(record, t),
        table=lambda: tables.changes(record),
        of=chosen,
        height=picture.Height(less=138, less_low=174, most=560),
    )


def answer() -> predict.Answer:
    """Switch off together all heads that are harmless alone."""
    result = widgets.example()
    heads = finding.removed(result, finding.HARMLESS, lambda: measured(result, "off"))
    record = cache.compute(ablation.ablate, ablation.AblationParams(params=result.params, heads=heads))
    times = math.exp(min(-record.total_change, 700.0))
    right = "hardly" if times < HARDLY else "thousands" if times >= MANY else "some"
    return right, {
        "count": str(len(heads)),
        "heads": str(len(result.measures)),
        "small": f"{ablation.SMALL:g}",
        "times": wording.times(times),
    }
