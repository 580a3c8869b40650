"""“The fully masked row”: what different code makes of a query that may see nothing."""

from explorer.attention.masking import masked_softmax
from explorer.lessons.masked_softmax import readings, rows
from explorer.lessons.masked_softmax.implementations import ways
from explorer.lessons.masked_softmax.ui import controls as widgets, rows_picture
from explorer.records.language import t
from explorer.ui.scene import picture

CODE = (masked_softmax, ways)


def controls() -> widgets.Asked:
    """Sentence and query; the batch in the fold."""
    return widgets.ask()


def stage(chosen: widgets.Asked) -> dict[str, str]:
    """Seven ways, one below the other."""
    params, result, view = chosen
    found = rows.fully_masked_rows(result, view)
    title = t("“{query}” may see nothing: what each way answers")
    rows_picture.show(
        "ms_nothing",
        found,
        title,
        readings.describe_blind(result, view),
        (params, view),
        picture.Height(less=28, less_low=30),
    )
    spoilt, whole = found.facts["NaN rows after one more layer"], found.facts["finite gradient"]
    return {"spoilt": str(max(spoilt)), "rows": str(len(found.key_labels)), "broken": str(whole.count(False))}
