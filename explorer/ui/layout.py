"""The shell that every page calls first, and the parts that recur on every page."""

import inspect
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer import scenes
from explorer.figures import theme
from explorer.records.language import current_language, t
from explorer.ui import appearance, browser_fixes, catalogue, downloads, language, server_setup

#: A link of the prose to a scene, named by lesson and scene; its text is the scene's title.
LINK = re.compile(r"\[\]\((?P<lesson>\w+)/(?P<scene>\w+)(?:\?(?P<state>[^)\s]+))?\)")

_ROOT = Path(__file__).parent.parent.parent
#: Axes, scales and legends of charts: set on the figures, they would cost more than making these. By whole names of
#: classes: parts of names must be looked for in every class that changes, a fifth more time while charts are drawn.
_INK = """<style>
.js-plotly-plot :is(.xaxislayer-above,.xaxislayer-below,.yaxislayer-above,.yaxislayer-below,.overaxes-above,
.overaxes-below,.infolayer) text:not(.annotation-text){{fill:{ink}!important}}
</style>"""
#: Numbers that Plotly shrinks to fit the cells of a heat map are left out where nobody could read them.
_TOO_SMALL = ",".join(f'.heatmap-label text[style*="font-size: {size}px"]' for size in range(1, 8))
_LEGIBLE = f"<style>{_TOO_SMALL}{{display:none}}</style>"


def open_page() -> None:
    """Draw the home page's shell: title in the browser's tab, menu, language switch, heading, introduction."""
    title = t(catalogue.HOME.title)
    configure(title)
    shell(home=True)
    st.title(title, anchor=False)
    st.markdown(t("From a weighted average to a working translator. Every number is computed."))
    server_setup.configure_server()


def configure(title: str) -> None:
    """Name the browser's tab; the menu begins closed, where it is a drawer over the page (`menu.css`)."""
    name = f"{title} · {t('Attention Explorer')}"
    st.set_page_config(page_title=name, page_icon="🔎", layout="wide", initial_sidebar_state="collapsed")


def shell(*, home: bool = False) -> None:
    """Show the style of every page, and the menu; on the home page, the link to copy stands at the menu's foot."""
    st.html(_LEGIBLE + _INK.format(ink=theme.INKS[st.context.theme.type == "dark"]))
    appearance.put()
    with st.sidebar:
        _menu()
        with st.container(key="menu_foot"):
            language.choose()
            if home:
                downloads.copy_link()
        browser_fixes.install()


def _menu() -> None:
    st.page_link("app.py", label=t("Attention Explorer"), icon=catalogue.HOME.icon)
    group = ""
    for page in catalogue.PAGES:
        if page.group != group:
            group = page.group
            with st.container(key=f"group_{catalogue.PAGES.index(page)}"):
                st.caption(t(group))
        st.page_link(page.file, label=t(page.title), icon=page.icon)


def prose(stem: str, section: str, **values: str) -> None:
    """Draw one section of the page's prose, filled with `values`."""
    st.markdown(
        LINK.sub(lambda found: _link(stem, **found.groupdict()), language.fill_placeholders(stem, section, **values))
    )


def _link(stem: str, lesson: str, scene: str, state: str | None) -> str:
    """Return the Markdown of a link from a lesson to a scene, in a state; of another lesson the title is before it."""
    title = t(scenes.lesson(lesson).scene(scene).title)
    if lesson != stem:
        title = f"{t(catalogue.page(lesson).title)}: {title}"
    set_to = f"&{state}" if state else ""
    return f"[{language.closed_up(title)}]({lesson}?scene={scene}{set_to}&lang={current_language()})"


def code(*functions: Callable[..., Any] | type) -> None:
    """Show the lines that matter, live from the source, in a fold. Empty until it is opened: to colour code is slow."""
    unwrapped = [inspect.unwrap(function) for function in functions]
    sources = [_source(function) for function in unwrapped]
    positions = t(", ").join(f"`{position if len(sources) == 1 else Path(position).name}`" for position, _ in sources)
    label = t("The lines that matter: {position}").format(position=positions)
    key = f"code_{unwrapped[0].__module__}_{unwrapped[0].__qualname__}".replace(".", "_")
    fold = st.expander(label, icon=":material/code:", key=key, on_change="rerun")
    if fold.open:
        for _, lines in sources:
            fold.code(lines, language="python", wrap_lines=True)


@lru_cache(maxsize=128)
def _source(function: Callable[..., Any] | type) -> tuple[str, str]:
    """Return the file and line of a function, and its source."""
    lines, first = inspect.getsourcelines(function)
    file = Path(inspect.getsourcefile(function) or "").resolve()
    position = file.relative_to(_ROOT).as_posix() if file.is_relative_to(_ROOT) else file.name
    return f"{position}:{first}", "".join(lines)
