"""Documents in a real browser: pasted, translated, taken away; and a long text that is stopped while it is written."""

from pathlib import Path

from tests.lessons.translator.test_browser import typed
from tests.support.browser import OpenPage, settled
from tests.support.soundness import ERRORS

#: Presses the button as soon as it stands beside what is being written: on a busy machine a test would come too late.
STOP = """() => new MutationObserver((_, seen) => {
  const button = document.querySelector(".st-key-tr_stop button");
  if (!button || !document.querySelector("p.translated.writing")) return;
  seen.disconnect();
  button.click();
}).observe(document.body, { childList: true, subtree: true })"""


def test_a_document_is_pasted_translated_and_taken_away(browse: OpenPage) -> None:
    """In a browser that lags behind: what its buttons name, the page has replaced several times."""
    page = browse("/translator?scene=documents", late=1500)
    box = page.locator(".st-key-tr_doc_text textarea")
    box.fill("I miss you.\n\n=1+1\n" + "\n".join(f"I have {number} cats." for number in range(2, 59)))
    box.press("Control+Enter")
    page.locator(".st-key-tr_doc_start button").click()
    with page.expect_download() as download:  # while it runs: the first rows are there
        page.locator(".st-key-tr_doc_CSV button").click(timeout=60_000)
    assert len(Path(download.value.path()).read_text("utf-8-sig").splitlines()) == 61
    page.wait_for_selector("text=60 of 60 rows", timeout=60_000)
    settled(page)
    with page.expect_download() as download:
        page.locator(".st-key-tr_doc_CSV button").click()
    lines = Path(download.value.path()).read_text("utf-8-sig").splitlines()
    assert len(lines) == 61
    assert lines[1].split(",")[1]
    assert lines[3].startswith("'=1+1,")
    assert page.locator(ERRORS).count() == 0
    assert page.strangers == []


def test_a_text_is_stopped_and_goes_on(browse: OpenPage) -> None:
    page = browse("/translator?tr_beam=8")
    many = " ".join(  # so long that it can be stopped in time on a fast machine
        f"The old man number {n} has bought {n + 3} houses in a city that I do not know, and nobody has seen him since."
        for n in range(24)
    )
    box = page.locator(".st-key-tr_text input")
    box.fill(many)
    page.evaluate(STOP)
    box.press("Enter")
    page.wait_for_selector("text=Stopped: this is the best", timeout=30_000)
    page.locator(".st-key-tr_go_on button").click()
    page.wait_for_selector("p.translated.many", timeout=60_000)
    settled(page)
    page.locator(".st-key-tr_sentence_shown [role=combobox]").click()
    assert page.get_by_role("option").count() > 5  # the list shows those that fit
    page.keyboard.press("Escape")
    assert page.locator(ERRORS).count() == 0
    typed(page, "I miss you.")
    assert page.locator(".st-key-tr_sentence_shown").count() == 0
