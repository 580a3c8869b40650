"""What is told of a hypothesis of a search: its newest token, its numbers, and what became of it."""

import numpy as np

from explorer.figures import theme
from explorer.lessons.translator.names import name
from explorer.records.language import t
from explorer.records.search import Fate, SearchNode, SearchRecord
from explorer.records.wording import times

#: Tells fates apart without colour.
MARKS: dict[Fate, str] = {"finished": "✓", "pruned": "✕", "open": "", "continued": "", "dropped": ""}
#: Characters of a token in a cell, and of the text so far under the pointer.
TOKEN_CHARACTERS, TEXT_CHARACTERS = 12, 70


def tell(record: SearchRecord, number: int, step: int) -> str:
    """Tell of one hypothesis in lines: what it says so far, its numbers, and what became of it by a step."""
    node = record.nodes[number]
    before = node.text[-TEXT_CHARACTERS:]
    numbers = t("“{token}”: probability {share:.3f}; all of it: 1 in {n}; score {score:.2f}").format(
        token=theme.visible(name(node.label)) or "\u2205",
        share=np.exp(node.log_probability),
        n=times(np.exp(-node.total)),
        score=node.score,
    )
    position = t("Step {step}, place {position}").format(step=node.step, position=node.rank + 1)
    so_far = ("…" if before != node.text else "") + (theme.visible(before) or "\u2205")
    return "\n".join([position, so_far, numbers, fate(record, node, record.fate(number, step))])


def piece(node: SearchNode) -> str:
    """Return the newest token as it stands in a cell."""
    return theme.visible(name(node.label), TOKEN_CHARACTERS) or "\u2205"


def fate(record: SearchRecord, node: SearchNode, known: Fate) -> str:
    """Return what became of a hypothesis, and why."""
    if known == "finished":
        return t("✓ finished: it ended among the {beam} best").format(beam=record.beam)
    if known == "pruned":
        return t("✕ pruned at step {step}: no continuation reached {cutoff}, the least that was kept").format(
            step=node.step + 1, cutoff=_nats(record.cutoff(node.step + 1))
        )
    if known == "dropped":
        return t("not kept at step {step}: the least that was kept had {cutoff}").format(
            step=node.step, cutoff=_nats(record.cutoff(node.step))
        )
    if known == "open" and node.step == record.n_steps:
        return t("kept, and left unfinished when the search was over")
    return t("kept") if known == "open" else t("kept and continued")


def _nats(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
