"""A live picture outside the app: the same script draws the same bytes in a file, without a server and a network."""

import base64
import json
from pathlib import Path

from explorer.figures.live import modules
from explorer.figures.look import tokens

#: Draws a picture that stands alone; its page carries it beside the picture's script.
ALONE = modules.KIT / "alone.js"
#: What only Python can do.
_UNSERVED = ".served{display:none}"


def element(script: Path, data: bytes, *, name: str, window: int = 0) -> str:
    """Return the HTML of a picture that draws itself where it is put, in the look of now.

    Args:
        script: as of `Live`; the page carries it, and `ALONE` (`modules.import_map`).
        data: what it draws, packed.
        name: id of the element, unique in its file.
        window: height in pixels of the window for which it is drawn, on paper, where no button can be pressed; 0 in a
            file that is opened.
    """
    room, unpressed = (f"--window:{window}px;", ".foot,.play,.press{display:none}") if window else ("", "")
    within = f"<style>:host{{{tokens()}{room}}}</style>{markup(script)}<style>{unpressed}</style>"
    return put(script, data, within, name=name)


def markup(script: Path) -> str:
    """Return what a script draws in, with its style sheets; the colours are those of its page (`tokens`)."""
    return f"<style>{modules.style(script)}{_UNSERVED}</style><div class='{script.stem}'></div>"


def put(script: Path, data: bytes, within: str, *, name: str) -> str:
    """Return the HTML that draws a picture; arguments as of `element`, and the `markup` within which it is drawn."""
    given = ", ".join(map(_literal, (name, within, base64.b64encode(data).decode())))
    return f"""<div id="{name}" class="live"></div>
<script type="module">
import draw from "{modules.script_name(script)}";
import {{ alone }} from "{modules.script_name(ALONE)}";
const [name, markup, data] = [{given}];
alone(name, draw, markup, data);
</script>"""


def _literal(text: str) -> str:
    """Write a text for a script that stands in HTML."""
    return json.dumps(text).replace("<", "\\u003c")
