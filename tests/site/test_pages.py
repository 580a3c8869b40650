"""The pages of a site, opened from a folder: drawn, alive, answered, and asking nobody for anything."""

import base64
import html
import importlib
import io
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import numpy as np
import pytest
from filelock import FileLock
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, expect

from explorer import scenes
from explorer.lessons import kernel_regression, queries_keys_values
from explorer.lessons.kernel_regression import state
from explorer.scenes.spec import Lesson
from explorer.ui.scene import off_page
from tests.support.browser import ROOT, listen
from tests.support.soundness import AXE, FOUND

STEMS = ("queries_keys_values", "kernel_regression")
APP = "https://example.org/app"
#: Bytes of a lesson's page, and of the whole site.
MOST, MOST_IN_ALL = 1_500_000, 60_000_000
#: What is pointed at in a living picture, where nothing is dragged.
POINTED = "[role=slider], .asks button, .askers button, .object, .target, .ground, .words .word, svg [tabindex], button"
#: A living picture may have a stage of its own.
STAGE = "> .shown > .stage"
OpenHere = Callable[..., Page]


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A site of two lessons in both languages, built once for all processes of the tests."""
    here = tmp_path_factory.getbasetemp()
    out = (here if worker_id == "master" else here.parent) / "book"
    with FileLock(f"{out}.lock"):
        if not out.exists():
            asked = ["--lessons", *STEMS, "--stops", "3", "--jobs", "2", "--app", APP, "--space", "--anew"]
            subprocess.run([sys.executable, "-m", "explorer.site", out, *asked], cwd=ROOT, check=True)
    assert "sdk: static" in (out / "README.md").read_text("utf8")
    return out


@pytest.fixture
def open_here(book: Path, usual: BrowserContext) -> Iterator[OpenHere]:
    """Open a page of the folder; `page.asked` lists what it asks for."""
    with opening(book, usual) as open_page:
        yield open_page


@contextmanager
def opening(book: Path, usual: BrowserContext) -> Iterator[OpenHere]:
    """Open pages of a folder, as `open_here` does."""
    opened: list[Page] = []

    def run(path: str, width: int = 1280, scheme: Any = "light") -> Page:
        page = usual.new_page()
        opened.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        listen(page)
        page.goto(f"{book.as_uri()}/{path}")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.stage')].every(each => each.dataset.drawn === '0')", timeout=60_000
        )
        return page

    yield run
    for page in opened:
        page.close()


def given(book: Path, words: str, stem: str) -> Any:
    """What the script of a lesson's page is given, with the pieces that it fetches later."""
    found = re.search(r'id="given">(.*?)</script>', (book / words / f"{stem}.html").read_text("utf8"), re.DOTALL)
    later = re.fullmatch(r"laterPieces = (.*);\n", (book / words / stem / "states.js").read_text("utf8"))
    last = re.fullmatch(r"stopPieces = (.*);\nstops = (.*);\n", (book / words / stem / "stops.js").read_text("utf8"))
    assert found
    assert later
    assert last
    told, (presets, pieces, stops) = json.loads(found[1]), map(json.loads, (later[1], *last.groups()))
    words_of_scripts = re.search(r'"ui/live/catalogues.js": "data:text/javascript;base64,([^"]*)"', found.string)
    assert words_of_scripts
    assert f'"{words}"' in base64.b64decode(words_of_scripts[1]).decode() or words == "en"
    assert not told["pieces"].keys() & presets.keys() | presets.keys() & pieces.keys()
    return {**told, "pieces": {**told["pieces"], **presets, **pieces}, "stops": stops}


def unpacked(found: Any, picture: Any, look: str = "light") -> tuple[Any, list[tuple[list[Any], np.ndarray]]]:
    """Names and arrays of a living picture, read apart from the code that reads them in the browser."""
    data = b"".join(zlib.decompress(base64.b64decode(found["pieces"][name])) for name in picture[look])
    size = int.from_bytes(data[:4], "little")
    head, positions, _language = json.loads(data[4 : 4 + size])
    body = data[(4 + size + 7) // 8 * 8 :]
    kinds = {"float16": "<f2", "float32": "<f4", "float64": "<f8", "int32": "<i4", "uint8": "|u1"}
    return head, [
        (path, np.frombuffer(body, kinds[kind], int(np.prod(shape)), start).reshape(shape))
        for path, kind, start, shape in positions
    ]


def pixels(part: Locator) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(part.screenshot())).convert("L"), dtype=float)


def settled(part: Locator) -> np.ndarray:
    """Its pixels, once they stay."""
    before = pixels(part)
    for _ in range(40):
        now = pixels(part)
        if now.shape == before.shape and (now == before).all():
            break
        before = now
    return before


def changes(part: Locator, before: np.ndarray) -> bool:
    """Whether it comes to look another than before."""
    for _ in range(40):
        now = pixels(part)
        if now.shape != before.shape or (now != before).mean() > 1e-4:
            return True
    return False


def nothing_strange(page: Page, book: Path) -> None:
    assert [each for each in page.asked if not each.startswith((book.as_uri(), "data:", "blob:"))] == []
    assert page.complaints == []


@pytest.mark.parametrize(("stem", "words"), [(STEMS[0], "zh"), (STEMS[1], "en")])
def test_every_scene_is_drawn_and_follows_its_presets(open_here: OpenHere, book: Path, stem: str, words: str) -> None:
    page = open_here(f"{words}/{stem}.html")
    press_presets(page, scenes.lesson(stem))
    nothing_strange(page, book)


def test_the_whole_site_is_drawn_and_light(
    pytestconfig: pytest.Config, tmp_path: Path, usual: BrowserContext, subtests: pytest.Subtests
) -> None:
    """Some twenty minutes: every lesson in both languages."""
    if not pytestconfig.getoption("--whole-site"):
        pytest.skip("built and walked on demand: --whole-site")
    book = tmp_path / "book"
    subprocess.run([sys.executable, "-m", "explorer.site", book, "--anew"], cwd=ROOT, check=True)
    assert sum(file.stat().st_size for file in book.rglob("*") if file.is_file()) < MOST_IN_ALL
    for words in ("en", "zh"):
        for lesson in scenes.LESSONS:
            path = f"{words}/{lesson.stem}.html"
            with subtests.test(path), opening(book, usual) as open_page:
                assert (book / path).stat().st_size < MOST
                page = open_page(path)
                press_presets(page, lesson)
                nothing_strange(page, book)


def press_presets(page: Page, lesson: Lesson) -> None:
    """Press each preset of each scene of a page: it is drawn, and says what to look for."""
    for scene in lesson.scenes:
        section = page.locator(f"section#{scene.name}")
        stage = section.locator(STAGE)
        assert stage.locator(".live, .js-plotly-plot").count()
        seen = {stage.inner_text()}
        for position in range(len(scene.presets)):
            button = section.locator(f"[data-state='{position + 3}']")
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            expect(stage).to_have_attribute("data-drawn", str(position + 3), timeout=20_000)
            expect(section.locator(".look")).not_to_be_empty()
            seen.add(stage.inner_text())
        assert len(seen) > min(1, len(scene.presets)), scene.name


def pull(page: Page, live: Locator) -> None:
    """Drag what can be dragged of a living picture, or point at something in it."""
    grips = live.locator(".grip")
    if grips.count():
        grips.first.focus()
        box = grips.first.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y - 40, steps=4)
        page.mouse.up()
    else:
        marks = live.locator(POINTED)
        marks.nth(min(1, marks.count() - 1)).hover(force=True)


@pytest.mark.parametrize("stem", STEMS)
def test_every_living_picture_is_alive_and_the_right_answer_is_the_computed_one_and_waits(
    open_here: OpenHere, book: Path, stem: str
) -> None:
    lesson, page = scenes.lesson(stem), open_here(f"en/{stem}.html")
    for live in page.locator(".live").all():
        live.scroll_into_view_if_needed()
        page.mouse.move(0, 0)
        before = settled(live)
        pull(page, live)
        assert changes(live, before), live.evaluate("each => each.closest('section').id")
    for position, scene in enumerate(each for each in lesson.scenes if each.prediction):
        assert scene.prediction
        module = importlib.import_module(lesson.module(scene.name))
        right, _ = off_page.run(module.answer, "en")
        section = page.locator(f"section#{scene.name}")
        verdict, said = section.locator(".verdict"), scene.prediction.answers[right]
        expect(verdict.get_by_text(said).first).to_be_hidden()
        wrong = next(each for each in scene.prediction.answers if each != right)
        section.locator(f"[data-answer='{right if position % 2 else wrong}']").click()
        told = f"✓ Right: {said}." if position % 2 else f"No. The answer is: {said}."
        expect(verdict.locator("summary")).to_have_text(told)
        expect(verdict.locator("p").first).to_be_visible()
        expect(section.locator(STAGE)).to_have_attribute("data-drawn", "2", timeout=20_000)
    nothing_strange(page, book)


def test_the_keyboard_reaches_all_and_what_is_moved_makes_the_sentence_one_of_before(
    open_here: OpenHere, book: Path
) -> None:
    page = open_here("en/kernel_regression.html")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    scene = page.locator("#one_query")
    scene.locator("[data-answer]").first.focus()
    page.keyboard.press("Enter")
    expect(scene.locator(".verdict summary")).to_be_focused()
    scene.locator(".grip.query").focus()
    page.keyboard.press("ArrowLeft")
    expect(scene.locator(".moved")).to_have_count(1)
    scene.locator("[data-state='3']").click()
    expect(scene.locator(".moved")).to_have_count(0)
    scene.locator(".sliders summary").click()
    noise, seed = scene.get_by_label("Noise σ"), scene.get_by_label("Seed")
    last = given(book, "en", "kernel_regression")["stops"]["one_query"]
    noise.focus()
    page.keyboard.press("End")
    position = int(noise.get_attribute("data-first") or "") + int(noise.get_attribute("max") or "")
    expect(scene.locator(".reading b").first).to_have_text(said_strong(last[position]))
    expect(noise).to_have_attribute("aria-valuetext", "2.00")
    expect(scene.locator("[data-state='3']")).to_have_attribute("aria-pressed", "false")
    seed.focus()
    page.keyboard.press("End")
    expect(seed).to_have_attribute("aria-valuetext", "99")
    expect(noise).to_have_attribute("aria-valuetext", "0.50")
    nothing_strange(page, book)


def said_strong(state: Any) -> str:
    """The first number that the reading of a state has in bold."""
    found = re.search("<b>(.*?)</b>", state["pictures"][0]["reading"])
    assert found
    return found[1]


def test_the_stops_of_a_slider_are_what_the_same_code_computes(book: Path) -> None:
    page, found = (book / "en" / "kernel_regression.html").read_text("utf8"), given(book, "en", "kernel_regression")
    section = page[page.index('id="one_query"') : page.index('id="every_query"')]
    asked = re.findall(r'<label>(.*?)\n.*?data-written="(.*?)" data-first="(\d+)"', html.unescape(section), re.DOTALL)
    assert {label for label, *_ in asked} == {"How many, n", "Noise σ", "Seed"}, "query and width are dragged"
    names, read = {"How many, n": "n", "Noise σ": "noise", "Seed": "seed"}, []
    for label, written, first in asked:
        for position, each in enumerate(json.loads(written)):
            changed = {names[label]: float(each) if "." in each else int(each)}
            fit = kernel_regression.compute(kernel_regression.Params(data=state.Data(**changed))).fit
            picture = found["stops"]["one_query"][int(first) + position]["pictures"][0]
            drawn = {".".join(map(str, path)): numbers for path, numbers in unpacked(found, picture)[1]}
            np.testing.assert_array_equal(drawn["points.y"], fit.points.y, err_msg=f"{label} {each}")
            read.append(picture["reading"])
    assert len(read) >= 9
    assert len(set(read)) > len(read) / 2


def test_the_numbers_are_those_of_the_apps_records(book: Path) -> None:
    fit = kernel_regression.compute(kernel_regression.Params()).fit
    for words in ("en", "zh"):
        found = given(book, words, "kernel_regression")
        for shown in found["scenes"]["one_query"][:2]:
            head, arrays = unpacked(found, shown["pictures"][0])
            drawn = {".".join(map(str, path)): numbers for path, numbers in arrays}
            np.testing.assert_array_equal(drawn["points.x"], fit.points.x)
            np.testing.assert_array_equal(drawn["points.y"], fit.points.y)
            np.testing.assert_array_equal(drawn["truth"], fit.truth)
            assert head["width"] == fit.width
        narrow = found["scenes"]["one_query"][3]["pictures"][0]
        assert unpacked(found, narrow)[0]["width"] == 0.05
    scene = queries_keys_values.compute(queries_keys_values.Params()).scene
    found = given(book, "en", "queries_keys_values")
    _, arrays = unpacked(found, found["scenes"]["desk"][1]["pictures"][0])
    drawn = {".".join(map(str, path)): numbers for path, numbers in arrays}
    for name in ("keys", "queries", "positions"):
        np.testing.assert_array_equal(drawn[name], getattr(scene, name))


def test_both_looks_share_their_numbers(book: Path) -> None:
    found = given(book, "en", "queries_keys_values")
    for shown in found["scenes"]["score"]:
        (light, dark) = (shown["pictures"][0][look] for look in ("light", "dark"))
        assert light[0] != dark[0]
        assert light[1:] == dark[1:]


@pytest.mark.parametrize(
    ("path", "width", "scheme"),
    [
        ("index.html", 1280, "light"),
        ("index.html", 390, "dark"),
        ("kernel_regression.html", 1280, "light"),
        ("kernel_regression.html", 390, "dark"),
    ],
)
def test_axe_has_nothing_to_say(open_here: OpenHere, book: Path, path: str, width: int, scheme: str) -> None:
    page = open_here(f"en/{path}", width, scheme)
    nothing_strange(page, book)
    page.evaluate(AXE)
    assert page.evaluate(FOUND) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(16, 22, 31)")


def test_a_lesson_prints(open_here: OpenHere) -> None:
    page = open_here("en/queries_keys_values.html")
    assert len(re.findall(rb"/Type /Page\b", page.pdf())) >= len(scenes.lesson("queries_keys_values").scenes)


def test_the_first_page_leads_to_the_readers_language(book: Path, usual: BrowserContext) -> None:
    page = usual.new_page()
    page.goto(f"{book.as_uri()}/index.html")
    page.wait_for_url("**/en/index.html")
    page.locator("nav a[lang=zh]").click()
    page.wait_for_url("**/zh/index.html")
    page.close()


def every_link(book: Path) -> Iterator[tuple[Path, str]]:
    for file in book.rglob("*.html"):
        bare = re.sub(r"<script.*?</script>", "", file.read_text("utf8"), flags=re.DOTALL)
        for link in re.findall(r'(?:href|src|srcset)="([^"]*)"', bare):
            yield file, link


def test_every_link_of_the_site_leads_somewhere(book: Path) -> None:
    found = list(every_link(book))
    assert len(found) > 100
    for file, link in found:
        address, part = urldefrag(link)
        if re.match(r"\w+:", address):
            assert address.startswith(("data:", APP, "https://d2l.ai", "https://zh.d2l.ai")), link
            continue
        there = file.parent / unquote(address) if address else file
        assert there.is_file(), link
        assert not part or f'id="{part}"' in there.read_text("utf8"), link


def test_a_page_is_light_and_names_what_made_it(book: Path) -> None:
    for file in book.glob("*/*.html"):
        page = file.read_text("utf8")
        assert len(page.encode()) < MOST, file
        assert "default-src 'self'" in html.unescape(page)
        assert re.search(r"<footer>Attention Explorer · .*20\d\d-\d\d-\d\d", page)
        assert "{" not in re.sub(r"<script.*?</script>|<math.*?</math>", "", page, flags=re.DOTALL)


def sections(lesson: Lesson, page: str) -> int:
    return sum(f'<section class="scene" id="{scene.name}"' in page for scene in lesson.scenes)


def test_every_scene_exercise_and_section_of_the_book_is_there(book: Path) -> None:
    for words in ("en", "zh"):
        for stem in STEMS:
            lesson, page = scenes.lesson(stem), (book / words / f"{stem}.html").read_text("utf8")
            assert sections(lesson, page) == len(lesson.scenes)
            assert page.count('<div class="exercise">') == lesson.exercises
            assert page.count("<summary>") >= lesson.exercises + len(lesson.book)
            assert page.count('<span class="formula" role="group"') >= 2
            assert not re.search("&lt;/?(?:span|math|m[a-z]+|p|b|a|table)\\b", page)


def test_a_formula_and_the_mark_after_it_stay_on_one_line(book: Path) -> None:
    page = (book / "en" / "kernel_regression.html").read_text("utf8")
    assert re.search(r'<span class="unbroken"><math(?:(?!</math>).)*</math>[.,]</span>', page)
