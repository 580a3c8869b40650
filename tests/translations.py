"""Keeps the Chinese in step with the English: `python -m tests.translations update`, then `stamp`.

`update` extracts every `t("…")` of Python and JavaScript, every `message("…")` and all texts of scenes, adds the new
ones to the catalogue of the page they occur in (`shell.po` where there is none of that name), and drops the ones no
longer used.
`stamp` writes into each Chinese section the hash of the English it translates, once a person has checked it. `check`
prints what is amiss.
"""

import argparse
import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from explorer import scenes
from explorer.figures.live import words
from explorer.scenes.controls import find_declared
from explorer.scenes.spec import Lesson
from explorer.ui.language import LOCALE, sections

ROOT = Path(__file__).parent.parent
FOLDER = LOCALE / "zh_CN" / "LC_MESSAGES"
CONTENT = LOCALE / "content"
PAGES = {re.sub(r"^\d\d_", "", page.stem) for page in (ROOT / "pages").glob("*.py")}
#: A call of `t` in a script.
_CALLED = re.compile(words.CALL)
_NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)


def sources() -> list[Path]:
    """Every file that may say something."""
    return [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py")), *sorted((ROOT / "explorer").rglob("*.py"))]


def extracted() -> dict[str, str]:
    """Every message to the domain it belongs to. Python by syntax tree: Babel misses what stands inside an f-string."""
    found: dict[str, str] = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"t", "message"}:
                text = node.args[0] if node.args else None
                if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
                    found.setdefault(text.value, domain(path))
        if path.is_relative_to(ROOT / "explorer" / "scenes") and path.stem in PAGES:
            for text in said(scenes.lesson(path.stem)):
                found.setdefault(text, path.stem)
    for path in scripts():
        for text in words.messages(path):
            found.setdefault(text, domain(path))
    return found


def scripts() -> list[Path]:
    """Every script of the house."""
    return sorted((ROOT / "explorer").rglob("*.js"))


def said(lesson: Lesson) -> Iterator[str]:
    """Every text of a lesson's scenes."""
    for scene in lesson.scenes:
        yield from (scene.title, scene.question, scene.lead)
        for preset in scene.presets:
            yield from (preset.label, preset.look)
        if told := scene.prediction:
            yield from (told.question, *told.answers.values(), told.why)
        if tried := scene.experiment:
            yield from (tried.question, tried.why, *(tried.number.texts if tried.number else ()))
        for control in find_declared({**lesson.shared, **scene.controls}).values():
            yield from control.texts


def domain(path: Path) -> str:
    """A lesson's own domain for its page and every file of its folder, the shell's for all others."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "pages":
        return re.sub(r"^\d\d_", "", path.stem)
    return parts[2] if parts[:2] == ("explorer", "lessons") and len(parts) > 3 else "shell"


def catalogues() -> dict[str, Catalog]:
    """The Chinese catalogues by domain."""
    return {path.stem: read_po(BytesIO(path.read_bytes()), locale="zh_CN") for path in sorted(FOLDER.glob("*.po"))}


def placeholders(text: str) -> set[str]:
    """The names a message is filled with."""
    return {name.partition(".")[0].partition("[")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}


def problems() -> Iterator[str]:
    """Everything missing, stale or damaged, a line each."""
    found, translated = extracted(), catalogues()
    entries = {str(entry.id): (name, entry) for name, each in translated.items() for entry in each if entry.id}
    yield from (f"not translated: {text!r}" for text in found if text not in entries or not entries[text][1].string)
    for text, (name, entry) in entries.items():
        if text not in found:
            yield f"{name}.po: no longer said: {text!r}"
        elif entry.fuzzy:
            yield f"{name}.po: fuzzy: {text!r}"
        elif entry.string and "{" in text and placeholders(text) != placeholders(str(entry.string)):
            yield f"{name}.po: other placeholders: {text!r}"
    for path in scripts():
        text = path.read_text("utf8")
        if words.is_speaking(text) and len(_CALLED.findall(text)) != len(words.messages(path)):
            yield f"{path.relative_to(ROOT)}: what `t` is called with must be one literal, or it is not collected"
    yield from prose_problems()


def prose_problems() -> Iterator[str]:
    """Sections missing in one language, and Chinese whose English has changed since."""
    names = {path.name for language in ("en", "zh") for path in (CONTENT / language).glob("*.md")}
    for name in sorted(names):
        if not all((CONTENT / language / name).exists() for language in ("en", "zh")):
            yield f"{name}: only in one language"
            continue
        english, chinese = (sections((CONTENT / language / name).read_text("utf8")) for language in ("en", "zh"))
        if list(english) != list(chinese):
            yield f"{name}: sections {list(english)} against {list(chinese)}"
            continue
        for section, (_, text) in english.items():
            if chinese[section][0] != stamp_of(text):
                yield f"{name}: the English of “{section}” has changed since it was translated"
            if placeholders_of_prose(text) != placeholders_of_prose(chinese[section][1]):
                yield f"{name}: other placeholders in “{section}”"


def placeholders_of_prose(text: str) -> set[str]:
    """`{names}` in Markdown, where LaTeX braces are no placeholders."""
    return set(re.findall(r"(?<![\\\w}^_])\{([a-z_]+)\}", re.sub(r"\$[^$]*\$", "", text)))


def stamp_of(text: str) -> str:
    """Short hash of a section's English."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def update(only: list[str]) -> None:
    """Bring the named catalogues, or every one, in step with the source, keeping the translations that are there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    known = {str(e.id): str(e.string) for each in catalogues().values() for e in each if e.id and not e.fuzzy}
    by_domain: dict[str, list[str]] = {}
    for text, name in extracted().items():
        by_domain.setdefault(name, []).append(text)
    for path in FOLDER.glob("*.po"):
        if path.stem not in by_domain and not only:
            path.unlink()
    for name, texts in by_domain.items():
        if only and name not in only:
            continue
        catalogue = Catalog(
            locale="zh_CN",
            project="Attention Explorer",
            header_comment=f"# Chinese of {name}",
            version="1",
            creation_date=_NO_DATE,
            revision_date=_NO_DATE,
            last_translator="Attention Explorer",
            fuzzy=False,
        )
        for text in texts:
            catalogue.add(text, known.get(text, ""))
        out = BytesIO()
        write_po(out, catalogue, width=120, omit_header=False, sort_output=False)
        (FOLDER / f"{name}.po").write_bytes(out.getvalue())


def stamp(stem: str) -> None:
    """Write into a page's Chinese sections which English they translate."""
    english = sections((CONTENT / "en" / f"{stem}.md").read_text("utf8"))
    path = CONTENT / "zh" / f"{stem}.md"
    text = path.read_text("utf8")
    for section, (_, source) in english.items():
        mark = re.compile(rf"^<!-- section: {section}(?: of: \w+)? -->$", re.MULTILINE)
        text = mark.sub(f"<!-- section: {section} of: {stamp_of(source)} -->", text)
    path.write_text(text, encoding="utf8")


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("update", "stamp", "check"))
    parser.add_argument("stems", nargs="*", help="only these; all if none is named")
    arguments = parser.parse_args()
    if arguments.do == "update":
        update(arguments.stems)
    for stem in arguments.stems or [path.stem for path in (CONTENT / "en").glob("*.md")]:
        if arguments.do == "stamp":
            stamp(stem)
    amiss = list(problems())
    sys.stdout.write("\n".join(amiss) + ("\n" if amiss else ""))
    return int(arguments.do == "check" and bool(amiss))


if __name__ == "__main__":
    sys.exit(main())
