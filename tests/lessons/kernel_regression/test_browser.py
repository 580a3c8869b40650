"""Points of the reader's own, in a real browser: what the page shows is what its link opens."""

from tests.support.browser import OpenPage, linked, query_of


def test_other_points_begin_at_their_own_width_and_the_link_opens_the_same(browse: OpenPage) -> None:
    page = browse("/kernel_regression?kr_width=0.7&kr_query=4.5")
    page.mouse.move(700, 450)
    page.get_by_role("tab", name="Your own data").click()
    linked(page, {"scene": "own_data", "kr_width": "", "kr_query": ""})
    said = page.locator(".reading").first.inner_text()
    assert "At 14.5" in said
    assert browse(query_of(page)).locator(".reading").first.inner_text() == said
    page.get_by_role("button", name="A step", exact=True).click()
    linked(page, {"kr_width": "0.5"})
    said = page.locator(".reading").first.inner_text()
    assert "At 4.5 the answer is 2.50: the mean of about 2 of 10 points" in said
    assert browse(query_of(page)).locator(".reading").first.inner_text() == said


def test_the_width_s_label_lies_within_the_picture_however_wide_it_is(browse: OpenPage) -> None:
    for width, query in ((5, 2.5), (3, 2.5), (5, 0.2), (2, 4.9), (0.05, 4.99)):
        page = browse(f"/kernel_regression?scene=one_query&kr_width={width}&kr_query={query}")
        label, picture = (page.locator(each).bounding_box() for each in (".said.width", "svg:has(.said.width)"))
        assert label
        assert picture
        assert picture["x"] <= label["x"] <= picture["x"] + picture["width"] - label["width"], (width, query)
