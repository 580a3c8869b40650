"""A tape that containers hand down, so that observing a shared model stores nothing on it."""

from typing import Generic, NamedTuple, TypeVar

from jaxtyping import Float
from torch import Tensor

from explorer.attention.attend import Attended


class SiteInputs(NamedTuple):
    """The inputs of one attention: `query_input` gave its queries, `context` its keys and values."""

    query_input: Float[Tensor, "batch queries d_model"]
    context: Float[Tensor, "batch keys d_model"]


Seen = TypeVar("Seen")


class SiteTape(Generic[Seen]):
    """Collects what every site of one forward pass did.

    One tape belongs to one pass: it is an argument, so two sessions that share a model never see each other's maps.
    """

    def __init__(self) -> None:
        self._observed: dict[str, Seen] = {}

    def record(self, site: str, observed: Seen) -> None:
        """Keep what `site` (such as `stages.1.channel`) did.

        Raises:
            ValueError: if the site was recorded before on this tape.
        """
        if site in self._observed:
            raise ValueError(f"{site} was recorded twice on one tape")
        self._observed[site] = observed

    def __getitem__(self, site: str) -> Seen:
        """Return what a site did."""
        return self._observed[site]

    @property
    def sites(self) -> tuple[str, ...]:
        """Return every recorded site, in the order of the pass."""
        return tuple(self._observed)


class Tape(SiteTape[Attended]):
    """Collects what every attention of one forward pass computed, by site (such as `decoder.layers.1.cross`).

    Args:
        feed_forward: whether to keep what the feed-forward nets add too. What an attention adds is its output anyway.
    """

    def __init__(self, *, feed_forward: bool = False) -> None:
        super().__init__()
        self._read: dict[str, SiteInputs] = {}
        self._feed_forward: dict[str, Float[Tensor, "batch positions d_model"]] | None = {} if feed_forward else None

    def record(self, site: str, observed: Attended, *, read: SiteInputs | None = None) -> None:
        """Keep what `site` computed and, where it is given, what it read.

        Raises:
            ValueError: if the site was recorded before on this tape.
        """
        super().record(site, observed)
        if read is not None:
            self._read[site] = read

    def read(self, site: str) -> SiteInputs:
        """Return what a site read.

        Raises:
            KeyError: if the site was not recorded, or without what it read.
        """
        return self._read[site]

    def record_net(self, site: str, added: Float[Tensor, "batch positions d_model"]) -> None:
        """Keep what the feed-forward net of a layer (such as `decoder.layers.1`) adds, if this tape was asked to."""
        if self._feed_forward is not None:
            self._feed_forward[site] = added

    def net(self, site: str) -> Float[Tensor, "batch positions d_model"]:
        """Return what the feed-forward net of a layer added.

        Raises:
            KeyError: if there is no such layer, or the tape was not asked to keep it.
        """
        return (self._feed_forward or {})[site]
