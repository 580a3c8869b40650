"""Bounds that the owner of a server sets by environment variables, and whether its readers may use the Hub."""

import os
from dataclasses import dataclass
from pathlib import Path

from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelCard

#: Folders of models, or folders that hold such folders, separated as in `PATH`.
SHELF = "EXPLORER_MODELS"
#: 1 lets readers of a public server open models of the Hub; 0 forbids it on a laptop, too.
ALLOWED = "EXPLORER_OPEN_MODELS"
DOWNLOAD, MEMORY, TOKENS, RESIDENT = (
    f"EXPLORER_MODEL_{each}" for each in ("DOWNLOAD_MB", "MEMORY_MB", "TOKENS", "RESIDENT")
)
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a server.

    Attributes:
        download: bytes of one model.
        memory: bytes that the worker may take.
        tokens: of one text.
        resident: models that stay open at the same time.
    """

    download: int = 1_500 * MEGABYTE
    memory: int = 4_000 * MEGABYTE
    tokens: int = 256
    resident: int = 2


def limits() -> Limits:
    """Return the bounds of this server."""
    usual = Limits()
    return Limits(
        download=_whole(DOWNLOAD, usual.download // MEGABYTE) * MEGABYTE,
        memory=_whole(MEMORY, usual.memory // MEGABYTE) * MEGABYTE,
        tokens=_whole(TOKENS, usual.tokens),
        resident=max(_whole(RESIDENT, usual.resident), 1),
    )


def check(card: ModelCard, bounds: Limits, *, download: int = 0) -> None:
    """Refuse what is larger than the owner allows, with the number and its bound.

    Args:
        download: bytes to fetch.

    Raises:
        ModelRefused: it is too large to fetch, to hold, or to draw.
    """
    if download > bounds.download:
        raise ModelRefused("too_large", model=card.name, asked=_millions(download), limit=bounds.download // MEGABYTE)
    asked = card.peak_bytes(bounds.tokens)
    if asked > bounds.memory:
        raise ModelRefused("memory", model=card.name, asked=_millions(asked), limit=bounds.memory // MEGABYTE)


def _millions(size: int) -> int:
    return -(-size // MEGABYTE)


def allows_hub(*, public: bool) -> bool:
    """Return whether readers may open models of the Hub.

    Args:
        public: whether strangers can reach this server; then its owner must have said so.
    """
    said = os.environ.get(ALLOWED, "").strip()
    return said == "1" if said else not public


def shelf_folders() -> tuple[Path, ...]:
    """Return the folders that the owner named."""
    return tuple(Path(each) for each in os.environ.get(SHELF, "").split(os.pathsep) if each)


def _whole(variable: str, usual: int) -> int:
    said = os.environ.get(variable, "").strip()
    return int(said) if said.isdecimal() else usual
