"""The example notebooks run from the first cell to the last."""

import ast
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from explorer.show.picture import LivePicture
from tests.conftest import ROOT
from tests.opened.conftest import Families, family as family

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
#: How many cells of each end with a living picture.
LIVING = {"heads_of_a_model": 3, "kernel_regression": 3, "model_of_hugging_face": 3, "own_numbers": 7}
#: The model that one of them takes from the Hub: a tiny one stands in for it, as tests ask no network.
HUB = '"distilbert/distilgpt2"'


def run(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; returns what it ends with."""
    *before, last = ast.parse(cell).body
    ends = isinstance(last, ast.Expr)
    exec(compile(ast.Module(before if ends else [*before, last], []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_example_runs_and_holds_no_output(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: Families
) -> None:
    text = path.read_text("utf8")
    if json.dumps(HUB)[1:-1] in text:
        if not find_spec("transformers"):
            pytest.skip("no transformers: pip install it")
        text = text.replace(json.dumps(HUB)[1:-1], json.dumps(repr(str(family("llama")[0])))[1:-1])
    monkeypatch.chdir(tmp_path)
    cells = [each for each in json.loads(text)["cells"] if each["cell_type"] == "code"]
    names: dict[str, Any] = {"__name__": "__main__"}
    ends = [run("".join(each["source"]), names) for each in cells]
    assert sum(isinstance(each, LivePicture) for each in ends) == LIVING[path.stem]
    assert ends[-1].is_file()
    assert all(each["outputs"] == [] and each["execution_count"] is None for each in cells)
