"""Options of a search, and the hypotheses it finds."""

from dataclasses import dataclass, replace

MAX_BEAM = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingOptions:
    """The options of a search.

    Attributes:
        beam: hypotheses kept at each step; 1 is greedy.
        length_penalty: exponent α of `length_factor`; 0 compares sums of log-probabilities, which favours short ones.
        max_length: most target tokens, `</s>` included; never more than the model can read.
        min_length: fewest target tokens before `</s>`.

    Raises:
        ValueError: naming the field that is out of range.
    """

    beam: int = 4
    length_penalty: float = 0.6
    max_length: int = 256
    min_length: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.beam <= MAX_BEAM:
            raise ValueError(f"beam {self.beam} is not in 1…{MAX_BEAM}")
        if not 0 <= self.length_penalty <= 5:
            raise ValueError(f"length_penalty {self.length_penalty} is not in 0…5")
        if not 0 <= self.min_length < self.max_length:
            raise ValueError(f"lengths {self.min_length}…{self.max_length} leave no target")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothesis:
    """A translation that was found.

    Attributes:
        ids: target tokens without `<s>`, with `</s>` if it was reached.
        log_probability: sum over `ids`, in nats.
        score: `log_probability / length_factor(len(ids), α)`: what hypotheses are ranked by.
        finished: whether `</s>` was reached before the length ran out.
    """

    ids: tuple[int, ...]
    log_probability: float
    score: float
    finished: bool


#: A translation may have this many tokens per source token, and this many more.
GROWTH, ALLOWANCE = 2, 10


def bound_length(options: DecodingOptions, n_source: int) -> DecodingOptions:
    """Bound a search by the length that a source of `n_source` tokens may grow to."""
    most = max(options.min_length + 1, min(options.max_length, GROWTH * n_source + ALLOWANCE))
    return replace(options, max_length=most)


def length_factor(n_tokens: int, alpha: float) -> float:
    """Return the divisor that makes sums of log-probabilities of different lengths comparable.

    lp(n) = ((5 + n) / 6)^α (Wu et al. 2016, eq. 14), n counting `</s>`.
    """
    return float(((5 + n_tokens) / 6) ** alpha)
