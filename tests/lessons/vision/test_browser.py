"""The page in a real browser: a picture is brought, patches are clicked, what cannot be a picture is refused."""

import io
import re

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from explorer.lessons.vision.ui import picture as pictures
from explorer.records.image import patch_name
from explorer.scenes.vision import PUPIL
from tests.support.browser import OpenPage, linked, moved, painted, press, settled


def png(colour: str = "red") -> bytes:
    buffer = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").resize((200, 120)).save(buffer, "PNG", comment=colour)
    return buffer.getvalue()


def test_a_picture_is_brought_and_a_bad_one_refused_without_losing_it(browse: OpenPage) -> None:
    page = browse("/vision?scene=hide")
    painted(page)
    page.get_by_text("Your own picture, or another part").click()
    files = page.locator(".st-key-vi_picture_file input[type=file]")
    files.set_input_files({"name": "mine <b>.png", "mimeType": "image/png", "buffer": png()})
    page.get_by_role("heading", name="mine <b>.png").wait_for(timeout=60_000)
    linked(page, {"vi_picture": "own"})
    files.set_input_files({"name": "bad.png", "mimeType": "image/png", "buffer": png()[:300]})
    page.get_by_text("This picture is damaged").wait_for(timeout=60_000)
    settled(page)
    assert page.get_by_role("heading", name="mine <b>.png").count() == 1
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.strangers == []


def written(page: Page) -> np.ndarray:
    """The weights on all patches, as the picture tells screen readers and tests."""
    return np.array([float(each) for each in page.locator(".patches td").all_text_contents()])


def test_a_clicked_patch_looks_and_a_hidden_one_moves_the_answer(browse: OpenPage) -> None:
    page = browse("/vision?vi_layer=1&vi_shown=mean")
    cells, heading = page.locator(".patches .cell"), page.get_by_role("heading", name="What patch 2 (row 1, column 2)")
    expect(cells).to_have_count(64)
    rows = pictures.usual().attention.weights[1].mean(0)
    cells.nth(1).hover()
    heading.wait_for()
    assert "vi_query" not in page.url, "no server is asked while a patch is pointed at"
    np.testing.assert_allclose(written(page), rows[2, 1:], atol=5e-4)
    best, share = patch_name(1 + int(rows[2, 1:].argmax()), 8), f"{rows[2, 1:].max():.0%}"
    said = page.locator(".st-key-vi_large .reading > span:last-child")
    expect(said).to_have_text(f"Patch 2 (row 1, column 2) looks most at {best}: {share} of its weight.")
    cells.nth(1).click()
    linked(page, {"vi_query": "2"})
    page.mouse.move(1439, 450)
    heading.wait_for()
    expect(cells.nth(1)).to_have_attribute("aria-pressed", "true")
    page.locator(".patches .cell[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    np.testing.assert_allclose(written(page), rows[10, 1:], atol=5e-4)
    page.keyboard.press("Enter")
    linked(page, {"vi_query": "10"})
    page.get_by_role("button", name="Summary (class token)").click()
    page.get_by_role("heading", name="What the class token looks at").wait_for()
    page = browse("/vision?scene=hide&vi_worth=heads")
    painted(page)
    press(page, "vi_hide", 0, 0.94, 0.94)
    linked(page, {"vi_hidden": "64"})
    page.locator(".st-key-vi_hide").get_by_text("mean colour: 1 of 64").wait_for()
    press(page, "vi_heads_missed", 0, 0.1, 0.1)
    linked(page, {"vi_off": "0.0"})
    settled(page)
    assert page.locator("[data-testid=stException]").count() == 0


def heads(page: Page) -> np.ndarray:
    """The weights of every head on all patches, a row for each head of each layer, as the tiles tell them."""
    rows = page.locator(".every_head tr").all()[1:]
    return np.array([[float(each) for each in row.locator("td").all_text_contents()] for row in rows])


def test_every_head_follows_who_asks_before_the_slider_is_let_go(browse: OpenPage) -> None:
    page = browse("/vision?scene=heads")
    expect(page.locator(".every_head .tile")).to_have_count(24)
    heading = page.locator(".every_head .title b")
    expect(heading).to_have_text("What patch 12 (row 2, column 4) looks at in every head")
    moved(page, "vi_query", 60)
    expect(heading).to_have_text(re.compile("What patch"))
    asks = int(re.findall(r"\d+", heading.text_content() or "")[0])
    assert "vi_query" not in page.url, "no server is asked while the slider is held"
    table = page.locator(".every_head caption")
    expect(table).to_have_text(re.compile(f"What patch {asks} "))
    rows = pictures.usual().attention.weights[:, :, asks, 1:].swapaxes(0, 1)
    np.testing.assert_allclose(heads(page), rows.reshape(24, 64), atol=5e-4)
    veiled = page.locator(".every_head canvas").first.evaluate(
        "veil => Array.from(veil.getContext('2d').getImageData(0, 0, 8, 8).data).filter((_, at) => at % 4 === 3)"
    )
    np.testing.assert_allclose(veiled, 255 * 0.92 * (rows[0, 0] / rows[0, 0].max()) ** 0.7, atol=1.5)
    page.mouse.up()
    linked(page, {"vi_query": str(asks)})
    expect(page.locator(".st-key-vi_heads .reading")).to_contain_text(f"Patch {asks} ")
    np.testing.assert_allclose(heads(page), rows.reshape(24, 64), atol=5e-4)


def test_a_chosen_tile_opens_its_head(browse: OpenPage) -> None:
    page = browse("/vision?scene=heads")
    tiles = page.locator(".every_head .tile")
    tiles.nth(18).hover(position={"x": 4, "y": 4})
    weight = pictures.usual().attention.weights[0, 3, PUPIL, 1]
    said = f"layer 0, head 3; row and column 1, 1 of the picture: {weight:.4f}"
    expect(page.locator(".every_head .line")).to_have_text(said)
    tiles.nth(18).click()
    linked(page, {"scene": "look", "vi_layer": "0"})
    page.get_by_text("layer 0, head 3").first.wait_for()
    page = browse("/vision?scene=heads")
    tiles = page.locator(".every_head .tile")
    tiles.first.focus()
    for key in ("ArrowLeft", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(tiles.nth(7)).to_be_focused()
    page.keyboard.press("Enter")
    linked(page, {"scene": "look", "vi_layer": "1", "vi_head": "1"})
    assert page.locator("[data-testid=stException]").count() == 0


#: Press one button and, so many milliseconds later, another.


def test_a_control_that_does_not_act_is_hidden_and_what_it_said_kept(browse: OpenPage) -> None:
    page = browse("/vision?scene=whole&vi_query=20&vi_picture=horse&vi_zoom=1.5")
    said = {"vi_query": "20", "vi_picture": "horse", "vi_zoom": "1.5"}
    asks, shows = page.get_by_text("Who asks?"), page.locator("[data-testid=stSelectbox]")
    names = {"Position codes": (False, False), "How far heads look": (False, True), "Rollout, layer": (True, True)}
    for name, seen in names.items():
        page.locator(".st-key-vi_more_shown button").filter(has_text=name).click()
        expect(asks).to_be_visible(visible=seen[0])
        expect(shows).to_be_visible(visible=seen[1])
        settled(page)
        linked(page, said)
    page.get_by_role("heading", name="What has reached patch 20").wait_for()
