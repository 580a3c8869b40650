"""Widgets of page 07, all bound to the URL."""

from typing import Any

import streamlit as st

from explorer.lessons import positional_encoding as lesson
from explorer.ui import choice
from explorer.ui.language import t

DEFAULTS: dict[str, Any] = {
    "pe_base": "10000",
    "pe_d": 32,
    "pe_length": 64,
    "pe_pair": "4",
    "pe_place": 10,
    "pe_offset": 5,
    "pe_phase_pair": 2,
    "pe_heads": 4,
    "pe_alibi_head": "1",
}
_URL: dict[str, Any] = {"bind": "query-params"}


def states() -> dict[str, dict[str, Any]]:
    """States worth seeing."""
    return {
        t("A small base: every pair comes round"): {"pe_base": "10", "pe_length": 128, "pe_pair": "15"},
        t("Waves that double like bits"): {"pe_base": "100000", "pe_d": 34, "pe_pair": "3"},
        t("A step back of 30 positions"): {"pe_place": 200, "pe_offset": -30, "pe_d": 128, "pe_length": 256},
    }


def codes() -> lesson.Params:
    """Which sinusoidal codes."""
    first, second, third = st.columns([5, 4, 4], gap="medium", vertical_alignment="bottom")
    names = {f"{base:.0f}": f"{base:,.0f}" for base in lesson.BASES}
    with first:
        base = choice.segmented(t("Base"), names, key="pe_base", default=DEFAULTS["pe_base"])
    d_model = second.slider(
        t("Length of a code, d_model"), lesson.LEAST_D, lesson.MOST_D, DEFAULTS["pe_d"], 2, key="pe_d", **_URL
    )
    length = third.slider(
        t("Positions"), lesson.LEAST_LENGTH, lesson.MOST_LENGTH, DEFAULTS["pe_length"], 8, key="pe_length", **_URL
    )
    return lesson.Params(base=float(base), d_model=int(d_model), length=int(length))


def pair(result: lesson.Result) -> int:
    """Which pair of dimensions stands in front."""
    said = t("pair {pair}: dimensions {sine} and {cosine}")
    names = {str(i): said.format(pair=i, sine=2 * i, cosine=2 * i + 1) for i in range(result.codes.n_pairs)}
    usual = DEFAULTS["pe_pair"] if DEFAULTS["pe_pair"] in names else "0"
    return int(choice.select(t("Pair in front"), names, key="pe_pair", default=usual))


def places(pair: int) -> lesson.View:
    """A position, and an offset from it."""
    left, right = st.columns(2, gap="large")
    place = left.slider(t("Position i"), 0, lesson.MOST_PLACE, DEFAULTS["pe_place"], key="pe_place", **_URL)
    offset = right.slider(
        t("Offset δ"), -lesson.MOST_OFFSET, lesson.MOST_OFFSET, DEFAULTS["pe_offset"], key="pe_offset", **_URL
    )
    return lesson.View(pair=pair, place=int(place), offset=int(offset))


def phase() -> lesson.Phase:
    """Which pair of components rotary turns."""
    last = lesson.D_KEY // 2 - 1
    chosen = st.slider(t("Pair of components"), 0, last, DEFAULTS["pe_phase_pair"], key="pe_phase_pair", **_URL)
    return lesson.Phase(pair=int(chosen))


def bias() -> lesson.Bias:
    """How many heads, and which of them."""
    left, right = st.columns(2, gap="large", vertical_alignment="bottom")
    n_heads = int(left.slider(t("Heads"), 1, lesson.MOST_HEADS, DEFAULTS["pe_heads"], key="pe_heads", **_URL))
    names = {str(head): str(head) for head in range(n_heads)}
    usual = DEFAULTS["pe_alibi_head"] if DEFAULTS["pe_alibi_head"] in names else "0"
    with right:
        head = choice.select(t("Head shown"), names, key="pe_alibi_head", default=usual)
    return lesson.Bias(n_heads=n_heads, head=int(head))
