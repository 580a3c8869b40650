"""“The Transformer, whole”: what is asked for and what comes of it."""

from dataclasses import dataclass

from explorer.inference.translator.request import CHECKPOINT
from explorer.records.sequence import ReadAs
from explorer.records.whole_pass import WholePass

#: Three words whose order French turns round.
EXAMPLE = "I miss you."
#: Tokens that the picture has room for, in either language.
MOST_TOKENS = 24
#: Characters of the sentence.
MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A sentence, and the translator that reads it."""

    text: str = EXAMPLE
    checkpoint: str = CHECKPOINT


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One recorded pass.

    Attributes:
        replaced: what was read as something else.
    """

    whole: WholePass
    replaced: tuple[ReadAs, ...] = ()

    def awake(self, net: str) -> float:
        """Return the share of a feed-forward net's units that are above 0, over all tokens."""
        return float((self.whole[f"{net}.units"] > 0).mean())
