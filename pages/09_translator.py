import streamlit as st

from explorer.attention.attend import attend
from explorer.nn.attention import MultiHeadAttention
from explorer.ui import layout, translator_result, translator_view
from explorer.ui.controls import translator as controls

layout.open_page("translator")
layout.prose("translator", "intro")
layout.try_this(controls.DEFAULTS, controls.states())
params = controls.draw()
result = translator_result.translate(params)
if result is not None:
    translator_view.look_inside(result)
reading, limits = st.columns(2, gap="large")
with reading:
    layout.prose("translator", "reading")
with limits:
    layout.prose("translator", "limits")
layout.code(attend)
layout.code(MultiHeadAttention.forward)
layout.close_page("translator")
