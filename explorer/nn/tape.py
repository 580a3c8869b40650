"""A tape that containers hand down, so that observing a shared model stores nothing on it."""

from explorer.attention.attend import Attended


class Tape:
    """Collects what every attention of one forward pass computed, by site.

    One tape belongs to one pass: it is an argument, so two sessions that share a model never see each other's maps.
    """

    def __init__(self) -> None:
        self._observed: dict[str, Attended] = {}

    def record(self, site: str, attended: Attended) -> None:
        """Keep what `site` (such as `decoder.layers.1.cross`) computed.

        Raises:
            ValueError: if the site was recorded before on this tape.
        """
        if site in self._observed:
            raise ValueError(f"{site} was recorded twice on one tape")
        self._observed[site] = attended

    def __getitem__(self, site: str) -> Attended:
        """What a site computed."""
        return self._observed[site]

    @property
    def sites(self) -> tuple[str, ...]:
        """Every recorded site, in the order of the pass."""
        return tuple(self._observed)
