"""“Training lab”: what a source is called, a drawing among them."""

from explorer.data.digits import is_drawn
from explorer.records.language import t


def said_source(source: str, expected: str | None) -> str:
    """Write a source for a title."""
    if not is_drawn(source):
        return t("“{text}”").format(text=source)
    return t("a handwritten {digit}").format(digit=expected) if expected else t("a handwritten digit")
