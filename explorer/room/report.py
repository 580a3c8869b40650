"""A lesson afterwards, as a file: what a class was asked, what it said, what is right. Nothing in it is personal."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from explorer.data.cells import escape_formula
from explorer.records.language import speaking, t
from explorer.room import rules

_PAGES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined)


def write_csv(doc: rules.Doc, language: str) -> str:
    """Return a row for each answer of each question that was revealed, with its votes of both rounds."""
    with speaking(language):
        head = (t("Scene"), t("Question"), t("Answer"), t("Right"), t("first vote"), t("second vote"))
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(head)
    for asked in doc["past"]:
        for name, answer in asked["answers"].items():
            said = (_in(asked["shown"]["title"], language), _in(asked["text"], language), _in(answer, language))
            votes = [asked["counts"].get(round_, {}).get(name, "") for round_ in ("1", "2")]
            table.writerow([*map(escape_formula, said), int(name == asked["right"]), *votes])
    return file.getvalue()


def write_html(doc: rules.Doc, language: str, app: str) -> str:
    """Return a page that asks no network for anything.

    Args:
        doc: of the room.
        language: in which it is written.
        app: address of the app, to which the scenes are linked.
    """
    with speaking(language):
        said = {
            "title": t("What the class said"),
            "nothing": t("No vote was revealed in this lesson."),
            "first": t("first vote"),
            "second": t("second vote"),
            "open": t("Open this picture"),
            "moved": t("{to} moved to the right answer, {away} away from it."),
            "privacy": t("No name, no account: this file holds numbers of answers, nothing about anybody."),
        }
    return _PAGES.get_template("report.html").render(
        said=said,
        language=language,
        day=datetime.fromtimestamp(doc["made"], UTC).date().isoformat(),
        asked=[_asked(each, language, app, said["moved"]) for each in doc["past"]],
    )


def _asked(asked: dict[str, Any], language: str, app: str, moved: str) -> dict[str, Any]:
    rounds = sorted(asked["counts"].items())
    ways = {tuple(way.split(">")): n for way, n in asked["moved"].items()}
    right = asked["right"]
    return {
        "title": _in(asked["shown"]["title"], language),
        "link": f"{app}{asked['shown']['link']}" if asked["shown"]["link"].startswith("/") else "",
        "text": _in(asked["text"], language),
        "why": _in(asked["why"], language),
        "two": len(rounds) > 1,
        "moved": moved.format(
            to=sum(n for (before, after), n in ways.items() if before != after == right),
            away=sum(n for (before, after), n in ways.items() if right == before != after),
        ),
        "answers": [
            {
                "words": _in(words, language),
                "right": name == right,
                "votes": [(counts[name], counts[name] / (sum(counts.values()) or 1)) for _, counts in rounds],
            }
            for name, words in asked["answers"].items()
        ],
    }


def _in(text: dict[str, str], language: str) -> str:
    return text.get(language) or text.get("en", "")
