"""What the link carries: a message that the browser sent too early takes nothing back."""

from streamlit.testing.v1 import AppTest

from explorer.scenes import DEFAULTS

#: Two choices of the app; any would do.
ONE, OTHER = "vi_layer", "vi_head"


def page() -> None:
    """Two rows of buttons, a field that nobody sees, and a button that sets it."""
    import streamlit as st

    from explorer.ui import choice

    numbers = {str(each): str(each) for each in range(4)}
    one = choice.segmented("One", numbers, key="vi_layer", default="3")
    other = choice.segmented("Other", numbers, key="vi_head", default="3")
    hidden = choice.note("Hidden", key="vi_hidden", most=20)
    st.button("Hide 7", on_click=choice.put, args=({"vi_hidden": "7"},))
    st.caption(f"{one} {other} {hidden}")


def said(app: AppTest) -> str:
    assert not app.exception
    return app.caption[0].value


def opened() -> AppTest:
    return AppTest.from_function(page, default_timeout=60).run()


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
    app.button[0].click().run()
    app.text_input(key="vi_hidden").set_value(DEFAULTS["vi_hidden"]).run()
    assert said(app).endswith(" 7")


def test_the_later_of_two_settings_counts_whatever_the_browser_says_beside_it() -> None:
    app = opened()
    app.session_state["vi_hidden"] = "5"
    app.run()
    app.text_input(key="vi_hidden").set_value("")
    app.button[0].click().run()
    assert said(app).endswith(" 7")


def test_a_link_says_what_the_fields_hold() -> None:
    app = AppTest.from_function(page, default_timeout=60)
    app.query_params.update({ONE: "2", "vi_hidden": "1 4"})
    assert said(app.run()) == "2 3 1 4"
