"""Write and read what the queue and its workers say to each other: numbers in JSON, nothing that is executed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from explorer.inference.engine.layout import Precision
from explorer.inference.search.decode import DecodingOptions, Hypothesis
from explorer.inference.search.streaming import Begun, Event, SentenceDone, Shortage, SoFar


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationRequest:
    """One sentence to be translated. Equal requests are computed once.

    Attributes:
        checkpoint: what `explorer.checkpoints.hub.open_checkpoint` opens.
        revision: of the manifest, so that a folder whose content changes is opened again.
        source: tokens, `</s>` included.
    """

    checkpoint: str
    revision: str
    source: tuple[int, ...]
    options: DecodingOptions
    precision: Precision = "full"

    def goes_with(self, other: "TranslationRequest") -> bool:
        """Return whether both can be decoded in one batch."""
        return replace(self, source=()) == replace(other, source=())


def batch_order(requests: tuple[TranslationRequest, ...]) -> dict[str, Any]:
    """Return an order to translate sentences that go with each other."""
    return {**asdict(replace(requests[0], source=())), "sources": [each.source for each in requests]}


def read_batch(order: Mapping[str, Any]) -> tuple[TranslationRequest, ...]:
    """Return the sentences of an order."""
    alike = {name: order[name] for name in ("checkpoint", "revision", "precision")}
    options = DecodingOptions(**order["options"])
    return tuple(TranslationRequest(source=tuple(source), options=options, **alike) for source in order["sources"])


def reason(error: Exception) -> str:
    """Return what went wrong, without the paths that the system's errors name."""
    said = error.strerror or "" if isinstance(error, OSError) else str(error)
    return f"{type(error).__name__}: {said}"[:500]


def event_line(event: Event) -> dict[str, Any]:
    """Return what happened to a batch."""
    if isinstance(event, Begun):
        return {"is": "begun"}
    if isinstance(event, SoFar):
        return {"is": "so far", "best": list(event.best.items())}
    if isinstance(event, Shortage):
        return {"is": "shortage", "numbers": event.numbers, "remedy": event.remedy}
    return {"is": "found", "number": event.number, "hypotheses": [asdict(each) for each in event.hypotheses]}


def read_event(told: Mapping[str, Any]) -> Event | None:
    """Return what a line told; None if it is no event."""
    if told["is"] == "begun":
        return Begun()
    if told["is"] == "so far":
        return SoFar({int(number): tuple(ids) for number, ids in told["best"]})
    if told["is"] == "shortage":
        return Shortage(tuple(told["numbers"]), told["remedy"])
    if told["is"] == "found":
        found = tuple(Hypothesis(**{**each, "ids": tuple(each["ids"])}) for each in told["hypotheses"])
        return SentenceDone(told["number"], found)
    return None
