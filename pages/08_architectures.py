import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("architectures")
layout.prose("architectures", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.inference.timing import measure
    from explorer.ui import architectures_sections as sections
    from explorer.ui.controls import architectures as controls
process.settle()
layout.try_this(controls.DEFAULTS, controls.states())
sections.explore()
layout.code(measure)
layout.close_page("architectures")
