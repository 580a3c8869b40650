"""What a head does: every head in numbers, sorted and filtered, and the same heads as points."""

import math
from functools import partial

import streamlit as st

from explorer.attention import head_measures
from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import readings, wording
from explorer.lessons.multi_head.figures import bars
from explorer.lessons.multi_head.ui import controls as widgets, tables
from explorer.records.heads import PARTS, HeadMeasures
from explorer.records.language import t
from explorer.scenes.multi_head import ONE_HEAD
from explorer.ui import choice, messages
from explorer.ui.scene import beside, link, picture

CODE = (head_measures.labels,)
Chosen = tuple[lesson.Params, str, str, str]
#: Measures for which the smallest head is the most telling.
ASCENDING = {"entropy", "effective", "evenness", "distance"}


def controls() -> Chosen:
    """Ask which heads, and in which order; the sentence in the fold."""
    own, result = widgets.own_and_sentence()
    with own:
        sites = {part: wording.site_title(part) for part in PARTS}
        part = choice.select(t("Who looks at whom?"), {"all": t("all")} | sites, key="mh_only")
        names = label_names(result)
        label = choice.select(t("Only heads with the label"), names, key="mh_label")
        order = {"model": t("order in the model"), **tables.measure_names()}
        by = choice.select(t("Sort by"), order, key="mh_sort")
    return result.params, part, label, by


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the points, and the table beside them; a row that is chosen opens its head."""
    tables.style()
    params, part, label, by = chosen
    result = widgets.compute_sentence(params)
    kept = [row for row in result.measures if part in ("all", row.head.part) and has(row, label)]
    rows = sorted_heads(kept, by)
    if not rows:
        messages.info(t("No head has this label here. Choose another label, or all kinds of attention."))
        rows = list(result.measures)
    first, second = st.columns([5, 6], gap="medium")
    with first:
        picture.show_chart(
            "mh_points",
            partial(
                bars.points,
                rows,
                names={each: wording.site_title(each) for each in PARTS},
                labels=[f"{wording.head_title(row.head)}: {wording.label_score(row.label)}" for row in rows],
            ),
            title=t("Spread against distance"),
            reading=readings.describe_table(result),
            table=lambda: tables.measures(rows),
            provenance=result.provenance,
            of=chosen,
            height=picture.Height(less=53, less_low=89, most=640),
        )
    with second:
        _table(result, rows)
    return {
        "rules": rules(result),
        "share": f"{head_measures.SHARE:.0%}",
        "times": f"{head_measures.TIMES_CHANCE:g}",
        "rows": str(head_measures.FEWEST_ROWS),
    }


def label_names(result: lesson.Result) -> dict[str, str]:
    """Name what heads can be filtered by: all, those with any label, and each label that some head has."""
    found = {label.name for row in result.measures for label in row.labels}
    named: dict[str, str] = {name: wording.label_name(name) for name in tables.SIGNS if name in found}
    return {"all": t("all heads"), "any": t("any label"), "none": t("no label"), **named}


def has(row: HeadMeasures, label: str) -> bool:
    """Return whether a head passes the filter."""
    if label in ("any", "none"):
        return bool(row.labels) == (label == "any")
    return label == "all" or label in {each.name for each in row.labels}


def sorted_heads(rows: list[HeadMeasures], by: str) -> list[HeadMeasures]:
    """Sort by a measure, the most telling first, and those for which it has no meaning last; `model` leaves them."""
    if by == "model":
        return rows
    sign = 1 if by in ASCENDING else -1

    def rank(row: HeadMeasures) -> tuple[bool, float]:
        value = float(getattr(row, by))
        return math.isnan(value), 0.0 if math.isnan(value) else sign * value

    return sorted(rows, key=rank)


def _table(result: lesson.Result, rows: list[HeadMeasures]) -> None:
    count = t("{n} of {all} heads").format(n=len(rows), all=len(result.measures))
    chosen = beside.show_table(
        tables.measures(rows),
        title=count,
        hint=t("choose a row to look at its head"),
        column_config={t("label"): st.column_config.Column(width=165)},
        key="mh_table",
        height=480,
        on_select="rerun",
        selection_mode="single-row",
    )
    for number in chosen.selection.rows if chosen else ():
        if number < len(rows):
            widgets.open_head(rows[number].head)
            link.name(ONE_HEAD)
            st.rerun()


def rules(result: lesson.Result) -> str:
    """Every label as a line: sign and name, where its weight lies, and how many heads have it here."""
    counts = {name: sum(name in {each.name for each in row.labels} for row in result.measures) for name in tables.SIGNS}
    lines = [f"| {t('label')} | {t('The weight lies on …')} | {t('heads here')} |", "|---|---|---|"]
    for name, mark in tables.SIGNS.items():
        said = messages.plain(wording.label_rule(name))
        lines.append(f"| {messages.plain(mark)} {wording.label_name(name)} | {said} | {counts[name]} |")
    return "\n".join(lines)
