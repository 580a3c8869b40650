"""The weights of a translation or a second line, token by token, as a heat map in the place of its ribbons."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from explorer.figures import alignment as maps
from explorer.lessons.seq2seq_attention.figures import columns
from explorer.lessons.seq2seq_attention.live.german import explain_german
from explorer.lessons.seq2seq_attention.numbers import by_steps
from explorer.lessons.seq2seq_attention.state import Task
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table, side_titles
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import clamp
from explorer.ui import plot_clicks
from explorer.ui.scene import picture


def draw(
    key: str,
    record: RecurrentRecord,
    task: Task,
    *,
    hard: bool = False,
    strong: Collection[int] = (),
    followed: tuple[int, int] | None = None,
    on_followed: Callable[[int], None] | None = None,
    **shown: Any,
) -> None:
    """Draw the heat map; what a model without weights wrote, where it has none.

    Args:
        key: English name, unique on the page.
        hard: whether the heaviest source word of each row is marked.
        strong: words of a model without weights that stand out.
        followed: first and last row that are framed; rows that are not there are not.
        on_followed: is called with the row that is clicked.
        shown: title, reading and what the record depends on (`of`), as of `picture.show_chart`.
    """
    alignment = by_steps(record)
    if alignment is None:
        figure = partial(columns.column, record, None, strong=strong)
    else:
        source, output = side_titles(task)
        figure = partial(maps.alignment, alignment, hard=hard, query_title=output, key_title=source)
    picture.show_chart(
        key,
        figure,
        table=partial(alignment_table, record),
        provenance=alignment.provenance if alignment else record.provenance,
        height=picture.Height(less_low=74),
        **explain_german([record]),
        **shown,
    )
    if alignment is None or followed is None or on_followed is None:
        return
    rows, across = alignment.weights.shape[1:]
    first, last = (min(row, rows - 1) for row in followed)

    def clicked(position: plot_clicks.Place) -> None:
        on_followed(clamp(round(position["y"]), rows))

    plot_clicks.listen(key, clicked, frames=[plot_clicks.rows(first, last, across)])
