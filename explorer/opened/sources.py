"""Name the models that can be looked at: recorded ones, folders that the owner names, and the Hub."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from explorer.opened import limits, recorded
from explorer.opened.cards import card, configuration, hub, our_card
from explorer.opened.cards.configuration import Way
from explorer.opened.cards.hub import HubModel
from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelCard, ModelKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The origin of a model. A path is never shown or put into a link: the name is.

    Attributes:
        name: of a recorded model or of a folder on the shelf, or `org/name` of the Hub.
        folder: in which it lies; empty where only recorded texts can be shown.
        revision: a commit of the Hub; empty for a folder, which is asked for its own.
        address: of the Hub, where it can be had.
    """

    name: str
    folder: str = ""
    revision: str = ""
    address: str = ""


def sources() -> Mapping[str, Source]:
    """Return the models that can be looked at without the Hub, by name: recorded, the shelf, our own."""
    found = {name: Source(name=name, address=each.address) for name, each in recorded.models().items()}
    for name, folder in {**shelf(), **our_card.list_bundled()}.items():
        known = found.get(name, Source(name=name))
        found[name] = replace(known, folder=str(folder))
    return found


def shelf() -> dict[str, Path]:
    """Return the folders that the owner of the server names, and those in them, by name."""
    folders = limits.shelf_folders()
    every = [
        each
        for folder in folders
        for each in (folder, *_inside(folder))
        if (each / "config.json").is_file() or our_card.is_ours(each)
    ]
    return {each.name: each for each in sorted(every, key=lambda each: each.name.lower())}


def _inside(folder: Path) -> list[Path]:
    try:
        return [each for each in folder.iterdir() if each.is_dir()]
    except OSError:  # it is gone, or nobody may look into it
        return []


def card_of(source: Source) -> ModelCard:
    """Return a source's card, from its folder or as it was recorded; no network is asked.

    Raises:
        ModelRefused: it is no model that is opened.
    """
    if source.folder:
        found = card.read(Path(source.folder))
        return replace(found, name=source.name, revision=source.revision or found.revision)
    known = recorded.models().get(source.name)
    if known is None:
        raise ModelRefused("not_found", model=source.name[:80])
    return known.card


def kind_of(source: Source) -> ModelKind:
    """Return what a model is; unknown where it is none that is opened."""
    if not source.folder:
        return card_of(source).kind
    try:
        return _kind(source.folder, max(each.stat().st_mtime_ns for each in Path(source.folder).glob("*.json")))
    except (OSError, ValueError):  # it is gone, or was never there
        return "unknown"


@lru_cache(maxsize=256)
def _kind(folder: str, _changed: int) -> ModelKind:
    try:
        return card.read(Path(folder)).kind
    except ModelRefused:
        return "unknown"


def resolve(address: str, *, public: bool) -> HubModel:
    """Weigh a model of the Hub before anything large is fetched.

    Args:
        public: whether strangers reach this server.

    Raises:
        ModelRefused: the owner does not allow it, or as `explorer.opened.cards.hub.resolve`.
    """
    _allow(public=public)
    return hub.resolve(address)


def weigh(address: str, *, public: bool) -> HubModel:
    """Return what a model of the Hub is and costs, even where it is too large to be opened; arguments as of `resolve`.

    Raises:
        ModelRefused: the owner does not allow it, or as `explorer.opened.cards.hub.weigh`.
    """
    _allow(public=public)
    return hub.weigh(address)


def way_of(known: ModelCard) -> Way:
    """Return how the weights of a model's attention are taken."""
    return "project" if known.family in our_card.KINDS else configuration.find_way(known.family)


def _allow(*, public: bool) -> None:
    if not limits.allows_hub(public=public):
        raise ModelRefused("not_allowed")


def open_source(model: HubModel, folder: Path) -> Source:
    """Return the source of a model that was fetched."""
    return Source(
        name=model.repo, folder=str(folder), revision=model.revision, address=f"{model.repo}@{model.revision}"
    )
