"""First lines of couplets made by a rule, and the second lines that answer them character by character.

Every character stands in one pair: a level tone and an oblique one, of one kind of word (天 and 地, 青 and 绿). A first
line follows one of the tone patterns of regulated verse that end oblique; its answer puts the other character of each
pair, so that each tone turns over and the line ends level, as a couplet wants it.
"""

import random
from collections.abc import Mapping

#: Level beside oblique, by the tones of modern Mandarin: 1 and 2 beside 3 and 4.
NOUNS = "天地 山水 风雨 云月 花柳 江海 松柏 星日 霜雪 莺燕 楼院 诗画 琴剑 舟马 烟雾 溪路 门户 窗牖"
ADJECTIVES = "青绿 红翠 高远 长短 深浅 新旧 清静 寒暖 明暗 轻细 孤万 香丽 空满"
VERBS = "来去 迎送 听望 飞落 开闭 临傍 穿过 浮照 藏映 吟唱 遮掩 摇动"
#: Kinds of words, n, a and v, in a line, and tones, - level and | oblique: a line has a row of each.
FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("anvan", ("||--|", "---||")),
    ("ananvan", ("--||--|", "||---||")),
)
_KINDS: Mapping[str, tuple[str, ...]] = {
    "n": tuple(NOUNS.split()),
    "a": tuple(ADJECTIVES.split()),
    "v": tuple(VERBS.split()),
}
COUNTERPARTS: Mapping[str, str] = {
    pair[side]: pair[1 - side] for pairs in _KINDS.values() for pair in pairs for side in (0, 1)
}


def first_line(draw: random.Random) -> str:
    """Make a line of five or seven characters, none of them twice, nor any beside its counterpart."""
    kinds, tones = draw.choice(FORMS)
    pattern = draw.choice(tones)
    drawn = {kind: iter(draw.sample(pairs, kinds.count(kind))) for kind, pairs in _KINDS.items()}
    return "".join(next(drawn[kind])["-|".index(tone)] for kind, tone in zip(kinds, pattern, strict=True))


def second_line(line: str) -> str | None:
    """Answer a line; None where a character has no counterpart."""
    answered = [COUNTERPARTS.get(character) for character in line]
    return "".join(filter(None, answered)) if line and None not in answered else None
