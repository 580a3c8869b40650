"""What the link carries: a message that the browser sent too early takes nothing back."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.scenes import DEFAULTS
from explorer.ui import fields

#: Two choices of the app; any would do.
ONE, OTHER = "vi_layer", "vi_head"


def page() -> None:
    """Two rows of buttons, a slider, a field that nobody sees, and buttons that set them."""
    import streamlit as st

    from explorer.ui import choice, fields

    numbers = {str(each): str(each) for each in range(4)}
    one = choice.buttons("One", numbers, key="vi_layer", default="3")
    other = choice.buttons("Other", numbers, key="vi_head", default="3")
    hidden = choice.hidden_param("Hidden", key="vi_hidden", most=20)
    width = choice.slider("Width", 0.0, 5.0, 0.5, key="kr_width", default=1.0)
    st.button("Hide 7", on_click=fields.set_values, args=({"vi_hidden": "7"},))
    st.button("Width 2", on_click=fields.set_values, args=({"kr_width": 2.0},))
    st.button("Width 3", on_click=fields.set_values, args=({"kr_width": 3.0},))
    st.button("First of all", on_click=fields.set_values, args=({"vi_layer": "0"},))
    st.button("Nothing")
    choice.text("Text", 20, key="tr_text", on_change=fields.set_values, args=({"vi_hidden": "9"},))
    st.caption(f"{one} {other} {width} {hidden}")


def said(app: AppTest) -> str:
    assert not app.exception
    return app.caption[0].value


def opened() -> AppTest:
    return AppTest.from_function(page, default_timeout=60).run()


def press(app: AppTest, label: str) -> AppTest:
    return next(each for each in app.button if each.label == label).click().run()


def test_the_second_of_two_quick_choices_leaves_the_first() -> None:
    app = opened()
    app.button_group(key=f"{ONE}_shown").set_value("0").run()
    assert said(app).startswith("0 3")
    app.text_input(key=ONE).set_value("3")  # the browser has not heard of it
    app.button_group(key=f"{OTHER}_shown").set_value("1").run()
    assert said(app).startswith("0 1")
    assert app.text_input(key=ONE).value == "0"


def test_what_a_callback_has_set_stays() -> None:
    app = opened()
    press(app, "Hide 7")
    app.text_input(key="vi_hidden").set_value(DEFAULTS["vi_hidden"]).run()
    assert said(app).endswith(" 7")


def test_the_later_of_two_settings_counts_whatever_the_browser_says_beside_it() -> None:
    app = opened()
    app.session_state["vi_hidden"] = "5"
    app.run()
    app.text_input(key="vi_hidden").set_value("")
    press(app, "Hide 7")
    assert said(app).endswith(" 7")


def test_a_slider_that_was_put_stays_whatever_it_said_before() -> None:
    app = press(press(opened(), "Width 2"), "Width 3")
    for before in (1.0, 2.0):
        app.slider[0].set_value(before)
        assert said(press(app, "Nothing")).startswith("3 3 3.0")
    app.slider[0].set_value(4.5).run()
    assert said(app).startswith("3 3 4.5"), "what the reader moves is moved"


def test_what_follows_from_a_box_follows() -> None:
    app = opened()
    next(each for each in app.text_input if each.label == "Text").set_value("Hund").run()
    assert said(app).endswith(" 9")


def test_a_slider_can_be_moved_back_once_the_browser_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "_HEARD_S", 0.0)
    app = press(opened(), "Width 2")
    app.slider[0].set_value(1.0).run()
    assert said(app).startswith("3 3 1.0")


def test_a_choice_that_was_put_stays_and_can_be_chosen_back_and_forth() -> None:
    app, buttons = press(opened(), "First of all"), f"{ONE}_shown"
    app.button_group(key=buttons).set_value("3")
    assert said(press(app, "Nothing")).startswith("0 3")
    for chosen in ("1", "0", "1", "3"):  # at once
        app.button_group(key=buttons).set_value(chosen).run()
        assert said(app).startswith(f"{chosen} 3")


def test_a_link_says_what_the_fields_hold() -> None:
    app = AppTest.from_function(page, default_timeout=60)
    app.query_params.update({ONE: "2", "vi_hidden": "1 4"})
    assert said(app.run()) == "2 3 1.0 1 4"
