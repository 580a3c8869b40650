import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("scoring_functions")
layout.prose("scoring_functions", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.ui import scoring_functions_sections as sections
    from explorer.ui.controls import scoring_functions as controls
process.settle()
layout.try_this(controls.DEFAULTS, controls.states())
sections.explore()
layout.close_page("scoring_functions")
