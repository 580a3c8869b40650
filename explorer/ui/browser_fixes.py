"""Repairs, in the browser, of what browsers, Plotly and Streamlit together get wrong on every page."""

from pathlib import Path

from explorer.ui import language, scripts
from explorer.ui.language import t

_browser = scripts.component(Path(__file__).with_suffix(".js"), "")


def install() -> None:
    """Make a tap select what is under the finger, and what one press changed one step of the browser's history.

    The page says its language, headings say their level in its outline; tables that must be scrolled can have the
    focus, and the open tab is in sight. When the page gets another theme, it is drawn anew. Who pastes more than a box
    takes is told so.
    """
    too_long = t("This is longer than the box takes: nothing was put in.")
    data = {"language": language.current(), "too_long": too_long}
    _browser(data=data, key="browser", height=0, width="content", on_theme_change=lambda: None)
