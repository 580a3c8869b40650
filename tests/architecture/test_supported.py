"""Nothing that Firefox's long-term release or Safari 17 lacks is used where a browser does not say that it has it."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

#: Parts of a style sheet that are lost in silence and leave the page wrong: they stand in `@supports`.
ASKED = re.compile(
    r"(?:animation-(?:timeline|range)|(?:scroll|view)-timeline|timeline-scope|anchor-name|position-(?:anchor|area|try)"
    r"|interpolate-size|field-sizing|corner-shape|scrollbar-color)\s*:|\banchor(?:-size)?\(|\bsibling-index\("
)
#: Safari knows it by a name of its own only.
PREFIXED = re.compile(r"(?:^|[;{}/\"'])(?<!-webkit-user-select: none;)(?<!-webkit-user-select:none;)\s*user-select")
#: Functions of a script, named where they are looked for first, or not at all.
MISSING = re.compile(
    r"requestIdleCallback|showPopover|startViewTransition|checkVisibility|scrollend|getCoalescedEvents|\.moveBefore\("
    r"|Object\.groupBy|Map\.groupBy|Promise\.(?:withResolvers|try)|Array\.fromAsync|Iterator\.|\.toArray\(\)"
    r"|\.(?:values|keys|entries)\(\)\.(?:map|filter|take|drop|forEach|some|every|find|reduce|flatMap)\("
    r"|matchAll\([^)]*\)\.(?:map|filter|forEach)\(|new Float16Array|\b(?:g|context|pen)\.(?:filter|letterSpacing)\s*="
)
STYLES = [*(ROOT / "explorer").rglob("*.css"), *(ROOT / "explorer").rglob("*.py")]
SCRIPTS = sorted((ROOT / "explorer").rglob("*.js"))


def unasked(style: str) -> list[str]:
    """Return what stands in a style sheet outside of every `@supports`."""
    found: list[str] = []
    blocks: list[bool] = []  # that are open: whether each is one of `@supports`
    for part in re.finditer(rf"@supports[^{{]*{{|{{|}}|{ASKED.pattern}", style):
        if part[0] == "}":
            blocks.pop()
        elif part[0].endswith("{"):
            blocks.append(part[0] != "{")
        elif not any(blocks):
            found.append(part[0])
    return found


def test_a_style_asks_before_it_uses_what_not_every_browser_has() -> None:
    rule = "main { animation: fade both; animation-timeline: scroll(); }"
    assert unasked(rule) == unasked(f"@supports (display: grid) {{ p {{ }} }} {rule}") == ["animation-timeline:"]
    assert unasked(f"@supports (animation-timeline: scroll()) {{ {rule} }} p {{ }}") == []
    sheets = {each: each.read_text(encoding="utf8") for each in STYLES}
    found = {each.name: unasked(text) for each, text in sheets.items() if each.suffix == ".css"}
    assert {name: names for name, names in found.items() if names} == {}
    written = [text for each, text in sheets.items() if each.suffix == ".py" and ASKED.search(text)]
    assert [text for text in written if "@supports (" not in text] == []


def named(files: list[Path], pattern: re.Pattern[str]) -> list[str]:
    return [f"{file.name}: {each[0]}" for file in files for each in pattern.finditer(file.read_text(encoding="utf8"))]


@pytest.mark.parametrize(
    ("files", "pattern", "bad", "good"),
    [
        (STYLES, PREFIXED, "svg { user-select: none; }", "svg { -webkit-user-select: none; user-select: none; }"),
        (SCRIPTS, MISSING, "requestIdleCallback(draw)", "requestAnimationFrame(draw)"),
        (SCRIPTS, MISSING, "words.values().map(long)", "[...words.values()].map(long)"),
    ],
)
def test_nothing_is_used_that_safari_17_does_not_know(
    files: list[Path], pattern: re.Pattern[str], bad: str, good: str
) -> None:
    assert pattern.search(bad)
    assert not pattern.search(good)
    assert len(files) > 50
    assert named(files, pattern) == []
