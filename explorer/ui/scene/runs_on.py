"""Where and how fast what stands on a page was computed: a line that its reader sees."""

import html

import streamlit as st

from explorer.records.language import t


def describe_device(device: str, arithmetic: str, rate: float | None = None) -> str:
    """Say it in words.

    Args:
        device: such as `cpu` or `cuda`.
        arithmetic: such as `float32`.
        rate: tokens a second, if any were written.
    """
    parts = [device, arithmetic]
    if rate:
        parts.append(t("{rate} tokens/s").format(rate=f"{float(f'{rate:.2g}'):,.0f}"))
    return " · ".join(parts)


def show(words: str) -> None:
    """Draw the line; `words` as of `describe_device`."""
    st.html(f'<p class="speed">{html.escape(words)}</p>')
