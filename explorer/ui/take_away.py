"""Buttons that hand something to the reader's browser: a picture of a chart, the link to this state."""

from pathlib import Path

import streamlit as st

from explorer.ui.language import t

_SCRIPT = (Path(__file__).parent / "take_away.js").read_text(encoding="utf8")
_STYLE = """
button{font:inherit;font-size:.85rem;color:var(--st-text-color);background:transparent;cursor:pointer;
border:1px solid var(--st-border-color);border-radius:var(--st-button-radius,.4rem);
padding:.3rem .7rem;margin-right:.4rem}
button:hover,button:focus-visible{border-color:var(--st-primary-color);color:var(--st-primary-color);outline:none}
"""
_buttons = st.components.v2.component("take_away", html="<div class='row'></div>", css=_STYLE, js=_SCRIPT)


def pictures(key: str) -> None:
    """Buttons that save the chart in the container `key` as PNG and as SVG, by Plotly's own exporter."""
    labels = [["PNG", t("Save this chart as PNG"), "png"], ["SVG", t("Save this chart as SVG"), "svg"]]
    _buttons(data={"chart": key, "labels": labels}, key=f"{key}_pictures", height="content", width="content")


def copy_link() -> None:
    """A button that copies the address of the page as it stands, every control included."""
    labels = [[t("Copy link"), t("Copy the link to this page with every setting"), "link"]]
    _buttons(
        data={"chart": "", "labels": labels, "done": t("Copied")}, key="copy_link", height="content", width="content"
    )
