"""“Text generation”: one head while it wrote one token, its query past every key."""

from dataclasses import replace

import numpy as np

from explorer.inference.gpt import one_query
from explorer.inference.gpt.generate import load
from explorer.lessons.text_generation.look import clamp_head, stretch
from explorer.lessons.text_generation.state import Result, View, clamp_place
from explorer.records.journey import JourneyRecord


def one_head(result: Result, view: View) -> tuple[int, int]:
    """Return the chosen head; where none is chosen, that of the layer, or of all, with the largest weight here."""
    position = clamp_place(result, view.position)
    begin, looked = stretch(result, position)
    layer, head = clamp_head(looked, view)
    if layer is not None and head is not None:
        return layer, head
    row = position - 1 - begin
    largest = np.stack([each.weights[:, row].max(-1) for each in looked.attentions])  # [layers, heads]
    if layer is not None:
        return layer, int(largest[layer].argmax())
    best = divmod(int(largest.argmax()), largest.shape[1])
    return best[0], best[1]


def journey(result: Result, view: View) -> JourneyRecord:
    """Return what that head met when the token of the place was written."""
    position = clamp_place(result, view.position)
    begin, looked = stretch(result, position)
    layer, head = one_head(result, view)
    traced = looked.attentions[layer]
    said = f"{traced.provenance.detail}, head {head}, position {position}"
    traced = replace(traced, provenance=replace(traced.provenance, detail=said))
    return one_query.journey(load(result.checkpoint), result.ids[begin:position], head, traced)
