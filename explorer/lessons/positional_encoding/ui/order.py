"""“Shuffle the words”: the encoder's outputs for a sentence in another order, without codes and with them."""

from functools import partial

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.inference.device import DeviceRefused
from explorer.inference.translator.translate import InputRefused
from explorer.lessons.positional_encoding import trained, trained_encoder, trained_readings
from explorer.lessons.positional_encoding.figures import order as figures
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.lessons.positional_encoding.ui import tables
from explorer.ui import cache, choice, figure_card
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (trained_encoder.permutation_test,)


def controls() -> trained.OrderParams:
    """Sentence, kind of order, and the words to swap or the seed."""
    if "pe_order" not in st.session_state and "pe_order" not in st.query_params and "pe_seed" in st.query_params:
        st.session_state["pe_order"] = "random"  # a link from the time when every order was drawn
    text = widgets.sentence()
    names = {"swap": t("swap two"), "back": t("reverse"), "random": t("at random")}
    order = choice.segmented(t("Order"), names, key="pe_order", default=widgets.DEFAULTS["pe_order"])
    if order == "random":
        seed = widgets.slider(t("Which order (a seed)?"), 0, trained.MOST_SEED, "pe_seed")
        return trained.OrderParams(text=text, order=order, seed=seed)
    if order == "back":
        return trained.OrderParams(text=text, order=order)
    one, other = _swapped(text)
    return trained.OrderParams(text=text, order=order, one=one, other=other)


def _swapped(text: str) -> tuple[int, int]:
    """Ask which two words change places; the stage says why where the sentence cannot be read."""
    try:
        words = cache.compute(trained.words, text)
    except (InputRefused, DeviceRefused, CheckpointError):
        return 0, 0
    names = {str(place): f"{place + 1} {figure_card.escape(word)}" for place, word in enumerate(words)}
    chosen = []
    for column, key, label in zip(st.columns(2), ("pe_one", "pe_other"), (t("Swap"), t("with")), strict=True):
        usual = widgets.DEFAULTS[key] if widgets.DEFAULTS[key] in names else str(len(words) - 1)
        with column:
            chosen.append(int(choice.select(label, names, key=key, default=usual)))
    return chosen[0], chosen[1]


def stage(asked: trained.OrderParams) -> None:
    """Both rows of outputs, each with the French that comes of it."""
    record = widgets.found(trained.reordered, asked, trained.CHECKPOINT)
    if record is not None:
        picture.show(
            "pe_words",
            partial(figures.order, record, t=t),
            title=t("What the encoder makes of each word"),
            note=t("{shown} of its {all} numbers; marks: before; below: how much changed").format(
                shown=record.after.shape[-1], all=record.n_components
            ),
            reading=trained_readings.describe_order(record, t),
            table=lambda: tables.order(record),
            provenance=record.provenance,
            of=asked,
        )


def answer() -> predict.Answer:
    """Count the sentences that come of all orders of the example, without codes and with them."""
    record = cache.compute(trained.every_order, trained.EXAMPLE)
    without, with_codes = len(set(record.without)), len(set(record.with_codes))
    orders = len(record.without)
    right = "one" if without == 1 else "all" if without == orders else "some"
    numbers = {"orders": str(orders), "without": str(without), "with_codes": str(with_codes)}
    return right, numbers | {"sentence": record.without[0]}
