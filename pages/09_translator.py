import streamlit as st

from explorer.ui import layout, process
from explorer.ui.language import t

layout.open_page("translator")
layout.prose("translator", "intro")
with st.spinner(t("Loading PyTorch (once for all visitors) …")):  # seconds on a cold server: the page stands already
    from explorer.attention.attend import attend
    from explorer.nn.attention import MultiHeadAttention
    from explorer.ui import translator_documents, translator_result, translator_view
    from explorer.ui.controls import translator as controls
process.settle()
layout.try_this(controls.DEFAULTS, controls.states())
params = controls.draw()
result = translator_result.translate(params)
if result is not None:
    translator_view.look_inside(result)
translator_documents.section(params)
reading, limits = st.columns(2, gap="large")
with reading:
    layout.prose("translator", "reading")
with limits:
    layout.prose("translator", "limits")
layout.code(attend)
layout.code(MultiHeadAttention.forward)
layout.close_page("translator")
