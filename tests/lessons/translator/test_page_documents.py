"""Documents on the translator's page: pasted or brought, watched, stopped, taken away."""

import io
import re
import time
from typing import Any

import openpyxl
import pytest
from streamlit.testing.v1 import AppTest

from explorer.data.documents.writing import to_xlsx
from tests.lessons.translator.test_page import PAGE, said, tiny
from tests.lessons.translator.test_queue import Sluggish, sluggish
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage

__all__ = ["sluggish", "tiny"]


def opened(open_page: OpenPage, **parameters: str) -> AppTest:
    """The scene of the documents."""
    return open_page(PAGE, scene="documents", **parameters)


def to_the_end(app: AppTest) -> AppTest:
    for _ in range(100):
        app.run()
        assert healthy(app)
        document = app.session_state["tr_doc_kept"][1]
        if document.done == document.total:
            return app.run()
        time.sleep(0.02)
    raise AssertionError("it did not end")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pasted_lines_are_translated(open_page: OpenPage, sluggish: type[Sluggish], language: str) -> None:
    sluggish.may.set()
    app = opened(open_page, lang=language)
    app.text_area(key="tr_doc_text").set_value("The cat.\n\nThe dog. A cat!\n" + "word " * 300).run()
    assert healthy(app)
    app.button(key="tr_doc_start").click().run()
    to_the_end(app)
    table = next(each.value for each in app.dataframe if each.proto.id.endswith("tr_doc_rows") or len(each.value) == 4)
    assert list(table.iloc[:, 2]) == ["The cat.", "", "The dog. A cat!", ""]
    assert table.iloc[3, 3]
    assert re.search(r"4 .* · cpu · float32 · .*\d", app.get("progress")[0].proto.text)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in table.iloc[3, 3]) == (language == "zh")


def test_a_file_gives_a_choice_of_columns_and_is_taken_away_whole(
    open_page: OpenPage, sluggish: type[Sluggish]
) -> None:
    sluggish.may.set()
    app = opened(open_page, tr_doc_column="1", tr_doc_heading="true")
    data = to_xlsx([["id", "text"], ["1", "The cat."], ["2", "=1+1"], ["3", ""]])
    app.file_uploader(key="tr_doc_file").upload("a.xlsx", data, "application/octet-stream").run()
    assert healthy(app)
    app.button(key="tr_doc_start").click().run()
    to_the_end(app)
    document = app.session_state["tr_doc_kept"][1]
    assert [row.source for row in document.rows] == ["The cat.", "=1+1", ""]
    assert document.rows[0].target == "The cat."
    assert "the rest is left out" not in said(app)
    app.file_uploader(key="tr_doc_file").upload("b.csv", b",".join([b"x"] * 60), "text/csv").run()
    assert "At most 50 columns and 10,000 characters of a cell" in said(app).replace("\\", "")


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_a_single_column_may_have_a_heading(open_page: OpenPage, sluggish: type[Sluggish], name: str) -> None:
    sluggish.may.set()
    app = opened(open_page)
    data = to_xlsx([["text"], ["The cat."]]) if name.endswith("xlsx") else b"text\nThe cat.\n"
    app.file_uploader(key="tr_doc_file").upload(name, data, "application/octet-stream").run()
    app.toggle(key="tr_doc_heading").set_value(True).run()
    app.button(key="tr_doc_start").click().run()
    to_the_end(app)
    assert [row.source for row in app.session_state["tr_doc_kept"][1].rows] == ["The cat."]
    app.file_uploader(key="tr_doc_file").upload("b.txt", b"A line.\nThe cat.", "text/plain").run()
    assert healthy(app)
    assert "tr_doc_heading" not in {each.key for each in app.toggle}, "no line of a text is a heading"
    assert "Translate 2 rows" in {button.label for button in app.button}
    app.file_uploader(key="tr_doc_file").upload("c.csv", b"text\n", "text/csv").run()
    app.toggle(key="tr_doc_heading").set_value(True).run()
    assert healthy(app), "a heading alone"
    app.button(key="tr_doc_start").click().run()
    assert healthy(app)


def test_it_can_be_stopped_and_goes_on(open_page: OpenPage, sluggish: type[Sluggish]) -> None:
    sluggish.may.set()
    app = opened(open_page)
    sluggish.may.clear()
    app.text_area(key="tr_doc_text").set_value("\n".join(f"A cat {number}." for number in range(30))).run()
    app.button(key="tr_doc_start").click().run()
    assert healthy(app)
    app.button(key="tr_doc_stop").click().run()
    document = app.session_state["tr_doc_kept"][1]
    assert document.resting
    assert document.done == 0
    sluggish.may.set()
    app.button(key="tr_doc_go_on").click().run()
    to_the_end(app)
    assert document.rows[29].target == "A cat 29."
    app.text_area(key="tr_doc_text").set_value("Other.").run()
    assert healthy(app)
    assert app.button(key="tr_doc_start")


@pytest.mark.parametrize("brought", [False, True])
def test_a_document_outlives_a_visit_to_another_page(
    open_page: OpenPage, sluggish: type[Sluggish], brought: bool
) -> None:
    sluggish.may.set()
    app = opened(open_page)
    if brought:
        app.file_uploader(key="tr_doc_file").upload("a.txt", b"The cat.\nA dog.", "text/plain").run()
    else:
        app.text_area(key="tr_doc_text").set_value("The cat.\nA dog.").run()
    app.button(key="tr_doc_start").click().run()
    to_the_end(app)
    app.switch_page("pages/04_masked_softmax.py").run()
    app.switch_page(PAGE)
    app.query_params["scene"] = "documents"
    app.run()
    document = to_the_end(app).session_state["tr_doc_kept"][1]
    assert [row.target for row in document.rows] == ["The cat.", "A dog."]
    if brought:
        app.button(key="tr_doc_forget").click().run()
    else:
        app.text_area(key="tr_doc_text").set_value("").run()
    assert healthy(app)
    assert "tr_doc_kept" not in app.session_state


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.xlsx", b"no workbook", "cannot be read"),
        ("a.csv", b"", "nothing in this document"),
        ("a.txt", b"x" * 6_000_000, "larger than 5 MB"),
        ("a.csv", to_xlsx([["x"]]), "no file of text"),
    ],
)
def test_what_cannot_be_read_is_a_message(open_page: OpenPage, name: str, data: bytes, words: str) -> None:
    app = opened(open_page)
    app.file_uploader(key="tr_doc_file").upload(name, data, "application/octet-stream").run()
    assert healthy(app)
    assert words in app.warning[0].value
    assert "rows, none of them translated yet" in said(app), "the examples stand there instead"
    app.text_area(key="tr_doc_text").set_value("One.\nTwo.\nThree.").run()
    assert "Translate 3 rows" in {button.label for button in app.button}, "what is pasted comes before the examples"


def test_a_guess_at_the_letters_is_said(open_page: OpenPage) -> None:
    app = opened(open_page)
    app.file_uploader(key="tr_doc_file").upload("a.txt", "où ça".encode("latin-1"), "text/plain").run()
    assert healthy(app)
    assert "cp1252" in said(app)


def test_too_many_rows_are_said(open_page: OpenPage) -> None:
    app = opened(open_page)
    app.text_area(key="tr_doc_text").set_value("a\n" * 250).run()
    assert healthy(app)
    assert "The first 200 rows are translated; 50 more" in said(app)


def test_what_is_taken_away_reads_back(open_page: OpenPage) -> None:
    from explorer.data.documents.reading import read
    from explorer.lessons.translator.documents import Document, Row
    from explorer.lessons.translator.ui import documents as translator_documents
    from explorer.lessons.translator.ui.brought import ChosenDocument

    class Done(Document):
        def __init__(self) -> None:
            self._rows = [Row(source="=a", state="done", target="-b"), Row(source="c", state="empty")]

    chosen = ChosenDocument(table=read("a.csv", b"=a,1\nc,2\n"), column=0, heading=False)
    made = translator_documents.take_document(chosen, Done())
    assert made == [["source", "2", "translation", "note"], ["=a", "1", "-b", ""], ["c", "2", "", ""]]


@pytest.mark.parametrize(("name", "data"), [("a.csv", b"a,b\nc,d\n"), ("a.xlsx", b"no workbook")])
def test_a_file_is_read_once_and_not_at_every_click(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes
) -> None:
    from explorer.data.documents import reading

    reads: list[str] = []
    read = reading.read
    monkeypatch.setattr(reading, "read", lambda name, data: (reads.append(name), read(name, data))[1])
    app = opened(open_page)
    app.file_uploader(key="tr_doc_file").upload(name, data, "text/csv").run()
    before = said(app)
    for _ in range(2):
        app.run()
    assert healthy(app)
    assert said(app) == before
    app.file_uploader(key="tr_doc_file").upload("b.csv", b"e,f\ng,h\n", "text/csv").run()
    assert [each for each in reads if each != "examples.txt"] == [name, "b.csv"]


def test_rows_that_nobody_counted_are_said_to_be_left(open_page: OpenPage) -> None:
    app = opened(open_page)
    app.file_uploader(key="tr_doc_file").upload("a.txt", b"a\n" * 5_000, "text/plain").run()
    assert healthy(app)
    assert "The first 200 rows are translated; the others are left out" in said(app)


def test_another_sheet_encoding_or_separator_may_be_chosen(open_page: OpenPage) -> None:
    book = openpyxl.Workbook()
    book.active.title, book.active.sheet_state = "Lists", "hidden"
    book.active.append(["internal"])
    for name, text in (("Text", "The cat."), ("More", "A dog.")):
        book.create_sheet(name).append([text])
    file = io.BytesIO()
    book.save(file)
    app = opened(open_page)
    app.file_uploader(key="tr_doc_file").upload("a.xlsx", file.getvalue(), "application/octet-stream").run()
    assert shown(app) == "The cat."
    assert sheet_box(app, "sheet").options == ["Lists (hidden)", "Text", "More"]
    assert shown(sheet_box(app, "sheet").set_value("More").run()) == "A dog."
    assert shown(sheet_box(app, "sheet").set_value("Lists").run()) == "internal"
    data = "Él come, allí.;He eats.\nÉl va, aquí.;He goes.\n".encode("cp1252")
    app.file_uploader(key="tr_doc_file").upload("b.csv", data, "text/csv").run()
    assert shown(app) == "Él come, allí."
    assert shown(sheet_box(app, "separator").set_value("").run()) == "Él come, allí.;He eats."
    assert shown(sheet_box(app, "separator").set_value(",").run()) == "Él come"
    assert shown(sheet_box(app, "encoding").set_value("utf-8").run()) == "\ufffdl come"
    app.file_uploader(key="tr_doc_file").upload("c.csv", b"a,b\nc,d\n", "text/csv").run()
    assert not [each for each in app.selectbox if each.key.endswith(("separator", "encoding", "sheet"))], "all is plain"


def sheet_box(app: AppTest, what: str) -> Any:
    """The choice of what a file leaves open."""
    return next(each for each in app.selectbox if each.key.startswith("tr_doc_") and each.key.endswith(f"_{what}"))


def shown(app: AppTest) -> str:
    """The first text that would be translated."""
    assert healthy(app)
    return str(next(each.value for each in app.dataframe if "translation" in each.value.columns).iloc[0, 1])
