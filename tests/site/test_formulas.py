"""Formulas of the prose as MathML, outside the app: nothing of their LaTeX is left in them."""

import html
import re
from pathlib import Path

import pytest

from explorer.ui.scene import written
from tests.conftest import ROOT

PROSE = sorted((ROOT / "explorer" / "locale" / "content").glob("*/*.md"))


@pytest.mark.parametrize("file", PROSE, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_no_formula_keeps_latex(file: Path) -> None:
    formulas = re.findall("<math.*?</math>", written.markdown(file.read_text("utf8")), re.DOTALL)
    said = [html.unescape(each) for formula in formulas for each in re.findall(r">([^<]+)<", formula)]
    assert [each for each in said if "&" in each or "\\" in each] == []
