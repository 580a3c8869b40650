"""Names of the two sides of a translation."""

from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished
from explorer.records import AttentionRecord
from explorer.records.language import UNNAMED, name_of_language, t


def sides(result: lesson.Result) -> tuple[str, str]:
    """Return what was written and what was read, with the languages where they are known."""
    direction = finished.direction(result)
    if direction is None or {*UNNAMED} & {*direction}:
        return t("written"), t("read")
    return (
        t("{language}, as it was written").format(language=language_name(direction.target)),
        t("{language}, as it was read").format(language=language_name(direction.source)),
    )


def axes(result: lesson.Result, record: AttentionRecord) -> tuple[str, str]:
    """Return titles of the rows and the columns of a map."""
    written, read = sides(result)
    return (
        written if record.query_role == "produced" else t("looking"),
        read if record.kind == "cross" else t("looked at"),
    )


def language(result: lesson.Result) -> str:
    """Return the code of the language that was written, for the browser."""
    direction = finished.direction(result)
    return direction.target.replace("_", "-") if direction else "und"


def language_name(code: str) -> str:
    """Return what a language is called."""
    ours = {"en": t("English"), "fr": t("French"), "de": t("German"), "zh": t("Chinese")}
    return ours.get(code) or name_of_language(code)


def map_title(view: lesson.View) -> str:
    """Return which attention a map shows."""
    titles = {
        "cross": t("Cross-attention, layer {layer}, {which}"),
        "encoder": t("Self-attention of the encoder, layer {layer}, {which}"),
        "decoder": t("Self-attention of the decoder, layer {layer}, {which}"),
    }
    several = {"all": t("all heads"), "mean": t("mean over heads")}
    which = several[view.head] if isinstance(view.head, str) else t("head {number}").format(number=view.head)
    return titles[view.site].format(layer=view.layer, which=which)
