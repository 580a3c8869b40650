"""Page 09: what the two sides of a translation are called."""

from explorer.lessons import translator as lesson
from explorer.ui.language import t


def sides(result: lesson.Result) -> tuple[str, str]:
    """What was written and what was read, with the languages where they are known."""
    ours = result.params.checkpoint == lesson.CHECKPOINT
    return (t("French, as it was written"), t("English, as it was read")) if ours else (t("written"), t("read"))
