"""Every head under the pointer: small squares, the chosen head large, one of its rows over the text."""

from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures.live.modules import EXPLORER
from explorer.figures.look import look
from explorer.records.opened import wording
from explorer.records.opened.look import ModelLook

SCRIPT = EXPLORER / "lessons" / "open_model" / "live" / "every_head.js"


def pack(
    seen: ModelLook,
    *,
    head: tuple[int, ...],
    word: tuple[int, ...],
    one: npt.NDArray[np.uint8] | None = None,
    hide: bool = False,
    shown: str = "maps",
) -> dict[str, Any]:
    """Return what the picture draws.

    Args:
        head: site and head that are chosen, and how often they were asked for.
        word: that asks, likewise; -1 where the picture chooses.
        one: the whole map of that head, a byte a weight, where the squares are but summaries.
        hide: whether the places where heads rest are left out.
        shown: what the squares show: `maps` or `rules`.
    """
    return {
        "parts": parts(seen),
        "sites": sites(seen),
        "tiles": seen.tiles,
        "one": one,
        "rules": rules(),
        "head": head,
        "word": word,
        "hide": hide,
        "shown": shown,
        "scale": look().weights,
        "masked": (look().line, look().hatch),
    }


def parts(seen: ModelLook) -> dict[str, Any]:
    """Return the words of each part of a model that attends: who asks, who is asked, where it rests."""
    found: dict[str, Any] = {}
    for part in dict.fromkeys(site.part for site in seen.sites):
        queries, keys = seen.tokens(part)
        found[part] = {
            "asks": wording.names(queries),
            "asked": wording.names(keys),
            "rest": keys.rest,
            "causal": part == "decoder",
            "itself": queries is keys,
        }
    return found


def sites(seen: ModelLook) -> list[dict[str, Any]]:
    """Return every attention, and what each of its heads does."""
    names = list(wording.rules())
    return [
        {
            "part": site.part,
            "name": wording.part_name(site),
            "layer": site.layer,
            "heads": site.heads,
            "kv": site.kv_heads,
            "rules": [names.index(each.rule) for each in judged],
            "strength": [0.28 if each.leans else 0.35 + 0.65 * min(1.0, each.score) for each in judged],
            "rest": [round(each.rest, 4) for each in judged],
        }
        for site, judged in zip(seen.sites, seen.rules, strict=True)
    ]


def rules() -> list[dict[str, str]]:
    """Return sign, colour and name of every rule."""
    return [{"sign": each.sign, "colour": each.colour, "name": each.name} for each in wording.rules().values()]
