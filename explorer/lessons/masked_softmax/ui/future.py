"""“Hide the future”: what a trained decoder reads while it writes."""

import streamlit as st

from explorer.attention.masking import causal, masked_softmax
from explorer.lessons.masked_softmax import trained_head
from explorer.lessons.masked_softmax.records import HeadRecord
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import trained
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import predict

CODE = (causal, masked_softmax)
Chosen = tuple[TrainedHead, HeadRecord | None, int, bool]


def controls() -> Chosen:
    """Word, mask, head."""
    top, bottom = st.container(key="mf_here"), st.container(key="mf_rest")
    with bottom:
        on = trained.mask("mf_on")
        layer, head = trained.head("mf_head")
    params = TrainedHead(of="future", layer=layer, head=head)
    with top:
        record = trained.found(params)
        return params, record, trained.word("mf_word", record), on


def stage(chosen: Chosen) -> dict[str, str]:
    """The map, and one row."""
    params, record, row, on = chosen
    if record is None:
        return {}

    def clicked(query: int, _key: int) -> None:
        st.session_state["mf_word"] = str(query)

    trained.show("mf", record, row, masked=on, what=t("the future"), clicked=clicked, of=(params, row, on))
    return {}


def answer() -> predict.Answer:
    """Compute what the first row gives itself, before and after."""
    record = cache.compute(trained_head.compute, TrainedHead(of="future", layer=3, head=1))
    before, after = float(record.before[0, 0]), float(record.after[0, 0])
    right = "all" if after == 1 else "more" if after > before else "same"
    return right, {"before": f"{before:.2f}", "after": f"{after:g}"}
