import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("architectures")
layout.prose("architectures", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.attention.architectures_cost import cost
    from explorer.figures import architectures as figures
    from explorer.inference.timing import measure
    from explorer.lessons import architectures as lesson
    from explorer.ui import architectures_sections as sections
    from explorer.ui import architectures_tables as tables
    from explorer.ui import cached, card
    from explorer.ui.controls import architectures as controls
process.settle()
layout.try_this(controls.DEFAULTS, controls.states())
params = controls.draw()
result = cached.compute(lesson.compute, params)
sections.numbers(result)
layout.prose("architectures", "costs")
view = controls.axis(lesson.View())
curves = result.curves[view.axis]
card.show(
    "ar_costs",
    figures.costs(curves, names=lesson.names(t), t=t),
    title=t("Four costs, by formula"),
    reading=lesson.reading_costs(result, view, t),
    table=lambda: tables.costs(curves),
    provenance=curves.provenance,
)
layout.code(cost)
sections.paths(params)
sections.measured(result, view)
layout.code(measure)
layout.close_page("architectures")
