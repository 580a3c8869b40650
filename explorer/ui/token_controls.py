"""What becomes of tokens on their way to a map, on every page that draws a translator's."""

from explorer.records.language import t
from explorer.ui import choice


def merge_and_hide(merge: str, hide: str) -> tuple[bool, bool]:
    """Ask whether words are drawn instead of sub-words, and whether special tokens are left out, by widgets' keys."""
    added = t("Columns of a word are added, rows averaged. Unmerged, ‑ marks a piece that goes on with a word.")
    left_out = t("Leaves out start and end, and divides every row by what remains, so that it sums to 1 again.")
    return (
        choice.toggle(t("Merge sub-words into words"), key=merge, help=added),
        choice.toggle(t("Hide special tokens"), key=hide, help=left_out),
    )
