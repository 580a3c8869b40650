"""Pictures of the README, taken from the app as it is: `python -m tests.pictures` writes them anew."""

import io

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.support.browser import CHROMIUM, FLAGS, ROOT, settled, start_server

OUT = ROOT / ".github" / "pictures"
#: File, link, and pixels from the top.
SHOTS = (("home", "/", 900), ("heads", "/multi_head?scene=all_heads", 720))
WIDTH = 1280


def main() -> None:
    """Open the app and take each picture at 1280 pixels, light."""
    server, address = start_server()
    OUT.mkdir(parents=True, exist_ok=True)
    try:
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for name, link, height in SHOTS:
                page = browser.new_page(viewport={"width": WIDTH, "height": height}, reduced_motion="reduce")
                page.goto(address + link)
                page.mouse.move(WIDTH / 2, height - 5)
                settled(page)
                page.wait_for_timeout(4000)  # fonts and charts come after the script
                shot = Image.open(io.BytesIO(page.screenshot()))
                shot.save(OUT / f"{name}.webp", quality=80, method=6)
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    main()
