"""A script is joined to the modules that it imports."""

import re
from pathlib import Path

import pytest

from explorer.ui.scripts import KIT, joined, modules, style

EXPLORER = KIT.parents[1]


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.js"
    file.write_text(text, encoding="utf8")
    return file


def test_modules_are_found_by_their_imports_each_before_those_that_need_it(tmp_path: Path) -> None:
    write(tmp_path, "ink", "export const ink = 1, blot = 2;\n  const local = 2;\n")
    write(tmp_path, "pen", 'import { ink } from "./ink.js";\nexport function write() {\n  return ink;\n}\n')
    (tmp_path / "pen.css").write_text("p {}", encoding="utf8")
    script = write(
        tmp_path,
        "letter",
        'import { clamp } from "./motion.js";\nimport { blot } from "./ink.js";\nimport { write } from "./pen.js";\n'
        "export default () => clamp(write(blot));\n",
    )
    assert [each.stem for each in modules(script)] == ["motion", "ink", "pen", "letter"]
    assert style(script) == "p {}"
    assert joined(script).endswith(
        "const ink = 1, blot = 2;\n  const local = 2;\nfunction write() {\n  return ink;\n}\n"
        "export default () => clamp(write(blot));\n"
    )


def test_names_that_nobody_exports_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "ink", "export const ink = 1;\nconst hidden = 2;\n")
    script = write(tmp_path, "letter", 'import { ink, hidden } from "./ink.js";\n')
    with pytest.raises(ValueError, match=r"letter\.js imports what ink\.js does not export: hidden$"):
        joined(script)
    with pytest.raises(FileNotFoundError):
        joined(write(tmp_path, "letter", 'import { ink } from "./nowhere.js";\n'))


def test_two_modules_may_not_name_two_things_alike(tmp_path: Path) -> None:
    write(tmp_path, "ink", "export const ink = 1;\n")
    imports = 'import { ink } from "./ink.js";\n'
    for text in ("/** Draw. */ function ink() {}\n", "const far = [1, 2], ink = (a, b = 2) => a;\n"):
        with pytest.raises(ValueError, match=r"alike: ink$"):
            joined(write(tmp_path, "letter", imports + text))
    assert joined(write(tmp_path, "letter", imports + "const far = (ink = 1) => [ink, { ink }];\n"))


def test_every_import_is_used_and_every_export_is_imported() -> None:
    """But for what the exported page calls, and the closed forms, which a test compares with PyTorch's."""
    files = [file for file in EXPLORER.rglob("*.js") if "export" in file.read_text(encoding="utf8")]
    imported, exported = set[tuple[str, str]](), set[tuple[str, str]]()
    for file in files:
        text = file.read_text(encoding="utf8")
        for names, module in re.findall(r'^import \{ (.+) \} from "\./(\w+\.js)";\n', text, re.MULTILINE):
            body = re.sub(r"^import .*", "", re.sub(r"//.*|/\*[\s\S]*?\*/", "", text), flags=re.MULTILINE)
            idle = [name for name in names.split(", ") if not re.search(rf"\b{name}\b", body)]
            assert not idle, f"{file.name} does not use {idle}"
            imported |= {(module, name) for name in names.split(", ")}
        named = re.findall(r"^export (?!default)(?:async )?(?:const|let|class|function\*?) (\w+)", text, re.MULTILINE)
        exported |= {(file.name, name) for name in named}
    assert {(module, name) for module, name in exported - imported if module != "closed_forms.js"} == {
        ("whole.js", "mount")
    }
