"""Numbers in the answers of the exercises."""

from explorer.lessons import masked_softmax as lesson
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.implementations import OURS, ways
from explorer.lessons.masked_softmax.records import names
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.scenes import DEFAULTS
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_worst_head(), **_two_forbidden(), **_blind()}


def _worst_head() -> dict[str, str]:
    """Find the head at which the word that asks at first gives padding most."""
    shares, asks = {}, int(DEFAULTS["mp_word"])
    for layer in range(trained_head.N_LAYERS):
        for head in range(trained_head.N_HEADS):
            record = cache.compute(trained_head.compute, TrainedHead(of="padding", layer=layer, head=head))
            shares[layer, head] = float(record.lost[asks])
    layer, head = max(shares, key=lambda position: shares[position])
    least = min(shares.values())
    return {"layer": str(layer), "head": str(head), "most": f"{shares[layer, head]:.0%}", "least": f"{least:.0%}"}


def _two_forbidden() -> dict[str, str]:
    """Forbid both favourites of “big”."""
    cells = ((7, 8), (7, 9))
    record = cache.compute(trained_head.compute, TrainedHead(of="own", layer=1, head=2, hand=cells))
    best = int(record.after[7].argmax())
    return {
        "lost": f"{record.lost[7]:.2f}",
        "factor": f"{record.factor(7):.2f}",
        "best": names(record)[best],
        "weight": f"{record.after[7, best]:.2f}",
    }


def _blind() -> dict[str, str]:
    """Count the ways that answer a fully masked row with NaN, and say what ours answers."""
    weights = cache.compute(lesson.compute, lesson.Params()).blind.weights[:, 0, 0]
    by_way = dict(zip(ways(), weights, strict=True))
    broken = sum(bool(row[row != row].size) for row in by_way.values())
    return {"broken": str(broken), "ways": str(len(by_way)), "ours": f"{by_way[OURS].sum():g}"}
