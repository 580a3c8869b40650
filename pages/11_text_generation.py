import streamlit as st

from explorer.scenes.text_generation import OLD_PARTS
from explorer.ui.scene import page

if "scene" not in st.query_params and (old := OLD_PARTS.get(st.query_params.get("tg_part", ""))):
    st.query_params["scene"] = old
page.draw("text_generation")
