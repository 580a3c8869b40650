"""Every head of a model under the pointer: small squares, the chosen head large, one of its rows over the text."""

from pathlib import Path
from typing import Any

from explorer.figures.live import every_head
from explorer.lessons.open_model.state import Result, View
from explorer.records.arrays import Bytes
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(result: Result, view: View, head: tuple[int, ...], word: tuple[int, ...], one: Bytes | None) -> dict[str, Any]:
    """Return what the picture draws.

    Args:
        view: with a site and a head that there are.
        head: site and head as the page has last asked for them, and how often it has.
        word: that asks, likewise; -1 where the picture chooses.
        one: the whole map of the view's head, a byte a weight, where the squares are but summaries.
    """
    return every_head.pack(result.look, head=head, word=word, one=one, hide=view.rest, shown=view.shown)
