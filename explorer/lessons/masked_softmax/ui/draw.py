"""“Draw your own”: forbid cells of a trained head by clicking."""

import streamlit as st

from explorer.attention.masking import masked_softmax
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.records import HeadRecord
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import by_hand, trained
from explorer.scenes.masked_softmax import DRAW
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import predict

CODE = (masked_softmax,)
Chosen = tuple[TrainedHead, HeadRecord | None, int]


def controls() -> Chosen:
    """Word, head, cells."""
    top, bottom = st.container(key="md_here"), st.container(key="md_rest")
    with bottom:
        layer, head = trained.head("md_head")
        cells = by_hand.cells("md_cells", t("Forbidden cells"))
    params = TrainedHead(of="own", layer=layer, head=head, hand=cells)
    with top:
        record = trained.found(params)
        return params, record, trained.word("md_word", record)


def stage(chosen: Chosen) -> dict[str, str]:
    """The map, and one row."""
    params, record, row = chosen
    if record is None:
        return {}

    def clicked(query: int, key: int) -> None:
        by_hand.flip("md_cells", query, key)
        st.session_state["md_word"] = str(query)

    what = t("the cells that you forbid")
    trained.show("md", record, row, masked=True, what=what, clicked=clicked, of=(params, row))
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
