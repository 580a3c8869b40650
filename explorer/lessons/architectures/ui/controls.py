"""Widgets that the scenes share, all bound to the link."""

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import state
from explorer.records.language import t
from explorer.ui import choice
from explorer.ui.scene import rail


def sizes() -> tuple[lesson.Params, str]:
    """Ask for n and d; in the fold for the one that grows, kernel and heads."""
    n = choice.select_slider(t("n, length of the sequence"), state.RANGES["n"], key="ar_n")
    d = choice.select_slider(t("d, numbers per position"), state.RANGES["d"], key="ar_d")
    names = {"n": t("n grows, d stays"), "d": t("d grows, n stays")}
    with rail.more():
        axis = choice.buttons(t("What grows?"), names, key="ar_axis")
        width = kernel()
        heads = choice.select_slider(t("Heads of the attention"), state.HEADS, key="ar_heads")
    return lesson.Params(n=n, d=d, kernel=width, heads=heads), axis


def kernel() -> int:
    """Ask how many positions a convolution reads at once."""
    return choice.select_slider(t("k, kernel of the convolution"), state.KERNELS, key="ar_kernel")


def position(label: str, key: str) -> int:
    """Ask for a word of the sentence, from 0."""
    return choice.slider(label, 1, state.POSITIONS, key=key) - 1
