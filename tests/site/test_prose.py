"""The prose outside the app: no LaTeX is left in its formulas, and nothing is said of a server that is not there."""

import html
import re
from pathlib import Path

import pytest

from explorer import scenes
from explorer.ui.paper import written
from tests.conftest import ROOT

PROSE = sorted((ROOT / "explorer" / "locale" / "content").glob("*/*.md"))


@pytest.mark.parametrize("file", PROSE, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_no_formula_keeps_latex(file: Path) -> None:
    formulas = re.findall("<math.*?</math>", written.markdown(file.read_text("utf8")), re.DOTALL)
    said = [html.unescape(each) for formula in formulas for each in re.findall(r">([^<]+)<", formula)]
    assert [each for each in said if "&" in each or "\\" in each] == []


def test_no_words_of_a_page_speak_of_the_server_that_they_come_from() -> None:
    prose = [file.read_text("utf8") for file in PROSE]
    for text in (*prose, *map(repr, scenes.LESSONS)):
        assert not re.findall("[^.]*this server[^.]*|[^。]*(?:这台|本)服务器[^。]*", text)
