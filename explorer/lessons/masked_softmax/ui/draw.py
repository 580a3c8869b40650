"""“Draw your own”: forbid cells of a trained head by clicking."""

from functools import partial

from explorer.attention.masking import masked_softmax
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import by_hand, trained
from explorer.scenes.masked_softmax import DRAW
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import predict

CODE = (masked_softmax,)


def controls() -> trained.Chosen:
    """Ask for word, head and forbidden cells."""
    return trained.ask("md", "own")


def stage(chosen: trained.Chosen) -> dict[str, str]:
    """Draw the map, and one row; a click forbids a cell, or allows it again."""
    return trained.show("md", chosen, t("the cells that you forbid"), partial(by_hand.flip, "md_cells"))


def answer() -> predict.Answer:
    """Compute what the second favourite of the row gets once the first is forbidden."""
    record = cache.compute(trained_head.compute, TrainedHead(of="own", layer=1, head=2, hand=((7, 8),)))
    row = int(DRAW.controls["md_word"])
    second = int(record.after[row].argmax())
    before, after, lost = float(record.before[row, second]), float(record.after[row, second]), float(record.lost[row])
    rules = {"same": before, "share": before / (1 - lost), "all": before + lost}
    right = min(rules, key=lambda name: abs(rules[name] - after))
    return right, {"before": f"{before:.2f}", "lost": f"{lost:.2f}", "after": f"{after:.2f}"}
