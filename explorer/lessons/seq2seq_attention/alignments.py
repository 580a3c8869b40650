"""“Recurrent attention”: what choosing where to look is worth on couplets, where the right place is known."""

from collections.abc import Mapping

from explorer.inference.seq2seq.couplets import LOOKS, Look
from explorer.lessons.seq2seq_attention.state import RecurrentModel
from explorer.records.language import Translate, english
from explorer.records.wording import joined

_LOSS = "wb14123_test_4000_loss"
#: Two losses closer than this, in nats a character, are called equal.
CLOSE = 0.01


def names(t: Translate = english) -> Mapping[Look, str]:
    """Return what each way of looking is called."""
    return {"own": t("Its own choice"), "straight": t("Straight across"), "evenly": t("At all alike")}


def measured(model: RecurrentModel | None) -> Mapping[Look, float]:
    """Return the loss of a character of real second lines, in nats, by where every step looks; empty where unknown."""
    metrics = {} if model is None else model.manifest.metrics
    keys: dict[Look, str] = {look: f"{_LOSS}_{look}".removesuffix("_own") for look in LOOKS}
    return {look: metrics[key] for look, key in keys.items()} if metrics.keys() >= set(keys.values()) else {}


def verdict(loss: Mapping[Look, float]) -> str:
    """Return whether a model that is told to look straight across foresees more, less, or the same."""
    gain = loss["own"] - loss["straight"]
    return "same" if abs(gain) < CLOSE else "better" if gain > 0 else "worse"


def describe(loss: Mapping[Look, float], t: Translate = english) -> str:
    """Say what choosing adds to looking at all alike, and what being told the place adds to choosing."""
    if not loss:
        return ""
    said = t(
        "A character of a real second line costs {own} nats where the model looks at will, {evenly} where it looks at "
        "all alike: choosing is worth {worth}."
    ).format(own=f"{loss['own']:.2f}", evenly=f"{loss['evenly']:.2f}", worth=f"{loss['evenly'] - loss['own']:.2f}")
    told = {
        "better": t("Made to look straight across, it has {straight}: to be told the place is better still, by {by}."),
        "worse": t("Made to look straight across, it has {straight}: its own choice is better, by {by}."),
        "same": t("Made to look straight across, it has {straight}: it had found the place by itself."),
    }[verdict(loss)]
    by = f"{abs(loss['own'] - loss['straight']):.2f}"
    return joined([said, told.format(straight=f"{loss['straight']:.2f}", by=by)], t)
