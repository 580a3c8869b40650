"""Kinds of questions, a choice, a number, words that one looks at: what is an answer, and what all together say.

A vote is a text whatever its kind: a store keeps texts. Of `words` a row has one to three words that it looks at; of a
`mask` all that it may see, and none is an answer, too.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

Asking = Mapping[str, Any]
#: Words that are asked about and that can be chosen, of one word the letters, and how many a word may look at.
MOST_ROWS, MOST_COLUMNS, MOST_LETTERS, MOST_LOOKS = 14, 16, 40, 3
#: Points that phones draw a curve through; places of the curve below which the class's answers stand; maps of a model.
MOST_POINTS, MOST_PLACES, MOST_MAPS = 80, 200, 4
#: A number is at most so far from 0; JSON has others, and some that are none.
_LARGEST = 1e12


class NoAnswer(ValueError):
    """An answer, or what is said to be right, does not fit the question."""


def check_given(asked: Asking, given: object) -> dict[str, Any]:
    """Return what a scene adds to its question: the words, or points for phones to draw through.

    Raises:
        NoAnswer: they do not fit the question.
    """
    if asked["kind"] == "choice":
        return {}
    given = _mapping(given)
    if asked["kind"] == "number":
        points = given.get("points", [])
        return {"points": [_numbers(axis, MOST_POINTS) for axis in _two(points)]} if points else {}
    return {"rows": _words(given.get("rows"), MOST_ROWS), "columns": _words(given.get("columns"), MOST_COLUMNS)}


def check_right(asked: Asking, right: object) -> Any:
    """Return what is right, or what the model does: an id; a number and the curve that says so; maps by their names.

    Raises:
        NoAnswer: it does not fit the question.
    """
    if asked["kind"] == "choice":
        return check_answer(asked, right)
    right = _mapping(right)
    if asked["kind"] == "number":
        value = json.loads(check_answer(asked, right.get("value")))
        x, y = (_numbers(right.get(axis), MOST_PLACES, gaps=axis == "y") for axis in "xy")
        if len(x) != len(y):
            raise NoAnswer("a curve has as many heights as places")
        return {"value": value, "x": x, "y": y, "says": _said(right.get("says"))}
    maps = right.get("maps")
    if not isinstance(maps, list) or not 1 <= len(maps) <= MOST_MAPS:
        raise NoAnswer("no maps")
    return {"maps": [_map(asked, _mapping(each)) for each in maps]}


def check_answer(asked: Asking, value: object) -> str:
    """Return an answer as a vote, if it is one to this question; a number is moved within its bounds.

    Raises:
        NoAnswer: it is none.
    """
    if asked["kind"] == "choice" and isinstance(value, str) and value in asked["answers"]:
        return value
    if asked["kind"] == "number" and _is_number(value):
        return json.dumps(min(max(_short(value), asked["low"]), asked["high"]))
    if asked["kind"] in ("words", "mask") and isinstance(value, list) and len(value) == len(asked["rows"]):
        columns = len(asked["columns"])
        most = columns if asked["kind"] == "mask" else MOST_LOOKS
        if all(_chooses(row, columns) and len(row) <= most for row in value) and (
            asked["kind"] == "mask" or any(value)
        ):
            return json.dumps([sorted(set(row)) for row in value])
    raise NoAnswer("no answer to this question")


def tally(asked: Asking, votes: Iterable[str]) -> dict[str, Any]:
    """Say what all votes together are, without who.

    Returns:
        Of a choice the number of votes by answer; of a number all `values`, ascending; else the `weights`, rows by
        columns, and by row the number `n` of those who answered. A row that looks at two words gives each a half.
    """
    if asked["kind"] == "choice":
        found = Counter(votes)
        return {name: found[name] for name in asked["answers"]}
    said = [json.loads(vote) for vote in votes]
    if asked["kind"] == "number":
        return {"values": sorted(said)}
    whole = asked["kind"] == "mask"
    weights = [[0.0] * len(asked["columns"]) for _ in asked["rows"]]
    answered = [len(said) if whole else sum(bool(each[row]) for each in said) for row in range(len(weights))]
    for each in said:
        for row, chosen in enumerate(each):
            for column in chosen:
                weights[row][column] += (1 if whole else 1 / len(chosen)) / answered[row]
    return {"weights": [[round(each, 4) for each in row] for row in weights], "n": answered}


def _chooses(row: object, columns: int) -> bool:
    return isinstance(row, list) and all(type(each) is int and 0 <= each < columns for each in row)


def _map(asked: Asking, told: Mapping[str, Any]) -> dict[str, Any]:
    weights = told.get("weights")
    if not isinstance(weights, list) or len(weights) != len(asked["rows"]):
        raise NoAnswer("a map has a row for each word")
    rows = [_numbers(row, MOST_COLUMNS) for row in weights]
    if any(len(row) != len(asked["columns"]) or not all(0 <= each <= 1 for each in row) for row in rows):
        raise NoAnswer("a map has weights from 0 to 1, one for each column")
    return {"name": _said(told.get("name")), "weights": rows}


def _mapping(told: object) -> Mapping[str, Any]:
    if not isinstance(told, dict):
        raise NoAnswer("nothing is given")
    return told


def _two(told: object) -> list[Any]:
    if not isinstance(told, list) or len(told) != 2 or not all(isinstance(each, list) for each in told):
        raise NoAnswer("points have two axes")
    if len(told[0]) != len(told[1]):
        raise NoAnswer("a point has two numbers")
    return told


def _numbers(told: object, most: int, *, gaps: bool = False) -> list[Any]:
    """Return finite numbers, short; with gaps, None where there is none."""
    if not isinstance(told, list) or len(told) > most:
        raise NoAnswer("no list of numbers, or too long")
    if not all(_is_number(each) or (gaps and each is None) for each in told):
        raise NoAnswer("no numbers")
    return [None if each is None else _short(each) for each in told]


def _is_number(told: object) -> bool:
    return isinstance(told, int | float) and not isinstance(told, bool) and abs(told) <= _LARGEST


def _short(value: Any) -> float:
    return float(f"{value:.4g}")


def _words(told: object, most: int) -> list[str]:
    if not isinstance(told, list) or not 1 <= len(told) <= most:
        raise NoAnswer("no words, or too many")
    if not all(isinstance(each, str) and 0 < len(each) <= MOST_LETTERS and each.isprintable() for each in told):
        raise NoAnswer("no words")
    return list(told)


def _said(told: object) -> dict[str, str]:
    """Return a text by language."""
    return {str(language)[:8]: str(text)[:200] for language, text in tuple(_mapping(told).items())[:4]}
