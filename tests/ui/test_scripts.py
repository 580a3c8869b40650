"""A script is found with the modules that it imports, and with their style sheets."""

import json
import re
from pathlib import Path
from typing import Any

from explorer.figures.live import words
from explorer.figures.live.modules import EXPLORER, modules, script_name, style, texts
from explorer.records.language import speaking, t
from explorer.ui.scripts import FOLDER, preloads, serve_scripts


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.js"
    file.write_text(text, encoding="utf8")
    return file


def test_modules_are_found_by_their_imports_each_before_those_that_need_it(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    write(tmp_path, "ink", "export const ink = 1;\n")
    write(tmp_path / "desk", "pen", 'import {\n    ink,\n} from "../ink.js";\nexport const pen = "from ./paper.js";\n')
    (tmp_path / "desk" / "pen.css").write_text("p {}", encoding="utf8")
    script = write(tmp_path, "letter", 'import { pen } from "./desk/pen.js";\nimport { ink } from "./ink.js";\n')
    script.with_suffix(".css").write_text("q {}", encoding="utf8")
    assert [each.stem for each in modules(script)] == ["ink", "pen", "letter"]
    assert style(script) == "p {}q {}"


def test_every_style_sheet_of_a_live_picture_has_its_script() -> None:
    """A script finds it by its name: without one it would be read by nobody."""
    sheets = [*EXPLORER.rglob("live/*.css")]
    assert len(sheets) > 20
    assert [each.name for each in sheets if not each.with_suffix(".js").exists()] == []


def test_all_that_is_imported_is_served() -> None:
    _, served = serve_scripts()
    found = {each.relative_to(EXPLORER).as_posix() for script in EXPLORER.rglob("*.js") for each in modules(script)}
    assert found == set(served)
    statements = [
        text for text in served.values() if re.search(rb'^(?:import|export) [^;]*\bfrom "', text, re.MULTILINE)
    ]
    assert len(statements) == sum(len(modules(EXPLORER / name)) > 1 for name in served) > 50


def test_a_page_names_the_scripts_of_its_lesson_and_those_of_every_page() -> None:
    version, served = serve_scripts()
    names = re.findall(rf'href="{FOLDER}/{version}/([^"]+)"', preloads("kernel_regression"))
    assert set(names) < set(served)
    assert len(names) == len(set(names)) == preloads("kernel_regression").count("<link")
    assert {"ui/browser_fixes.js", "ui/live/dom.js"} < set(names)
    lessons = {name for name in names if name.startswith("lessons/")}
    assert lessons == {name for name in served if name.startswith("lessons/kernel_regression/")}


def test_every_export_is_imported() -> None:
    """But for what the exported page calls, and the closed forms, which a test compares with PyTorch's."""
    imported, exported = set[tuple[str, str]](), set[tuple[str, str]]()
    for file in EXPLORER.rglob("*.js"):
        text = file.read_text(encoding="utf8")
        for names, module in re.findall(r'^import \{([^}]+)\} from "\.[\w./]*/(\w+\.js)";\n', text, re.MULTILINE):
            imported |= {(module, name) for name in re.findall(r"\w+", names)}
        named = re.findall(r"^export (?!default)(?:async )?(?:const|let|class|function\*?) (\w+)", text, re.MULTILINE)
        exported |= {(file.name, name) for name in named}
    assert {(module, name) for module, name in exported - imported if module != "closed_forms.js"} == {
        ("alone.js", "alone")
    }


def test_what_scripts_say_is_sent_once_and_carried_by_files(tmp_path: Path) -> None:
    script = EXPLORER / "lessons" / "kernel_regression" / "live" / "regression.js"
    name = script_name(words.CATALOGUES)
    served = read_catalogues(serve_scripts()[1][name].decode())["zh"]
    with speaking("zh"):
        carried = read_catalogues(texts(script)[name])["zh"]
        assert carried == {message: t(message) for message in carried}
    assert carried.items() < served.items()
    assert "training points" in carried
    assert read_catalogues(texts(script)[name]) == {}
    speaks = write(tmp_path, "speaks", 'import { t } from "./words.js";\nt(\n    "a \\"b\\" {n}", { n: t("c") });\n')
    assert words.messages(speaks) == ('a "b" {n}', "c")
    spread = write(
        tmp_path, "spread", 'import { t } from "./words.js";\nf(...t("e").split(" "), list.t("no"), at("no"));\n'
    )
    assert words.messages(spread) == ("e",), "what is spread is a call, a method is none"
    assert words.messages(write(tmp_path, "mute", 't("d");\n')) == ()


def read_catalogues(module: str) -> Any:
    return json.loads(module.removeprefix("export default ").removesuffix(";\n"))
