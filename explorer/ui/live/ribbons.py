"""Ribbons between words that ask and words that are looked at, as wide as the weights."""

from explorer.figures.live.ribbons import SCRIPT, pack
from explorer.ui.live.live import Live

__all__ = ["PICTURE", "pack"]
PICTURE = Live(SCRIPT)
