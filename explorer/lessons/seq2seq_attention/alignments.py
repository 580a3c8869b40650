"""“Recurrent attention”: what choosing where to look is worth on couplets, where the right place is known."""

from collections.abc import Mapping, Sequence
from typing import Literal

from explorer.inference.seq2seq.couplets import LOOKS, Look
from explorer.lessons.seq2seq_attention.state import RecurrentModel
from explorer.records.language import Translate, english
from explorer.records.wording import joined

Group = Literal["", "_short", "_long"]
#: All first lines; those of at most seven characters; the others.
GROUPS: tuple[Group, ...] = ("", "_short", "_long")
_LOSS = "wb14123_test_4000_loss"
_RIGHT, _LONG = "wb14123_test_4000_right", "wb14123_test_4000_same_length"
#: Two losses closer than this, in nats a character, are called equal.
CLOSE = 0.01


def names(t: Translate = english) -> Mapping[Look, str]:
    """Return what each way of looking is called."""
    return {"own": t("Its own choice"), "straight": t("Straight across"), "evenly": t("At all alike")}


def measured(model: RecurrentModel | None) -> Mapping[Group, Mapping[Look, float]]:
    """Return the loss of a character of real second lines, in nats, by group of first lines and where every step looks.

    Nothing where a manifest does not say it.
    """
    metrics = {} if model is None else model.manifest.metrics
    found: dict[Group, dict[Look, float]] = {}
    for group in GROUPS:
        keys: dict[Look, str] = {look: f"{_LOSS}_{look}".removesuffix("_own") + group for look in LOOKS}
        if not metrics.keys() >= set(keys.values()):
            return {}
        found[group] = {look: metrics[key] for look, key in keys.items()}
    return found


def helps(loss: Mapping[Group, Mapping[Look, float]]) -> str:
    """Return in which lines it helps to be told the place: `short`, `long`, `both` or `neither`."""
    where = [group.removeprefix("_") for group in GROUPS[1:] if _verdict(loss[group]) == "better"]
    return "both" if len(where) == len(GROUPS) - 1 else where[0] if where else "neither"


def describe(loss: Mapping[Group, Mapping[Look, float]], t: Translate = english) -> str:
    """Say what choosing adds to looking at all alike, and what being told the place adds to choosing."""
    if not loss:
        return ""
    lines: dict[Group, str] = {"_short": t("lines of at most seven characters"), "_long": t("longer lines")}
    return joined([choosing(loss, t), *(_told(loss[group], name, t) for group, name in lines.items())], t)


def choosing(loss: Mapping[Group, Mapping[Look, float]], t: Translate = english) -> str:
    """Say what choosing adds to looking at all alike."""
    whole = loss[""]
    return t(
        "A character of a real second line costs {own} nats where the model looks at will, {evenly} where it looks at "
        "all alike: choosing is worth {worth}."
    ).format(own=f"{whole['own']:.2f}", evenly=f"{whole['evenly']:.2f}", worth=f"{whole['evenly'] - whole['own']:.2f}")


def _told(loss: Mapping[Look, float], lines: str, t: Translate) -> str:
    said = {
        "better": t("In {lines} it is better to be told the place, by {by}."),
        "worse": t("In {lines} its own choice is better than straight across, by {by}."),
        "same": t("In {lines} it is all the same whether it is told the place."),
    }[_verdict(loss)]
    return said.format(lines=lines, by=f"{abs(loss['own'] - loss['straight']):.2f}")


def _verdict(loss: Mapping[Look, float]) -> str:
    gain = loss["own"] - loss["straight"]
    return "same" if abs(gain) < CLOSE else "better" if gain > 0 else "worse"


def trained_names(t: Translate = english) -> Mapping[str, str]:
    """Return what models are called that were trained to look in one way, by mechanism."""
    return {"none": t("Without attention"), "fixed": t("Straight across"), "scaled_dot": t("Learned attention")}


def foresees(model: RecurrentModel, t: Translate = english) -> str:
    """Say how many characters of real second lines a model finds likeliest; nothing where its manifest does not."""
    right = model.manifest.metrics.get(_RIGHT)
    return "" if right is None else t("{share} of the characters foreseen").format(share=f"{right:.1f}%")


def describe_trained(there: Sequence[RecurrentModel], t: Translate = english) -> str:
    """Say of models that were trained alike how well they foresee, and how often their lines have the right length."""
    if not there or any(not each.manifest.metrics.keys() >= {_LOSS, _RIGHT, _LONG} for each in there):
        return ""
    called = trained_names(t)
    said = t("“{name}” foresees {right} of the characters ({loss} nats each), and {long} of its lines fit in length.")
    lines = []
    for each in there:
        loss, right, long = (each.manifest.metrics[key] for key in (_LOSS, _RIGHT, _LONG))
        numbers = {"right": f"{right:.1f}%", "loss": f"{loss:.2f}", "long": f"{long:.0f}%"}
        lines.append(said.format(name=called[each.mechanism], **numbers))
    return joined(lines, t)
