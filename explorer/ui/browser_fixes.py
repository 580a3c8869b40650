"""Repairs, in the browser, of what browsers, Plotly and Streamlit together get wrong on every page."""

from pathlib import Path

from explorer.figures.look import look
from explorer.records.language import current_language, t
from explorer.ui import scripts

#: Letters of an address: proxies refuse more than 8 kB, with all that a request says besides.
MOST_LETTERS = 6000
_browser = scripts.component(Path(__file__).with_suffix(".js"), "")


def install() -> None:
    """Make a tap select what is under the finger, and what one press changed one step of the browser's history.

    The page says its language, headings say their level in its outline; tables that must be scrolled can have the
    focus, and the open tab is in sight. When the page gets another theme, it is drawn anew. Who pastes more than a box
    takes is told so. What would make the address too long stays out of it.
    """
    too_long = t("This is longer than the box takes: nothing was put in.")
    data = {
        "language": current_language(),
        "too_long": too_long,
        "letters": MOST_LETTERS,
        "drawn_for": "dark" if look().dark else "light",
    }
    _browser(data=data, key="browser", height=0, width="content", on_theme_change=lambda: None)
