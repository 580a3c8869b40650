"""Every page and every control's two ends, in both languages, without an error."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui import catalogue
from tests.pages.conftest import OpenPage

#: Nothing here replaces a part of the app, so what one test has computed holds for the next.
KEEP_COMPUTED = True
FILES = [page.file for page in (catalogue.HOME, *catalogue.PAGES)]


def healthy(app: AppTest) -> bool:
    """No traceback on the page."""
    assert not app.exception, [each.value for each in app.exception]
    return True


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_page_opens_in_both_languages(open_page: OpenPage, file: str, language: str) -> None:
    app = open_page(file, lang=language)
    assert healthy(app)
    title = app.title[0].value
    assert any("\u4e00" <= letter <= "\u9fff" for letter in title) == (language == "zh"), title


def ends(widget: Any) -> list[Any]:
    """The values at a control's two ends, or every option where there are few."""
    kind = widget.type
    if kind in {"slider", "number_input"}:
        return [widget.min, widget.max]
    if kind in {"checkbox", "toggle"}:
        return [True, False]
    if kind == "select_slider":
        return [widget.options[0], widget.options[-1]]
    if kind in {"selectbox", "radio", "button_group", "multiselect"}:
        return list(range(len(widget.options)))
    return []


def move(widget: Any, value: Any) -> Any:
    """Set a control as a reader would."""
    if widget.type in {"selectbox", "radio"}:
        return widget.select_index(value)
    if widget.type == "multiselect":
        return widget.set_value([widget.options[value]])
    if widget.type == "button_group":
        return widget.set_value([widget.options[value].content])
    return widget.set_value(value)


@pytest.mark.parametrize("file", FILES)
def test_every_control_at_both_ends(open_page: OpenPage, file: str) -> None:
    app = open_page(file)
    kinds = ("slider", "number_input", "checkbox", "toggle", "select_slider", "selectbox", "radio", "multiselect")
    keys = [(kind, widget.key) for kind in kinds for widget in getattr(app, kind)]
    for kind, key in keys:
        widget = next((each for each in getattr(app, kind) if each.key == key), None)
        for value in ends(widget) if widget else []:
            now = next((each for each in getattr(app, kind) if each.key == key), None)
            if now is not None:
                move(now, value).run()
                assert healthy(app), (key, value)
    assert file == "app.py" or keys


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("nonsense", ["", "nan", "-1e999", "<script>", "💥", "9" * 5000])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, file: str, nonsense: str) -> None:
    known = open_page(file)
    keys = [widget.key for kind in ("slider", "number_input", "selectbox") for widget in getattr(known, kind)]
    app = open_page(file, lang=nonsense, **dict.fromkeys(keys, nonsense))
    assert healthy(app)
    assert {w.key: w.value for w in app.slider} == {w.key: w.value for w in known.slider}


@pytest.mark.parametrize("file", FILES)
def test_every_try_this_button_works(open_page: OpenPage, file: str) -> None:
    app = open_page(file)
    keys = [button.key for button in app.button if str(button.key).startswith("try_")]
    assert file == "app.py" or len(keys) >= 3
    for key in keys:
        next(button for button in app.button if button.key == key).click().run()
        assert healthy(app), key
