"""What the reader takes away holds the numbers and obeys no text in them."""

import csv
import html
import io
import re

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from explorer.records import Provenance
from explorer.ui import figure_card, tables

HOSTILE = [
    "=HYPERLINK(1)",
    "+1+1",
    "-1+2",
    "@x",
    "\t=1",
    "a\r=1",
    "\r\n-x",
    "<script>alert(1)</script>",
    'a,b\n"c"',
    "💥",
    "猫",
]


def test_csv_holds_every_number_and_pandas_reads_them_as_numbers() -> None:
    table = pd.DataFrame(np.array([[0.125, np.nan], [1e-9, 2.0]]), index=["a", "b"], columns=["x", "y"])
    back = pd.read_csv(io.BytesIO(figure_card.csv_file(table)), index_col=0)
    pd.testing.assert_frame_equal(back, table)


def test_csv_has_the_digits_of_the_numbers_and_no_count_of_rows() -> None:
    single = np.array([0.1, 1 / 3], np.float32)
    table = pd.DataFrame({"word": ["the", "cat"], "single": single, "as double": single.astype(float), "double": 1 / 3})
    rows = figure_card.csv_file(table).decode("utf-8-sig").splitlines()
    assert rows == [
        "word,single,as double,double",
        "the,0.1,0.1,0.3333333333333333",
        "cat,0.33333334,0.33333334,0.3333333333333333",
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_is_a_formula(text: str) -> None:
    table = pd.DataFrame({text: [text]}, index=[text])
    file = figure_card.csv_file(table).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(file, newline="")))
    for cell in (*rows[0], *rows[1]):
        assert cell[:1] not in {"=", "+", "-", "@", "\t"}
        assert "\r" not in cell, "to a spreadsheet a row would end here"
        assert cell.lstrip("'") in {text.replace("\r\n", "\n").replace("\r", "\n"), ""}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_remark_is_text_whatever_was_typed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(st, "html", drawn.append)
    figure_card.remark(text, Provenance(computed_by="tests", detail=text))
    (body,) = drawn
    assert set(re.findall(r"</?(\w+)", body)) == {"div", "p", "small", "span"}
    assert html.unescape(body).count(text) == 2


def test_equal_labels_stay_apart_in_tables() -> None:
    table = tables.matrix(np.eye(3), ("the", "cat", "the"), ("a", "a", "a"))
    assert list(table.index) == ["the (0)", "cat", "the (2)"]
    assert table.shape == (3, 3)
    assert table.columns.is_unique
