"""How good is a translation? BLEU of one sentence against what somebody else wrote."""

from dataclasses import dataclass

from explorer.evaluate.sentence_bleu import MOST_ORDER, SentenceBleu, Tokens, sentence_bleu, tokenise
from explorer.lessons.translator.records import NgramRow
from explorer.records.language import t
from explorer.records.provenance import Provenance

#: Tokens of a side; more are not drawn.
MOST_TOKENS = 60
#: Between two references.
SEPARATOR = "|"


class TooLongError(ValueError):
    """A side has more tokens than are drawn; `tokens` says how many."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        super().__init__(f"{tokens} tokens, at most {MOST_TOKENS}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuParams:
    """A text to judge, and how.

    Attributes:
        hypothesis: the text that is judged.
        references: what others wrote, `SEPARATOR` between them.
        order: the longest n-grams that count, 1…`MOST_ORDER`.
        tokens: what a token is.
        lowercase: whether capital letters do not count.
    """

    hypothesis: str
    references: str
    order: int = MOST_ORDER
    tokens: Tokens = "words"
    lowercase: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", min(max(self.order, 1), MOST_ORDER))


def judge(params: BleuParams) -> SentenceBleu | None:
    """Take the BLEU of a text apart; None where a side holds no token.

    Raises:
        TooLongError: a side has too many tokens.
    """
    each = [params.hypothesis, *params.references.split(SEPARATOR)]
    hypothesis, *others = (tokenise(text, params.tokens, lowercase=params.lowercase) for text in each)
    references = [words for words in others if words]
    longest = max(map(len, [hypothesis, *references]))
    if longest > MOST_TOKENS:
        raise TooLongError(longest)
    return sentence_bleu(hypothesis, references, params.order) if hypothesis and references else None


def rows(found: SentenceBleu) -> tuple[NgramRow, ...]:
    """Return what is drawn: for each order the n-grams of the hypothesis and of the first reference."""
    return tuple(
        NgramRow(
            n=each.n,
            written=_named(found.hypothesis, each.n, each.matched),
            reference=_named(found.references[0], each.n, each.found),
        )
        for each in found.orders
    )


def provenance(params: BleuParams) -> Provenance:
    """Return how it was computed."""
    cut = {"words": "13a", "characters": "zh"}[params.tokens]
    case = "lc" if params.lowercase else "mixed"
    detail = f"sentence BLEU, k = {params.order}, tokens {cut}, case {case}, smoothing none and exp"
    return Provenance.of(sentence_bleu, dtype="float64", detail=detail)


def describe(found: SentenceBleu, tokens: Tokens = "words") -> str:
    """Say how many n-grams match and what comes of it."""
    there = [each for each in found.orders if each.total]
    said = {
        "words": t("Words that match: **{correct} of {total}**."),
        "characters": t("Characters that match: **{correct} of {total}**."),
    }
    if len(there) > 1:
        said = {
            "words": t("Words that match: **{correct} of {total}**; runs of {n} words: **{runs} of {all_runs}**."),
            "characters": t(
                "Characters that match: **{correct} of {total}**; runs of {n} characters: **{runs} of {all_runs}**."
            ),
        }
    counts = said[tokens].format(
        correct=there[0].correct,
        total=there[0].total,
        n=there[-1].n,
        runs=there[-1].correct,
        all_runs=there[-1].total,
    )
    scores = t("BLEU: **{book}** as in the book, **{standard}** as usual.").format(
        book=f"{found.book:.3f}", standard=f"{found.standard:.3f}"
    )
    return f"{counts} {scores}"


def _named(tokens: tuple[str, ...], n: int, matched: tuple[bool, ...]) -> tuple[tuple[str, bool], ...]:
    return tuple((" ".join(tokens[start : start + n]), there) for start, there in enumerate(matched))
