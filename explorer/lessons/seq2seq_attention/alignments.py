"""“Recurrent attention”: what choosing where to look is worth on couplets, where the right place is known."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from explorer.inference.seq2seq.couplets import WEIGHTINGS, Weighting
from explorer.lessons.seq2seq_attention.state import RecurrentModel
from explorer.records.language import t
from explorer.records.wording import join_sentences, said_change, times

Group = Literal["", "_short", "_long"]
#: All first lines; those of at most seven characters; the others.
GROUPS: tuple[Group, ...] = ("", "_short", "_long")
_LOSS = "wb14123_test_4000_loss"
_RIGHT, _LONG = "wb14123_test_4000_right", "wb14123_test_4000_same_length"
#: Two losses closer than this, in nats a character, are called equal.
CLOSE = 0.01


def names() -> Mapping[Weighting, str]:
    """Return what each way of looking is called."""
    return {"own": t("Its own choice"), "straight": t("Straight across"), "evenly": t("At all alike")}


def measure_alignments(model: RecurrentModel | None) -> Mapping[Group, Mapping[Weighting, float]]:
    """Return the loss of a character of real second lines, in nats, by group of first lines and where every step looks.

    Nothing where a manifest does not say it.
    """
    metrics = {} if model is None else model.manifest.metrics
    found: dict[Group, dict[Weighting, float]] = {}
    for group in GROUPS:
        keys: dict[Weighting, str] = {look: f"{_LOSS}_{look}".removesuffix("_own") + group for look in WEIGHTINGS}
        if not metrics.keys() >= set(keys.values()):
            return {}
        found[group] = {look: metrics[key] for look, key in keys.items()}
    return found


def helps(loss: Mapping[Group, Mapping[Weighting, float]]) -> str:
    """Return in which lines it helps to be told the place: `short`, `long`, `both` or `neither`."""
    where = [group.removeprefix("_") for group in GROUPS[1:] if _verdict(loss[group]) == "better"]
    return "both" if len(where) == len(GROUPS) - 1 else where[0] if where else "neither"


def describe(loss: Mapping[Group, Mapping[Weighting, float]]) -> str:
    """Say what choosing adds to looking at all alike, and what being told the place adds to choosing."""
    if not loss:
        return ""
    lines: dict[Group, str] = {"_short": t("lines of at most seven characters"), "_long": t("longer lines")}
    return join_sentences([choosing(loss), *(_told(loss[group], name) for group, name in lines.items())])


def choosing(loss: Mapping[Group, Mapping[Weighting, float]]) -> str:
    """Say what choosing adds to looking at all alike."""
    whole = loss[""]
    return t(
        "At a character of a real second line, the model hesitates between {own} where it looks at will, and between "
        "{evenly} where it looks at all alike."
    ).format(own=times(math.exp(whole["own"])), evenly=times(math.exp(whole["evenly"])))


def _told(loss: Mapping[Weighting, float], lines: str) -> str:
    said = {
        "better": t("In {lines} it is better to be told the place: the right character is {by}."),
        "worse": t("In {lines} its own choice is better than straight across: the right character is {by}."),
        "same": t("In {lines} it is all the same whether it is told the place."),
    }[_verdict(loss)]
    return said.format(lines=lines, by=said_change(abs(loss["own"] - loss["straight"])))


def _verdict(loss: Mapping[Weighting, float]) -> str:
    gain = loss["own"] - loss["straight"]
    return "same" if abs(gain) < CLOSE else "better" if gain > 0 else "worse"


def trained_names() -> Mapping[str, str]:
    """Return what models are called that were trained to look in one way, by mechanism."""
    return {"none": t("Without attention"), "fixed": t("Straight across"), "scaled_dot": t("Learned attention")}


def foresees(model: RecurrentModel) -> str:
    """Say how many characters of real second lines a model finds likeliest; nothing where its manifest does not."""
    right = model.manifest.metrics.get(_RIGHT)
    return "" if right is None else t("{share} of the characters foreseen").format(share=f"{right:.1f}%")


def describe_trained(there: Sequence[RecurrentModel]) -> str:
    """Say of models that were trained alike how well they foresee, and how often their lines have the right length."""
    if not there or any(not each.manifest.metrics.keys() >= {_LOSS, _RIGHT, _LONG} for each in there):
        return ""
    called = trained_names()
    said = t(
        "“{name}” foresees {right} of the characters (it hesitates between {n}), and {long} of its lines fit in length."
    )
    lines = []
    for each in there:
        loss, right, long = (each.manifest.metrics[key] for key in (_LOSS, _RIGHT, _LONG))
        numbers = {"right": f"{right:.1f}%", "n": times(math.exp(loss)), "long": f"{long:.0f}%"}
        lines.append(said.format(name=called[each.mechanism], **numbers))
    return join_sentences(lines)
