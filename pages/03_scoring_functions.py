import streamlit as st

from explorer.attention import scoring
from explorer.figures import bars, panels
from explorer.lessons import scoring_functions as lesson
from explorer.ui import cached, card, layout
from explorer.ui import scoring_functions_sections as sections
from explorer.ui import scoring_functions_tables as tables
from explorer.ui.controls import scoring_functions as controls
from explorer.ui.language import t

layout.open_page("scoring_functions")
layout.prose("scoring_functions", "intro")
layout.try_this(controls.DEFAULTS, controls.states())
params = controls.draw()
result, names = cached.compute(lesson.compute, params), lesson.names(t)
if result.refused:
    st.info(card.escape(lesson.refusal(result, t)), icon=":material/straighten:")
view = controls.shown(lesson.View())
card.show(
    "scoring_functions",
    panels.scoring(result.records, shown=view.shown, names=lesson.short_names(t), t=t),
    title=t("The same queries, keys and values"),
    reading=lesson.reading_montage(result, view, t),
    table=lambda: tables.shown(result, view),
    provenance=result.provenance,
)
left, right = st.columns(2, gap="large")
with left:
    view = controls.function(view)
    record = result.record(view.function)
    card.show(
        "one_function",
        panels.one(record, shown=view.shown, t=t),
        title=names[record.name],
        reading=lesson.reading_function(result, view, t),
        table=lambda: tables.one(result, view),
        provenance=record.attention.provenance,
    )
    layout.code(getattr(scoring, record.name))
with right:
    view = controls.measure(view)
    card.show(
        "measures",
        bars.measures(result.records, view.measure, names=names, title=lesson.measure_names(t)[view.measure]),
        title=lesson.measure_names(t)[view.measure],
        reading=lesson.reading_measure(result, view, t),
        table=lambda: tables.measures(result),
        provenance=result.provenance,
    )
layout.prose("scoring_functions", "functions")
layout.prose("scoring_functions", "identities", **lesson.said_identities(result, t))
sections.scaling(params)
sections.training(params.seed)
layout.close_page("scoring_functions")
