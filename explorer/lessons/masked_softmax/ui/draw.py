"""“Draw your own”: forbid cells of a trained head by painting over them."""

from functools import partial

import streamlit as st

from explorer.attention.masking import masked_softmax
from explorer.lessons.masked_softmax import readings, trained_head
from explorer.lessons.masked_softmax.figures import head as figures
from explorer.lessons.masked_softmax.records import names
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import painted, trained
from explorer.scenes.masked_softmax import DRAW
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (masked_softmax,)


def controls() -> trained.Chosen:
    """Ask for word, head and forbidden cells."""
    return trained.ask("md", "own")


def stage(chosen: trained.Chosen) -> dict[str, str]:
    """Draw the map, to be painted, and one row."""
    _, record, row, _ = chosen
    if record is None:
        return {}
    with st.container(key="md_map"):
        painted.draw(record, row, prefix="md")
        first, second = st.columns([1.3, 1], gap="medium")
        with first:
            picture.remark(
                "md_map",
                partial(figures.matrix, record, row, masked=True, t=t),
                title=t("Who looks at whom"),
                reading=readings.describe_head(record, t),
            )
        with second:
            picture.remark(
                "md_row",
                partial(figures.bars, record, row, masked=True, t=t),
                title=t("The row of “{word}”").format(word=names(record, t)[row]),
                reading=readings.describe_row(record, row, t("the cells that you forbid"), t, masked=True),
                table=lambda: trained.row_table(record, row),
            )
    return {}


def answer() -> predict.Answer:
    """Compute what the second favourite of the row gets once the first is forbidden."""
    record = cache.compute(trained_head.compute, TrainedHead(of="own", layer=1, head=2, hand=((7, 8),)))
    row = int(DRAW.controls["md_word"])
    second = int(record.after[row].argmax())
    before, after, lost = float(record.before[row, second]), float(record.after[row, second]), float(record.lost[row])
    rules = {"same": before, "share": before / (1 - lost), "all": before + lost}
    right = min(rules, key=lambda name: abs(rules[name] - after))
    return right, {"before": f"{before:.2f}", "lost": f"{lost:.2f}", "after": f"{after:.2f}"}
