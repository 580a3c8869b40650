"""A live picture outside the app: the same script draws the same bytes in a file, without a server and a network."""

import base64
import json
from pathlib import Path

from explorer.ui import appearance, scripts

#: Draws a picture that stands alone; its page carries it beside the picture's script.
ALONE = scripts.KIT / "alone.js"
#: What only Python can do.
_UNSERVED = ".served{display:none}"


def element(script: Path, data: bytes, *, name: str, window: int = 0) -> str:
    """Return the HTML of a picture that draws itself where it is put, in the look of now.

    Args:
        script: as of `Live`; the page carries it, and `ALONE` (`scripts.carried`).
        data: what it draws, packed.
        name: id of the element, unique in its file.
        window: height in pixels of the window for which it is drawn, on paper, where no button can be pressed; 0 in a
            file that is opened.
    """
    room, unpressed = (f"--window:{window}px;", ".foot,.play,.press{display:none}") if window else ("", "")
    drawn = f"<style>:host{{{appearance.tokens()}{room}}}</style>{markup(script)}<style>{unpressed}</style>"
    given = ", ".join(map(_literal, (name, drawn, base64.b64encode(data).decode())))
    return f"""<div id="{name}" class="live"></div>
<script type="module">
import draw from "{scripts.script_name(script)}";
import {{ alone }} from "{scripts.script_name(ALONE)}";
const [name, markup, data] = [{given}];
alone(name, draw, markup, data);
</script>"""


def markup(script: Path) -> str:
    """Return what a script draws in, with its style sheets; the colours are those of its page (`appearance.tokens`)."""
    return f"<style>{scripts.style(script)}{_UNSERVED}</style><div class='{script.stem}'></div>"


def _literal(text: str) -> str:
    """Write a text for a script that stands in HTML."""
    return json.dumps(text).replace("<", "\\u003c")
