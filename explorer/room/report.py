"""A lesson afterwards, as a file: what a class was asked, what it said, what is right. Nothing in it is personal."""

import base64
import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from explorer.data.cells import escape_formula
from explorer.figures.live import modules
from explorer.figures.look import DARK, LIGHT, Look, drawing_in, tokens
from explorer.records.language import speaking, t
from explorer.room import rules
from explorer.room.wall_picture import WallPicture

#: Draws what a class tried, here as on the wall.
_PICTURES = Path(__file__).with_name("pictures.js")
_SCRIPT = re.compile("<script[^>]*>(.*)</script>", re.DOTALL)
_PAGES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined)


def write_csv(doc: rules.Doc, language: str) -> str:
    """Return a row for each answer of each question that was revealed, with its votes of both rounds.

    Of an experiment with words or a mask a row is a cell: what the model gives it stands below *Right*, what the class
    gives it, a share, below the first vote. Of one with numbers a row is a number, and how many gave it.
    """
    with speaking(language):
        head = (t("Scene"), t("Question"), t("Answer"), t("Right"), t("first vote"), t("second vote"))
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(head)
    for asked in doc["past"]:
        said = (_in(asked["shown"]["title"], language), _in(asked["text"], language))
        for answer, right, *votes in _rows(asked, language):
            table.writerow([*map(escape_formula, (*said, answer)), right, *votes])
    return file.getvalue()


def _rows(asked: dict[str, Any], language: str) -> Iterator[tuple[Any, ...]]:
    """Yield answer, what is right of it, and its votes by round."""
    right, counts = asked["right"], asked["counts"]
    if asked["kind"] == "choice":
        for name, answer in asked["answers"].items():
            votes = (counts.get(round_, {}).get(name, "") for round_ in ("1", "2"))
            yield _in(answer, language), int(name == right), *votes
    elif asked["kind"] == "number":
        for value, n in sorted(Counter((*counts["1"]["values"], right["value"])).items()):
            computed = value == right["value"]
            yield f"{value:g}", int(computed), n - computed, ""
    else:
        model, mine = right["maps"][0]["weights"], counts["1"]["weights"]
        for row, column in product(range(len(asked["rows"])), range(len(asked["columns"]))):
            cell = f"{asked['rows'][row]} → {asked['columns'][column]}"
            yield cell, f"{model[row][column]:.2f}", f"{mine[row][column]:.2f}", ""


def write_html(doc: rules.Doc, language: str, app: str, screens: Mapping[str, WallPicture]) -> str:
    """Return a page that asks no network for anything.

    Args:
        doc: of the room.
        language: in which it is written.
        app: address of the app, to which the scenes are linked.
        screens: what stood on the wall when the answer was shown, by question.
    """
    with speaking(language):
        said = {
            "title": t("What the class said"),
            "nothing": t("No vote was revealed in this lesson."),
            "first": t("first vote"),
            "second": t("second vote"),
            "picture": t("The picture on the wall"),
            "moved": t("{to} moved to the right answer, {away} away from it."),
            "privacy": t("No name, no account: this file holds numbers of answers, nothing about anybody."),
        }
    with speaking(language):
        scripts = modules.import_map(_PICTURES) if any(each["kind"] != "choice" for each in doc["past"]) else ""
    drawn = _write_drawing(doc["past"], language) if scripts else ""
    inline = [*_SCRIPT.findall(scripts), drawn] if scripts else []
    return _PAGES.get_template("report.html").render(
        said=said,
        scripts=scripts,
        drawn=drawn,
        sources=" ".join(("data:", *(f"'{hash_inline(each)}'" for each in inline))) if inline else "'none'",
        style=modules.style(_PICTURES) if scripts else "",
        light=_colours(LIGHT),
        dark=_colours(DARK),
        language=language,
        day=datetime.fromtimestamp(doc["made"], UTC).date().isoformat(),
        asked=[
            {**_asked(each, language, app, said["moved"], place), "screen": _url(screens.get(each["id"]))}
            for place, each in enumerate(doc["past"])
        ],
    )


def hash_inline(text: str) -> str:
    """Return what a content policy calls a script or a style that stands in the page itself."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _write_drawing(past: list[dict[str, Any]], language: str) -> str:
    """Return the script that draws what the class tried, each of the model's maps beside the class's."""
    tried = [(_name(place), each) for place, each in enumerate(past) if each["kind"] != "choice"]
    held = json.dumps(tried, ensure_ascii=False).replace("<", "\\u003c")
    return f"""
import {{ drawTried }} from "{modules.script_name(_PICTURES)}";
for (const [name, tried] of {held})
    for (const [which, root] of document.querySelectorAll(`.${{name}}`).entries())
        drawTried(root, tried, "{language}", which);
"""


def _colours(look: Look) -> str:
    with drawing_in(look):
        return tokens()


def _url(picture: WallPicture | None) -> str:
    """Return a picture as an address that holds it; an empty one if there is none."""
    return f"data:{picture.kind};base64,{base64.b64encode(picture.content).decode()}" if picture else ""


def _name(place: int) -> str:
    """Return the class of the elements in which a question is drawn."""
    return f"tried-{place}"


def _asked(asked: dict[str, Any], language: str, app: str, moved: str, place: int) -> dict[str, Any]:
    maps = 0 if asked["kind"] == "choice" else len(asked["right"].get("maps", [0]))
    told = {
        "title": _in(asked["shown"]["title"], language),
        "link": f"{app}{asked['shown']['link']}" if asked["shown"]["link"].startswith("/") else "",
        "text": _in(asked["text"], language),
        "why": _in(asked["why"], language),
        "read": asked.get("read", ""),
        "drawn": [_name(place)] * maps,
        "two": False,
    }
    return told if maps else told | _chosen(asked, language, moved)


def _chosen(asked: dict[str, Any], language: str, moved: str) -> dict[str, Any]:
    rounds = sorted(asked["counts"].items())
    ways = {tuple(way.split(">")): n for way, n in asked["moved"].items()}
    right = asked["right"]
    return {
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
