"""The ride of one word through the whole Transformer, stop by stop."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from explorer.lessons.whole_transformer import ride
from explorer.lessons.whole_transformer.live import passing
from explorer.lessons.whole_transformer.ride import Stop
from explorer.lessons.whole_transformer.ride_readings import describe_stop
from explorer.lessons.whole_transformer.state import Result
from explorer.ui.live.film import Film
from explorer.ui.live.told import Action, Index

PICTURE = Film(Path(__file__).with_suffix(".js"))


def show(key: str, result: Result, word: int, step: int, *, on_word: Callable[..., None], **taken: Any) -> None:
    """Draw the ride of a source word.

    Args:
        key: English name, unique on the page.
        word: of the source, from 0.
        step: stop that is shown, from 0.
        on_word: gets the source word that the reader has pointed at, as `word`.
        taken: as of `Film.show`.
    """
    along, whole = ride.stops(result.whole, word), result.whole
    PICTURE.show(
        key,
        partial(_drawn, result, along, plays=step == 0),
        step=step,
        link_key="wt_stop",
        positions=range(1, len(along) + 1),
        sentences=lambda: [describe(result, stop) for stop in along],
        of=(whole.provenance.revision, whole.source.labels, whole.written.labels, word),
        tells={"picked": Action(on_word, word=Index(len(whole.source.labels)))},
        **taken,
    )


def _drawn(result: Result, along: tuple[Stop, ...], *, plays: bool) -> dict[str, Any]:
    return passing.pack(result, along) | {"plays": plays}


def describe(result: Result, stop: Stop) -> str:
    """Return what is said at a stop."""
    return describe_stop(result.whole, stop, passing.layer_name(result, stop.part) if stop.part else "")
