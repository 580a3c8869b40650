import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("efficient_attention")
layout.prose("efficient_attention", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.inference.replaced import hidden
    from explorer.ui import efficient_attention_flash as flash
    from explorer.ui import efficient_attention_measured as measured
    from explorer.ui import efficient_attention_sections as sections
    from explorer.ui.controls import efficient_attention as controls
process.settle()
layout.try_this(controls.DEFAULTS, controls.states())
if source := sections.source():
    sections.compare(source)
    flash.steps(source)
measured.measured()
measured.task()
layout.code(hidden)
layout.close_page("efficient_attention")
