"""Pictures of a notebook in a browser: their file without a network, their frame, and the widget's script."""

import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from explorer import show
from explorer.show.picture import LivePicture

TOKENS = ["the", "cat", "<img src=x onerror=document.title='obeyed'>", "</script>", "on", "my", "mat"]
RNG = np.random.default_rng(0)
WEIGHTS = RNG.dirichlet(np.full(7, 0.3), (3, 4, 7)).astype(np.float32)
LONG = RNG.dirichlet(np.full(512, 0.01), (2, 512)).astype(np.float32)
X = np.linspace(0, 5, 30)
#: A picture, and what is pointed at in it.
PICTURES: dict[str, tuple[Callable[[], LivePicture], str]] = {
    "heads": (lambda: show.heads(WEIGHTS, TOKENS), ".words .word"),
    "text": (lambda: show.text(WEIGHTS[0], TOKENS), ".words .word"),
    "long text": (lambda: show.text(LONG, [f"word{n}" for n in range(512)]), ".words .word"),
    "ribbons": (lambda: show.ribbons(WEIGHTS[1], TOKENS), ".asks .word"),
    "cross": (lambda: show.ribbons(WEIGHTS[1, :, :3], list("abc"), TOKENS, dark=True), ".asks .word"),
    "journey": (lambda: show.journey(*RNG.normal(size=(3, 7, 4)), TOKENS), ".askers button"),
    "regression": (lambda: show.regression(X, np.sin(X), width=0.5), ".point"),
    "mask": (lambda: show.mask(RNG.normal(size=(7, 7)), TOKENS), "[role=gridcell]"),
}


@pytest.fixture
def page(usual: BrowserContext) -> Any:
    """An empty page that may ask nobody, and keeps what goes wrong and what it asks for in `page.complaints`."""
    opened = usual.new_page()
    opened.complaints = []
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.on("console", lambda said: said.type == "error" and opened.complaints.append(said.text))

    def refuse(route: Route) -> None:
        opened.complaints.append(route.request.url)
        route.abort()

    opened.route("http*://**", refuse)
    opened.set_viewport_size({"width": 1000, "height": 900})
    yield opened
    opened.close()


def pixels(picture: Locator) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture.screenshot())).convert("L"), int)


def follows(page: Page, picture: Locator, pointed: str) -> None:
    """Whether it draws something, and something else where it is pointed at: a fit, where it is dragged."""
    expect(picture.locator(pointed).nth(1)).to_be_visible()
    page.wait_for_timeout(300)
    before = pixels(picture)
    assert before.std() > 5
    if pointed == ".point":
        picture.locator(".grip.query").focus()
        for _ in range(9):
            page.keyboard.press("ArrowLeft")
    elif pointed == "[role=gridcell]":
        picture.locator(pointed).nth(1).click()
    else:
        picture.locator(pointed).nth(1).hover()
    page.wait_for_timeout(300)
    assert (pixels(picture) != before).mean() > 1e-4


@pytest.mark.parametrize("name", PICTURES)
def test_a_file_is_alive_without_a_network(page: Any, tmp_path: Path, name: str) -> None:
    make, pointed = PICTURES[name]
    page.goto(make().html(tmp_path / "picture.html").as_uri())
    follows(page, page.locator(".live"), pointed)
    assert page.title() != "obeyed"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 1000
    assert page.complaints == []


def test_a_file_says_what_it_is_and_how_it_is_read_on_a_phone(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(show.heads(WEIGHTS, TOKENS).html(tmp_path / "picture.html").as_uri())
    expect(page.locator(".words .word").nth(1)).to_be_visible()
    assert page.title() == "What each head does: a row for each layer"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    cells = page.locator(".unseen table").first.locator("td").all_inner_texts()
    numbers = np.array([float(each) for each in cells if each]).reshape(7, 7)
    np.testing.assert_allclose(numbers, WEIGHTS[0, 0], atol=0.0042)


def test_the_frame_of_a_notebook_without_widgets_is_alive_and_as_high_as_its_picture(page: Any) -> None:
    page.set_content(f"<title>notebook</title>{show.text(WEIGHTS[0], TOKENS)._repr_html_()}")
    inside = page.frame_locator("iframe")
    expect(inside.locator(".words .word").nth(1)).to_be_visible()
    page.wait_for_timeout(300)
    before = pixels(page.locator("iframe"))
    inside.locator(".words .word").nth(1).hover()
    page.wait_for_timeout(300)
    assert (pixels(page.locator("iframe")) != before).mean() > 1e-4
    high = page.locator("iframe").bounding_box()["height"]
    assert 100 < high < 400
    assert page.title() == "notebook"
    assert page.complaints == []


#: A cell of a notebook, as anywidget draws one: a model whose traits are read and set, an element.
CELL = """async ([script, state, packed]) => {
    const { default: widget } = await import(`data:text/javascript;base64,${btoa(script)}`);
    const bytes = Uint8Array.from(atob(packed), (each) => each.charCodeAt(0));
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3); // in the middle of a message, as a kernel's
    state._packed = new DataView(shifted.buffer, 3, bytes.length);
    window.saved = [];
    const model = { get: (name) => state[name], set: (name, value) => (state[name] = value),
        save_changes: () => saved.push(state._told) };
    window.end = await widget.render({ model, el: document.body });
}"""


@pytest.mark.parametrize("name", PICTURES)
def test_a_widget_draws_the_same_and_tells_what_is_chosen(page: Any, name: str) -> None:
    make, pointed = PICTURES[name]
    widget: Any = make()
    page.set_content("<title>notebook</title>")
    state = {"_modules": widget._modules, "_markup": widget._markup}
    page.evaluate(CELL, [widget._esm, state, base64.b64encode(widget._packed).decode()])
    picture = page.locator(".live")
    follows(page, picture, pointed)
    if "grip" not in pointed and pointed not in {".point", "[role=gridcell]"}:
        picture.locator(pointed).nth(1).click()
    page.wait_for_function("saved.length > 0")
    widget.set_state({"_told": page.evaluate("saved.at(-1)")})
    if name == "regression":
        assert 0 < widget.query < 2.5
        assert widget.width == 0.5
    elif name == "mask":
        assert widget.forbidden == [(0, 1)]
    else:
        assert widget.query == 1
    page.evaluate("end()")
    assert page.title() == "notebook"
    assert page.complaints == []
