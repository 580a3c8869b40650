"""What must be true of every page that a browser shows, whatever it is about."""

import time
from importlib import resources

from playwright.sync_api import Page

from tests.support.browser import painted, settled

ERRORS = "[data-testid=stException], [data-testid=stAlertContentError]"

#: Buttons that must be scrolled to or whose words are cut, and numbers in the cells of heat maps that nobody can read.
UNSEEN = """() => [
    ...[...document.querySelectorAll('[data-testid=stButtonGroup], [data-testid=stButtonGroup] *')].filter(
        each => each.scrollWidth > each.clientWidth + 2 && /auto|scroll/.test(getComputedStyle(each).overflowX)),
    ...[...document.querySelectorAll('[data-testid=stButton] p')].filter(
        each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).textOverflow === 'ellipsis'),
    ...[...document.querySelectorAll('.heatmap-label text')].filter(
        each => getComputedStyle(each).display !== 'none' && parseFloat(getComputedStyle(each).fontSize) < 8)
].map(each => each.textContent)"""


#: Small print whose contrast with what is behind it is below 4.5, the least of WCAG 2.2 (1.4.3).
FAINT = """() => {
    const channels = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(
        c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
    ).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = each => {
        const ink = channels(getComputedStyle(each).color);
        let seen = ink[3] ?? 1, ground = null;
        for (let at = each; at && !ground; at = at.parentElement) {
            const style = getComputedStyle(at), behind = channels(style.backgroundColor);
            seen *= Number(style.opacity);
            if ((behind[3] ?? 1) === 1) ground = behind;
        }
        if (seen === 0) return 21;  // the names in the menu, until it is opened
        const [high, low] = [light(ink.slice(0, 3).map((c, i) => c * seen + ground[i] * (1 - seen))), light(ground)]
            .sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const small = document.querySelectorAll('[data-testid=stCaptionContainer] :is(p, code), .remark :is(p, small)');
    return [...small].filter(each => contrast(each) < 4.5).map(each => each.textContent);
}"""


#: By how many pixels something is wider than the window.
OVERFLOW = "(main => main.scrollWidth - main.clientWidth)(document.querySelector('[data-testid=stMain]'))"

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf8")
#: Faults that axe finds, whatever their impact. The pause lets `browser_fixes.js` tell what was just drawn.
FOUND = """async () => {
    await new Promise(done => setTimeout(done, 200));
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => [impact, id, html]));
}"""


def accessible(page: Page) -> None:
    """Axe has nothing to say, at the latest when what comes anew or waits for the server has its full colour."""
    page.evaluate(AXE)
    until = time.monotonic() + 10
    while (found := page.evaluate(FOUND)) and time.monotonic() < until:
        settled(page)
    assert found == [], found


def sound(page: Page) -> None:
    """No error, nothing from outside, nothing wider than the window, every chart drawn, what is written legible."""
    painted(page)
    assert page.locator(ERRORS).count() == 0
    assert page.strangers == []
    assert page.complaints == []
    assert page.evaluate(OVERFLOW) <= 1
    assert page.evaluate(UNSEEN) == []
    page.wait_for_function(f"() => ({FAINT})().length === 0", timeout=10_000)  # what comes anew fades in
