"""Every page and every control's two ends, in both languages, without an error."""

from itertools import zip_longest
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui import catalogue
from tests.support.pages import OpenPage

#: A short text, and a scene with sliders: what a page computes anew takes longest where shapes are checked.
BEGIN = {
    "pages/07_positional_encoding.py": {"scene": "waves"},  # the first has words to drag
    "pages/09_whole_transformer.py": {"wt_act": "write"},  # the ride of one word is chosen from within its picture
    "pages/12_text_generation.py": {"tg_length": "40"},
}
FILES = [page.file for page in (catalogue.HOME, *catalogue.PAGES)]


def healthy(app: AppTest) -> bool:
    """No traceback on the page."""
    assert not app.exception, [each.value for each in app.exception]
    return True


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_home_page_opens(open_page: OpenPage, language: str) -> None:
    """The lessons' pages, `test_scenes.py` opens."""
    app = open_page("app.py", lang=language)
    assert healthy(app)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in app.title[0].value) == (language == "zh")


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


#: Stands for a control that has no further value to be moved to.
KEPT = object()
KINDS = ("slider", "number_input", "checkbox", "toggle", "select_slider", "selectbox", "radio", "multiselect")


def control(app: AppTest, kind: str, key: str) -> Any:
    """A control, as it now is; None where the page does not have it any more.

    After a run of a fragment alone `AppTest` shows nothing else: then the whole page is run first.
    """
    if not app.title:
        app.run()
    return next((each for each in getattr(app, kind) if each.key == key), None)


@pytest.mark.parametrize("file", FILES)
def test_every_control_at_both_ends(open_page: OpenPage, file: str) -> None:
    """One of the page's upper and one of its lower half at a time, then all at their lower and all at their upper ends.

    Two that are far apart stand in different parts of the page: one run moves both, in half the time.
    """
    app = open_page(file, **BEGIN.get(file, {}))
    keys = [(kind, widget.key) for kind in KINDS for widget in getattr(app, kind)]
    half = (len(keys) + 1) // 2
    for together in zip_longest(keys[:half], keys[half:]):
        there = {key: first for key in filter(None, together) if (first := control(app, *key))}
        before = {key: first.value for key, first in there.items()}
        rounds = zip_longest(*(ends(first) for first in there.values()), fillvalue=KEPT)
        for values in rounds:
            for key, value in zip(there, values, strict=True):
                if value is not KEPT and (now := control(app, *key)):
                    move(now, value)
            app.run()
            assert healthy(app), (list(there), values)
        for key, value in before.items():
            now = control(app, *key)
            if now and (now.type != "slider" or now.min <= value <= now.max):  # other data have other ends
                now.set_value(value)  # takes effect with the next controls' first run
    for end in (0, -1):
        everywhere = [widget for key in keys if (widget := control(app, *key)) and ends(widget)]
        for widget in everywhere:
            move(widget, ends(widget)[end])
        app.run()
        assert healthy(app), [widget.key for widget in everywhere]
    assert file == "app.py" or keys


NONSENSE = ("", "nan", "-1e999", "<script>", "💥", "9" * 5000)


@pytest.mark.parametrize("file", FILES)
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, file: str) -> None:
    """Every control gets another nonsense than its neighbour, and another one the second time."""
    known = open_page(file)
    keys = [widget.key for kind in ("slider", "number_input", "selectbox") for widget in getattr(known, kind)]
    for shift in (0, 3):
        nonsense = {key: NONSENSE[(position + shift) % len(NONSENSE)] for position, key in enumerate(["lang", *keys])}
        app = open_page(file, **nonsense)
        assert healthy(app), nonsense
        assert {w.key: w.value for w in app.slider} == {w.key: w.value for w in known.slider}, nonsense
