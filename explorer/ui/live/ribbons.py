"""Ribbons between words that ask and words that are looked at, as wide as the weights."""

from explorer.figures.live.ribbons import SCRIPT, drawn
from explorer.ui.live.live import Live

__all__ = ["PICTURE", "drawn"]
PICTURE = Live(SCRIPT)
