"""A page with each kind of node that our style sheets, scripts and tests name, and what the running server says."""

import json
import time
from urllib.parse import quote

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.runtime import Runtime

from explorer.ui.streamlit_internals import component_script, own_session, script_run

own_session.run(lambda: st.download_button("File", b"of nobody's page"), {})
LIVE = """export default ({ parentElement }) => {
    parentElement.querySelector("p").textContent = "live";
    return () => (window.hasGone = true);
};"""
FACTS = {
    "session": bool(script_run.session_id()),
    "server": script_run.has_server(),
    "connected": script_run.is_connected(script_run.session_id()),
    "stranger": script_run.is_connected("nobody"),
    "files": [name for name in Runtime.instance().media_file_mgr._files_by_session_and_coord if "own" in name],
}
MODULE = f"data:text/javascript,{quote(LIVE)}"
st.set_page_config(layout="wide", initial_sidebar_state="expanded")


def draw() -> None:
    st.html("<style>.none{}</style>")
    with st.container(key="outer"), st.container(key="inner"):
        boxes()
        words()
        boxed()
        with st.container(key="innermost"):
            st.button("Primary", type="primary")
        st.html('<div class="drawn">drawn<img alt="" src="data:,"></div>')
        live = st.components.v2.component("specimen", html="<p></p>", js=component_script.loader("none", [MODULE]))
        if not st.checkbox("Without"):
            live(key="live")
        st.plotly_chart(go.Figure(go.Scatter(y=[1, 2], mode="markers+text", text=["a", "b"])), key="chart")


def boxes() -> None:
    st.slider("Slider", 0, 9, 3, key="one", bind="query-params", help="What it is")
    st.text_input("Line", "", 20, key="two", bind="query-params")
    st.button("Both", on_click=lambda: st.session_state.update(one=5, two="five"))
    st.button("Slow", on_click=lambda: time.sleep(3))
    st.text_area("Lines", "", max_chars=20)
    st.selectbox("Select", ["a", "b"])
    st.multiselect("Several", ["a", "b"])
    st.number_input("Number", 0, 9, 3)
    st.form("form").form_submit_button("Send")
    st.toggle("Toggle")
    st.segmented_control("Segments", ["a", "b"], default="a", required=True)
    st.file_uploader("File")
    st.dataframe(pd.DataFrame({"a": [1]}))
    st.table(pd.DataFrame({"a": [1]}))


def words() -> None:
    st.title("Title")
    st.header("Header")
    st.subheader("Subheader")
    st.markdown("Word with a formula $x$\n\n| a |\n|---|\n| $b$ |")
    st.caption("Caption with `code`")
    st.code("pass")
    st.html("<details><summary>more <b>b</b></summary><p>less</p></details>")
    st.page_link(HERE, label="Link")
    st.error("Error")
    st.exception(ValueError("shown"))
    st.text(json.dumps(FACTS))


def boxed() -> None:
    for tab in st.tabs(["a", "b"], key="tabs"):
        tab.write("in it")
    st.expander("Expander", icon=":material/code:").write("in it")
    st.popover("Popover").write("in it")
    with st.columns(2)[0]:
        st.html('<p class="in-a-column">in it</p>')
    st.skeleton()


HERE = st.Page(draw, title="Here")
with st.sidebar:
    st.caption("Sidebar")
    st.page_link(HERE)
    st.container(key="foot").write("foot")
st.navigation([HERE, st.Page(lambda: None, title="Elsewhere", url_path="elsewhere")]).run()
