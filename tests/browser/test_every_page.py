"""What every page has in a real browser: menu, languages, keyboard, link, exports, colours."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from explorer.figures.look import DARK, LIGHT
from explorer.ui import catalogue
from explorer.ui.browser_fixes import MOST_LETTERS
from tests.support.browser import OpenPage, linked, painted, query_of, settled, start_server
from tests.support.soundness import ERRORS, accessible, sound

STEMS = [page.stem for page in catalogue.PAGES]
#: English is the wider of the two languages, so it goes on the phone.
LOOKS = {
    "en": {"color_scheme": "light", "width": 390, "height": 844},
    "zh": {"color_scheme": "dark", "width": 1440, "height": 900},
}


#: A scene whose first picture is Plotly's.
CHART = "/kernel_regression?scene=error_by_width"


@pytest.mark.parametrize("language", LOOKS)
def test_the_home_page_is_sound(browse: OpenPage, language: str) -> None:
    page = browse(f"/?lang={language}", **LOOKS[language])
    sound(page)
    accessible(page)
    assert page.locator("[data-testid=stMain] [data-testid=stPageLink]").count() >= len(STEMS)


@pytest.mark.parametrize("scene", ["kernel_regression?scene=one_query", "architectures?scene=paths"])
def test_the_keyboard_moves_a_slider_and_the_link_reopens_it(browse: OpenPage, scene: str) -> None:
    """One of numbers, one of choices; that pages are sound, `test_scenes.py` looks at."""

    def slider_of(page: Page) -> tuple[Locator, str]:
        slider = page.locator("[data-testid=stSlider] :is(input[type=range], [role=slider])").first
        return slider, slider.get_attribute("aria-valuenow") or slider.input_value()

    page = browse(f"/{scene}")
    slider, before = slider_of(page)
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("&.+="))
    settled(page)
    moved = slider_of(page)[1]
    assert moved != before
    sound(page)
    assert slider_of(browse(query_of(page)))[1] == moved


def test_who_goes_through_the_menu_by_keyboard_sees_where(browse: OpenPage) -> None:
    page = browse("/masked_softmax")
    link = page.locator("[data-testid=stSidebar] [data-testid=stPageLink] a")
    link.nth(0).focus()
    page.keyboard.press("Tab")
    assert link.nth(1).evaluate("each => each === document.activeElement")
    line = link.nth(1).evaluate("each => getComputedStyle(each).outline")
    assert "solid 2px" in line
    assert "rgba(0, 0, 0, 0)" not in line
    assert "solid 2px" not in link.nth(0).evaluate("each => getComputedStyle(each).outline")


#: Keep how high what holds the picture's place has been.
HELD = """window.held = 0;
setInterval(() => {
    const place = document.querySelector('.st-key-waiting [data-testid=stSkeletonElement]');
    window.held = Math.max(window.held, place ? place.offsetHeight : 0);
}, 40);"""


def test_a_deep_link_is_the_first_request_of_a_fresh_server(usual: BrowserContext) -> None:
    process, address = start_server()  # some twenty seconds, so one page stands for all: that which loads most
    page = usual.new_page()
    page.add_init_script(HELD)
    try:
        page.goto(f"{address}/translator?lang=zh")
        settled(page)
        painted(page)
        assert page.evaluate("window.held") > 400, "a skeleton stands on the stage while torch is imported"
        assert page.locator(ERRORS).count() == 0
        links = page.locator("[data-testid=stSidebar] [data-testid=stPageLink]")
        assert links.count() == len(STEMS) + 1
        assert re.search("[\u4e00-\u9fff]", page.locator("h1").first.inner_text())
        assert page.locator("[data-testid=stSidebarNav]").count() == 0
    finally:
        page.close()
        process.terminate()
        ended = process.wait(20)
    assert ended >= 0  # not killed by the signal: what was registered with `atexit` was called


def unfold(page: Page) -> None:
    """Open what stands behind the first figure's icon."""
    page.locator("[class*=_behind] [data-testid=stPopoverButton]").first.click()
    page.get_by_text("HTML", exact=True).first.wait_for()
    settled(page)


def test_everything_can_be_taken_away(browse: OpenPage, usual: BrowserContext, tmp_path: Path) -> None:
    page = browse(CHART)
    painted(page, 1)
    unfold(page)
    heads = {"PNG": b"\x89PNG", "SVG": b"<svg", "CSV": b"\xef\xbb\xbf", "HTML": b"<!doctype html>"}
    for label, head in heads.items():
        if not page.get_by_text(label, exact=True).first.is_visible():
            unfold(page)  # a picture that is saved closes what it was chosen from
        with page.expect_download() as download:
            page.get_by_text(label, exact=True).first.click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.suffix == f".{label.lower()}"
        assert file.read_bytes().startswith(head)
    usual.set_offline(True)
    try:
        exported = usual.new_page()
        requests: list[str] = []
        exported.on("request", lambda request: requests.append(request.url))
        exported.goto(next(tmp_path.glob("*.html")).as_uri())
        exported.wait_for_selector(".js-plotly-plot .main-svg")
        exported.close()
    finally:
        usual.set_offline(False)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_who_takes_a_live_picture_away_keeps_what_it_was_chosen_from(browse: OpenPage) -> None:
    page = browse("/queries_keys_values")
    unfold(page)
    card = page.locator("[data-testid=stPopoverBody]")
    card.get_by_role("button", name="PNG").wait_for()
    settled(page)
    position = card.bounding_box()
    assert position
    assert 0 <= position["y"] <= 500
    assert position["y"] + position["height"] <= 900
    for label in ("PNG", "SVG"):
        with page.expect_download() as download:
            card.get_by_role("button", name=label).click()
        assert download.value.suggested_filename == f"queries_keys_values-journey.{label.lower()}"
        assert card.count() == 1
    assert page.complaints == []


def test_language_switch_changes_the_page_and_the_link(browse: OpenPage) -> None:
    page = browse("/kernel_regression")
    page.get_by_text("中文", exact=True).click()
    page.wait_for_url(re.compile("lang=zh"))
    settled(page)
    assert page.locator("h1").first.inner_text() == "核回归"
    expect(page.locator("html")).to_have_attribute("lang", "zh")


def test_who_types_and_then_switches_the_language_gets_both(browse: OpenPage) -> None:
    """Streamlit's browser sends one order for what was typed and the switch, and names the text's fragment alone."""
    page = browse("/translator", width=1280, height=720)
    page.get_by_label("An English sentence").fill("Where is my blue umbrella?")
    page.mouse.move(20, 300)
    page.get_by_text("中文", exact=True).click()
    linked(page, {"lang": "zh", "tr_text": "Where is my blue umbrella?"})
    expect(page.locator("h1").first).to_have_text("翻译模型")


def test_language_follows_the_browser(browse: OpenPage) -> None:
    assert browse("/kernel_regression", language="zh-CN").locator("h1").first.inner_text() == "核回归"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axes_are_as_dark_or_light_as_the_page_and_a_saved_picture_is_for_white_paper(
    browse: OpenPage, tmp_path: Path, scheme: str
) -> None:
    def css(colour: str) -> str:
        red, green, blue = (int(colour[position : position + 2], 16) for position in (1, 3, 5))
        return f"rgb({red}, {green}, {blue})"

    page = browse(CHART, color_scheme=scheme)
    painted(page, 1)
    fills = page.evaluate(
        "[...document.querySelectorAll('.xtick text, .legendtext')].map(e => getComputedStyle(e).fill)"
    )
    assert set(fills) == {css((DARK if scheme == "dark" else LIGHT).text)}
    unfold(page)
    with page.expect_download() as download:
        page.get_by_text("SVG", exact=True).first.click()
    download.value.save_as(tmp_path / "picture.svg")
    drawn, paper = (tmp_path / "picture.svg").read_text("utf8"), LIGHT
    assert f"background: {css(paper.paper)}" in drawn or f"fill: {css(paper.paper)}; fill-opacity: 1" in drawn
    inked = [text for text in re.findall(r"<text[^>]*>", drawn) if css(paper.text) in text or css(paper.muted) in text]
    assert len(inked) > 10, "the ticks, and more"


@pytest.mark.parametrize("secure", [True, False])
def test_the_link_can_be_copied_over_plain_http_too(browse: OpenPage, secure: bool) -> None:
    """Where a server is reached by http and is not this machine, browsers have no `navigator.clipboard`."""
    page = browse("/kernel_regression?kr_query=1.5")
    if not secure:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.evaluate("document.addEventListener('copy', () => { window.copied = document.activeElement.value })")
    page.get_by_role("button", name="Copy the link to this page").click()
    page.get_by_text("Copied").wait_for()
    told = page.evaluate("navigator.clipboard.readText()") if secure else page.evaluate("window.copied")
    assert told == page.url


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/text_generation?scene=watch&lang=en", "tg_text"),
        ("/kernel_regression?scene=own_data&lang=en", "kr_csv"),
    ],
)
def test_a_text_too_long_for_a_link_stays_out_of_it_and_the_page_says_so(
    browse: OpenPage, path: str, name: str
) -> None:
    """Proxies refuse an address of 36 kB, which a box full of Chinese makes of nine letters for each character."""
    page = browse(path)
    box = page.locator(f".st-key-{name} :is(input, textarea)")
    told = page.locator("[data-testid=stAlert]", has_text="The text is too long for a link.")
    assert told.count() == 0
    typed = ("我想你。" * 1000)[: int(box.get_attribute("maxlength") or 4000)]
    box.fill(typed)
    box.blur()
    told.wait_for()
    settled(page)
    assert len(quote(typed)) > MOST_LETTERS, "else nothing is tested"
    assert box.input_value() == typed
    assert len(page.url) <= MOST_LETTERS
    assert name not in query_of(page)
    page.get_by_role("button", name="Copy the link to this page").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_one_press_is_one_step_back_and_another_page_too(browse: OpenPage) -> None:
    """A press that sets four controls; then the way to another page, and back: what was left is there again."""
    page = browse("/queries_keys_values?scene=plane")
    painted(page)
    page.mouse.move(700, 450)  # off the menu, which opens over the rail
    start = page.evaluate("history.length")
    page.get_by_role("button", name="Dot product: a long key beats a near one").click()
    page.wait_for_url(re.compile("qk_y="))
    settled(page)
    left = query_of(page)
    assert page.evaluate("history.length") == start + 1
    values = "[...document.querySelectorAll('[data-testid=stSlider] input')].map(each => each.value).join()"
    shown = page.evaluate(values)

    page.locator("[data-testid=stSidebar] a", has_text="Masked softmax").click()
    page.wait_for_url(re.compile("/masked_softmax"))
    settled(page)
    assert page.evaluate("history.length") == start + 2
    page.go_back()
    page.wait_for_url(re.compile("/queries_keys_values"))
    page.locator("h1", has_text="Queries, keys and values").wait_for()
    settled(page)
    assert query_of(page) == left
    assert page.evaluate(values) == shown
    page.go_back()
    page.wait_for_url(lambda url: "qk_y" not in url)
    page.wait_for_function(f"shown => {values} !== shown", arg=shown)


PAPER = "getComputedStyle(document.documentElement).getPropertyValue('--paper')"
SCHEME = "getComputedStyle(document.querySelector('[data-testid=stApp]') ?? document.body).colorScheme"


def test_a_page_that_gets_another_theme_is_drawn_anew(browse: OpenPage) -> None:
    page = browse("/multi_head")
    light = page.evaluate(PAPER)
    page.emulate_media(color_scheme="dark")  # as a system does at dusk
    page.wait_for_function(f"light => {PAPER} !== light", arg=light)
    settled(page)
    sound(page)
    page.get_by_test_id("stMainMenu").click()
    page.get_by_test_id("stMainMenuItem-theme-Light").click()
    page.wait_for_function(f"light => {PAPER} === light", arg=light)
    settled(page)
    page.keyboard.press("Escape")
    sound(page)


def test_a_theme_that_comes_before_the_script_that_follows_it_is_followed(browse: OpenPage) -> None:
    page, held = browse("/multi_head"), []
    page.route("**/browser_fixes.js", lambda request: held.append(request))
    page.reload(wait_until="commit")
    page.wait_for_function(f"{SCHEME} === 'light'")
    settled(page)
    light = page.evaluate(PAPER)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{SCHEME} === 'dark'")
    assert held
    assert page.evaluate(PAPER) == light
    for request in held:
        request.continue_()
    page.wait_for_function(f"light => {PAPER} !== light", arg=light)


def test_a_picture_whose_script_is_late_has_its_place_until_it_is_drawn(browse: OpenPage) -> None:
    page, held = browse("/kernel_regression"), []
    page.route("**/regression.js", lambda request: held.append(request))
    page.reload(wait_until="commit")
    position = page.locator("[data-coming].regression")
    expect(position).to_be_empty(timeout=60_000)
    assert position.evaluate("place => place.clientHeight") == 240
    assert "coming" in position.evaluate("place => getComputedStyle(place).animationName")
    for request in held:
        request.continue_()
    expect(position.locator("svg").first).to_be_visible()
    assert position.evaluate("place => getComputedStyle(place).animationName") == "none"


def test_who_pastes_more_than_a_box_takes_is_told_so(browse: OpenPage) -> None:
    page = browse("/multi_head?lang=zh")
    field = page.locator(".st-key-mh_text input")
    sentence = field.input_value()
    for pasted, told in (("x" * 7000, "内容超过了"), (" And so on.", "")):
        page.evaluate("text => navigator.clipboard.writeText(text)", pasted)
        field.press("End")
        field.press("Control+v")
        for _ in range(50):
            said = field.evaluate("box => box.validationMessage")
            if bool(said) == bool(told):
                break
            page.wait_for_timeout(100)
        assert said.startswith(told) if told else not said
    expect(field).to_have_value(f"{sentence} And so on.")


def test_who_comes_back_to_a_state_before_the_last_answer_gets_it(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=scaling", late=500)
    for name in ("A usual head", "Very long", "Raise the temperature", "A usual head", "Very long", "A usual head"):
        page.get_by_role("button", name=name).click()
        page.wait_for_timeout(250)
    linked(page, {"sf_long": "64"})
    page.wait_for_timeout(1_500)  # whatever still comes
    settled(page)
    assert page.complaints == []


def test_the_link_says_where_one_came_back_to(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=beyond&pe_read=176", late=500)
    for name in ("Twice as far", "A little too far"):
        page.get_by_role("button", name=name).click()
        page.wait_for_timeout(150)  # the server has answered, and nobody has heard it
    page.wait_for_timeout(2_000)  # whatever still comes
    settled(page)
    assert page.url.endswith("pe_read=176")


@pytest.mark.parametrize("link", ["/translator", "/kernel_regression?scene=own_data"])
def test_what_is_typed_is_not_covered_by_how_to_send_it(browse: OpenPage, link: str) -> None:
    page = browse(link)
    field = page.locator(":is([data-testid=stTextInputField], textarea):visible").first
    told = page.get_by_test_id("InputInstructions")
    field.press_sequentially("12")
    expect(told).to_contain_text("Enter to apply")
    above, box = told.bounding_box(), field.bounding_box()
    assert above
    assert box
    assert above["y"] + above["height"] <= box["y"] <= above["y"] + above["height"] + 12, "it stands beside the label"


@pytest.mark.parametrize("link", ["/", "/scoring_functions?scene=scaling"])
def test_on_a_tablet_the_menu_is_a_drawer_over_the_page(browse: OpenPage, link: str) -> None:
    page = browse(link, width=820, height=1180, finger=True)
    button, menu = page.get_by_test_id("stExpandSidebarButton"), page.locator("[data-testid=stSidebar]")
    beneath, title = button.bounding_box(), page.locator("h1").bounding_box()
    assert beneath
    assert title
    beside = title["x"] >= beneath["x"] + beneath["width"] or title["y"] >= beneath["y"] + beneath["height"]
    assert beside, "the button covers no title"
    width = "document.querySelector('[data-testid=stMain]').getBoundingClientRect().width"
    for close in (lambda: page.mouse.click(700, 1000), lambda: menu.get_by_role("link", name="Vision").click()):
        button.click()
        expect(menu).to_have_attribute("data-collapsed", "false")
        assert page.evaluate(width) == 820
        close()
        expect(menu).to_have_attribute("data-collapsed", "true")
    page.wait_for_url("**/vision*")
    assert page.evaluate(width) == 820


def test_on_a_tablet_pictures_stand_below_each_other(browse: OpenPage) -> None:
    page = browse("/vision", width=820, height=1180)
    painted(page)
    columns = page.locator(".st-key-stage [data-testid=stColumn]").all()
    boxes = [column.bounding_box() or {} for column in columns]
    assert len(boxes) > 1
    assert min(box["width"] for box in boxes) > 380
