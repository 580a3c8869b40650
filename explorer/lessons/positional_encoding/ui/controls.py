"""Widgets that several scenes share, all bound to the link, and results of models that may be missing."""

from collections.abc import Callable
from typing import TypeVar

from explorer.checkpoints.manifest import CheckpointError
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import state, trained
from explorer.lessons.positional_encoding.records.extrapolation import Kind
from explorer.records.language import t
from explorer.ui import cache, choice, messages

P = TypeVar("P")
R = TypeVar("R")


def position(first: int = 0) -> int:
    """Return the position that the link names and a film shows, at least the `first`."""
    return first + choice.step(t("Position"), key="pe_place", last=state.PLACES - 1 - first, first=first)


def base() -> float:
    """Ask for the ratio of the slowest wave to the fastest."""
    names = {f"{each:.0f}": f"{each:,.0f}" for each in state.BASES}
    return float(choice.select(t("Base: how slow is the slowest wave?"), names, key="pe_base"))


def params(base: float, dims: int, length: int) -> lesson.Params:
    """Return the codes of so many positions."""
    return lesson.Params(base=base, d_model=dims, length=length)


def find_result(compute: Callable[[P], R], params: P, folder: str) -> R | None:
    """Return a result of a trained model, whose checkpoint is named last; where there is none, say why."""
    return messages.compute(compute, params, folder, empty=t("Type a sentence: there is nothing to read yet."))


def of_all(compute: Callable[[Kind], R]) -> list[R]:
    """Return the results of every kind whose model is there, with one message for those that are not."""
    records, lost = [], {}
    for kind in trained.KINDS:
        try:
            records.append(cache.compute(compute, kind))
        except CheckpointError as error:
            lost[f"positions-{kind}"] = error
    messages.no_checkpoints(lost)
    return records
