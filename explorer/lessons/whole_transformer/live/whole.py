"""The picture that all scenes share: the translator whole, a layer, a head or a score of it."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures.look import look
from explorer.lessons.whole_transformer.live import names
from explorer.lessons.whole_transformer.state import Result
from explorer.records.language import current_language
from explorer.records.whole_pass import WholePass
from explorer.records.wording import token
from explorer.ui.live.glosses import explain_pieces
from explorer.ui.live.live import Live
from explorer.ui.scene import link

PICTURE = Live(Path(__file__).with_suffix(".js"))
#: What level 3 adds up and tables show to four digits; all else is drawn, and its lengths are said to two.
_EXACT = ("scores", "weights", "q", "k", "mean", "scale", "units")
#: Colours beside those of the roles: English, French, nets, places, negative numbers.
_MORE = {
    False: {"enc": "#3f5f96", "dec": "#9a5530", "net": "#8a5d00", "position": "#646f00", "negative": "#77828f"},
    True: {"enc": "#8fb0ea", "dec": "#e09a72", "net": "#f2b53a", "position": "#c3cf4a", "negative": "#7d8894"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A first view of the picture.

    Attributes:
        level: 0 the whole, 1 a layer, 2 a head or a net, 3 a score.
        part: name of an attention, such as `dec.1.cross`.
        net: whether the net of its layer is shown.
        head: from 0.
        row: word that asks.
        column: word that is asked.
    """

    level: int = 0
    part: str = "enc.0.self"
    net: bool = False
    head: int = 0
    row: int = 0
    column: int = 0


def pack(result: Result, start: Start, shown: int = -1) -> dict[str, Any]:
    """Return everything that the picture draws.

    Args:
        shown: head whose ribbons the overview draws; -1 for the mean of all.
    """
    whole = result.whole
    units, vocabulary = whole[f"{whole.nets[0]}.units"].shape[1], whole.logits.shape[1]
    steps = whole.steps
    head: dict[str, Any] = {
        "of": f"{whole.provenance.revision}{whole.source.labels}{whole.written.labels}",
        "language": current_language(),
        "dark": look().dark,
        "source": [token(each) for each in whole.source.labels],
        "read": [token(each) for each in whole.read.labels],
        "written": [token(each) for each in whole.written.labels],
        "probability": [each.written.probability for each in steps],
        "chosen": [each.chosen for each in steps],
        "likeliest": [[(token(one.label), one.probability) for one in each.likeliest] for each in steps],
        "sizes": {
            "d": whole["enc.x"].shape[1],
            "heads": whole.n_heads,
            "encoder": whole.n_encoder,
            "decoder": whole.n_decoder,
            "units": units,
            "vocabulary": vocabulary,
        },
        "colours": colours(),
        "start": {name: getattr(start, name) for name in Start.__slots__},
        "shown": shown,
        "zoom": 1.3 if link.presenting() else 1,
        "links": names.links(),
        "layers": names.layers(whole.n_encoder, whole.n_decoder),
        "parts": names.parts(),
    }
    head["key"] = hashlib.sha256(json.dumps(head, ensure_ascii=False).encode()).hexdigest()
    arrays = {
        name: array.astype(np.float32 if name.rpartition(".")[2] in _EXACT else np.float16)
        for name, array in whole.arrays.items()
    }
    return head | {"arrays": arrays} | explain_french(whole)


def explain_french(whole: WholePass) -> dict[str, Any]:
    """Return what the French words of a pass mean, and each piece of one."""
    return explain_pieces((whole.read, whole.written), "fr", others=whole.source.word_labels)


def colours() -> dict[str, Any]:
    """Return the colours of the picture by what they stand for."""
    plain = {name: getattr(look(), name) for name in ("paper", "board", "line", "text", "muted", "hatch")}
    return plain | look().roles | _MORE[look().dark] | {"weights": look().weights}
