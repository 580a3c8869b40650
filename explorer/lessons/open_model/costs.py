"""What a model costs before anything of it is fetched or opened: download, memory, and maps by the length of a text."""

from dataclasses import dataclass

from explorer.lessons.open_model import models
from explorer.opened import limits, sources
from explorer.opened.cards.configuration import Way
from explorer.opened.cards.hub import HubModel
from explorer.opened.limits import Limits
from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelCard
from explorer.records.provenance import Provenance

#: Bits in which a weight may be kept: as it runs here, as most are stored, and rounded as on laptops and phones.
BITS = (32, 16, 8, 4)
#: Tokens of a text.
LENGTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096)
#: How many lengths are drawn at once, each half of the next, and all that may be.
_ROWS = 4
DRAWN = tuple(LENGTHS[0] >> halved for halved in range(_ROWS - 1, 0, -1)) + LENGTHS


@dataclass(frozen=True, slots=True, kw_only=True)
class CostParams:
    """A model and the length of a text.

    Attributes:
        model: its name here, or `org/name` of the Hub, with or without `@revision`.
        tokens: of the text.
    """

    model: str
    revision: str
    tokens: int

    @property
    def address(self) -> str:
        """Return what the Hub is asked for."""
        return f"{self.model}@{self.revision}" if self.revision else self.model

    @property
    def is_here(self) -> bool:
        """Return whether nothing has to be fetched, or the name is none of the Hub."""
        return models.is_here(self.model, self.revision) or "/" not in self.model


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCosts:
    """A model before it is opened, and the bounds of the server.

    Attributes:
        address: where the Hub has it; empty for a folder.
        download: bytes to fetch; 0 where it is here.
        opens: whether its folder is here: of a recorded model alone, only texts are.
        way: how the weights of its attention are taken.
        refused: why it is not opened, with the number and its bound; None if it is.
    """

    params: CostParams
    card: ModelCard
    address: str
    download: int
    opens: bool
    way: Way
    bounds: Limits
    refused: ModelRefused | None

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the numbers: configuration and headers alone."""
        return Provenance.of(compute, dtype="int64", model=self.card.name, revision=self.card.revision)

    @property
    def most_tokens(self) -> int:
        """Return how many tokens of a text are drawn here: no more than the model can read."""
        return min(self.bounds.tokens, self.card.longest or self.bounds.tokens)

    @property
    def peak(self) -> int:
        """Return the bytes that the worker takes while it reads a text of this length."""
        return self.card.peak_bytes(self.params.tokens)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Return the lengths that are drawn, in tokens, the chosen one last."""
        last = DRAWN.index(self.params.tokens) + 1
        return DRAWN[last - _ROWS : last]


def compute(params: CostParams, weighed: HubModel | None = None) -> ModelCosts:
    """Return what a model costs.

    Args:
        weighed: what the Hub said of it, if it is not here.

    Raises:
        ModelRefused: there is no such model, or none that attends.
    """
    if weighed is None:
        found = models.find(params.model, params.revision)
        card, address, download, opens = sources.card_of(found), found.address, 0, bool(found.folder)
    else:
        card, download, opens = weighed.card, weighed.size, False
        address = f"{weighed.repo}@{weighed.revision}"
    bounds = limits.limits()
    return ModelCosts(
        params=params,
        card=card,
        address=address,
        download=download,
        opens=opens,
        way=sources.way_of(card),
        bounds=bounds,
        refused=_refusal(card, bounds, download),
    )


def _refusal(card: ModelCard, bounds: Limits, download: int) -> ModelRefused | None:
    try:
        limits.check(card, bounds, download=download)
    except ModelRefused as refused:
        return refused
    return None
