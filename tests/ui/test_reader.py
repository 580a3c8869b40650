"""Words and colours are the reader's, whoever's turn it was before, and wherever Streamlit runs what makes them."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explorer.figures import look as looks
from explorer.figures.look import DARK, LIGHT
from explorer.service.kept import list_kept
from tests.support.figures import CHINESE
from tests.support.pages import OpenPage, said

#: A lesson that opens with a chart, and one that opens with a live picture.
PAGES = ("pages/08_architectures.py", "pages/06_multi_head.py")
#: The switch of languages, which says each name in its own.
SWITCH = "中文"


def _script() -> None:
    import streamlit as st

    from explorer.figures.look import look
    from explorer.records.language import t
    from explorer.ui import downloads

    def keep() -> None:
        st.session_state["called"] = t("Stop")

    @st.fragment
    def alone() -> None:
        st.button("again", key="again", on_click=keep)
        st.markdown(t("Stop"))

    alone()
    downloads.file("TXT", lambda: f"{t('Stop')} {look().paper}", "a.txt", "text/plain", key="a")


def shown(app: AppTest) -> dict[str, str]:
    """What a page says, what it draws with Plotly, and what it sends to live pictures."""
    assert not app.exception, [each.value for each in app.exception]
    charts = {each.key: each.proto.spec for each in app.get("plotly_chart")}
    live = {each.key: str(each.proto) for each in app.get("bidi_component")}
    return {"said": said(app), **charts, **live}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(("first", "second"), [("en", "zh"), ("zh", "en")])
def test_the_next_reader_is_spoken_to_in_their_own_language(
    open_page: OpenPage, page: str, first: str, second: str
) -> None:
    alone = shown(open_page(page, lang=second))
    list_kept().forget()
    before = shown(open_page(page, lang=first))
    after = shown(open_page(page, lang=second))
    assert after == alone
    assert before["said"] != after["said"]
    english = before if first == "en" else after
    assert not [key for key, words in english.items() if re.search(CHINESE, words.replace(SWITCH, ""))]


@pytest.mark.parametrize("page", PAGES)
def test_the_next_reader_sees_their_own_colours(
    open_page: OpenPage, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    light = shown(open_page(page, lang="en"))
    with monkeypatch.context() as dark_theme:
        dark_theme.setattr(looks, "_asked", [lambda: DARK])
        dark = shown(open_page(page, lang="en"))
    assert shown(open_page(page, lang="en")) == light
    coloured = [key for key, words in light.items() if LIGHT.query in words or LIGHT.line in words]
    assert coloured
    for key in coloured:
        assert DARK.query in dark[key] or DARK.line in dark[key]
        assert LIGHT.query not in dark[key]
        assert LIGHT.line not in dark[key]


@pytest.mark.parametrize(("language", "word"), [("en", "Stop"), ("zh", "停止")])
def test_fragments_callbacks_and_files_made_later_speak_the_readers_language(
    language: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    makes: list[Callable[[], str]] = []
    monkeypatch.setattr(st, "download_button", lambda _label, make, *_args, **_options: makes.append(make))
    with monkeypatch.context() as dark_theme:
        dark_theme.setattr(looks, "_asked", [lambda: DARK])
        app = AppTest.from_function(_script)
        app.query_params["lang"] = language
        app.run()
    app.button(key="again").click().run()
    assert not app.exception
    assert app.session_state["called"] == word
    assert app.markdown[0].value == word
    with ThreadPoolExecutor(1) as beside:  # where Streamlit makes it, without a session
        assert beside.submit(makes[0]).result() == f"{word} {DARK.paper}"
