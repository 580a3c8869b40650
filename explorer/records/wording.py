"""Wording that the readings of several lessons share."""

import re
from collections.abc import Collection, Iterable
from functools import reduce
from itertools import count

from explorer.records import Translate
from explorer.records.attention import AttentionRecord
from explorer.records.heads import HeadName
from explorer.records.language import english
from explorer.records.residual_stream import Point, StreamRecord

#: Bytes of one number in float32.
FLOAT = 4
_POWER = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)e([+-]?\d+)(?!\w)")
_NEGATIVE = re.compile(r"(?<![\w.)\-])-(?=\d|\.\d|∞|inf\b)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def typeset(text: str) -> str:
    """Return a line with its numbers as they are printed: −1 with a minus sign, 2·10⁻⁶ for 2e-06."""
    raised = _POWER.sub(lambda found: f"{found[1]}·10{str(int(found[2])).translate(_RAISED)}", text)
    return _NEGATIVE.sub("−", raised)


def whole(text: str) -> int | None:
    """Return the number that a link says in digits, at most six; None where it says something else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None


def joined(sentences: Iterable[str], t: Translate) -> str:
    """One sentence after the other, without the empty ones; Chinese puts no space between them."""
    said = [sentence for sentence in sentences if sentence]
    return reduce(lambda before, after: t("{before} {after}").format(before=before, after=after), said)


def token(label: str, t: Translate = english) -> str:
    """Return a token as it is shown: one that nobody types has a name."""
    return {"<s>": t("start"), "</s>": t("end")}.get(label, label)


def spoken(label: str) -> bool:
    """Tell words from punctuation marks and from tokens that nobody types."""
    return label not in ("<s>", "</s>") and any(map(str.isalnum, label))


def said_strongest(record: AttentionRecord, t: Translate = english) -> str:
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
        query=token(record.query_labels[row], t),
        key=token(record.key_labels[column], t),
        weight=f"{record.weights[record.strongest]:.2f}",
    )


def unlike(name: str, taken: Collection[str]) -> str:
    """Return the name, numbered if it is taken."""
    numbered = (f"{name} ({number})" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def head_title(head: HeadName, t: Translate = english) -> str:
    """Return a head in words, such as “encoder, layer 0, head 3”."""
    said = {
        "encoder": t("encoder, layer {layer}, head {head}"),
        "decoder": t("decoder, layer {layer}, head {head}"),
        "cross": t("cross-attention, layer {layer}, head {head}"),
    }
    return said[head.part].format(layer=head.layer, head=head.head)


def clamped(number: int, count: int) -> int:
    """The nearest of the numbers from 0 to below `count`: a link may ask for any."""
    return min(max(number, 0), count - 1)


def minus(number: str) -> str:
    """Return a number as it is printed: with a minus sign, not a hyphen."""
    return number.replace("-", "−")


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


def lens_name(point: Point, t: Translate = english) -> str:
    """Say in words where the lens is held."""
    if point.layer is None:
        return t("before layer 0")
    return t("after layer {layer}").format(layer=point.layer)


def decided(record: StreamRecord, place: int) -> int | None:
    """From which end of a layer on the written token stays the likeliest (a number of `layer_ends`); None if never."""
    found = None
    for number in reversed(range(len(record.layer_ends))):
        if record.rank[record.layer_ends[number], place]:
            break
        found = number
    return found


def said_time(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 1:
        return f"{1e3 * seconds:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds / 60:.3g} min"


def scales(t: Translate = english) -> tuple[tuple[float, str], ...]:
    """Sizes of large numbers, the largest first, and how so many of them are said."""
    thousand, million = t("{number:.3g} thousand"), t("{number:.3g} million")
    return (1e12, t("{number:.3g} trillion")), (1e9, t("{number:.3g} billion")), (1e6, million), (1e3, thousand)


def large(number: float, t: Translate = english) -> str:
    """A large number in words, with three digits."""
    size, text = next((each for each in scales(t) if number >= each[0]), (1, "{number:.3g}"))
    return text.format(number=number / size)


def begun(text: str) -> str:
    """Say a text as a sentence begins: the first letter large, the others as they are."""
    return text[:1].upper() + text[1:]
