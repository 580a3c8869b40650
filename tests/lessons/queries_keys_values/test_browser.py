"""Dragging the query and a key of the page; the link keeps it."""

import re
from urllib.parse import parse_qs, quote, urlparse

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.lessons.queries_keys_values import Params, compute
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS, read_entries
from explorer.lessons.queries_keys_values.records.scene import WITH, WITHOUT
from explorer.lessons.queries_keys_values.state import TEMPERATURES, Cues, Lookup
from explorer.scenes.queries_keys_values import COLOURS, LINE
from tests.support.browser import OpenPage, linked, query_of, settled

#: The plane's axes reach from -4.35 to 4.35.
REACH = 4.35


def asked(page: Page, key: str) -> str:
    return parse_qs(urlparse(page.url).query).get(key, [""])[0]


def drag(page: Page, grip: Locator, right: float, down: float) -> None:
    """Drag by a share of the plane's width and height."""
    plane, box = page.locator(".plane .answers").bounding_box(), grip.bounding_box()
    assert plane
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * plane["width"], y + down * plane["height"], steps=6)


def weights(page: Page) -> list[float]:
    return [float(each) for each in page.locator(".plane output").inner_text().split()]


def test_the_query_and_a_key_are_dragged_and_the_link_reopens_it(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=plane")
    before = weights(page)
    drag(page, page.locator(".plane .grip.query"), 0.2, 0.2)
    expect(page.locator(".plane output")).not_to_have_text(" ".join(f"{each:.6f}" for each in before))
    assert not asked(page, "qk_x"), "nothing is told while it is held"
    page.mouse.up()
    page.wait_for_url("**qk_x=*qk_y=**")
    settled(page)
    x, y = float(asked(page, "qk_x")), float(asked(page, "qk_y"))
    assert (x, y) == pytest.approx((0.5 + 0.2 * 2 * REACH, 0.5 - 0.2 * 2 * REACH), abs=0.1)
    drag(page, page.locator(".plane .grip.key").first, 0.3, 0.1)
    page.mouse.up()
    page.wait_for_url("**qk_keys=**")
    entries, _ = read_entries(asked(page, "qk_keys"))
    record = compute(Params(lookup=Lookup(entries=entries, query=(x, y)))).lookup
    expect(page.locator(".st-key-stage .reading").first).to_contain_text(f"{record.distances.min():.2f} away")
    assert weights(page) == pytest.approx(record.weights[WAYS.index(SOFT)].tolist(), abs=2e-6)
    again = browse(query_of(page))
    expect(again.locator(".plane .grip.query")).to_have_attribute("aria-valuenow", f"{x:.2f}")
    again.locator(".plane .grip.key").nth(1).focus()
    again.keyboard.press("ArrowLeft")
    linked(again, {"qk_keys": f"a {entries[0].x:g} {entries[0].y:g} #0072b2\nb 1.45 1.5 #d55e00\nc 0.5 -1.5 #f0e442"})


def test_the_plane_says_the_answer_under_the_pointer_and_is_painted(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=plane&qk_keys=a+-2+0+1%0Ab+2+0+5&qk_t=0.001")
    box = page.locator(".plane .answers").bounding_box()
    assert box
    page.mouse.move(
        box["x"] + box["width"] * (3 + REACH) / (2 * REACH), box["y"] + box["height"] * (REACH - 2) / (2 * REACH)
    )
    expect(page.locator(".plane .line")).to_contain_text("answer 5")
    inked = page.locator(".plane canvas").evaluate(
        "canvas => new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size"
    )
    assert inked > 3


def table(page: Page, picture: str) -> list[list[str]]:
    """The picture's table for those who do not see it, row by row; it is written once the picture rests."""
    page.wait_for_timeout(400)
    return [row.locator("th, td").all_inner_texts() for row in page.locator(f"{picture} .unseen tr").all()]


def hold(page: Page, slider: str, by: int) -> None:
    """Hold one of Streamlit's sliders and move it; the pointer is not let go."""
    box = page.locator(f".st-key-{slider} input[type=range]").bounding_box()
    assert box
    at = (box["x"] + 8, box["y"] + box["height"] / 2)
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + by, at[1], steps=6)


@pytest.mark.parametrize("entries", [COLOURS, LINE], ids=["colours", "numbers"])
def test_the_shares_follow_the_temperature_and_the_query(browse: OpenPage, entries: str) -> None:
    page = browse(f"/queries_keys_values?scene=ways&qk_keys={quote(entries)}")
    grip = page.locator(".shares .grip")

    def shown(temperature: float, query: tuple[float, float]) -> None:
        """What is drawn is the record's: the three ways, and the edges of the areas at every temperature."""
        asks = Lookup(entries=read_entries(entries)[0], query=query, temperature=temperature)
        record = compute(Params(lookup=asks)).lookup
        rows = [row[1:] for row in table(page, ".shares")[1:]]
        np.testing.assert_allclose([[float(each) for each in row[:-1]] for row in rows], record.weights, atol=2e-6)
        answers = [[float(each) for each in row[-1].split()] for row in rows]
        np.testing.assert_allclose(answers, record.outputs, atol=1e-3)
        edges = [path.get_attribute("d") or "" for path in page.locator(".shares path.share").all()]
        steps = len(record.temperatures)
        y = np.array([[float(each) for each in re.findall(r" (-?[\d.]+)", edge)] for edge in edges])
        y = np.concatenate([y[:1, : steps - 1 : -1], y[:, :steps]])  # from the floor upwards
        np.testing.assert_allclose((y[:-1] - y[1:]) / (y[0] - y[-1]), record.path.T, atol=1e-3)

    expect(grip).to_have_attribute("aria-valuetext", "T = 1")
    shown(1.0, (0.5, 0.5))
    hold(page, "qk_x", 40)
    assert "qk_x" not in page.url, "nothing is told while it is held"
    page.mouse.up()
    page.wait_for_url(re.compile("qk_x="))
    linked(page, {})
    x = float(asked(page, "qk_x"))
    shown(1.0, (x, 0.5))
    box = grip.locator(".target").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 150)
    page.mouse.down()
    page.mouse.move(box["x"] - 120, box["y"] + 150, steps=6)
    expect(grip).not_to_have_attribute("aria-valuetext", "T = 1")
    assert "qk_t" not in page.url, "nothing is told while it is held"
    temperature = float(grip.get_attribute("aria-valuenow") or "nan")
    assert temperature < 1
    shown(temperature, (x, 0.5))
    page.mouse.up()
    linked(page, {"qk_t": f"{temperature:g}"})
    expect(page.locator(".st-key-qk_path_remark .reading")).to_contain_text(f"At T = {temperature:g} ")
    grip.focus()
    page.keyboard.press("ArrowRight")
    colder = TEMPERATURES[TEMPERATURES.index(temperature) + 1]
    linked(page, {"qk_t": "" if colder == 1 else f"{colder:g}"})
    hold(page, "qk_t", 20)
    expect(grip).not_to_have_attribute("aria-valuetext", f"T = {colder:g}")
    page.mouse.up()
    assert not page.complaints


def test_the_sums_follow_what_is_wanted_and_a_click_writes_one_out(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=score&qk_red=0.5")
    page.locator(".sums .row").nth(5).wait_for()

    def shown(**wanted: float) -> None:
        """What is drawn is the record's: query, keys, products, scores and weights."""
        cues = Cues(query=(wanted.pop("readable", 1.0), 0.5, 0.0, 0.0, 0.0), **wanted)
        scene = compute(Params(cues=cues)).scene
        query, *objects = [[float(each) for each in row[1:]] for row in table(page, ".sums")[1:]]
        np.testing.assert_allclose(query, scene.queries[WITH], atol=1e-6)
        record = np.column_stack([scene.keys, scene.parts[WITH], scene.scores[WITH], scene.weights[WITH]])
        np.testing.assert_allclose(objects, record, atol=2e-6)

    shown()
    hold(page, "qk_salience", 60)
    assert "qk_salience" not in page.url, "nothing is told while it is held"
    page.wait_for_timeout(300)
    held = float(table(page, ".sums")[1][1])
    assert held > 0.3
    shown(salience=held)
    page.mouse.up()
    linked(page, {"qk_salience": f"{held:g}"})
    page.locator(".sums .row .ground").nth(5).click()
    linked(page, {"qk_object": "book"})
    page.get_by_text(f"“book”: {held:g} × 0.4").wait_for()
    expect(page.locator(".sums .row.chosen .name")).to_have_text("book")
    assert not page.complaints


def test_the_discs_follow_what_is_wanted(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=desk&qk_red=0.5")
    page.locator(".desk .disc").nth(7).wait_for()

    def shown(salience: float) -> None:
        """What is drawn is the record's: weights with and without the query as areas, and the scores."""
        cues = Cues(query=(1.0, 0.5, 0.0, 0.0, 0.0), salience=salience)
        scene = compute(Params(cues=cues)).scene
        numbers = [[float(each) for each in row[1:]] for row in table(page, ".desk")[1:]]
        record = np.column_stack([scene.weights[WITH], scene.weights[WITHOUT], scene.scores[WITH]])
        np.testing.assert_allclose(numbers, record, atol=2e-6)
        areas = [float(each.get_attribute("r") or "nan") ** 2 for each in page.locator(".desk .disc").all()]
        np.testing.assert_allclose(np.array(areas) / sum(areas), scene.weights[WITH], atol=3e-3)

    shown(0.3)
    hold(page, "qk_salience", 160)
    assert "qk_salience" not in page.url, "nothing is told while it is held"
    held = float(page.locator(".st-key-qk_salience input[type=range]").get_attribute("value") or "nan")
    assert held > 0.3
    shown(held)
    page.mouse.up()
    linked(page, {"qk_salience": f"{held:g}"})
    page.locator(".desk .target").nth(5).hover()
    expect(page.locator(".desk .line")).to_contain_text("book: weight ")
    assert not page.complaints


@pytest.mark.parametrize("entries", [COLOURS, LINE], ids=["colours", "numbers"])
def test_the_ribbons_follow_the_query_and_the_temperature(browse: OpenPage, entries: str) -> None:
    page = browse(f"/queries_keys_values?scene=dictionary&qk_keys={quote(entries)}")
    count = len(read_entries(entries)[0])
    page.locator(".dictionary .target").nth(count - 1).wait_for()

    def shown(query: tuple[float, float], temperature: float) -> None:
        """What is drawn is the record's: weights, also as heights in the mixture, distances, scores and the answer."""
        asks = Lookup(entries=read_entries(entries)[0], query=query, temperature=temperature)
        record = compute(Params(lookup=asks)).lookup
        *rows, answer = [row[1:] for row in table(page, ".dictionary")[1:]]
        soft = record.weights[WAYS.index(SOFT)]
        written = np.column_stack([soft, record.distances, record.scores])
        np.testing.assert_allclose([[float(each) for each in row] for row in rows], written, atol=2e-6)
        np.testing.assert_allclose([float(e) for e in answer[0].split()], record.outputs[WAYS.index(SOFT)], atol=1e-3)
        mixed = [float(e.get_attribute("height") or "nan") for e in page.locator(".dictionary .mixture").all()]
        np.testing.assert_allclose(np.array(mixed) / sum(mixed), soft, atol=5e-3)

    shown((0.5, 0.5), 1.0)
    hold(page, "qk_t", 40)
    assert "qk_t" not in page.url, "nothing is told while it is held"
    position = int(page.locator(".st-key-qk_t input[type=range]").get_attribute("value") or "-1")
    assert TEMPERATURES[position] != 1
    shown((0.5, 0.5), TEMPERATURES[position])
    page.mouse.up()
    linked(page, {"qk_t": str(TEMPERATURES[position])})
    page.locator(".dictionary .target").first.hover()
    expect(page.locator(".dictionary .line")).to_contain_text("“a”: weight ")
    assert not page.complaints


BOXES = "names => names.map(name => name.getBoundingClientRect().top)"


@pytest.mark.parametrize(("shown", "width", "height"), [("present=1", 1280, 720), ("lang=zh", 390, 844)])
def test_names_that_lean_do_not_reach_the_line_above(browse: OpenPage, shown: str, width: int, height: int) -> None:
    page = browse(f"/queries_keys_values?scene=score&{shown}", width=width, height=height)
    page.locator(".sums .row").nth(5).wait_for()
    line = page.locator(".sums .line").bounding_box()
    assert line
    assert min(page.locator(".sums .head").evaluate_all(BOXES)) >= line["y"] + line["height"]


def test_a_room_reads_larger_type_in_the_journey(browse: OpenPage) -> None:
    page = browse("/queries_keys_values?scene=journey&present=1", width=1280, height=720)
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    assert page.locator(".journey .askers button").first.evaluate(size) >= 18
    assert page.locator(".journey .name").first.evaluate(size) >= 14
