"""What may happen in a room, as pure functions from one document to the next: no socket, no clock, no store."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from explorer.room import kinds

#: What a room shows, asks and has counted, as JSON has it.
Doc = dict[str, Any]
#: Text by language.
Said = Mapping[str, str]
MOST_ROUNDS = 2
#: Of the class's own questions, and of those that it was asked, the newest are kept; letters of one.
MOST_RAISED, MOST_PAST, MOST_LETTERS = 40, 200, 280
#: What of a question nobody but the teacher knows before it is revealed.
_PRIVATE = ("counts", "right", "why", "moved")


class NotNow(ValueError):
    """An order does not fit what the room is doing: whoever gave it is told, nothing changes."""


def fresh(epoch: str, made: float) -> Doc:
    """Return the document of a room in which nothing has happened.

    Args:
        epoch: tells it from a room of the same code before or after it.
        made: in seconds, as `time.time()` has them.
    """
    return {
        "epoch": epoch,
        "seq": 0,
        "made": made,
        "shown": {"link": "", "title": {}, "question": {}, "asks": False, "tries": False},
        "picture": None,
        "locked": False,
        "asking": None,
        "past": [],
        "raised": [],
        "on_wall": "",
        "ended": False,
    }


def gate(doc: Doc) -> str:
    """Return which votes count now; empty if none do."""
    asking = doc["asking"]
    return round_of(asking) if asking and asking["phase"] == "open" else ""


def round_of(asking: Mapping[str, Any], number: int = 0) -> str:
    """Return the name of a round of votes; of the present one if no number is given."""
    return f"{asking['id']}/{number or asking['round']}"


def show(doc: Doc, link: str, title: Said, question: Said, *, asks: bool = False, tries: bool = False) -> Doc:
    """Say what is on the wall: the scene's address, title and question, and whether a class can answer and try it."""
    shown = {"link": link, "title": dict(title), "question": dict(question), "asks": asks, "tries": tries}
    return {**doc, "shown": shown, "picture": doc["picture"] if doc["shown"]["title"] == shown["title"] else None}


def hang(doc: Doc, picture: str, said: str, of: tuple[str, str]) -> Doc:
    """Have phones see a picture of the wall.

    Args:
        picture: its name.
        said: what stands below the pictures of the stage.
        of: which question was asked when it was made, empty if none was, and the address of what was shown.

    Raises:
        NotNow: the wall shows something else by now; or the class tries something, which the stage may tell.
    """
    asking = doc["asking"]
    if doc["ended"] or of != (asking["id"] if asking else "", doc["shown"]["link"]):
        raise NotNow("the wall has gone on")
    if asking and asking["kind"] != "choice" and asking["phase"] != "revealed":
        raise NotNow("the stage may tell the answer")
    past = doc["past"]
    if asking and asking["phase"] == "revealed":
        past = [{**each, "read": said} if each["id"] == asking["id"] else each for each in past]
    return {**doc, "picture": {"name": picture, "said": said}, "past": past}


def ask(doc: Doc, question: Mapping[str, Any], right: object, why: Said) -> Doc:
    """Open a question; one that was open is over. Phones see no picture that was made before.

    Raises:
        NoAnswer: what is right does not fit the question.
    """
    kept = {"right": kinds.check_right(question, right), "why": dict(why), "counts": {}, "moved": {}}
    return {**doc, "asking": {**question, "round": 1, "phase": "open", **kept}, "picture": None}


def close(doc: Doc) -> Doc:
    """Take no more votes of this round."""
    return {**doc, "asking": {**_in(doc, "open"), "phase": "closed"}}


def count(doc: Doc, votes: Iterable[str]) -> Doc:
    """Write down what the round that was closed has brought, without who."""
    asking = _in(doc, "closed")
    counts = {**asking["counts"], str(asking["round"]): kinds.tally(asking, votes)}
    return {**doc, "asking": {**asking, "counts": counts}}


def again(doc: Doc) -> Doc:
    """Have the class vote once more; what the first round brought stays hidden until both are shown.

    Raises:
        NotNow: it has voted twice, or has not yet; or it was an experiment, which measures once.
    """
    asking = _in(doc, "closed")
    if asking["round"] == MOST_ROUNDS or asking["kind"] != "choice":
        raise NotNow("two rounds are enough")
    return {**doc, "asking": {**asking, "round": asking["round"] + 1, "phase": "open"}}


def reveal(doc: Doc, moved: Mapping[str, int]) -> Doc:
    """Show everybody the answer, and what the class said.

    Args:
        moved: of those who voted twice, how many went `from>to`.
    """
    asking = {**_in(doc, "closed"), "phase": "revealed", "moved": dict(moved)}
    return {**doc, "asking": asking, "past": [*doc["past"], {**asking, "shown": doc["shown"]}][-MOST_PAST:]}


def put_away(doc: Doc) -> Doc:
    """Ask nothing any more."""
    return {**doc, "asking": None}


def lock(doc: Doc, on: bool) -> Doc:
    """Let no new phone in, or let them in again; who has a seat keeps it."""
    return {**doc, "locked": on}


def end(doc: Doc) -> Doc:
    """End the lesson; what the class itself has asked goes with it."""
    return {**put_away(doc), "raised": [], "on_wall": "", "picture": None, "ended": True}


def raise_question(doc: Doc, name: str, text: object) -> Doc:
    """Write down a question of the class's own, for the teacher alone; nobody's name stands beside it.

    Raises:
        NotNow: it says nothing, or too much.
    """
    words = " ".join("".join(each if each.isprintable() else " " for each in str(text)).split())
    if not isinstance(text, str) or not words or len(words) > MOST_LETTERS:
        raise NotNow("no question")
    return {**doc, "raised": [*doc["raised"], {"id": name, "text": words}][-MOST_RAISED:]}


def show_raised(doc: Doc, name: str) -> Doc:
    """Put one of the class's questions on the wall, in the place of another; none if no name is given.

    Raises:
        NotNow: there is none of that name.
    """
    if name and not _find(doc, name):
        raise NotNow("no such question")
    return {**doc, "on_wall": name}


def drop_raised(doc: Doc, name: str) -> Doc:
    """Forget one of the class's questions."""
    left = [each for each in doc["raised"] if each["id"] != name]
    return {**doc, "raised": left, "on_wall": "" if doc["on_wall"] == name else doc["on_wall"]}


def _find(doc: Doc, name: str) -> str:
    return next((str(each["text"]) for each in doc["raised"] if each["id"] == name), "")


def compare(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, int]:
    """Count who voted in both rounds by `from>to`; each round is given as answers by seat."""
    return dict(Counter(f"{first[seat]}>{second[seat]}" for seat in first.keys() & second.keys()))


def public(doc: Doc) -> Doc:
    """Return what everybody may know: no counts and no answer before they are revealed."""
    asking = doc["asking"]
    if asking and asking["phase"] != "revealed":
        asking = {name: asking[name] for name in asking if name not in _PRIVATE}
    told = {name: doc[name] for name in ("epoch", "seq", "shown", "picture", "ended")}
    return {**told, "asking": asking, "raised": _find(doc, doc["on_wall"])}


def for_teacher(doc: Doc) -> Doc:
    """Return what the remote control knows: all, but of what is over only how much it is."""
    return {**doc, "past": len(doc["past"])}


def _in(doc: Doc, phase: str) -> dict[str, Any]:
    asking = doc["asking"]
    if not asking or asking["phase"] != phase:
        raise NotNow(f"no question is {phase}")
    return dict(asking)
