"""“Word for word”: a model whose output word may look only at the source word of the same number."""

from functools import partial

from explorer.figures import alignment as figures
from explorer.lessons import seq2seq_attention as lesson
from explorer.lessons.seq2seq_attention import readings, state
from explorer.lessons.seq2seq_attention.ui import controls as widgets
from explorer.lessons.seq2seq_attention.ui.tables import alignment_table
from explorer.lessons.seq2seq_attention.ui.written import write
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.ui import messages
from explorer.ui.scene import beside, picture

#: The learned attention that is shown beside it, the first that is there.
LEARNED = ("additive", "general", "scaled_dot", "concat", "dot")


def controls() -> lesson.Result | None:
    """Draw the sentence; the search in the fold."""
    there = {each.mechanism: each.name for each in state.models() if each.task == "de-en"}
    box, _, fold = widgets.parts()
    with fold:
        beam, penalty = widgets.search()
    with box:
        text = widgets.read("de-en", ())
    asked = [there[each] for each in ("fixed", *LEARNED) if each in there]
    return write(lesson.Params(text=text, models=tuple(asked[:2]), beam=beam, length_penalty=penalty))


def stage(result: lesson.Result | None) -> dict[str, str]:
    """Draw the diagonal, and over it where the learned attention looked; below, both translations."""
    by_mechanism = {} if result is None else {record.mechanism: record for record in result.records.values()}
    fixed = by_mechanism.get("fixed")
    other = next((by_mechanism[each] for each in LEARNED if each in by_mechanism), None)
    if result is None or fixed is None or fixed.trace.alignment is None:
        return {"fixed": "–", "other": "–"}
    picture.show_chart(
        "sa_straw",
        partial(figures.fixed_alignment, fixed, other),
        title=t("Word for word, whatever the sentence"),
        reading=readings.describe_straw(fixed, other),
        table=lambda: alignment_table(fixed),
        provenance=fixed.trace.alignment.provenance,
        of=result.params,
    )
    for record in (fixed, other):
        if record is not None:
            _translation(record)
    return {
        name: messages.plain(each.best.text if each else "–") for name, each in (("fixed", fixed), ("other", other))
    }


def _translation(record: RecurrentRecord) -> None:
    said = t("{name}: {said}").format(
        name=widgets.names()[record.mechanism], said=f"**{messages.plain(record.best.text)}**"
    )
    beside.show_caption(said)
