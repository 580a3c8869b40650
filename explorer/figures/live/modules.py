"""Scripts of this house as ES modules: what one imports, its style sheets, and an import map that carries them."""

import base64
import json
import re
from functools import lru_cache
from os.path import normpath
from pathlib import Path

from explorer.figures.live import words
from explorer.records.language import current_language

#: Folder of the package: names of scripts are paths below it.
EXPLORER = Path(__file__).parents[2]
#: What pictures share.
KIT = EXPLORER / "ui" / "live"
#: What a module imports from, as prettier writes it.
_IMPORTED = re.compile(r'(?<= from ")\.[^"]+(?=";$)', re.MULTILINE)


def script_name(script: Path) -> str:
    """Return the path of a script in the house, which is its name for browsers."""
    return script.relative_to(EXPLORER).as_posix()


def modules(script: Path) -> tuple[Path, ...]:
    """Return a script after all that it imports, each after what it imports itself."""
    found: dict[Path, None] = {}

    def visit(module: Path) -> None:
        for imported in _imported(module):
            if imported not in found:
                visit(imported)
        found[module] = None

    visit(script)
    return tuple(found)


@lru_cache(maxsize=256)
def _imported(script: Path) -> tuple[Path, ...]:
    return tuple(Path(normpath(script.parent / path)) for path in _IMPORTED.findall(script.read_text(encoding="utf8")))


def style(script: Path) -> str:
    """Join the style sheets of a script and its modules."""
    sheets = (each.with_suffix(".css") for each in modules(script))
    return "".join(each.read_text(encoding="utf8") for each in sheets if each.exists())


def texts(*scripts: Path) -> dict[str, str]:
    """Return scripts and their modules, each after what it imports, by their names, by which they import each other.

    They speak English and the language of now.
    """
    needed = dict.fromkeys(each for script in scripts for each in modules(script))
    found = {script_name(each): _written(each) for each in needed}
    if words.CATALOGUES in needed:
        found[script_name(words.CATALOGUES)] = words.write_catalogues(needed, [current_language()])
    return found


def _written(module: Path) -> str:
    """Return the text of a module, which imports others by their names."""

    def name(found: re.Match[str]) -> str:
        return script_name(Path(normpath(module.parent / found[0])))

    return _IMPORTED.sub(name, module.read_text(encoding="utf8"))


def import_map(*scripts: Path) -> str:
    """Return an import map that holds scripts and their modules: in its page each is imported by its name."""

    def address(text: str) -> str:
        return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"

    held = {"imports": {name: address(text) for name, text in texts(*scripts).items()}}
    return f'<script type="importmap">{json.dumps(held)}</script>'
