"""Likely words as bars, beside a picture."""

import html
from collections.abc import Sequence

from explorer.lessons.open_model import wording
from explorer.records.sequence import Likely
from explorer.ui.scene import beside


def show(title: str, words: Sequence[Likely], note: str = "", *, strong: str = "", changed: bool = False) -> None:
    """Show words with their chances.

    Args:
        strong: the word that is pointed out.
        changed: whether the model was changed: its bars have the colour of what is chosen.
    """
    rows = "".join(_row(each, strong=each.label == strong) for each in words)
    kind = "om-likely om-changed" if changed else "om-likely"
    beside.show(f'<ol class="{kind}" translate="no">{rows}</ol>', style=_STYLE, title=title, note=note)


def show_written(text: str, word: str) -> None:
    """Show a text, if any, and the word that is written after it now."""
    said = f"{html.escape(text)} <b>{html.escape(word)}</b>".strip()
    beside.show(f'<p class="om-written" translate="no">{said}</p>', style=_WRITTEN)


def _row(word: Likely, *, strong: bool) -> str:
    name = html.escape(word.label)
    said = f"<b>{name}</b>" if strong else name
    bar = f'<i style="width:{100 * word.probability:.1f}%"></i>'
    return f"<li><span>{said}</span><u>{bar}</u><em>{html.escape(wording.chance(word.probability))}</em></li>"


_WRITTEN = """
.om-written { margin: 2px 0; font-size: 21px; line-height: 1.4; }
.om-written b { padding: 0 8px; color: var(--paper); background: var(--query); border-radius: 4px; }
"""
_STYLE = """
.om-likely { margin: 2px 0 10px; padding: 0; list-style: none; font-size: 16px; line-height: 1.5; }
.om-likely li { display: grid; grid-template-columns: 4.7em minmax(16px, 1fr) 2.5em; }
.om-likely li { gap: 7px; align-items: center; margin: 0; }
.om-likely span { overflow: hidden; text-align: right; text-overflow: ellipsis; white-space: nowrap; }
.om-likely u { display: block; height: 12px; text-decoration: none; }
.om-likely i { display: block; min-width: 1px; height: 100%; background: var(--output); border-radius: 2px; }
.om-changed i { background: var(--query); }
.om-likely em { font-style: normal; color: var(--muted); }
"""
