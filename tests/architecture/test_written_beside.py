"""What a stage writes beside its pictures goes through `beside`: else nobody reads it off the page."""

import ast
from collections.abc import Iterator

from tests.conftest import ROOT

LESSONS = ROOT / "explorer" / "lessons"
#: They write: as methods of Streamlit itself, or of a container.
WRITES = {"html", "table", "dataframe", "markdown", "caption", "write", "code", "subheader", "metric", "latex"}
#: Functions that may call them all the same, and why.
ALLOWED = {
    "multi_head/ui/tables.py:style": "a style sheet",
    "open_model/ui/gate.py:is_passed": "asks before it fetches",
    "text_generation/ui/controls.py:step": "names the value of a widget",
    "translator/ui/align.py:_pharaoh": "what its button saves",
    "translator/ui/change.py:anew": "until it is translated",
    "translator/ui/rail.py:ask_sentence": "names the buttons below it",
    "translator/ui/result.py:_note": "in a popover of the rail",
    "translator/ui/writing.py:write": "until it is translated",
    "translator/ui/writing.py:_stopped": "beside its button",
}


def names_of_streamlit(call: ast.Call) -> str:
    """The method, if it is Streamlit's; a container is an attribute, or a name of one."""
    method = call.func
    if not isinstance(method, ast.Attribute) or method.attr not in WRITES:
        return ""
    owner = method.value
    streamlit = isinstance(owner, ast.Name) and owner.id == "st"
    container = isinstance(owner, ast.Attribute) and owner.attr in ("_text", "_below", "slot", "more", "note")
    return method.attr if streamlit or container else ""


def bare_writes() -> Iterator[tuple[str, str]]:
    """File and function of each call, and what it calls."""
    for file in sorted(LESSONS.glob("*/ui/**/*.py")):
        for function in ast.walk(ast.parse(file.read_text("utf8"))):
            if isinstance(function, ast.FunctionDef):
                for call in ast.walk(function):
                    if isinstance(call, ast.Call) and (said := names_of_streamlit(call)):
                        yield f"{file.relative_to(LESSONS).as_posix()}:{function.name}", said


def test_no_stage_writes_past_what_is_collected() -> None:
    found = dict(bare_writes())
    assert {position: said for position, said in found.items() if position not in ALLOWED} == {}
    assert not ALLOWED.keys() - found.keys()


def pictures_alone(function: ast.FunctionDef) -> bool:
    """Whether a live picture is drawn that has no heading off the page, and no remark that puts it there."""
    calls = [each for each in ast.walk(function) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    of_picture = [each for each in calls if getattr(each.func, "value", None) and "PICTURE" in ast.dump(each.func)]
    told = any(each.func.attr in ("remark", "live_remark") for each in calls if isinstance(each.func, ast.Attribute))
    bare = any(
        isinstance(each.func, ast.Attribute)
        and each.func.attr == "draw"
        and "title" not in {keyword.arg for keyword in each.keywords}
        for each in of_picture
    )
    return bare and not told


def test_every_live_picture_stands_off_the_page() -> None:
    found = {
        f"{file.relative_to(LESSONS).as_posix()}:{function.name}"
        for file in LESSONS.glob("*/ui/**/*.py")
        for function in ast.walk(ast.parse(file.read_text("utf8")))
        if isinstance(function, ast.FunctionDef) and pictures_alone(function)
    }
    assert found == {"scoring_functions/ui/additive_beside_dot.py:_maps"}, (
        "beside a heat map, which is the page's alone"
    )


def test_a_bare_write_is_found() -> None:
    tree = ast.parse("st.html('a'); st.columns(2); texts.table(); self._text.html('b')")
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    assert list(map(names_of_streamlit, calls)) == ["html", "", "", "html"]
