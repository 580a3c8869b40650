"""The translator's page: how the search went, other ways to choose, and writing on from a replaced piece."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.checkpoints import hub, store
from explorer.checkpoints.manifest import CheckpointMissing
from explorer.inference.translator.request import CHECKPOINT, MOST_BEAM
from explorer.lessons import translator as lesson
from explorer.lessons.translator import search as search_of_lesson, search_edit
from tests.checkpoints.conftest import tiny_tokenizer, write
from tests.inference.conftest import tiny_translator
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, chosen, live, plain as said

PAGE = "pages/10_translator.py"
HOSTILE = [
    "",
    "   ",
    "\x00\u200b",
    "x" * 5000,
    "💜👩‍👩‍👧‍👦",
    "أفتقدك",
    "<script>alert(1)</script>",
    "=SUM(A1) $x^2$ **b**",
]


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny random translator that ends some of its sentences stands in for the shipped one."""
    folder = tmp_path / "bundled" / CHECKPOINT
    folder.parent.mkdir()
    write(folder, tiny_translator(vocab_size=tiny_tokenizer().vocab_size))
    for module in (store, hub):
        monkeypatch.setattr(module, "BUNDLED", folder.parent)


def test_a_link_opens_the_tree_at_its_step(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="search")
    last = search_of_lesson.search(search_of_lesson.SearchParams.of(lesson.compute(lesson.Params()))).n_steps
    assert f"After step {last} of {last}" in said(app)
    chosen(app, "tr_tree_step", "2")
    app.toggle(key="tr_tree_dropped").set_value(True).run()
    assert healthy(app)
    assert f"After step 2 of {last}" in said(app)
    assert f"After step {last} of {last}" in said(chosen(app, "tr_tree_step", "9999"))
    for nonsense in ("-1", "nan", "1e999", "<b>", "²"):
        assert f"After step {last} of {last}" in said(chosen(app, "tr_tree_step", nonsense))


def test_ranking_and_stepping_run_no_model(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[search_of_lesson.SearchParams] = []
    search = search_of_lesson.search
    monkeypatch.setattr(search_of_lesson, "search", lambda asked: calls.append(asked) or search(asked))
    app = open_page(PAGE, scene="search", tr_text="My sister wants to live in a big white house.")
    chosen(app, "tr_tree_step", "1")
    chosen(app, "tr_search", "ranking")
    app.slider(key="tr_rank").set_value(1.5).run()
    assert healthy(app)
    assert len(calls) == 1
    assert "With α = 1.50" in said(app)


def test_a_beam_of_one_and_of_the_most(open_page: OpenPage) -> None:
    for beam in ("1", str(MOST_BEAM)):
        app = open_page(PAGE, scene="search", tr_beam=beam)
        assert healthy(app)
        assert f'"beam": {beam}'.encode() in live(app, "tr_tree_live")


def test_samples_depend_on_the_seed_alone(open_page: OpenPage) -> None:
    def texts(app: AppTest) -> str:
        assert healthy(app)
        return next(each.proto.body for each in app.get("html") if "tr_texts" in each.proto.body)

    app = open_page(PAGE, scene="ways", tr_samples="4")
    first = texts(app)
    assert first.count("<h6>") == 6
    assert texts(app.slider(key="tr_seed").set_value(7).run()) != first
    assert texts(app.slider(key="tr_seed").set_value(0).run()) == first


def opened(open_page: OpenPage, **parameters: str) -> tuple[AppTest, list[str]]:
    """The part that edits, and the ids of its pieces."""
    app = open_page(PAGE, scene="write_on", **parameters)
    target = lesson.compute(lesson.Params()).trace.written_ids
    return app, [search_edit.place_id(target, position) for position in range(len(target))]


def test_a_piece_is_replaced_and_reset(open_page: OpenPage) -> None:
    app, ids = opened(open_page)
    chosen(app, "tr_edit_at", ids[1])
    assert "The least certain word is" in said(app)
    assert len(app.selectbox(key="tr_edit_by_shown").options) == 10
    result = lesson.compute(lesson.Params())
    at = search_edit.PlaceParams(
        asked=search_of_lesson.SearchParams.of(result), target=result.trace.written_ids, position=1
    )
    chosen(app, "tr_edit_by", str(search_edit.alternatives(at)[2].id))
    assert healthy(app)
    assert "at position 2" in said(app)
    assert "one in " in next(each.proto.body for each in app.get("html") if "tr_texts" in each.proto.body)
    app.button(key="tr_edit_reset").click().run()
    assert app.text_input(key="tr_edit_at").value == "none"
    assert "The least certain word is" in said(app)


@pytest.mark.parametrize("text", HOSTILE)
def test_any_words_of_ones_own_are_written_on_from_or_refused(open_page: OpenPage, text: str) -> None:
    _, ids = opened(open_page)
    app = open_page(PAGE, scene="write_on", tr_edit_at=ids[1], tr_edit_by="text", tr_edit_text=text)
    assert healthy(app)
    assert not app.error
    assert "<script" not in "".join(each.proto.body for each in app.get("html"))


def test_an_edit_does_not_outlive_its_translation(open_page: OpenPage) -> None:
    _, ids = opened(open_page)
    app = open_page(PAGE, scene="write_on", tr_edit_at=ids[1], tr_edit_by="text", tr_edit_text="Dog")
    assert "at position 2" in said(app)
    app.text_input(key="tr_text").set_value("I'm busy.").run()
    assert healthy(app)
    assert "at position 2" not in said(app)


@pytest.mark.parametrize("nonsense", ["-1", "999999999", "text ", "<b>", "none-none", "💥"])
def test_nonsense_in_the_link_edits_nothing(open_page: OpenPage, nonsense: str) -> None:
    _, ids = opened(open_page)
    for parameters in ({"tr_edit_at": nonsense}, {"tr_edit_at": ids[0], "tr_edit_by": nonsense}):
        app = open_page(PAGE, scene="write_on", **parameters)
        assert healthy(app)
        assert "The least certain word is" in said(app)


def test_a_sentence_that_does_not_finish(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="search", tr_text="The doggish cat saw.", tr_beam="1")
    assert healthy(app)


def test_a_checkpoint_that_is_gone_is_said(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: object) -> None:
        raise CheckpointMissing("gone")

    for part, name in (("search", "search"), ("ways", "ways")):
        monkeypatch.setattr(search_of_lesson, name, gone)
        app = open_page(PAGE, scene=part)
        assert healthy(app)
        assert "missing or damaged" in app.error[0].value
