"""Pieces that a translation must copy, made up by kind, and sentences around them in four languages."""

import random
import string
from collections.abc import Callable, Mapping

#: Makers of an example of each kind.
KINDS: Mapping[str, Callable[[random.Random], str]] = {
    "url": lambda draw: (
        f"{draw.choice(('http', 'https', 'ftp', 'ssh', 'custom-app', 'file', 'ws'))}://{_word(draw)}."
        f"{draw.choice(('example', 'test', 'org', 'de', 'com.cn'))}"
        f"{draw.choice(('', '/', f'/{_word(draw)}/{_word(draw)}.html', f'/?q={_word(draw)}&p=2#top', ':8080/a_b'))}"
    ),
    "scheme": lambda draw: draw.choice(("mailto:", "tel:+49", "urn:isbn:", "magnet:?xt=")) + _digits(draw, 6),
    "www": lambda draw: f"www.{_word(draw)}-{_word(draw)}.{draw.choice(('net', 'fr', 'io'))}",
    "domain": lambda draw: f"{_word(draw)}.{draw.choice(('com', 'org', 'net'))}/{_word(draw)}",
    "email": lambda draw: f"{_word(draw)}.{_word(draw)}+{_digits(draw, 2)}@{_word(draw)}.example.org",
    "ipv4": lambda draw: ".".join(str(draw.randrange(1, 255)) for _ in range(4)) + draw.choice(("", ":8080", "/24")),
    "ipv6": lambda draw: f"2001:db8::{draw.randrange(4096, 65000):x}:{draw.randrange(4096, 65000):x}",
    "path": lambda draw: (
        draw.choice(("/usr/", "~/", "./", "/var/log/")) + f"{_word(draw)}/{_word(draw)}.{_ending(draw)}"
    ),
    "windows": lambda draw: f"C:\\{_word(draw).title()}\\{_word(draw)}.{_ending(draw)}",
    "brace": lambda draw: f"{{{_word(draw)}}}",
    "mustache": lambda draw: "{{" + draw.choice(("", " ")) + _word(draw) + "}}",
    "printf": lambda draw: draw.choice(("%d", "%s", "%i", "%.2f", "%1$s", "%5d", "%@", "%ld")),
    "python": lambda draw: f"%({_word(draw)}){draw.choice('sd')}",
    "shell": lambda draw: f"${{{_word(draw)}}}",
    "angle": lambda draw: f"<{draw.randrange(10)}>",
    "tag": lambda draw: f"<{draw.choice(('b', 'i', 'em', 'strong'))}>",
    "account": lambda draw: f"@{_word(draw)}{draw.choice(('', '_', '.'))}{_word(draw)}",
    "hashtag": lambda draw: f"#{_word(draw)}{draw.choice(('', '2024'))}",
    "file": lambda draw: f"{_word(draw)}{draw.choice(('_', '-', ''))}{_digits(draw, 2)}.{_ending(draw)}",
    "code": lambda draw: f"`{draw.choice((f'{_word(draw)}()', f'git {_word(draw)} -m 1', f'x = {_word(draw)}[0]'))}`",
    "emoji": lambda draw: draw.choice(
        ("❤️", "😀", "👍🏽", "👨‍👩‍👧‍👦", "🇫🇷", "🏳️‍🌈", "1️⃣", "☀️", "🎉🎉", "👩🏿‍🚀", "⭐", "✅", "🏴󠁧󠁢󠁳󠁣󠁴󠁿")
    ),
    "sum": lambda draw: _sum(draw),
    "version": lambda draw: (
        draw.choice(("", "v")) + ".".join(str(draw.randrange(20)) for _ in range(draw.choice((3, 4))))
    ),
    "password": lambda draw: (
        f"{_word(draw).title()}{_digits(draw, 1)}#{draw.choice('pqxz')}{draw.choice('QXZ')}{_digits(draw, 1)}"
    ),
}
#: A piece at the beginning, inside, at the end, twice, between marks, and alone, in each language.
FRAMES: Mapping[str, tuple[str, ...]] = {
    "en": ("{0} is not here.", "I saw {0} yesterday in the city.", "Please look at {0}", "Do you like {0} or {1}?",
           "Look at this ({0}), my friend!", "{0}"),
    "fr": ("{0} n'est pas ici.", "J'ai vu {0} hier en ville.", "Regardez {0}", "Aimez-vous {0} ou {1} ?",
           "Regarde cela ({0}), mon ami !", "{0}"),
    "de": ("{0} ist nicht hier.", "Ich habe {0} gestern in der Stadt gesehen.", "Bitte sehen Sie {0}",
           "Magst du {0} oder {1}?", "Sieh dir das an ({0}), mein Freund!", "{0}"),
    "zh": ("{0}不在这里。", "我昨天在城里看到了{0}。", "请看{0}",
           "你喜欢{0}还是{1}？", "看看这个（{0}），我的朋友！", "{0}"),
}  # fmt: skip


def examples(kind: str, language: str, seed: int, *, each: int = 1) -> list[tuple[str, tuple[str, ...]]]:
    """Return sentences with what each must copy: `each` for every frame."""
    draw = random.Random(f"{kind} {language} {seed}")
    found = []
    for frame in FRAMES[language] * each:
        held = tuple(KINDS[kind](draw) for _ in range(frame.count("{")))
        found.append((frame.format(*held), held))
    return found


def _word(draw: random.Random) -> str:
    return "".join(draw.choice(string.ascii_lowercase) for _ in range(draw.randint(3, 7)))


def _digits(draw: random.Random, n: int) -> str:
    return "".join(draw.choice(string.digits) for _ in range(n))


def _ending(draw: random.Random) -> str:
    return draw.choice(("pdf", "txt", "py", "docx", "tar.gz", "json", "md"))


def _sum(draw: random.Random) -> str:
    a, b = draw.randrange(2, 99), draw.randrange(2, 99)
    shapes = (f"{a} × {b} = {a * b}", f"{a}+{b}={a + b}", f"{a} - {b} = {a - b}", f"{a * b} ÷ {b} = {a}", f"{a} + {b}")
    return draw.choice(shapes)
