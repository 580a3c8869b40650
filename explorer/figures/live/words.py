"""Words that scripts say by `t` of `words.js`, and the module that carries their translations."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from explorer.records.language import speaking, t

#: The module, which knows nothing until `write_catalogues` writes it.
CATALOGUES = Path(__file__).parents[2] / "ui" / "live" / "catalogues.js"
#: How a call of `t` begins, as prettier writes it: no method, but what is spread is one.
CALL = r"(?:(?<=\.\.\.)|(?<![\w.$]))t\("
#: A message. Babel's own lexer overlooks some that stand in a template or in another call.
_SAID = re.compile(CALL + r'\s*("(?:[^"\\\n]|\\.)*")')
_IMPORTED = re.compile(r'^import \{[^}]*\bt\b[^}]*\} from "[^"]*/words\.js";$', re.MULTILINE)


def write_catalogues(scripts: Iterable[Path], languages: Iterable[str]) -> str:
    """Return the text of the module: what these scripts say, in each language where it differs from English."""
    said = dict.fromkeys(message for script in scripts for message in messages(script))

    def catalogue(language: str) -> dict[str, str]:
        with speaking(language):
            return {message: told for message in said if (told := t(message)) != message}

    held = {language: found for language in languages if (found := catalogue(language))}
    return f"export default {json.dumps(held, ensure_ascii=False)};\n"


@lru_cache(maxsize=256)
def messages(script: Path) -> tuple[str, ...]:
    """Return what a script says, in its order."""
    text = script.read_text(encoding="utf8")
    return tuple(map(json.loads, _SAID.findall(text))) if is_speaking(text) else ()


def is_speaking(text: str) -> bool:
    """Tell whether a script imports `t`."""
    return bool(_IMPORTED.search(text))
