"""A script is joined to the modules that it imports."""

from pathlib import Path

import pytest

from explorer.ui.scripts import joined, modules, style


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
