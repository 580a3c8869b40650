"""Wording that the readings of several lessons share."""

import math
import re
from collections.abc import Collection, Iterable
from functools import reduce
from itertools import count

from explorer.records.attention import AttentionRecord
from explorer.records.heads import HeadName
from explorer.records.language import current_language, t
from explorer.records.residual_stream import Point, StreamRecord
from explorer.records.sequence import ReadAs

#: Bytes of one number in float32.
FLOAT = 4
_POWER = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)e([+-]?\d+)(?!\w)")
_NEGATIVE = re.compile(r"(?<![\w.)\-])-(?=\d|\.\d|∞|inf\b)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Letters of a text that are quoted at most.
_QUOTED = 90


def typeset(text: str) -> str:
    """Return a line with its numbers as they are printed: −1 with a minus sign, 2·10⁻⁶ for 2e-06."""
    raised = _POWER.sub(lambda found: f"{found[1]}·10{str(int(found[2])).translate(_RAISED)}", text)
    return _NEGATIVE.sub("−", raised)


def parse_int(text: str) -> int | None:
    """Return the number that a link says in digits, at most six; None where it says something else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None


def join_sentences(sentences: Iterable[str]) -> str:
    """One sentence after the other, without the empty ones; Chinese puts no space between them."""
    said = [sentence for sentence in sentences if sentence]
    return reduce(lambda before, after: t("{before} {after}").format(before=before, after=after), said)


def token(label: str) -> str:
    """Return a token as it is shown: one that nobody types has a name."""
    return {"<s>": t("start"), "</s>": t("end")}.get(label, label)


def rests(label: str) -> bool:
    """Return whether a token is one that nobody types: heads rest on it when they need no word."""
    return token(label) != label


def said_rest(labels: Iterable[str]) -> str:
    """Say what heads do on such a token, if there is one."""
    there = set(labels)
    if "</s>" in there:
        return t("“end” marks where the sentence ends: heads rest there when no word is needed.")
    return t("“start” stands before the first word: heads rest there when no word is needed.") if "<s>" in there else ""


def is_word(label: str) -> bool:
    """Tell words from punctuation marks and from tokens that nobody types."""
    return label not in ("<s>", "</s>") and any(map(str.isalnum, label))


def said_strongest(record: AttentionRecord) -> str:
    """Say the strongest look of an attention, over all its heads."""
    if record.strongest is None:
        return t("Nothing is left to show: only special tokens were looked at.")
    _, row, column = record.strongest
    said = (
        t("The strongest look: writing “{query}”, it looks at “{key}” with weight **{weight}**.")
        if record.query_role == "produced"
        else t("The strongest look: “{query}” looks at “{key}” with weight **{weight}**.")
    )
    return said.format(
        query=token(record.query_labels[row]),
        key=token(record.key_labels[column]),
        weight=f"{record.weights[record.strongest]:.2f}",
    )


def shorten(text: str) -> str:
    """Return a text that is quoted, without its end where that is too much."""
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def said_replaced(replaced: Iterable[ReadAs]) -> list[str]:
    """Say what is read as something else, and whether it is put back, or only copied."""
    slip, read = t("“{name}” is read as “{read}”"), t("“{name}” is read as “{read}”, and put back")
    copied = t("“{text}” is not read, and copied")
    return [
        (slip if each.is_slip else read if each.read else copied).format(
            name=shorten(each.typed), text=shorten(each.typed), read=each.read
        )
        for each in dict.fromkeys(replaced)
    ]


def unique_name(name: str, taken: Collection[str]) -> str:
    """Return the name, numbered if it is taken."""
    numbered = (f"{name} ({number})" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def head_title(head: HeadName) -> str:
    """Return a head in words, such as “encoder, layer 0, head 3”."""
    said = {
        "encoder": t("encoder, layer {layer}, head {head}"),
        "decoder": t("decoder, layer {layer}, head {head}"),
        "cross": t("cross-attention, layer {layer}, head {head}"),
    }
    return said[head.part].format(layer=head.layer, head=head.head)


def clamp(number: int, count: int) -> int:
    """The nearest of the numbers from 0 to below `count`: a link may ask for any."""
    return min(max(number, 0), count - 1)


def minus(number: str) -> str:
    """Return a number as it is printed: with a minus sign, not a hyphen."""
    return number.replace("-", "−")


def times(ratio: float) -> str:
    """Return a factor with two digits that count below 10 and from 10,000; above a million, as a power of ten."""
    if ratio >= 1e6:
        return "10" + str(round(math.log10(ratio))).translate(_RAISED)
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio if ratio < 1e4 else float(f'{ratio:.2g}'):,.0f}"


def fraction(change: float) -> str:
    """Return a loss of log-probability, in nats, as what is left of the probability, such as “1/8”."""
    return f"1/{times(math.exp(min(-change, 700)))}"


def said_change(change: float, *, strong: bool = False) -> str:
    """Say a change of a log-probability, in nats, as a factor, which a reading may make strong."""
    factor = times(math.exp(min(abs(change), 700)))
    if factor == "1":
        return t("as likely as before")
    return (t("{times} times less likely") if change < 0 else t("{times} times as likely")).format(
        times=f"**{factor}**" if strong else factor
    )


def percent(share: float) -> str:
    """A share, one digit after the point; a very small one is not called 0, and nearly all is not called 100."""
    if 0.9995 <= share < 1 - 1e-6:
        return "> 99.9%"
    if abs(share) >= 0.001 or share == 0:
        return f"{share:.1%}"
    return "< 0.1%" if share > 0 else "> −0.1%"


def said_size(size_bytes: int | float) -> str:
    """Bytes in the unit that suits them."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size_bytes < 1024 or unit == "GiB":
            break
        size_bytes /= 1024
    return f"{size_bytes:.3g} {unit}" if size_bytes < 1000 else f"{size_bytes:,.0f} {unit}"


def lens_name(point: Point) -> str:
    """Say in words where the lens is held."""
    if point.layer is None:
        return t("before layer 0")
    return t("after layer {layer}").format(layer=point.layer)


def deciding_layer(record: StreamRecord, position: int) -> int | None:
    """From which end of a layer on the written token stays the likeliest (a number of `layer_ends`); None if never."""
    found = None
    for number in reversed(range(len(record.layer_ends))):
        if record.rank[record.layer_ends[number], position]:
            break
        found = number
    return found


def said_time(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 1:
        return f"{1e3 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds / 60:.3g} min"


def scales() -> tuple[tuple[float, str], ...]:
    """Sizes of large numbers, the largest first, and how so many of them are said; Chinese counts in ten thousands."""
    if current_language() == "zh":
        return (1e12, "{number} 万亿"), (1e8, "{number} 亿"), (1e4, "{number} 万")
    return (1e12, "{number} trillion"), (1e9, "{number} billion"), (1e6, "{number} million"), (1e3, "{number} thousand")


def spell_large_number(number: float) -> str:
    """A large number in words, with three digits."""
    size, text = next((each for each in scales() if number >= each[0]), (1, "{number}"))
    return text.format(number=f"{float(f'{number / size:.3g}'):,g}")


def capitalise(text: str) -> str:
    """Say a text as a sentence begins: the first letter large, the others as they are."""
    return text[:1].upper() + text[1:]
