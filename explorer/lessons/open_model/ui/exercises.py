"""Numbers in the answers of the exercises, from the recorded looks."""

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model.state import Result
from explorer.records.opened.look import RuleName
from explorer.records.opened.texts import CAPITALS
from explorer.scenes.open_model import READER, WRITER


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    writer, reader = (lesson.compute(lesson.Params(model=name, text=CAPITALS)) for name in (WRITER, READER))
    return {
        "writer_rests": f"{writer.look.rested:.0%}",
        "reader_rests": f"{reader.look.rested:.0%}",
        "after": str(len(writer.look.heads("after"))),
        "after_first": str(min(site for site, _ in writer.look.heads("after"))),
        "after_last": str(max(site for site, _ in writer.look.heads("after"))),
        "none": str(len(writer.look.heads("mixed"))),
        "heads": str(_count(writer)),
        "next": str(_count(reader, "next")),
    }


def _count(result: Result, rule: RuleName | None = None) -> int:
    return sum(rule in (None, each.rule) for judged in result.look.rules for each in judged)
