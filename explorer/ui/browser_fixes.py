"""Repairs, in the browser, of what browsers, Plotly and Streamlit together get wrong on every page."""

from pathlib import Path

from explorer.ui import scripts

_browser = scripts.component(Path(__file__).with_suffix(".js"), "")


def install() -> None:
    """Make a tap select what is under the finger, and what one press changed one step of the browser's history.

    Headings say their level in the page's outline, and tables that must be scrolled can have the focus.
    """
    _browser(key="browser", height=0, width="content")
