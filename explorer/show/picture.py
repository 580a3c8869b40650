"""A picture that is alive in a cell of a notebook, and in a file of its own."""

import html
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from explorer.figures.live import file, modules
from explorer.figures.live.pack import pack
from explorer.figures.look import FONT, look, tokens
from explorer.records.language import current_language, speaking
from explorer.show import browser

#: What the reader may choose; each is a trait of the widget.
Choice = Literal["query", "head", "width", "forbidden"]
#: What each thing means that a script tells, by the name under which it tells it; None where it means nothing.
Heard = Callable[[Any], "Mapping[Choice, Any] | None"]
#: Pixels of the window for which a picture is drawn, as a cell of a notebook has no height of its own; of a frame that
#: may not know what stands in it.
WINDOW, FRAME = 900, 640
#: Of the element that holds it, besides the colours: what a page of the app says for all its pictures.
_CELL = f"display:block;padding:12px;background:var(--paper);color:var(--text);font:16px/1.5 {FONT};--window:{WINDOW}px"
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' data:; \
style-src 'unsafe-inline'; img-src data:">
<title>{title}</title><style>body{{margin:0;background:{paper}}}</style>
{modules}</head><body>
{picture}
</body></html>
"""
#: A frame is as high as what stands in it, where it may know of it.
_GROWS = """<script>new ResizeObserver(() => {
try { frameElement.style.height = `${document.body.offsetHeight}px`; } catch {}
}).observe(document.body);</script>"""


@contextmanager
def _replacing(to: Path) -> Iterator[Path]:
    """Give a file to write, which takes the place of another once all is written.

    Raises:
        ValueError: there is no such folder, or the path is one.
    """
    if to.is_dir():
        raise ValueError(f"{to} is a folder: name a file in it")
    if not to.parent.is_dir():
        raise ValueError(f"there is no folder {to.parent}")
    handle, name = tempfile.mkstemp(".part", f"{to.name}.", to.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o644)
        part.replace(to)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


class LivePicture:
    """A live picture of somebody's numbers: a notebook shows it when it ends a cell.

    Attributes:
        script: draws it.
        title: of the file.
        data: what is drawn, packed.
        markup: in which the script draws, with its style sheets.
        paper: colour of the ground.
        language: in which it is said.
        heard: what it tells.
    """

    def __init__(self, script: Path, data: Mapping[str, Any], title: str, heard: Mapping[str, Heard]) -> None:
        """Pack it, in the look and the language of now."""
        self.script, self.title, self.heard = script, title, heard
        self.data = pack(data)
        self.markup = f"<style>:host{{{tokens()}{_CELL}}}</style>{file.markup(script)}"
        self.paper, self.language = look().paper, current_language()

    def html(self, path: str | os.PathLike[str]) -> Path:
        """Write it as one file that is alive without a network; a file that is there gives way once all is written.

        Returns:
            Where it lies.

        Raises:
            ValueError: there is no such folder, or the path is one.
            OSError: it cannot be written; then nothing is.
        """
        with _replacing(Path(path)) as part:
            part.write_text(self.page(), encoding="utf8")
        return Path(path)

    def png(self, path: str | os.PathLike[str], *, width: int = 960, scale: float = 2) -> Path:
        """Write it as a picture, as it is before anybody touches it, by a browser that is at hand.

        Args:
            path: as of `html`.
            width: in CSS pixels, 200 to 4000; it is as high as what it shows.
            scale: pixels for each of them, up to 4.

        Returns:
            Where it lies.

        Raises:
            ValueError: as of `html`, or the size is none.
            RuntimeError: there is no browser, or it draws nothing; then nothing is written.
            OSError: it cannot be written; then nothing is.
        """
        if not (200 <= width <= 4000 and 0 < scale <= 4):
            raise ValueError(f"width={width!r}, scale={scale!r}: give 200 to 4000 pixels, and a scale up to 4")
        with _replacing(Path(path)) as part:
            browser.photograph(self.page(), part, width, scale)
        return Path(path)

    def page(self, inside: str = "") -> str:
        """Return the file's text.

        Args:
            inside: HTML that stands after the picture.
        """
        with speaking(self.language):
            carried = modules.import_map(self.script, file.ALONE)
        element = file.put(self.script, self.data, self.markup, name="picture")
        return _PAGE.format(
            language=self.language,
            title=html.escape(self.title),
            paper=self.paper,
            modules=carried,
            picture=element + inside,
        )

    def _repr_html_(self) -> str:
        """Return it in a frame, for a notebook that knows no widgets."""
        page, title = html.escape(self.page(_GROWS)), html.escape(self.title)
        style = f"width:100%;height:{FRAME}px;border:0"
        return f'<iframe title="{title}" style="{style}" srcdoc="{page}"></iframe>'
