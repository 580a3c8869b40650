"""A page as a PNG, by a browser that is at hand: Chromium or one that is made of it, without a window."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

#: Programs, the first that is there; `CHROMIUM` names another.
NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("msedge", "microsoft-edge", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
)
#: Without moving, as a picture on paper; a page in a file asks nobody for anything.
_FLAGS = ("--headless", "--disable-gpu", "--hide-scrollbars", "--force-prefers-reduced-motion", "--no-first-run")
#: Milliseconds of the page's own time, which passes faster: until then all is drawn.
_UNTIL = "--virtual-time-budget=5000"
_PATIENCE_S = 60
#: Has the page say how high it is.
_MEASURED = """<script>setInterval(() => {
document.documentElement.dataset.high = Math.ceil(document.body.getBoundingClientRect().height);
}, 100);</script>"""


def find_browser() -> str:
    """Return the program of a browser.

    Raises:
        RuntimeError: there is none.
    """
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        raise RuntimeError("no browser is at hand: install Chromium, Chrome or Edge, or name one in CHROMIUM")
    return found


def photograph(page: str, to: Path, width: int, scale: float) -> None:
    """Write a PNG of a whole page.

    Args:
        page: HTML.
        to: file, which is replaced.
        width: of the page in CSS pixels; it is as high as what stands in it.
        scale: pixels of the picture for each.

    Raises:
        RuntimeError: there is no browser, or it draws nothing.
    """
    browser = find_browser()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file, picture = Path(folder, "page.html"), Path(folder, "page.png")
        file.write_text(page.replace("</body>", f"{_MEASURED}</body>"), encoding="utf8")

        def run(*how: str, high: int) -> str:
            sized = (f"--window-size={width},{high}", f"--force-device-scale-factor={scale}")
            profile = f"--user-data-dir={Path(folder, 'profile')}"
            # A browser of the system's owner refuses to run in its sandbox; the page is ours.
            boxed = ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()
            command = (browser, *_FLAGS, *boxed, profile, _UNTIL, *sized, *how, file.as_uri())
            try:
                return subprocess.run(  # noqa: S603 - our own page
                    command, capture_output=True, text=True, encoding="utf8", timeout=_PATIENCE_S, check=False
                ).stdout
            except (OSError, subprocess.TimeoutExpired) as error:
                raise RuntimeError(f"{browser} did not answer: {error}") from error

        measured = re.search(r'data-high="(\d+)"', run("--dump-dom", high=600))
        if measured:
            run(f"--screenshot={picture}", high=max(int(measured[1]), 1))
        if not picture.is_file():
            raise RuntimeError(f"{browser} drew no picture")
        shutil.copyfile(picture, to)
