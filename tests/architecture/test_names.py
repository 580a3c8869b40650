"""Names: one class, one name; a page is called by its name, not by its number."""

import ast
import re
import subprocess
from collections import defaultdict
from pathlib import Path

#: Every lesson has the first three by contract, every scene may have the last (`explorer.ui.scene`).
CONTRACT = {"Params", "View", "Result", "Chosen"}
_PARTICIPLE = re.compile(
    "[a-z]+ed|begun|brought|built|caught|chosen|done|drawn|felt|found|given|gone|grown|heard|held|kept|known|left|lost|"
    "made|meant|met|said|seen|sent|shown|spoken|taken|thought|thrown|told|understood|won|worn|written"
)
#: End so, and are verbs or nouns.
ENDS_SO = {"embed", "feed", "need", "seed", "speed"}
#: Tuples of several things that have no names, and why.
UNNAMED = {
    "Answer": "what every scene's `answer` returns: an id and what fills the sentence; named where it is taken apart",
    "Asked": "what controls hand to their own stage, which takes it apart at once",
    "Cells": "numbers, texts and hovers of one table, drawn where they are made",
    "Chosen": "what controls hand to their own stage, which takes it apart at once",
    "Here": "time, memory and whether they were measured: rows of one array",
    "Item": "name, path and attributes of one entry of a file, taken apart where it is read",
    "Moved": "number, x and y of a point, as a link writes them",
    "Ragged": "ids and where each row ends, as NumPy wants them",
    "Row": "number and cells of a line, taken apart where it is read",
    "Sample": "a heading and its lines, data of one table",
    "Shown": "pictures and values of one run, taken apart where it is called",
    "Taken": "hidden patches and hidden heads, keys of one cache",
}
#: Types that two modules name alike, and why.
TWICE = {
    "Given = str | npt.NDArray[np.uint8]": "of a page, which may not load torch, and of a pass, which does",
    "Span = tuple[float, float]": "ends of a ribbon, and of an axis",
    "Words = tuple[str, ...]": "of the data, and of a score: neither knows the other",
}
#: Types of one name below the lessons that differ, and why. A lesson's are used with its module's name before them.
SEVERAL = {
    "Fate": "of a token that may be drawn, and of a hypothesis of a search",
    "Given": "what a reader gives, a text or a picture, and what of it a pass was given",
    "Kind": "of attention for all, and within the data, of names and of what is copied",
    "Part": "of a model that attends, and of a corpus that training draws from",
    "Place": "a town in the data, and where somebody clicked",
    "Reason": "why something is refused: each module that refuses has its own",
}
_NUMBERED = re.compile(r"\bpages? [0-9]{2}\b|第 ?[0-9]{1,2} ?页", re.IGNORECASE)


def classes(folder: Path) -> dict[str, list[str]]:
    """Return the top-level classes under a folder, each with the files that define it."""
    found = defaultdict(list)
    for file in sorted(folder.rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(file.relative_to(folder)))
    return found


def test_no_two_classes_of_one_name(root: Path) -> None:
    found = classes(root / "explorer")
    assert found.keys() >= {"Params", "View", "Result"}
    assert not {name: files for name, files in found.items() if len(files) > 1 and name not in CONTRACT}


def test_a_page_is_called_by_its_name(root: Path) -> None:
    assert _NUMBERED.search("See Page 05: …")
    assert _NUMBERED.search("见第 5 页")
    done = subprocess.run(
        ["git", "ls-files", "*.py", "*.md", "*.po"], cwd=root, capture_output=True, check=True, text=True
    )
    files = [root / name for name in done.stdout.splitlines() if name != "tests/architecture/test_names.py"]
    assert len(files) > 500
    lines = (
        f"{file.relative_to(root)}: {line}"
        for file in files
        if file.exists()
        for line in file.read_text(encoding="utf-8").splitlines()
        if _NUMBERED.search(line)
    )
    assert not list(lines)


def test_a_function_is_no_bare_participle(root: Path) -> None:
    """It says what it does; a property is a value or a question, and may be called by what has become of it."""
    found = [
        f"{file.relative_to(root)}: {node.name}"
        for file in sorted((root / "explorer").rglob("*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and is_participle(node.name)
    ]
    assert found == []
    assert is_participle("drawn")
    assert is_participle("pooled")
    assert not is_participle("read_recorded")


def is_participle(name: str) -> bool:
    return bool(_PARTICIPLE.fullmatch(name)) and name not in ENDS_SO


def test_a_tuple_of_several_things_names_them(root: Path) -> None:
    """Else who reads `chosen[3]` must know what stands there; those without names are listed with the reason."""
    found = {
        name.id
        for file in sorted((root / "explorer").rglob("*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and is_mixed(node.value)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
    assert found <= UNNAMED.keys()
    assert is_mixed(ast.parse("tuple[int, str]", mode="eval").body)
    assert not is_mixed(ast.parse("tuple[int, int]", mode="eval").body)


def test_an_alias_is_defined_once(root: Path) -> None:
    """Arrays of floats have their names from `explorer/records/arrays.py`; who needs another's alias imports it."""
    found = defaultdict(list)
    for file in sorted((root / "explorer").rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_alias(node):
                meaning, name = ast.unparse(node.value), node.targets[0].id
                floats = re.fullmatch(r"npt\.NDArray\[np\.float.*\]", meaning)
                found["float array" if floats else f"{name} = {meaning}"].append(str(file.relative_to(root)))
    assert found.pop("float array") == ["explorer/records/arrays.py"] * 3
    twice = {alias for alias, files in found.items() if len(files) > 1 and alias.split()[0] not in CONTRACT}
    assert twice == TWICE.keys()


def test_a_name_of_types_has_one_meaning(root: Path) -> None:
    """A class and an alias, or two aliases, of one name make a reader guess which is meant."""
    found = defaultdict(set)
    for file in sorted((root / "explorer").rglob("*.py")):
        if root / "explorer" / "lessons" in file.parents:
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].add("class")
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_alias(node):
                found[node.targets[0].id].add(ast.unparse(node.value))
    assert {name for name, meanings in found.items() if len(meanings) > 1} == SEVERAL.keys()


def is_alias(node: ast.Assign) -> bool:
    """Return whether a name is given to a type: in capitals and small letters, and no call or literal."""
    name = node.targets[0]
    assert isinstance(name, ast.Name)
    spelt = not name.id.startswith("_") and name.id[0].isupper() and not name.id.isupper()
    return spelt and isinstance(node.value, ast.Subscript | ast.BinOp)


def is_mixed(value: ast.expr) -> bool:
    """Return whether it is the type of a tuple whose members differ."""
    if not (isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id == "tuple"):
        return False
    members = value.slice.elts if isinstance(value.slice, ast.Tuple) else [value.slice]
    return len({ast.unparse(each) for each in members if ast.unparse(each) != "..."}) > 1
