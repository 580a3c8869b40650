"""Short English sentences and their French, made by a small grammar of our own: nothing comes from a corpus.

It has what a word-by-word table cannot do: gender and number that agree, adjectives behind their noun, `ne … pas`
around the verb, elision before a vowel, an indefinite article that a negation turns into `de`.
"""

import random
from collections.abc import Mapping
from typing import NamedTuple


class Noun(NamedTuple):
    """A noun: English and French, in the singular and the plural, and whether it is feminine."""

    one: str
    many: str
    un: str
    des: str
    feminine: bool


class Adjective(NamedTuple):
    """An adjective: English, the four French forms, and whether it stands before the noun."""

    english: str
    forms: tuple[str, str, str, str]  # masculine, feminine, masculine plural, feminine plural
    before: bool


class Verb(NamedTuple):
    """A verb: English without and with -s, and its French forms with je, tu, il, nous, ils."""

    plain: str
    third: str
    forms: tuple[str, ...]


def _noun(english: str, french: str, *, many: str = "", des: str = "", feminine: bool = False) -> Noun:
    return Noun(english, many or f"{english}s", french, des or f"{french}s", feminine)


def _verb(plain: str, third: str, stem: str) -> Verb:
    """Return a regular verb in -er."""
    return Verb(plain, third, tuple(f"{stem}{end}" for end in ("e", "es", "e", "ons", "ent")))


def _adjective(english: str, *forms: str, before: bool = False) -> Adjective:
    masculine = forms[0]
    feminine = forms[1] if len(forms) > 1 else masculine if masculine.endswith("e") else f"{masculine}e"
    return Adjective(english, (masculine, feminine, f"{masculine}s", f"{feminine}s"), before)


PEOPLE = (
    _noun("friend", "ami"),
    _noun("child", "enfant", many="children"),
    _noun("queen", "reine", feminine=True),
    _noun("king", "roi"),
)
ANIMALS = (_noun("cat", "chat"), _noun("dog", "chien"), _noun("bird", "oiseau", des="oiseaux"))
THINGS = (
    _noun("house", "maison", feminine=True),
    _noun("book", "livre"),
    _noun("flower", "fleur", feminine=True),
    _noun("car", "voiture", feminine=True),
    _noun("tree", "arbre"),
    _noun("apple", "pomme", feminine=True),
    _noun("school", "école", feminine=True),
    _noun("garden", "jardin"),
)
SIZES = (_adjective("small", "petit", before=True), _adjective("big", "grand", before=True))
YOUNG = (_adjective("young", "jeune", before=True),)
COLOURS = (
    _adjective("red", "rouge"),
    _adjective("black", "noir"),
    _adjective("white", "blanc", "blanche"),
    _adjective("green", "vert"),
)
#: What may be said of what.
ADJECTIVES = {
    **dict.fromkeys(PEOPLE, SIZES + YOUNG),
    **dict.fromkeys(ANIMALS, SIZES + YOUNG + COLOURS),
    **dict.fromkeys(THINGS, SIZES + COLOURS),
}
VERBS = (
    Verb("see", "sees", ("vois", "vois", "voit", "voyons", "voient")),
    _verb("avoid", "avoids", "évit"),
    _verb("find", "finds", "trouv"),
    _verb("look for", "looks for", "cherch"),
    _verb("draw", "draws", "dessin"),
    _verb("watch", "watches", "regard"),
)
#: English, French, and which form of a verb they take.
PRONOUNS = (
    ("I", "je", 0),
    ("you", "tu", 1),
    ("he", "il", 2),
    ("she", "elle", 2),
    ("we", "nous", 3),
    ("they", "ils", 4),
)
_IL, _ILS = 2, 4
#: By the English article: masculine, feminine, the same two before a vowel, plural.
ARTICLES: Mapping[str, tuple[str, str, str, str, str]] = {
    "the": ("le", "la", "l'", "l'", "les"),
    "a": ("un", "une", "un", "une", "des"),
    "my": ("mon", "ma", "mon", "mon", "mes"),
    "this": ("ce", "cette", "cet", "cette", "ces"),
}
#: English articles that change before a plural.
PLURAL = {"a": "", "this": "these"}
#: Letters before which a word loses its vowel.
VOWELS = tuple("aeéiou")


def sentence(draw: random.Random) -> tuple[str, str]:
    """Make a sentence and its French: a statement, a denial or a question."""
    kind = draw.choice(("statement", "statement", "denial", "question"))
    seen, vu = _phrase(draw, ANIMALS + THINGS + PEOPLE, several=draw.random() < 0.3, denied=kind == "denial")
    verb, (subject, sujet, person) = draw.choice(VERBS), draw.choice(PRONOUNS)
    if draw.random() < 0.5:
        several = draw.random() < 0.4
        (subject, sujet), person = _phrase(draw, PEOPLE + ANIMALS, several=several), _ILS if several else _IL
    does, told, forme = ("does", verb.third, verb.forms[person])
    if person != _IL:
        does, told = "do", verb.plain
    if kind == "denial":
        return f"{subject} {does} not {verb.plain} {seen}.", f"{sujet} {_elided('ne', forme)} pas {vu}."
    fait = _elided(sujet, forme) if sujet == "je" else f"{sujet} {forme}"
    if kind == "question":
        return f"{does} {subject} {verb.plain} {seen}?", f"{_elided('est-ce que', fait)} {vu} ?"
    return f"{subject} {told} {seen}.", f"{fait} {vu}."


def _phrase(draw: random.Random, nouns: tuple[Noun, ...], *, several: bool, denied: bool = False) -> tuple[str, str]:
    """Make an article, an adjective or none, and a noun, in both languages."""
    noun, article = draw.choice(nouns), draw.choice(tuple(ARTICLES))
    adjective = draw.choice(ADJECTIVES[noun]) if draw.random() < 0.5 else None
    shown = PLURAL.get(article, article) if several else article
    words = (shown, adjective.english if adjective else "", noun.many if several else noun.one)
    return " ".join(filter(None, words)), _french(noun, adjective, article, several=several, denied=denied)


def _french(noun: Noun, adjective: Adjective | None, article: str, *, several: bool, denied: bool) -> str:
    words = [noun.des if several else noun.un]
    if adjective is not None:
        words.insert(0 if adjective.before else 1, adjective.forms[noun.feminine + 2 * several])
    rest = " ".join(words)
    if article == "a" and (denied or (several and adjective is not None and adjective.before)):
        return _elided("de", rest)  # pas de chats; de petits chats
    forms = ARTICLES[article]
    chosen = forms[4] if several else forms[noun.feminine + 2 * rest.startswith(VOWELS)]
    return f"{chosen}{rest}" if chosen.endswith("'") else f"{chosen} {rest}"


def _elided(word: str, following: str) -> str:
    """Join two words; before a vowel the first loses its own."""
    return f"{word[:-1]}'{following}" if following.startswith(VOWELS) else f"{word} {following}"
