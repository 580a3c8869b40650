"""“Shuffle the words”: the encoder's outputs for a sentence in another order, without codes and with them."""

import secrets
from collections.abc import Sequence
from functools import partial

import streamlit as st

from explorer.lessons.positional_encoding import trained, trained_encoder, trained_readings
from explorer.lessons.positional_encoding.live import order as live
from explorer.lessons.positional_encoding.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.records.wording import parse_int
from explorer.ui import cache, choice, fields, meaning
from explorer.ui.live.told import Action, Permutation
from explorer.ui.scene import predict

CODE = (trained_encoder.permutation_test,)
#: Characters of an order: no sentence that is read has more words.
MOST_ORDER = 600


def controls() -> trained.OrderParams:
    """Sentence, and the order in which the words were left; older links say how to make it."""
    if "pe_order" not in st.session_state and "pe_order" not in st.query_params and "pe_seed" in st.query_params:
        st.session_state["pe_order"] = "random"  # a link from the time when every order was drawn
    text = choice.ask("pe_text")
    order = choice.hidden_param(t("Order"), key="pe_order", most=MOST_ORDER)
    one, other, seed = (parse_int(choice.hidden_param(label, key=key, most=3)) or 0 for label, key in _older())
    with st.container(horizontal=True, gap="small", key="pe_arrange"):
        st.button(t("As typed"), key="pe_typed", icon=":material/undo:", on_click=_arrange, args=("typed",))
        st.button(t("Shuffle"), key="pe_shuffle", icon=":material/shuffle:", on_click=_arrange, args=("random",))
    return trained.OrderParams(text=text, order=order, one=one, other=other, seed=min(seed, trained.MOST_SEED))


def _older() -> tuple[tuple[str, str], ...]:
    return (t("Swap"), "pe_one"), (t("with"), "pe_other"), (t("Which order (a seed)?"), "pe_seed")


def _arrange(order: str) -> None:
    fields.set_values({"pe_order": order, "pe_seed": str(secrets.randbelow(trained.MOST_SEED + 1))})


def stage(asked: trained.OrderParams) -> None:
    """Both rows of outputs, each with the French that comes of it; the words can be dragged."""
    record = widgets.find_result(trained.test_permutation, asked, trained.CHECKPOINT)
    if record is None:
        return
    order = asked.arrange(len(record.words))
    live.PICTURE.show(
        "pe_words",
        partial(live.pack, record, order),
        tells={"order": Action(_keep, order=Permutation(len(order)))},
        title=t("What the encoder makes of each word"),
        reading=trained_readings.describe_order(record),
        table=lambda: tables.order(record),
        provenance=record.provenance,
    )
    for number, (of, text) in enumerate(
        zip((t("Without position codes"), t("With position codes")), record.written, strict=True)
    ):
        meaning.show(text, "fr", key=f"pe_meaning_{number}", of=of)


def _keep(order: Sequence[int]) -> None:
    """Have the link carry the order; in a callback."""
    fields.set_values({"pe_order": " ".join(str(word + 1) for word in order)})


def answer() -> predict.Answer:
    """Count the sentences that come of all orders of the example, without codes and with them."""
    record = cache.compute(trained.every_order, trained.EXAMPLE)
    without, with_codes = len(set(record.without)), len(set(record.with_codes))
    orders = len(record.without)
    right = "one" if without == 1 else "all" if without == orders else "some"
    numbers = {"orders": str(orders), "without": str(without), "with_codes": str(with_codes)}
    return right, numbers | {"sentence": record.without[0]}
