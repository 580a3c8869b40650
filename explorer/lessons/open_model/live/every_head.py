"""Every head of a model under the pointer: small squares, the chosen head large, one of its rows over the text."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures.look import look
from explorer.lessons.open_model import wording
from explorer.lessons.open_model.state import Result, View
from explorer.records.opened.look import ModelLook
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))
Bytes = npt.NDArray[np.uint8]


def pack(result: Result, view: View, head: tuple[int, ...], word: tuple[int, ...], one: Bytes | None) -> dict[str, Any]:
    """Return what the picture draws.

    Args:
        view: with a site and a head that there are.
        head: site and head as the page has last asked for them, and how often it has.
        word: that asks, likewise; -1 where the picture chooses.
        one: the whole map of the view's head, a byte a weight, where the squares are but summaries.
    """
    seen = result.look
    return {
        "parts": parts(seen),
        "sites": sites(seen),
        "tiles": seen.tiles,
        "one": one,
        "rules": rules(),
        "head": head,
        "word": word,
        "hide": view.rest,
        "shown": view.shown,
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
