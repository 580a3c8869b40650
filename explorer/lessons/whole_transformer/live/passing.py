"""What both pictures of one word's way draw: its stops, the vectors there, and words."""

from typing import Any

import numpy as np

from explorer.figures.look import look
from explorer.lessons.whole_transformer import ride
from explorer.lessons.whole_transformer.live import names
from explorer.lessons.whole_transformer.live.whole import colours, explain_french
from explorer.lessons.whole_transformer.ride import Stop
from explorer.lessons.whole_transformer.state import Result
from explorer.records.language import current_language
from explorer.records.wording import token
from explorer.ui.scene import link

#: By how much type is larger before a room: 14.5 pixels become 18.
_ROOM = 1.25


def layer_name(result: Result, part: str) -> str:
    """Return what the layer of a part is called."""
    stack, layer = part.split(".")[:2]
    return names.layers(result.whole.n_encoder, result.whole.n_decoder)[stack][int(layer)]


def pack(result: Result, along: tuple[Stop, ...]) -> dict[str, Any]:
    """Return stops, vectors and words of a way."""
    whole = result.whole
    last = along[-1]
    return {
        "language": current_language(),
        "colours": colours(),
        "dark": look().dark,
        "type": _ROOM if link.presenting() else 1,
        "source": [token(each) for each in whole.source.labels],
        "read": [token(each) for each in whole.read.labels],
        "special": [token(each) for each in ("<s>", "</s>")],
        "likeliest": [(token(one.label), one.probability) for one in whole.steps[last.row].likeliest]
        if last.stack == "dec"
        else [],
        "chosen": token(whole.written.labels[last.row]) if last.stack == "dec" else "",
        "counts": {"enc": whole.n_encoder, "dec": whole.n_decoder},
        "layers": names.layers(whole.n_encoder, whole.n_decoder),
        "stops": [
            {
                "kind": stop.kind,
                "stack": stop.stack,
                "row": stop.row,
                "weights": ride.weights_heard(whole, stop).mean(0).round(4).tolist() if stop.hears else [],
            }
            for stop in along
        ],
        "arrays": {name: array.astype(np.float16) for name, array in ride.vectors(whole, along).items()},
        **explain_french(whole),
    }
