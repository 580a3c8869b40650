"""“Open a model”: what is asked, what is shown of it, and what came out."""

from dataclasses import dataclass
from typing import Literal

from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import HeadRule, ModelLook, OpenedTokens, Site
from explorer.records.opened.texts import CAPITALS
from explorer.records.provenance import Provenance
from explorer.records.wording import clamp
from explorer.scenes.open_model import WRITER

#: What the small squares show.
Shown = Literal["maps", "rules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A model and a text.

    Attributes:
        model: its name among the recorded ones, on the shelf, or of the Hub.
        revision: a commit of the Hub; empty for every other model.
        start: the token that a translation begins with where a model writes several languages; empty for the usual one.
    """

    model: str = WRITER
    text: str = CAPITALS
    revision: str = ""
    start: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn; numbers beyond what there is are clamped when the view is applied.

    Attributes:
        site: number of the attention in the pass.
        head: from 0.
        rest: whether the places where heads rest are left out.
        shown: what the small squares show.
        word: the token that asks; None where the picture chooses the row that looks hardest.
    """

    site: int = 0
    head: int = 0
    rest: bool = False
    shown: Shown = "maps"
    word: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result:
    """Every head of a model on one text."""

    params: Params
    card: ModelCard
    look: ModelLook

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the look."""
        return self.look.provenance


def clamp_head(result: Result, site: int, head: int) -> tuple[int, int]:
    """Return the nearest site and head there are."""
    site = clamp(site, len(result.look.sites))
    return site, clamp(head, result.look.sites[site].heads)


def rule(result: Result, view: View) -> HeadRule:
    """Return what the view's head does."""
    site, head = clamp_head(result, view.site, view.head)
    return result.look.rules[site][head]


def site(result: Result, view: View) -> Site:
    """Return the attention of the view."""
    return result.look.sites[clamp_head(result, view.site, view.head)[0]]


def tokens(result: Result, view: View) -> tuple[OpenedTokens, OpenedTokens]:
    """Return the tokens that ask and those that are asked, of the view's attention."""
    return result.look.tokens(site(result, view).part)
