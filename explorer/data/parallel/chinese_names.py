"""Names of Chinese people in Chinese text, and how they are written in pinyin.

`chinese_names.tsv` is our own list of frequent surnames, of characters of given names, and of some names that everybody
knows, by how they are written in Latin letters.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

#: What stands behind a name.
_TITLES = "先生|女士|小姐|太太|夫人|老师|教授|医生|大夫|同学|经理|校长|主任|律师|博士|师傅|总理|主席|阿姨|叔叔"
#: What introduces a name.
_CUES = (
    "叫|叫做|名叫|姓名是|名字是|朋友|同学|同事|邻居|室友|妻子|丈夫|男友|女友|总理|主席|总统|部长|演员|歌手|作家|导演"
)
#: Characters before a name of which nothing else tells that it is one: marks, and words with which people are together.
_BEFORE = "，。！？、；：“”《（,.!?和跟与给对由被向找问见请像识是"
_BEHIND = (
    "[是在住说去来给的和跟与对有也都很不没要想把被从到会将曾今昨明正已就喜吃买看写学工告打做得了吗呢吧，。！？、：；”》）,.!?]"
    f"|访问|出生|认为|表示|刚|终于|$|{_TITLES}"
)
#: Surnames with which so many other words begin that only a title or an introduction makes a name of them.
_COMMON = frozenset(
    "高马方白安江石文成万于时应和任关向单强车边谷温金黄夏水花常易古龙武包平明康钱田毛严冷简解盛宁林叶雷段钟汪汤孔左项"
    "曲游阳席卫甘景管祝路柳华阮苗凌费童牛梅庄季施冉房习宗司柏史齐向"
)
#: Words that look like a name.
_NO_NAMES = (
    "王国 王子 王后 王冠 张开 周一 周二 周三 周日 周全 周长 李子 孙子 胡子 许可 许诺 杨树"
    " 杨柳 杨梅 徐州 苏州 郑州 郑重 程序 朱红 罗马 宋代 唐代 唐诗 吴语 韩国 赵国 魏国 吴国"
    " 宋国 郑国 丁香 陆海 高中 文学 安全 方便 秦代 秦国 何时 何处 成为 成功 欧洲 金银 陆军"
    " 毕竟 芦荟 文化 时代"
)
_WORDS = frozenset(_NO_NAMES.split(" "))


class ChineseName(NamedTuple):
    """A name as it was typed, where it begins, and how it is written in Latin letters: `Wang Wei`."""

    typed: str
    start: int
    there: str


def chinese_names(text: str) -> Iterator[ChineseName]:
    """Yield the names of people in a Chinese text, none inside another.

    A name stands before a title, behind what introduces one, or between what may stand beside one.
    """
    end = 0
    for found in sorted(_candidates(text), key=lambda each: (each.start, -len(each.typed))):
        if found.start >= end:
            end = found.start + len(found.typed)
            yield found


def _candidates(text: str) -> Iterator[ChineseName]:
    for pattern in _patterns():
        for found in pattern.finditer(text):
            if found[0] not in _WORDS:
                yield ChineseName(found[0], found.start(), _latin(found[0]))


def _latin(name: str) -> str:
    """Return a name in Latin letters: surname, and given name in one word."""
    parts = _parts()
    if whole := (parts["whole"] | parts["little"]).get(name):
        return whole
    surname = name[:2] if name[:2] in parts["double"] else name[:1]
    given = "".join(parts["given"][char] for char in name[len(surname) :])
    return f"{(parts['surname'] | parts['double'])[surname]} {given.capitalize()}".strip()


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of names that everybody knows, of children, before a title, introduced, and of others."""
    parts = _parts()
    rare = f"(?:{'|'.join(parts['double'])}|[{''.join(parts['surname'].keys() - _COMMON)}])"
    common, given = f"[{''.join(_COMMON & parts['surname'].keys())}]", f"[{''.join(parts['given'])}]"
    cues = "|".join(f"(?<={cue})" for cue in _CUES.split("|"))
    free = f"(?<![^{_BEFORE}])"
    return (
        re.compile("|".join(sorted(parts["whole"], key=len, reverse=True))),
        re.compile(rf"(?<![^{_BEFORE}叫])(?:{'|'.join(parts['little'])})(?={_BEHIND})"),
        re.compile(rf"(?:{rare}{given}{{0,2}}|{common}{given}{{1,2}}|{free}{common})(?={_TITLES})"),
        re.compile(rf"(?:{cues})(?:{rare}|{common}){given}{{1,2}}(?={_BEHIND})"),
        re.compile(rf"{free}{rare}{given}{{1,2}}(?={_BEHIND})"),
    )


@cache
def _parts() -> Mapping[str, dict[str, str]]:
    """Read surnames of one character and of two, characters of given names, and whole names, each in Latin letters."""
    path = Path(__file__).parent / "chinese_names.tsv"
    _, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    found: dict[str, dict[str, str]] = {"surname": {}, "double": {}, "given": {}, "little": {}, "whole": {}}
    for part, latin, characters in rows:
        words = characters.split(" ") if part in ("double", "little", "whole") else characters
        found[part] |= dict.fromkeys(words, latin)
    return found
