"""The textbook's layer in a real browser: its strips are stepped, followed, and stand where torch puts them."""

from playwright.sync_api import expect

from explorer.lessons.multi_head.records import HEADS, QUERIES, SplitParams
from explorer.lessons.multi_head.split import split
from tests.support.browser import OpenPage, linked


def test_the_strips_step_and_follow_and_the_link_keeps_it(browse: OpenPage) -> None:
    page = browse("/multi_head?scene=shapes&mh_shapes_of=textbook&mh_book_step=1")
    film = page.locator(".split")
    expect(film.locator(".shape tspan").first).to_have_text("(2, 4, 5, 20)")
    film.get_by_role("button", name="Step on").click()
    linked(page, {"mh_book_step": "2"})
    expect(film.locator(".shape tspan").first).to_have_text("(2, 5, 4, 20)")
    page.locator(".st-key-mh_book .reading").get_by_text("Swap two axes").wait_for()
    film.locator(".scrub").fill("0")  # as the scene begins: no link names it
    expect(film.locator(".where")).to_have_text("Step 1 of 9")
    page.keyboard.press("ArrowRight")
    linked(page, {"mh_book_step": "1"})
    film.locator(".strip").nth(HEADS).click()  # the first part of the second query
    linked(page, {"mh_book_query": "2"})
    expect(film.locator('.strip[opacity="1.00"]')).to_have_count(HEADS)


def test_the_blocks_hold_what_torch_puts_there(browse: OpenPage) -> None:
    page = browse("/multi_head?scene=shapes&mh_shapes_of=textbook&mh_book_step=3")
    film = page.locator(".split")
    expect(film.locator("caption")).to_have_text("Step 4 of 9")
    rows = [row.split("\t")[1] for row in film.locator("table tr").all_inner_texts()[1:]]
    positions = split(SplitParams()).positions[3].tolist()
    for strip, position in enumerate(positions):
        sentence, query, head = strip // HEADS // QUERIES + 1, strip // HEADS % QUERIES + 1, strip % HEADS
        assert rows[position] == f"sentence {sentence}, query {query}, head {head}"
    corners = film.locator(".strip").evaluate_all("all => all.map(each => each.getAttribute('transform'))")
    assert len(set(corners)) == len(positions)
    assert len({each.split()[0] for each in corners}) == len(split(SplitParams()).lengths), "a column for each block"
