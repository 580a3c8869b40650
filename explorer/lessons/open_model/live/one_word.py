"""A long text under the pointer: one word asks, the others are tinted by the weight that they get."""

from pathlib import Path
from typing import Any

from explorer.figures.live import every_head
from explorer.figures.look import look
from explorer.lessons.open_model import wording
from explorer.lessons.open_model.one_word import LongText
from explorer.records.opened.look import HeadRule, code
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(
    shown: LongText, judged: tuple[HeadRule, ...], head: tuple[int, ...], word: tuple[int, ...], *, away: bool
) -> dict[str, Any]:
    """Return what the picture draws.

    Args:
        judged: what each head does.
        head: as the page has last asked for it, and how often it has; the last is the mean.
        word: that asks, likewise; -1 where the picture chooses.
        away: whether the resting places are left out.
    """
    names = list(wording.rules())
    return {
        "part": {
            "asks": wording.names(shown.queries),
            "asked": wording.names(shown.keys),
            "rest": shown.keys.rest,
            "causal": shown.causal,
            "itself": shown.queries.row == shown.keys.row,
        },
        "maps": code(shown.weights),
        "heads": [names.index(each.rule) for each in judged],
        "rules": every_head.rules(),
        "head": head,
        "word": word,
        "away": away,
        "scale": look().weights,
    }
