"""Where a model lies, and its maps: recorded, on the shelf, or of the Hub once somebody has had it fetched."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from explorer.lessons.open_model.state import Params
from explorer.opened import ask, sources
from explorer.opened.refused import ModelRefused
from explorer.opened.sources import Source
from explorer.records.attention import AttentionRecord
from explorer.records.opened.card import ModelKind

#: Models of the Hub that a reader of this server has had fetched, by name and revision.
_fetched: dict[tuple[str, str], Source] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapParams:
    """One attention of a model on a text.

    Attributes:
        site: its number in the pass.
    """

    of: Params
    site: int


def names(*kinds: ModelKind) -> tuple[str, ...]:
    """Return the models that can be looked at without the Hub, recorded ones first; of some kinds, if any is named."""
    found: Mapping[str, Source] = sources.sources()
    wanted = [name for name, each in found.items() if not kinds or sources.kind_of(each) in kinds]
    return tuple(sorted(wanted, key=lambda name: (not found[name].address, name.islower())))


def find(model: str, revision: str) -> Source:
    """Return where a model lies.

    Raises:
        ModelRefused: there is none of that name, or nobody has had it fetched from the Hub.
    """
    known = _fetched.get((model, revision)) if revision else sources.sources().get(model)
    if known is None:
        raise ModelRefused("not_found", model=model[:80])
    return known


def is_here(model: str, revision: str) -> bool:
    """Return whether a model can be looked at without anything being fetched."""
    return (model, revision) in _fetched if revision else model in sources.sources()


def keep(found: Source) -> None:
    """Remember a model that was fetched, for every reader of this server."""
    with _lock:
        _fetched[found.name, found.revision] = found


def attention(params: MapParams, owner: str = "") -> AttentionRecord:
    """Return the maps of one attention, whole.

    Args:
        owner: the reader, of whom many stand in line.

    Raises:
        ModelRefused: the model or the text is refused; or only a summary of these maps was recorded.
    """
    of = params.of
    return ask.attention(find(of.model, of.revision), of.text, params.site, owner=owner, start=of.start)
