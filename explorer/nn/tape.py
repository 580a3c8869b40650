"""A tape that containers hand down, so that observing a shared model stores nothing on it."""

from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import Attended


class Read(NamedTuple):
    """What one attention read: `asking` gave its queries, `asked` its keys and values."""

    asking: Float[Tensor, "batch queries d_model"]
    asked: Float[Tensor, "batch keys d_model"]


class Tape:
    """Collects what every attention of one forward pass computed, by site.

    One tape belongs to one pass: it is an argument, so two sessions that share a model never see each other's maps.
    """

    def __init__(self) -> None:
        self._observed: dict[str, Attended] = {}
        self._read: dict[str, Read] = {}

    def record(self, site: str, attended: Attended, *, read: Read | None = None) -> None:
        """Keep what `site` (such as `decoder.layers.1.cross`) computed and, where it is given, what it read.

        Raises:
            ValueError: if the site was recorded before on this tape.
        """
        if site in self._observed:
            raise ValueError(f"{site} was recorded twice on one tape")
        self._observed[site] = attended
        if read is not None:
            self._read[site] = read

    def __getitem__(self, site: str) -> Attended:
        """What a site computed."""
        return self._observed[site]

    def read(self, site: str) -> Read:
        """What a site read.

        Raises:
            KeyError: if the site was not recorded, or without what it read.
        """
        return self._read[site]

    @property
    def sites(self) -> tuple[str, ...]:
        """Every recorded site, in the order of the pass."""
        return tuple(self._observed)
