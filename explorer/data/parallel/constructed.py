"""Sentences with names, numbers, dates, times, prices and addresses that no corpus has, in four languages at once.

A sentence has slots; what fills them is drawn, and written as each language writes it: 8,000 is 8 000 in French and
8.000 in German. `python -m explorer.data.parallel.constructed 20000 --seed 1 <folder>` writes a folder a language.
"""

import argparse
import gzip
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from explorer.data.parallel import dates
from explorer.data.parallel.copying import invented_name

HERE = Path(__file__).parent
LANGUAGES = ("en", "fr", "de", "zh")
SLOT = re.compile(r"\{(\w+)\}")
TITLES = (("Mr.", "M.", "Herr", "先生"), ("Mrs.", "Mme", "Frau", "太太"), ("Ms.", "Mme", "Frau", "女士"))
DOCTOR = ("Dr.", "Dr", "Dr.", "博士")
CURRENCIES = (("$", " $", " Dollar", "美元"), ("€", " €", " Euro", "欧元"), ("£", " £", " Pfund", "英镑"))
#: What a language puts between thousands, and before decimals.
THOUSANDS, DECIMAL = (",", " ", ".", ","), (".", ",", ",", ".")
#: A filled slot, in the order of `LANGUAGES`.
Filled = tuple[str, str, str, str]


def generate_sentences(n: int, *, seed: int) -> Iterator[Filled]:
    """Yield sentences in all four languages."""
    draw = random.Random(f"constructed {seed}")  # noqa: S311 (no secret)
    for _ in range(n):
        yield fill(draw.choice(sentences()), draw)


def fill(sentence: Filled, draw: random.Random) -> Filled:
    """Return a sentence with its slots filled; one that stands in all four languages is filled alike."""
    slots = dict.fromkeys(slot for text in sentence for slot in SLOT.findall(text))
    found: dict[str, Filled] = {}
    for slot in slots:
        if slot.lower() not in found and slot not in ("bare_date", "sum"):
            found[slot.lower()] = _filled(slot.lower().rstrip("2"), draw)
    if "date" in found:
        found["bare_date"] = _all(found["date"][2].removeprefix("der "))
    if "sum" in slots:
        found["sum"] = _all(str(int(found["count"][0]) + int(found["count2"][0])))

    def written(language: int) -> str:
        return SLOT.sub(lambda slot: found[slot[1].lower()][language], sentence[language])

    return written(0), written(1), written(2), written(3)


def _filled(slot: str, draw: random.Random) -> Filled:
    """Return what a slot is filled with."""
    if slot in ("name", "titled", "city", "address", "mail"):
        return _person_or_place(slot, draw)
    if slot in ("on_date", "date", "at_time"):
        return dates.write_date(slot, draw)
    if slot in ("number", "decimal", "percent", "price"):
        return _quantity(slot, draw)
    return _all(_sign(slot, draw))


def _person_or_place(slot: str, draw: random.Random) -> Filled:
    if slot == "name":
        return _all(_name(draw))
    if slot == "titled":
        return _titled(draw)
    if slot == "mail":
        user = f"{draw.choice(_words('first'))}.{draw.choice(_words('last'))}".lower().replace("'", "")
        return _all(f"{user}@{draw.choice(('example.org', 'mail.net', 'school.edu', 'post.de'))}")
    return _all(
        draw.choice(_words("city")) if slot == "city" else f"{draw.choice(_words('street'))} {draw.randint(1, 250)}"
    )


def _name(draw: random.Random) -> str:
    """Return a first name, a whole name, one of several parts, or one that nobody has."""
    first, last, other = draw.choice(_words("first")), draw.choice(_words("last")), draw.choice(_words("last"))
    kinds = (
        *(first, last, f"{first} {last}", f"{first} {last}", f"{first} {last}-{other}"),
        *(f"{first}-{draw.choice(_words('first'))} {last}", f"{first} {draw.choice('ABCDEFGHJKLMPRSTW')}. {last}"),
        *(
            f"{first} {draw.choice(('van', 'de', 'von', 'van der', 'de la', 'al'))} {last}",
            f"{first} {invented_name(draw)}",
        ),
        *(invented_name(draw), f"{invented_name(draw)} {invented_name(draw)}"),
    )
    return draw.choice(kinds)


def _titled(draw: random.Random) -> Filled:
    last = draw.choice((draw.choice(_words("last")), draw.choice(_words("last")), invented_name(draw)))
    title = draw.choice((*TITLES, DOCTOR))
    return f"{title[0]} {last}", f"{title[1]} {last}", f"{title[2]} {last}", f"{last}{title[3]}"


def _quantity(slot: str, draw: random.Random) -> Filled:
    whole = draw.randrange(10 ** draw.randint(0, 5), 10 ** draw.randint(6, 7)) if draw.random() < 0.3 else _digits(draw)
    if slot == "number":
        return _grouped(whole, grouped=draw.random() < 0.6)
    if slot == "decimal":
        return _with_decimals(draw.randint(0, 300), draw.choice((f"{draw.randint(1, 9)}", f"{draw.randint(1, 99):02}")))
    if slot == "percent":
        plain = _all(str(draw.randint(1, 100)))
        share = plain if draw.random() < 0.5 else _with_decimals(draw.randint(0, 99), str(draw.randint(1, 9)))
        return f"{share[0]}%", f"{share[1]} %", f"{share[2]} %", f"{share[3]}%"
    signs = draw.choice(CURRENCIES)
    cents = _with_decimals(draw.randint(0, 400), f"{draw.randint(1, 99):02}")
    amount = cents if draw.random() < 0.4 else _grouped(whole, grouped=draw.random() < 0.8)
    return f"{signs[0]}{amount[0]}", f"{amount[1]}{signs[1]}", f"{amount[2]}{signs[2]}", f"{amount[3]}{signs[3]}"


def _digits(draw: random.Random) -> int:
    """Return a number of one to six digits, any length as likely as any other, half of those of three or more round."""
    n = draw.randint(1, 6)
    number = draw.randrange(10 ** (n - 1), 10**n)
    return number // 10 ** (n - 1) * 10 ** (n - 1) if n > 2 and draw.random() < 0.4 else number


def _grouped(number: int, *, grouped: bool) -> Filled:
    """Return a whole number, in groups of three digits or in one."""
    if not grouped or number < 1000:
        return _all(str(number))
    one, two, three, four = (f"{number:,}".replace(",", sign) for sign in THOUSANDS)
    return one, two, three, four


def _with_decimals(whole: int, part: str) -> Filled:
    one, two, three, four = (f"{whole}{sign}{part}" for sign in DECIMAL)
    return one, two, three, four


def _sign(slot: str, draw: random.Random) -> str:
    """Return what is written alike everywhere."""
    if slot == "year":
        return str(draw.randint(1500, 2029))
    if slot == "count":
        return str(draw.randint(1, draw.choice((20, 99, 999))))
    if slot == "code":
        return "".join(draw.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=2)) + str(draw.randint(10, 9999))
    groups = draw.choice(((3, 4), (3, 3, 4), (2, 2, 2, 2, 2), (4, 6), (5, 4)))
    first = draw.choice(("", "", "+44 ", "+49 ", "+33 ", "+86 ", "0"))
    return first + draw.choice("- ").join("".join(draw.choices("0123456789", k=k)) for k in groups)


def _all(text: str) -> Filled:
    return text, text, text, text


@cache
def sentences() -> tuple[Filled, ...]:
    """Read the templates with slots, in four languages."""
    lines = (HERE / "sentences.tsv").read_text(encoding="utf-8").splitlines()
    return tuple((one, two, three, four) for one, two, three, four in (line.split("\t") for line in lines))


@cache
def _words(kind: str) -> tuple[str, ...]:
    """Read first or last names, cities or streets."""
    lines = (HERE / "names.tsv").read_text(encoding="utf-8").splitlines()
    words = dict(line.split("\t") for line in lines)[kind]
    return tuple(words.split("|" if "|" in words else " "))


def main() -> None:
    """Write a folder `constructed_<language>` with train.tsv.gz of each language beside English."""
    parser = argparse.ArgumentParser(prog="python -m explorer.data.parallel.constructed", description=__doc__)
    parser.add_argument("n", type=int, help="sentences")
    parser.add_argument("out", type=Path, help="folder of the folders")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.n < 1:
        parser.error(f"n is {given.n}; it must be at least 1")
    made = list(generate_sentences(given.n, seed=given.seed))
    for i, language in enumerate(LANGUAGES[1:], 1):
        folder = given.out / f"constructed_{language}"
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{row[0]}\t{row[i]}\n" for row in made)
        (folder / "train.tsv.gz").write_bytes(gzip.compress(text.encode()))


if __name__ == "__main__":
    main()
