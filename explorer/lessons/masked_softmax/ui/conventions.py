"""“Same mask, other code”: one mask in the hands of three implementations, once the wrong way round."""

from explorer.lessons.masked_softmax import implementations, readings, rows
from explorer.lessons.masked_softmax.ui import controls as widgets, rows_picture
from explorer.records.language import t

CODE = (implementations.conventions,)


def controls() -> widgets.Asked:
    """Sentence and query; the batch in the fold."""
    return widgets.ask()


def stage(chosen: widgets.Asked) -> None:
    """Four calls, one below the other."""
    params, result, view = chosen
    found, said = rows.convention_rows(result, view), readings.describe_conventions(result, view)
    rows_picture.show("ms_conventions", found, t("“{query}”: one mask, four calls"), said, (params, view))
