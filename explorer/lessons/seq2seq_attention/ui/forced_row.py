"""The row of weights of a step, as a table that is edited."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.forced_weights import Forced, is_invalid
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.ui import messages


def edit(record: RecurrentRecord, position: int, forced: Forced | None, on_force: Callable[[Forced], None]) -> None:
    """Let the reader open the row of the step, and edit it; `on_force` is called with what is to be forced."""
    own = record.trace.steps[position].weights
    if st.toggle(t("Edit the whole row"), key="sa_row_open") and own is not None:
        here = forced.weights if forced is not None and forced.step == position else own.tolist()
        _row(record.trace.source.labels, tuple(here), position, on_force)


def _row(
    labels: tuple[str, ...], weights: tuple[float, ...], position: int, on_force: Callable[[Forced], None]
) -> None:
    """Show the row as a table; what is typed is checked, then scaled to sum to 1."""
    column, source = t("weight"), t("source")
    shown = pd.DataFrame({source: columns.names(labels, None), column: [round(weight, 3) for weight in weights]})
    edited = st.data_editor(
        shown,
        key=f"sa_row_{position}_{hash(weights) & 0xFFFFFF}",
        hide_index=True,
        disabled=[source],
        column_config={column: st.column_config.NumberColumn(min_value=0.0, format="%.3f")},
    )
    numbers = row_of(edited[column])
    if is_invalid(numbers, len(labels)):
        messages.warning(t("Every weight must be a number of at least 0, and not all may be 0."))
        return
    messages.caption(t("The row sums to {sum}; it is divided by that.").format(sum=f"{sum(numbers):.3g}"))
    st.button(
        t("Go on with this row"),
        key="sa_row_apply",
        icon=":material/play_arrow:",
        on_click=on_force,
        args=(Forced(step=position, weights=numbers),),
        disabled=edited.equals(shown),
    )


def row_of(column: "pd.Series[float]") -> tuple[float, ...]:
    """Return the edited weights; what is no number becomes NaN, which is refused."""
    return tuple(pd.to_numeric(column, errors="coerce").astype(float).tolist())
