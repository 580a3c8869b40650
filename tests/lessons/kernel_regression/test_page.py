"""Kernel regression: its controls, its links, and a reader's own points."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.pages import OpenPage, question, said

PAGE = "pages/02_kernel_regression.py"


def healthy(app: AppTest) -> AppTest:
    assert not app.exception, [each.value for each in app.exception]
    return app


def slider(app: AppTest, key: str) -> object:
    return next(each for each in app.slider if each.key == key)


def value(app: AppTest, key: str) -> object:
    return slider(app, key).value  # type: ignore[attr-defined]


def charts(app: AppTest) -> str:
    """What the charts hold, for searching."""
    return "\n".join(each.proto.spec for each in app.get("plotly_chart"))


def live(app: AppTest) -> bytes:
    """What the live picture of what is learned holds, for searching."""
    found: bytes = next(each.proto.bytes for each in app.get("bidi_component") if "kr_learning_live" in each.proto.id)
    return found


def test_an_old_link_opens_the_scene_of_its_controls_and_sets_them(open_page: OpenPage) -> None:
    learning = {"kr_epochs": "10", "kr_epoch": "4", "kr_leave": "false", "kr_rate": "25.0"}
    app = healthy(open_page(PAGE, **learning, kr_n="100", kr_noise="0.25"))
    assert "Who chooses the width" in question(app)
    assert "After 4 epochs" in said(app)
    assert (value(app, "kr_epoch"), value(app, "kr_n"), value(app, "kr_noise")) == (4, 100, 0.25)
    assert next(each for each in app.toggle if each.key == "kr_leave").value is False
    app = healthy(open_page(PAGE, kr_query="1.0", kr_width="0.3", kr_n="25"))
    assert "nobody has measured" in question(app)
    assert "At <b>1</b>" in said(app)
    app = healthy(open_page(PAGE, kr_source="own", kr_csv="1,2\n2,3\n3,5", kr_width="0.5"))
    assert "your own numbers" in question(app)


def test_a_scene_in_the_link_wins_and_an_unknown_one_falls_back(open_page: OpenPage) -> None:
    assert "everywhere" in question(healthy(open_page(PAGE, scene="every_query", kr_epoch="4")))
    assert "nobody has measured" in question(healthy(open_page(PAGE, scene="<b>")))


@pytest.mark.parametrize(
    ("kernel", "source"),
    [("gaussian", "classic"), ("boxcar", "line"), ("triangular", "step"), ("epanechnikov", "waves")],
)
def test_every_kernel_and_source(open_page: OpenPage, kernel: str, source: str) -> None:
    link = {"scene": "kernels", "kr_kernel": kernel, "kr_source": source, "kr_n": "5", "kr_width": "0.05"}
    app = healthy(open_page(PAGE, **link))
    assert app.session_state["kr_source"] == source
    assert ("no key is within reach" in said(app)) == (kernel != "gaussian")


@pytest.mark.parametrize(
    "link",
    [
        {"kr_source": "elsewhere", "kr_width": "0", "kr_epoch": "-1", "kr_rate": "1000"},
        {"kr_kernel": "cosine", "kr_width": "-3", "kr_query": "1e9", "kr_n": "many"},
        {"kr_epochs": "3", "kr_epoch": "60", "kr_seed": "99999", "kr_leave": "perhaps"},
    ],
)
def test_a_bad_link_falls_back(open_page: OpenPage, link: dict[str, str]) -> None:
    app = healthy(open_page(PAGE, scene="one_query", **link))
    assert not app.error
    assert (value(app, "kr_n"), value(app, "kr_seed"), value(app, "kr_width")) == (50, 0, 0.5)
    assert "about <b>21</b> of 50 points" in said(app)


def test_own_points_travel_in_the_link_and_reach_every_scene(open_page: OpenPage) -> None:
    own = {"kr_source": "own", "kr_csv": "x;y\n10;1,5\n20;2,5\n30;4\n30;5"}
    for scene in ("own_data", "one_query", "error_by_width"):
        app = healthy(open_page(PAGE, scene=scene, **own))
        assert "Rows 4 and 5 have the same x = 30" in said(app).replace("\\", "")
        width = slider(app, "kr_width")
        assert (width.min, width.max) == (0.2, 20.0)  # type: ignore[attr-defined]
        assert '"truth"' not in charts(app)


def test_points_pasted_here_are_meant_in_the_other_scenes_too(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="own_data"))
    app.text_area[0].set_value("1,2\n2,3\n3,5").run()
    assert healthy(app).session_state["kr_source"] == "own"


@pytest.mark.parametrize(
    ("language", "table"), [("en", "1,2\n3,<script>\n5,6"), ("zh", "1,2\n3,nan\n4,5"), ("en", "💥")]
)
def test_a_bad_table_gets_a_message_and_the_cars_stand_in(open_page: OpenPage, language: str, table: str) -> None:
    app = healthy(open_page(PAGE, scene="own_data", lang=language, kr_csv=table))
    assert len(app.error) == 1
    assert value(app, "kr_query") == 14.5
    app.text_area[0].set_value("1,2\n2,3\n3,5").run()
    assert not healthy(app).error
    assert value(app, "kr_query") == 2.0


def test_no_table_yet_is_no_error(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="own_data"))
    assert not app.error
    assert "of 50 points" in said(app)


def test_back_from_own_points_the_width_and_query_fit_again(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="one_query", kr_source="own", kr_csv="1000,1\n2000,2\n3000,1\n4000,5"))
    assert value(app, "kr_query") >= 1000  # type: ignore[operator]
    app.selectbox[0].select_index(0).run()
    healthy(app)
    assert value(app, "kr_query") <= 5  # type: ignore[operator]
    assert value(app, "kr_width") <= 5  # type: ignore[operator]


def test_fewer_epochs_take_the_shown_one_along(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="learn_width", kr_epoch="60")
    slider(app, "kr_epochs").set_value(5).run()  # type: ignore[attr-defined]
    assert value(healthy(app), "kr_epoch") == 5


def test_learning_that_cannot_begin_says_so(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="learn_width", kr_kernel="triangular", kr_start="5.0", kr_n="5"))
    assert "Points without another key within reach: 5 of 5" in said(app).replace("\\", "")
    assert not [each for each in app.slider if each.key == "kr_epoch"]


def test_the_answer_is_not_on_the_stage_before_the_question(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="learn_width")
    assert b'"ways": [null]' in live(app)
    next(each for each in app.button if each.key == "answer_learn_width_smaller").click().run()
    app.run()
    assert b'"ways": [null, null]' in live(healthy(app))


def test_the_cars_are_asked_where_an_answer_is_computed(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="own_data"))
    next(each for each in app.button if each.label == "Real data: 50 cars").click().run()
    assert f"At <b>{value(healthy(app), 'kr_query')}</b> the answer is" in said(app)


def test_a_link_too_long_for_a_qr_code_is_that_of_the_scene(open_page: OpenPage) -> None:
    own = {"scene": "own_data", "kr_csv": "\n".join(f"{n},{n % 17}" for n in range(200)), "present": "1"}
    assert "Opens the scene as it begins" in said(open_page(PAGE, **own))
    assert "Opens the scene as it begins" not in said(open_page(PAGE, scene="own_data", present="1"))


def test_another_separator_may_be_chosen_and_the_link_says_it(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="own_data", kr_csv="1,5 2,5\n2,5 3,5\n4,5 1,5\n"))
    assert not [each for each in app.selectbox if each.key == "kr_csv_separator"], "only spaces leave two numbers"
    app = healthy(open_page(PAGE, scene="own_data", kr_csv="1;2,5|3\n2;3,5|4\n4;1,5|5\n"))
    box = next(each for each in app.selectbox if each.key == "kr_csv_separator")
    healthy(box.set_value("|").run())
    assert next(each for each in app.text_area if each.key == "kr_csv").value.startswith("sep=|\n1;2,5|3")
    assert not [each for each in app.selectbox if each.key == "kr_csv_separator"], "it is said now"


def test_a_file_may_be_read_otherwise(open_page: OpenPage) -> None:
    app = healthy(open_page(PAGE, scene="own_data"))
    data = "Länge;Höhe\n1;4,5\n2;x5\n3;6\n".encode("cp1252")
    healthy(app.file_uploader(key="kr_file").upload("a.csv", data, "text/csv").run())
    assert "“x5” is not a number" in app.error[0].value
    box = next(each for each in app.selectbox if each.key.endswith("_encoding"))
    assert box.value == "cp1252"
    healthy(box.set_value("big5").run())
    healthy(app.file_uploader(key="kr_file").upload("b.csv", data.replace(b"x", b""), "text/csv").run())
    assert not app.error
