"""“Scoring functions”: what is asked for, what is drawn, what was found."""

from dataclasses import dataclass

from explorer.lessons.scoring_functions.identities import Identities
from explorer.lessons.scoring_functions.records import Shown
from explorer.records.provenance import Provenance
from explorer.records.scoring import ScoringRecord
from explorer.records.wording import parse_int
from explorer.scenes.scoring_functions import KEYS, QUERY

QUERIES, D_VALUE = 4, 4
#: Valid lengths are smaller.
MOST_TYPED = 10_000
#: The longest vectors and the most keys: drawn once, and cut, so that moving a slider keeps what was there.
LONGEST, MOST_KEYS = int(QUERY.options[-1]), int(KEYS.high)


class ValidLengthsError(ValueError):
    """Text typed as valid lengths that is not a list of whole numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Settings of what is scored.

    Attributes:
        d_query: length of the queries; also the number of hidden units of the additive scores.
        d_key: length of the keys.
        n_keys: keys that each of the four queries meets.
        temperature: what scores are divided by before the softmax.
        valid_lengths: how many keys each query may attend to, the last one for all further queries; empty for all.

    Raises:
        ValueError: if a number lies outside its range.
    """

    d_query: int = 16
    d_key: int = 16
    n_keys: int = 8
    temperature: float = 1.0
    valid_lengths: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if not (2 <= self.d_query <= LONGEST and 2 <= self.d_key <= LONGEST and 2 <= self.n_keys <= MOST_KEYS):
            raise ValueError(f"{self}: lengths must lie in 2…{LONGEST}, the number of keys in 2…{MOST_KEYS}")
        if not self.temperature > 0 or any(length < 0 for length in self.valid_lengths):
            raise ValueError(f"{self}: the temperature must be above 0, and no valid length below it")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn.

    Attributes:
        shown: weights, scores or output.
        function: the one shown large, and whose code is shown.
        measure: the one drawn as bars, a field of `ScoreMeasures`.
    """

    shown: Shown = "weights"
    function: str = "scaled_dot"
    measure: str = "variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Scores, weights and outputs of every function on the same queries, keys and values.

    Attributes:
        records: one per function that could score.
        refused: names of the functions that need queries and keys of one length, where they differ.
        identities: how far pairs of functions that should agree do.
    """

    params: Params
    records: tuple[ScoringRecord, ...]
    refused: tuple[str, ...]
    identities: Identities
    provenance: Provenance

    def record(self, function: str) -> ScoringRecord:
        """Return the record of one function; of the general one, which always scores, if that one could not."""
        found = {record.name: record for record in self.records}
        return found.get(function, found["general"])


def parse_valid_lengths(text: str) -> tuple[int, ...]:
    """Read “3, 5, 8” as valid lengths, at most one for each query; nothing at all means that every key is valid.

    Raises:
        ValidLengthsError: if there is anything but whole numbers, or too many of them.
    """
    words = text.replace(",", " ").replace("，", " ").replace("、", " ").split()
    lengths = tuple(number for number in map(parse_int, words) if number is not None and number < MOST_TYPED)
    if len(words) > QUERIES or len(lengths) < len(words):
        raise ValidLengthsError(f"valid lengths must be at most {QUERIES} whole numbers, such as 3, 5, 8")
    return lengths
