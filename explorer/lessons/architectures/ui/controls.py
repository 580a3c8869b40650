"""Widgets that the scenes share, all bound to the link."""

from typing import Any

import streamlit as st

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import state
from explorer.scenes.architectures import LESSON
from explorer.ui import choice
from explorer.ui.language import t
from explorer.ui.scene import rail

DEFAULTS: dict[str, Any] = LESSON.every_default
_URL: dict[str, Any] = {"bind": "query-params"}


def sizes() -> tuple[lesson.Params, str]:
    """Ask for n and d, and for the one that grows; in the fold kernel and heads."""
    n = _one_of(t("n, length of the sequence"), state.RANGES["n"], "ar_n")
    d = _one_of(t("d, numbers per position"), state.RANGES["d"], "ar_d")
    names = {"n": t("n grows, d stays"), "d": t("d grows, n stays")}
    axis = choice.segmented(t("What grows?"), names, key="ar_axis", default=DEFAULTS["ar_axis"])
    with rail.more():
        width = kernel()
        heads = _one_of(t("Heads of the attention"), state.HEADS, "ar_heads")
    return lesson.Params(n=n, d=d, kernel=width, heads=heads), axis


def kernel() -> int:
    """Ask how many positions a convolution reads at once."""
    return _one_of(t("k, kernel of the convolution"), state.KERNELS, "ar_kernel")


def _one_of(label: str, options: tuple[int, ...], key: str) -> int:
    return int(st.select_slider(label, options, DEFAULTS[key], key=key, **_URL))


def position(label: str, key: str) -> int:
    """Ask for a word of the sentence, from 0."""
    return int(st.slider(label, 1, state.POSITIONS, DEFAULTS[key], key=key, **_URL)) - 1
