"""What follows the pointer: its closed forms are PyTorch's, it asks no server until it is let go, and it is fast."""

import copy
import re
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
import torch
from playwright.sync_api import BrowserContext, Locator, Page, expect

from explorer.attention.attend import attend
from explorer.attention.kernels import KERNELS, kernel_weights
from explorer.attention.masking import masked_softmax
from explorer.attention.scoring import dot, gaussian
from explorer.figures.live.modules import KIT
from explorer.figures.look import channels, ink_at
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression.compute import at_epoch
from explorer.lessons.kernel_regression.learned_bandwidth import WidthFit
from explorer.lessons.kernel_regression.state import Data
from explorer.lessons.kernel_regression.ui import controls
from explorer.lessons.scoring_functions import beside, lanes, plane
from explorer.lessons.scoring_functions.saturation import Draws
from explorer.records.wording import typeset
from tests.support.browser import OpenPage, imported, linked, moved, settled, unheard

SCENE = "/kernel_regression?scene=one_query"
DRAWS = 25


@pytest.fixture(scope="module")
def forms(usual: BrowserContext) -> Page:
    """A page that has the closed forms and nothing else."""
    page = usual.new_page()
    imported(page, KIT / "closed_forms.js")
    return page


def test_numbers_are_written_as_readings_write_them(usual: BrowserContext) -> None:
    page = usual.new_page()
    imported(page, KIT / "axes.js")
    draw = np.random.default_rng(9)
    numbers = [0.0, 1e-5, -1e-4, 9999.5, *(draw.normal(size=200) * 10.0 ** draw.integers(-12, 12, 200)).tolist()]
    found = page.evaluate("numbers => numbers.map(each => formatSignificant(each, 4))", numbers)
    assert found == [typeset(f"{each:.4g}") for each in numbers]
    levels = "([low, high]) => { const svg = svgElement('svg', {}, document.body);"
    levels += " yAxis(svg, ticks(low, high, 5), each => each, [0, 1]); return svg.textContent; }"
    assert page.evaluate(levels, [0, 4e-7]) == "01·10⁻⁷2·10⁻⁷3·10⁻⁷4·10⁻⁷"
    assert page.evaluate(levels, [0, 1]) == "0.00.20.40.60.81.0"
    page.close()


@pytest.mark.parametrize("kernel", KERNELS)
def test_weights_of_a_kernel_are_those_of_pytorch(forms: Page, kernel: str) -> None:
    draw = np.random.default_rng(7)
    for _ in range(DRAWS):
        keys, values = np.sort(draw.uniform(-5, 5, 40)), draw.normal(size=40)
        query, width = draw.uniform(-9, 9), float(np.exp(draw.uniform(-4, 2)))
        found = forms.evaluate(
            "([kernel, keys, width, query]) => [...kernelWeights(kernel, keys, width, query)]",
            [kernel, keys.tolist(), width, query],
        )
        tensors = (torch.tensor([query], dtype=torch.float64), torch.from_numpy(keys))
        wanted = kernel_weights(*tensors, kernel=KERNELS[kernel], width=width)[0].numpy()
        np.testing.assert_allclose(found, wanted, atol=1e-6)
        mean = forms.evaluate("([weights, values]) => weighted(weights, values)", [wanted.tolist(), values.tolist()])
        assert np.isnan(mean) if not wanted.any() else mean == pytest.approx(wanted @ values, abs=1e-6)


@pytest.mark.parametrize(("how", "score"), [("dot", dot), ("distance", gaussian)])
def test_weights_in_the_plane_are_those_of_pytorch(forms: Page, how: str, score: object) -> None:
    draw = np.random.default_rng(8)
    for _ in range(DRAWS):
        query, keys, temperature = (
            draw.uniform(-4, 4, 2),
            draw.uniform(-4, 4, (6, 2)),
            float(np.exp(draw.uniform(-6, 6))),
        )
        found = forms.evaluate(
            "([how, query, keys, t]) => [...softmax(planeScores(how, query, keys), t)]",
            [how, query.tolist(), keys.tolist(), temperature],
        )
        key = torch.from_numpy(keys)
        wanted = attend(torch.from_numpy(query)[None], key, key, score=score, temperature=temperature)  # type: ignore[arg-type]
        np.testing.assert_allclose(found, wanted.weights[0].numpy(), atol=1e-6)


def test_products_add_up_to_the_dot_product_of_pytorch(forms: Page) -> None:
    draw = np.random.default_rng(11)
    for _ in range(DRAWS):
        query, key = draw.uniform(-1, 1, 6), draw.uniform(0, 1, 6)
        found = forms.evaluate("([q, k]) => total(products(q, k))", [query.tolist(), key.tolist()])
        wanted = float(dot(torch.from_numpy(query)[None], torch.from_numpy(key)[None]))
        assert found == pytest.approx(wanted, abs=1e-6)


def test_weights_under_a_mask_are_those_of_pytorch(forms: Page) -> None:
    draw = np.random.default_rng(9)
    for share in np.linspace(0, 1, DRAWS):
        scores, hidden = draw.normal(scale=6, size=12).astype("f4"), draw.random(12) < share
        found = forms.evaluate(
            "([scores, hidden]) => [...maskedSoftmax(new Float32Array(scores), new Uint8Array(hidden))]",
            [scores.tolist(), hidden.tolist()],
        )
        wanted = masked_softmax(torch.from_numpy(scores)[None], torch.from_numpy(~hidden)[None])[0].numpy()
        np.testing.assert_allclose(found, wanted, atol=1e-6)


@pytest.mark.parametrize("formula", [*plane.FORMULAS, "sum"])
def test_scores_in_the_plane_are_those_of_pytorch(forms: Page, formula: str) -> None:
    draw, score = np.random.default_rng(10), {**plane.formulas(), "sum": beside.vector_sum}[formula]
    exact = copy.deepcopy(score).double() if isinstance(score, torch.nn.Module) else score
    learned = {name: part.ravel().tolist() for name, part in plane.read_learned_weights().items()}
    for _ in range(DRAWS):
        query, keys = draw.uniform(-3, 3, 2), draw.uniform(-4, 4, (6, 2))
        found = forms.evaluate(
            "([name, query, keys, learned]) => keys.map(([x, y]) => scorer(name, query, learned)(x, y))",
            [formula, query.tolist(), keys.tolist(), learned],
        )
        np.testing.assert_allclose(found, exact(torch.from_numpy(query)[None], torch.from_numpy(keys))[0], atol=1e-6)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 8.0])
def test_what_a_temperature_leaves_of_the_gradient_is_that_of_pytorch(forms: Page, temperature: float) -> None:
    record = lanes.compute(lanes.Lanes(draws=Draws(n_keys=16, temperature=temperature, seed=3)))
    found = forms.evaluate(
        "([scores, shape, lengths, t, limit]) => saturation(scores, shape, lengths, t, limit)",
        [record.every.ravel().tolist(), record.every.shape, record.lengths, temperature, lanes.FROZEN],
    )
    np.testing.assert_allclose(found["left"], record.left, atol=1e-6)
    np.testing.assert_allclose(found["frozen"], record.frozen, atol=1e-6)
    assert found["usual"][0] == record.chosen


def told(page: Page, picture: str) -> list[list[str]]:
    """The picture's table for those who do not see it, row by row; it is written once the picture rests."""
    page.wait_for_timeout(350)
    rows = page.locator(f"{picture} .unseen tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def test_both_lanes_follow_the_slider_and_the_keyboard(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=scaling&sf_t=2")
    grip = page.locator(".lanes .grip")
    expect(page.locator(".lanes .heap").first).to_be_visible()
    expect(grip).to_have_count(0)  # the curve comes once the length is moved
    moved(page, "sf_long", 70)
    expect(grip).to_have_count(1)
    expect(grip).not_to_have_attribute("aria-valuetext", "d = 32")
    assert "sf_long" not in page.url, "nothing is told while it is held"
    d = int(grip.get_attribute("aria-valuenow") or 0)
    record = lanes.compute(lanes.Lanes(d=d, draws=Draws(temperature=2.0)))
    numbers = np.array([[float(each) for each in row[1:]] for row in told(page, ".lanes")[1:]])
    np.testing.assert_allclose(numbers[:, 0], record.left[:, record.position], atol=2e-6)
    np.testing.assert_allclose(numbers[:, 1:], record.weights, atol=2e-6)
    assert page.locator(".lanes .head", has_text="weights, T = 2").count() == 2
    page.mouse.up()
    linked(page, {"sf_long": str(d)})
    expect(page.locator(".st-key-stage .reading")).to_contain_text(f"d = {d}")
    grip.focus()
    page.keyboard.press("ArrowLeft")
    linked(page, {"sf_long": "" if d == 64 else str(d // 2)})


@pytest.mark.parametrize(("temperature", "above"), [(1, 1), (8, 0)])
def test_each_share_stands_on_its_own_side_of_the_curves(browse: OpenPage, temperature: int, above: int) -> None:
    page = browse(f"/scoring_functions?scene=scaling&sf_long=64&sf_t={temperature}")
    dots, shares = page.locator(".lanes .dot"), page.locator(".lanes .grip text")
    for lane in (0, 1):
        dot, share = (float(each.nth(lane).get_attribute(at) or 0) for each, at in ((dots, "cy"), (shares, "y")))
        assert (share < dot) == (lane == above)


def test_the_landscape_follows_the_query_by_its_tip_and_by_its_slider(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=fit&sf_formula=dot&sf_every=true")
    grip = page.locator(".landscape .grip")
    expect(grip).to_have_attribute("aria-valuetext", "1.80 long, at 35°")
    box = grip.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 90, box["y"] + 10, steps=6)
    expect(grip).not_to_have_attribute("aria-valuetext", "1.80 long, at 35°")
    assert "sf_turn" not in page.url, "nothing is told while it is held"
    page.mouse.up()
    page.wait_for_url(re.compile("sf_turn="))
    linked(page, {})
    asked = parse_qs(urlparse(page.url).query)
    here = plane.Plane(reach=float(asked.get("sf_reach", ["1.8"])[0]), turn=float(asked["sf_turn"][0]))
    record = plane.compute(here)
    weights = [[float(each) for each in row[1:]] for row in told(page, ".landscape")[1:]]
    np.testing.assert_allclose(weights, record.weights, atol=1e-5)
    winner = record.order("dot")[0]
    expect(page.locator(".st-key-sf_plane_remark .reading")).to_contain_text(f"dot product: {winner} gets")
    before = grip.get_attribute("aria-valuetext") or ""
    moved(page, "sf_reach", 60)
    expect(grip).not_to_have_attribute("aria-valuetext", before)
    page.mouse.up()


def test_epochs_are_dragged_stepped_through_and_played_without_the_server(browse: OpenPage) -> None:
    page = browse("/kernel_regression?scene=learn_width&kr_every=true&kr_rate=1.0&kr_epochs=20&kr_epoch=3")
    learned = lesson.compute(lesson.Params(learning=WidthFit(learning_rate=1.0, epochs=20))).learning
    grip = page.locator(".learning .grip.epoch")

    def shown() -> int:
        """Of the epoch that is drawn, everything is the record's; the fit is that of its width."""
        for _ in range(30):  # the table is filled once the picture rests
            epoch = int(grip.get_attribute("aria-valuenow") or -1)
            numbers = np.array([float(each) for each in told(page, ".learning")[1]])
            if numbers[0] == epoch:
                break
            page.wait_for_timeout(100)
        wanted = [part[epoch] for part in (learned.widths, learned.loss, learned.w, learned.against_truth)]
        np.testing.assert_allclose(numbers, [epoch, *wanted], rtol=2e-6, atol=2e-6)
        fit = at_epoch(lesson.compute(lesson.Params(learning=WidthFit(learning_rate=1.0, epochs=20))), epoch)
        np.testing.assert_allclose(drawn(page)[3:], fit.weights[fit.row(2.5)], atol=2e-6)
        return epoch

    expect(grip).to_have_attribute("aria-valuetext", "epoch 3")
    assert shown() == 3
    box = grip.locator(".target").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 100, steps=6)
    expect(grip).not_to_have_attribute("aria-valuetext", "epoch 3")
    assert "kr_epoch=3" in page.url, "nothing is told while it is held"
    epoch = shown()
    page.mouse.up()
    linked(page, {"kr_epoch": str(epoch)})
    expect(page.locator(".st-key-kr_learned_fit_remark .reading")).to_contain_text(f"After {epoch} epochs ")
    moved(page, "kr_epoch", -60)
    expect(grip).not_to_have_attribute("aria-valuetext", f"epoch {epoch}")
    assert shown() < epoch
    page.mouse.up()
    epoch = shown()
    linked(page, {"kr_epoch": str(epoch)})
    grip.focus()
    page.keyboard.press("ArrowRight")
    linked(page, {"kr_epoch": str(epoch + 1)})
    page.get_by_role("button", name="Play").click()
    expect(grip).not_to_have_attribute("aria-valuetext", f"epoch {epoch + 1}")
    assert f"kr_epoch={epoch + 1}" in page.url, "nothing is told while it plays"
    page.get_by_role("button", name="Pause").click()
    linked(page, {"kr_epoch": str(shown())})
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="After learning").click()  # it stops what plays
    linked(page, {"kr_epoch": "60"})
    page.wait_for_timeout(800)
    assert grip.get_attribute("aria-valuenow") == "60"


#: Colour of every cell of the map, row by row.
CELLS = """canvas => {
  const { width, height } = canvas, { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  return [...Array(width * height).keys()].map(at => [...data.slice(4 * at, 4 * at + 4)]);
}"""


def test_the_map_of_every_query_follows_the_width_and_the_query(browse: OpenPage) -> None:
    page = browse("/kernel_regression?scene=every_query&kr_kernel=triangular&kr_n=10")
    grip = page.locator(".matrix .grip")
    curve = page.locator(".matrix .curve")
    before = curve.get_attribute("d") or ""
    moved(page, "kr_width", -12)
    expect(curve).not_to_have_attribute("d", before)
    assert "kr_width" not in page.url, "nothing is told while it is held"
    page.mouse.up()
    page.wait_for_url(re.compile("kr_width="))
    linked(page, {})
    width = float(parse_qs(urlparse(page.url).query)["kr_width"][0])
    fit = lesson.compute(lesson.Params(kernel="triangular", data=Data(n=10), width=width)).fit
    assert fit.undefined, "a row without a key is hatched"
    cells = np.array(page.locator(".matrix .map").evaluate(CELLS)).reshape(*fit.weights.T.shape, 4)[::-1].swapaxes(0, 1)
    for row, column in np.random.default_rng(0).integers(0, fit.weights.shape, (20, 2)):
        weight, seen = float(fit.weights[row, column] / fit.weights.max()), not np.isnan(fit.prediction[row])
        wanted = [255 * part for part in channels(ink_at(weight))] if seen else [0, 0, 0]
        np.testing.assert_allclose(cells[row, column], [*wanted, 255 * seen], atol=2)
    grip.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    linked(page, {"kr_query": "2.6"})
    assert not page.complaints
    rows = told(page, ".matrix")[1:]
    np.testing.assert_allclose([float(each[1]) for each in rows], fit.prediction, atol=2e-6)
    np.testing.assert_allclose([float(each) for each in rows[fit.row(2.6)][2:]], fit.weights[fit.row(2.6)], atol=2e-6)


def drawn(page: Page) -> np.ndarray:
    """Query, width, answer and weights, as the picture tells screen readers and tests."""
    return np.array([float(each) for each in page.locator(".regression output").inner_text().split()])


def test_query_and_width_follow_the_pointer_and_are_told_when_let_go(browse: OpenPage) -> None:
    page = browse(f"{SCENE}&kr_kernel=epanechnikov")
    grip = page.locator(".regression .grip.query")
    expect(grip).to_have_attribute("aria-valuetext", "query 2.50")
    box = grip.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"], steps=8)
    expect(grip).not_to_have_attribute("aria-valuetext", "query 2.50")
    assert "kr_query" not in page.url, "nothing is told while it is held"
    query, width, answer, *weights = drawn(page)
    fit = lesson.compute(lesson.Params(kernel="epanechnikov")).fit
    wanted = kernel_weights(
        torch.tensor([query], dtype=torch.float64),
        torch.from_numpy(fit.points.x.copy()),
        kernel=KERNELS["epanechnikov"],
        width=width,
    )[0].numpy()
    np.testing.assert_allclose(weights, wanted, atol=2e-6)
    assert answer == pytest.approx(wanted @ fit.points.y, abs=1e-5)
    page.mouse.up()
    asked = float(grip.get_attribute("aria-valuenow") or "nan")
    linked(page, {"kr_query": f"{asked:g}"})
    row = fit.row(asked)
    expect(page.locator(".st-key-stage .reading")).to_contain_text(f"the answer is {fit.prediction[row]:.2f}")
    np.testing.assert_allclose(drawn(page)[3:], fit.weights[row], atol=2e-6)
    page.locator(".regression .grip.width").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    linked(page, {"kr_width": "0.6"})


def test_a_point_is_dragged_and_the_fit_bends_before_it_is_let_go(browse: OpenPage) -> None:
    page = browse(f"{SCENE}&kr_n=10")
    point = page.locator(".regression .grip.one").nth(4)
    box = point.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 170, box["y"] + 90, steps=6)
    assert "kr_moved" not in page.url, "nothing is told while it is held"
    said = point.get_attribute("aria-valuetext") or ""
    held = drawn(page)
    page.mouse.up()
    page.wait_for_url(re.compile("kr_moved=5%3A"))
    linked(page, {})
    moved = controls.read_moved(parse_qs(urlparse(page.url).query)["kr_moved"][0])
    assert f"x {moved[0][1]:.2f}, y {moved[0][2]:.2f}".replace("-", "−") == said
    fit = lesson.compute(lesson.Params(data=Data(n=10, moved=moved))).fit
    row = fit.row(2.5)
    expect(page.locator(".st-key-stage .reading")).to_contain_text(f"the answer is {fit.prediction[row]:.2f}")
    assert held[2] == pytest.approx(fit.prediction[row], abs=1e-6)
    np.testing.assert_allclose(np.sort(drawn(page)[3:]), np.sort(fit.weights[row]), atol=2e-6)
    page.locator(".regression .grip.one[tabindex='0']").focus()
    page.keyboard.press("PageDown")
    focused = page.locator(".regression .grip.one:focus")
    named = focused.get_attribute("aria-label")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => new URLSearchParams(location.search).get('kr_moved')?.split(' ').length === 2")
    settled(page)
    expect(focused).to_have_attribute("aria-label", named or "")  # it can be moved on
    page.get_by_role("button", name="Put the points back").click()
    linked(page, {"kr_moved": ""})


def test_what_is_dragged_before_the_last_is_answered_stays_under_the_pointer_and_nothing_is_lost(
    browse: OpenPage,
) -> None:
    page = browse(f"{SCENE}&kr_n=10", late=1_200)

    def middle(which: str) -> tuple[float, float]:
        target = page.locator(f".regression .grip.{which} .target")
        while (box := target.bounding_box()) is None:  # it is just built anew
            page.wait_for_timeout(10)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(which: str, across: int, down: int) -> tuple[float, float]:
        x, y = middle(which)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + across, y + down, steps=4)
        return x + across, y + down

    drag("one:nth-of-type(8)", 0, 50)
    page.mouse.up()
    held = drag("one:nth-of-type(5)", 40, -60)
    for _ in range(18):  # meanwhile the answer comes
        page.wait_for_timeout(100)
        assert middle("one:nth-of-type(5)") == pytest.approx(held, abs=1.5)
    page.mouse.up()
    for which in ("query", "one:nth-of-type(6)"):
        drag(which, 90, 0)
        page.mouse.up()
        page.wait_for_timeout(100)  # the server has answered, and nobody has heard it
    page.wait_for_function("() => new URLSearchParams(location.search).get('kr_moved')?.split(' ').length === 3")
    page.wait_for_timeout(1_500)  # whatever still comes
    assert "kr_query=3" in page.url


def test_the_picture_follows_streamlits_slider_before_it_is_let_go(browse: OpenPage) -> None:
    page = browse(SCENE)
    grip = page.locator(".regression .grip.width")
    expect(grip).to_have_attribute("aria-valuetext", "width 0.50")
    moved(page, "kr_width", 60)
    expect(grip).not_to_have_attribute("aria-valuetext", "width 0.50")
    assert "kr_width" not in page.url
    page.mouse.up()


def test_points_of_the_readers_own_have_no_truth(browse: OpenPage) -> None:
    page = browse(f"{SCENE}&kr_source=own&kr_csv=x,y%0A10,1%0A20,2%0A30,4")
    expect(page.locator(".regression .point:not(span)")).to_have_count(3)
    expect(page.locator(".regression .truth")).to_have_count(0)


SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def finger_from(page: Page, grip: Locator, far: tuple[int, int], *, rests: int = 0) -> float:
    """Drag with a finger that rests so many milliseconds before; how far the page was scrolled before."""
    grip.scroll_into_view_if_needed()
    box = grip.locator("rect, circle").or_(grip.and_(page.locator("input"))).first.bounding_box()
    assert box
    scrolled = float(page.evaluate(SCROLLED))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tools = page.context.new_cdp_session(page)
    tools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    page.wait_for_timeout(rests)
    for step in range(1, 16):
        position = {"x": x + far[0] * step / 15, "y": y + far[1] * step / 15}
        tools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [position]})
        page.wait_for_timeout(16)
    tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    return scrolled


@pytest.mark.parametrize(
    ("path", "node", "far", "key"),
    [
        ("/kernel_regression?scene=one_query", ".regression .grip.one >> nth=20", (90, -30), "kr_moved"),
        ("/kernel_regression?scene=every_query", ".matrix .grip", (90, 60), "kr_query"),
        ("/scoring_functions?scene=fit", ".landscape .grip", (0, -70), "sf_turn"),
        ("/scoring_functions?scene=additive_beside_dot", ".beside .grip.key >> nth=0", (0, -70), "sf_points"),
        ("/positional_encoding?scene=order", ".order .grip >> nth=1", (-150, 0), "pe_order"),
    ],
)
def test_a_finger_drags_what_a_mouse_drags(
    browse: OpenPage, path: str, node: str, far: tuple[int, int], key: str
) -> None:
    """Along the page, too, which it would scroll elsewhere."""
    page = browse(path, width=390, height=844, finger=True)
    before = finger_from(page, page.locator(node), far)
    page.wait_for_function("key => new URLSearchParams(location.search).has(key)", arg=key, timeout=10_000)
    assert page.evaluate(SCROLLED) == before


@pytest.mark.parametrize(
    ("path", "node", "key"),
    [
        ("/kernel_regression?scene=one_query", ".regression .grip.one >> nth=20", "kr_moved"),
        ("/masked_softmax?scene=draw", "[role=gridcell] >> nth=20", "md_cells"),
    ],
)
def test_a_finger_that_has_rested_drags_along_the_page(browse: OpenPage, path: str, node: str, key: str) -> None:
    page = browse(path, width=390, height=844, finger=True)
    before = finger_from(page, page.locator(node), (0, 70), rests=350)
    page.wait_for_function("key => new URLSearchParams(location.search).has(key)", arg=key, timeout=10_000)
    assert page.evaluate(SCROLLED) == before


def test_a_finger_that_scrolls_over_a_films_slider_leaves_it_where_it_was(browse: OpenPage) -> None:
    page = browse("/positional_encoding?scene=waves", width=390, height=844, finger=True)
    slider = page.locator(".scrub")
    stood = slider.input_value()
    before = finger_from(page, slider, (0, -150))
    page.wait_for_function(f"before => {SCROLLED} > before + 60", arg=before, timeout=5_000)
    assert slider.input_value() == stood
    finger_from(page, slider, (60, 0))
    expect(slider).not_to_have_value(stood)


def test_a_tree_of_a_search_that_is_too_wide_follows_the_finger(browse: OpenPage) -> None:
    page = browse("/translator?scene=search", width=390, height=844, finger=True)
    tree = page.locator(".stage.scroll")
    tree.wait_for()
    stood = tree.evaluate("tree => tree.scrollLeft")
    finger_from(page, tree.locator("svg").first, (150 if stood else -150, 0))
    page.wait_for_timeout(500)
    assert abs(tree.evaluate("tree => tree.scrollLeft") - stood) > 60


def test_a_finger_that_scrolls_moves_no_point(browse: OpenPage) -> None:
    page = browse("/kernel_regression?scene=one_query", width=390, height=844, finger=True)
    with unheard(page):
        before = finger_from(page, page.locator(".regression .grip.one").nth(20), (0, -150))
        page.wait_for_function(f"before => {SCROLLED} > before + 60", arg=before, timeout=5_000)
        page.wait_for_timeout(500)


def test_a_tap_says_what_pointing_says_until_the_next(browse: OpenPage) -> None:
    page = browse("/scoring_functions?scene=fit", width=390, height=844, finger=True)
    svg = page.locator(".landscape svg").first
    box = svg.bounding_box()
    assert box
    line = page.get_by_text("Point anywhere: what a key would score there.")
    line.wait_for()
    tools = page.context.new_cdp_session(page)
    position = {"x": box["x"] + 0.15 * box["width"], "y": box["y"] + 0.15 * box["width"]}
    tools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [position]})
    tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(line).to_have_count(0)
    page.wait_for_timeout(500)
    expect(line).to_have_count(0)
