import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("multi_head")
layout.prose("multi_head", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.nn.attention import MultiHeadAttention
    from explorer.ui import multi_head_heads as heads
    from explorer.ui import multi_head_more as further
    from explorer.ui import multi_head_result as results
    from explorer.ui.controls import multi_head as controls
process.settle()
layout.try_this(controls.DEFAULTS, controls.states())
result = results.translate(controls.draw())
if result is not None:
    layout.prose("multi_head", "glance")
    heads.explore(result)
    layout.code(MultiHeadAttention.forward)
    further.more(result)
layout.close_page("multi_head")
