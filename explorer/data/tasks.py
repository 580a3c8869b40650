"""Small tasks that a model learns in a minute: words rewritten, dates, numbers, French, couplets, verse, digits."""

import calendar
import random
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from explorer.data.couplet_rule import first_line, second_line
from explorer.data.digits import digits
from explorer.data.number_words import chinese, english
from explorer.data.parallel.pairs import Pair
from explorer.data.short_french import sentence
from explorer.data.task_tokenizer import Unit
from explorer.data.verses import verses

Task = Literal["reverse", "copy", "sort", "dates", "numbers_en", "numbers_zh", "en_fr", "couplets", "verses", "digits"]
TASKS: tuple[Task, ...] = get_args(Task)
LETTERS = string.ascii_lowercase
#: Lengths of the words that are reversed, copied and sorted.
SHORTEST, LONGEST = 3, 10
FIRST_DAY, N_DAYS = date(1900, 1, 1), 73_049
MONTHS, SHORT_MONTHS = tuple(calendar.month_name)[1:], tuple(calendar.month_abbr)[1:]
#: The held-out examples of a task are the same for every seed of training, so that runs can be compared.
HELD_OUT_SEED = 271_828
N_HELD_OUT = 500
#: Held-out couplets of real verse: there are few, and most are needed to learn from.
N_HELD_OUT_VERSES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Examples to learn from and examples to be measured on: no source in common, and no target but for digits."""

    train: list[Pair]
    held_out: list[Pair]


def examples(task: Task, n: int, seed: int) -> list[Pair]:
    """Make examples with different sources, the same for the same seed; fewer than `n` where there are not so many."""
    draw = random.Random(seed)  # noqa: S311 - examples, not secrets
    if task in COLLECTED:
        every = COLLECTED[task]()
        return draw.sample(every, min(n, len(every)))
    found: dict[str, Pair] = {}
    for _ in range(4 * n):
        pair = GENERATORS[task](draw)
        found.setdefault(pair.source, pair)
        if len(found) == n:
            break
    return list(found.values())


def split_task(task: Task, n_train: int, seed: int) -> Split:
    """Make fresh examples to train on, none of them like one that is held out."""
    held_out = examples(task, N_HELD_OUT_VERSES if task == "verses" else N_HELD_OUT, HELD_OUT_SEED)
    seen = {pair.source for pair in held_out}
    if task != "digits":  # ten answers, which all are learnt
        seen |= {pair.targets[0] for pair in held_out}
    train = [pair for pair in examples(task, n_train, seed) if not seen & {pair.source, pair.targets[0]}]
    return Split(train=train, held_out=held_out)


def unit_of(task: Task) -> Unit:
    """Return what a token of the task is."""
    return "words" if task in ("numbers_en", "en_fr") else "characters"


def expected_answer(task: Task, text: str) -> str | None:
    """Return the right answer to a text of the reader's, where it is clear; None where it takes a reader to know."""
    return REWRITES[task](text) if task in REWRITES else None


def _word(draw: random.Random) -> str:
    return "".join(draw.choices(LETTERS, k=draw.randint(SHORTEST, LONGEST)))


def _rewritten(rewrite: Callable[[str], str]) -> Callable[[random.Random], Pair]:
    def generate(draw: random.Random) -> Pair:
        word = _word(draw)
        return Pair(word, (rewrite(word),))

    return generate


def _date(draw: random.Random) -> Pair:
    day = FIRST_DAY + timedelta(days=draw.randrange(N_DAYS))
    written = draw.choice(DATE_FORMS)(day)
    return Pair(written.lower() if draw.random() < 0.1 else written, (day.isoformat(),))


def _number(say: Callable[[int], str]) -> Callable[[random.Random], Pair]:
    def generate(draw: random.Random) -> Pair:
        number = draw.randrange(10 ** draw.randint(1, 6))  # as many short ones as long ones
        return Pair(say(number), (str(number),))

    return generate


def _couplet(draw: random.Random) -> Pair:
    line = first_line(draw)
    return Pair(line, (second_line(line) or "",))


def _short_french(draw: random.Random) -> Pair:
    english, french = sentence(draw)
    return Pair(english, (french,))


def _sorted(text: str) -> str:
    return "".join(sorted(text))


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number not in (11, 12, 13) else "th"
    return f"{number}{ending}"


#: How a date is written; days come before months in those without a name.
DATE_FORMS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{d.day} {SHORT_MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{SHORT_MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{_ordinal(d.day)} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{d.day}/{d.month}/{d.year}",
    lambda d: f"{d.day}.{d.month}.{d.year}",
)
WORDS: Mapping[Task, Callable[[str], str]] = {"reverse": lambda text: text[::-1], "copy": str, "sort": _sorted}
#: Tasks whose rule answers whatever is typed; None for what it does not know.
REWRITES: Mapping[Task, Callable[[str], str | None]] = {**WORDS, "couplets": second_line}
GENERATORS: Mapping[Task, Callable[[random.Random], Pair]] = {
    **{task: _rewritten(rewrite) for task, rewrite in WORDS.items()},
    "dates": _date,
    "numbers_en": _number(english),
    "numbers_zh": _number(chinese),
    "en_fr": _short_french,
    "couplets": _couplet,
}
#: Tasks whose examples were collected, and are as many as they are.
COLLECTED: Mapping[Task, Callable[[], tuple[Pair, ...]]] = {"verses": verses, "digits": digits}


def texts(pairs: Iterable[Pair]) -> Iterable[str]:
    """Return all sources and targets."""
    return (text for pair in pairs for text in (pair.source, *pair.targets))
