"""The reader's language: chosen once a session, carried in the URL, never decided at import."""

import re
import threading
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import streamlit as st

from explorer.records.language import ENGLISH, LOCALE, ask_for_language, current_language
from explorer.ui.streamlit_internals import script_run

#: What the URL says, and the name readers know it by.
LANGUAGES = {"en": "English", "zh": "中文"}
#: A line end inside a Chinese sentence, or behind one of its marks, which Markdown would show as a space.
_CHINESE_LINE_END = re.compile(
    r"(?<=[\u2014-\u201d\u3000-\u9fff\uff00-\uffef])\n(?=[\u201c\u3000-\u9fff\uff00-\uffef])"
    r"|(?<=[。，、：；）！？])\n(?=[A-Za-z`$\[]|\*+[^\s*])"
)
#: A space behind a Chinese mark, as between sentences that were put together.
_CHINESE_GAP = re.compile(r"(?<=[。？！；，：]) (?=\S)")
#: A colon of another script behind a Chinese word, as between a name and what is said of it.
_CHINESE_COLON = re.compile(r"(?<=[\u4e00-\u9fff）”]): ")
_SECTION = re.compile(r"^<!-- section: (?P<name>[\w-]+)(?: of: (?P<stamp>\w+))? -->$", re.MULTILINE)


class _Run(threading.local):
    """The language of the script run of this thread: hundreds of messages ask for it, and Streamlit answers slowly."""

    of: object = None
    language = ""


_run = _Run()


def _of_reader() -> str:
    """Return the session's language: the reader's choice, else the URL's, else the browser's, else English."""
    run = script_run.current()
    if run is None:
        return ENGLISH
    if _run.of is not run:
        _run.of, _run.language = run, _of_session()
    return _run.language


ask_for_language(_of_reader)


def _of_session() -> str:
    with suppress(KeyError):
        return str(st.session_state["language"])
    asked = st.query_params.get("lang", "").lower().partition("-")[0]
    st.session_state["language_chosen"] = asked in LANGUAGES
    st.session_state["language"] = language = asked if asked in LANGUAGES else _of_browser()
    return language


def _of_browser() -> str:
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def choose() -> None:
    """Draw the language switch, and keep the choice in the URL."""
    st.session_state["language_switch"] = st.session_state["language_drawn"] = current_language()
    st.segmented_control(
        "Language · 语言",
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        required=True,
        key="language_switch",
        on_change=_choose,
    )
    if st.session_state.get("language_chosen") and st.query_params.get("lang") != current_language():
        st.query_params["lang"] = current_language()


def catch_up() -> None:
    """Draw the whole page anew where a fragment speaks another language than what stands around it.

    Who types and then clicks the switch changes two things at once: Streamlit's browser (1.67) sends one order for
    both, which names the fragment of the text alone.
    """
    if st.session_state.get("language_drawn", current_language()) != current_language():
        st.rerun()


def _choose() -> None:
    if st.session_state["language_switch"] in LANGUAGES:
        st.session_state["language"] = st.session_state["language_switch"]
        st.session_state["language_chosen"] = True
        _run.of = None


def prose(stem: str, section: str) -> str:
    """Return the Markdown of one section of a page, in the reader's language.

    Raises:
        KeyError: if there is no such section (a test walks them all).
    """
    path = LOCALE / "content" / current_language() / f"{stem}.md"
    return _prose(path, path.stat().st_mtime_ns)[section]


def fill_placeholders(stem: str, section: str, **values: str) -> str:
    """Return a section whose `{placeholders}` are filled with `values`; LaTeX keeps its braces."""
    text = prose(stem, section)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return closed_up(text)


def closed_up(text: str) -> str:
    """Close up sentences put together with a space: in Chinese there is none after a mark, and its colon is wide."""
    return _CHINESE_GAP.sub("", _CHINESE_COLON.sub("：", text)) if current_language() == "zh" else text


@lru_cache(maxsize=64)
def _prose(path: Path, _changed: int) -> dict[str, str]:
    """Return the text of each section of a page, anew once the file has changed while the page is open."""
    found = sections(path.read_text(encoding="utf8"))
    return {name: _CHINESE_LINE_END.sub("", text) for name, (_, text) in found.items()}


def sections(text: str) -> dict[str, tuple[str, str]]:
    """Split a page's prose at `<!-- section: name -->`: name to (stamp of the English it translates, Markdown)."""
    marks = list(_SECTION.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return {
        mark["name"]: (mark["stamp"] or "", text[mark.end() : end].strip())
        for mark, end in zip(marks, ends, strict=True)
    }
