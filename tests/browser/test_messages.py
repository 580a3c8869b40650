"""Every scene says where the picture would stand what it cannot show; what was typed is text, nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Page

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from tests.support.boxes import ACCEPT, BOXES, REFUSED
from tests.support.browser import ROOT, OpenPage, follow, settled, start_server
from tests.support.hostile import KNOWN

LESSONS = pytest.mark.parametrize("lesson", scenes.LESSONS, ids=[lesson.stem for lesson in scenes.LESSONS])
#: Choices for which alone some boxes are there.
CHOSEN = {
    "wt_caption": {"wt_norm_shown": "line"},
    "sa_line": {"sa_look": "couplet-zh"},
    "qk_sentence": {"qk_numbers": "noun"},
    "tr_edit_text": {"tr_edit_at": "1", "tr_edit_by": "text"},
    "sa_text": {"sa_notes": "sentences"},
    "sa_true": {"sa_who": "true"},
}
SEEN = """() => [...document.querySelectorAll('.st-key-stage [data-testid=stAlert]')].some(
    each => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().height > 0)"""
PICTURE = """() => document.querySelector('.st-key-stage :is(.js-plotly-plot, iframe,'
    + ' [data-testid=stBidiComponentIsolated])') !== null"""
#: What the text boxes of these names hold.
TYPED = """names => names.flatMap(name => [...document.querySelectorAll(`.st-key-${name} :is(input, textarea)`)])
    .map(each => each.value)"""
UNCAUGHT = "[data-testid=stException]"


def asked(lesson: Lesson, scene: Scene, values: dict[str, str]) -> str:
    """The link to a scene with these texts in its boxes, and all that makes the boxes appear."""
    chosen = {key: value for name in values for key, value in CHOSEN.get(name, {}).items()}
    return f"/{lesson.stem}?{urlencode({'scene': scene.name, 'lang': 'en', **chosen, **values}, quote_via=quote)}"


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose every checkpoint has half a manifest."""
    folder = tmp_path_factory.mktemp("damaged")
    for name in ("app.py", "pages", "explorer", ".streamlit"):
        (folder / name).symlink_to(ROOT / name)
    for checkpoint in (ROOT / "checkpoints").iterdir():
        (folder / "checkpoints" / checkpoint.name).mkdir(parents=True)
        for file in checkpoint.iterdir():
            copy = folder / "checkpoints" / checkpoint.name / file.name
            if file.name == "manifest.json":
                copy.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
            else:
                copy.symlink_to(file)
    server, address = start_server(folder)
    yield address
    server.terminate()
    server.wait(20)


@pytest.fixture(scope="module")
def without_models(stay: OpenPage, damaged: str) -> Page:
    return stay("/?lang=en", address=damaged)


@LESSONS
def test_a_lost_model_is_said_where_the_picture_would_stand(
    without_models: Page, lesson: Lesson, subtests: pytest.Subtests
) -> None:
    page = without_models
    follow(page, f"/{lesson.stem}?lang=en")
    for position, scene in enumerate(lesson.scenes):
        page.locator("[role=tab]").nth(position).click()
        page.locator(".question", has_text=scene.question).wait_for()
        settled(page)
        with subtests.test(scene.name):
            page.wait_for_function(f"() => ({SEEN})() || ({PICTURE})()", timeout=20_000)
            assert page.locator(UNCAUGHT).count() == 0


#: Everything that Markdown and Streamlit's page make something of; each piece says “typed”, so that it can be found.
HOSTILE = (
    "http://typed.test/x",
    "www.typed.test",
    "me@typed.test",
    "[typed](http://typed.test)",
    "![typed](http://typed.test/i.png)",
    "**typed**",
    "$typed$",
    ":red[typed]",
    "<b>typed</b>",
    "`typed`",
    ":tada:",
    ":material/home:",
    "~~typed~~",
)
#: Elements that Markdown, where it is obeyed, makes of them inside another.
MADE = """root => [...root.querySelectorAll('[data-testid=stMarkdownContainer]')].flatMap(text => [
    ...[...text.querySelectorAll('a, code, img, .katex, em, del, b, [style*=color], [role=img]')].filter(
        each => each.outerHTML.includes('typed')).map(each => each.outerHTML),
    ...(text.textContent.includes('🎉') ? [text.textContent] : []),
])"""


def hostile(most: int) -> str:
    """Return as many pieces as a box takes."""
    text = ""
    for piece in HOSTILE:
        text = f"{text} {piece}" if len(text) + len(piece) < most else text
    return text.strip()


@LESSONS
def test_a_refused_text_is_said_where_the_picture_would_stand_and_what_was_typed_is_no_markdown(
    browse: OpenPage, lesson: Lesson, subtests: pytest.Subtests
) -> None:
    """Each box is refused by itself, by a link to the first scene that has it, and stays so in the others: what one
    refuses must not hide that another's refusal is not said. Then all of them are hostile together, refused or not, in
    messages, labels, notes and prose, in the first scene that has them.

    That the lists have the boxes of the other scenes, too, the walk through all scenes holds.
    """
    named = REFUSED.keys() | ACCEPT
    held = [lesson.defaults(scene).keys() & named for scene in lesson.scenes]
    usual = {name: text for scene in lesson.scenes for name, text in lesson.defaults(scene).items() if name in named}
    most = dict[str, int]()
    page = browse(f"/{lesson.stem}?lang=en")
    for name in sorted(REFUSED.keys() & set().union(*held)):
        first, *others = (position for position, names in enumerate(held) if name in names)
        follow(page, asked(lesson, lesson.scenes[first], {name: REFUSED[name]}))
        for position in (first, *others):
            scene = lesson.scenes[position]
            if position != first:
                page.locator("[role=tab]").nth(position).click()
                page.locator(".question", has_text=scene.question).wait_for()
                settled(page)
            boxes = page.evaluate(BOXES)
            most[name] = most.get(name) or limit(page, name)
            with subtests.test(f"{scene.name} {name}"):
                assert {*boxes} <= named
                assert {*page.evaluate(TYPED, boxes)} <= {REFUSED[name], *usual.values()}, "no other is refused"
                assert page.locator(UNCAUGHT).count() == 0
                if name in boxes:
                    page.wait_for_function(SEEN, timeout=10_000)
        follow(page, asked(lesson, lesson.scenes[position], {}))  # where the box is: it holds its example again
    seen = set[str]()
    for scene, names in zip(lesson.scenes, held, strict=True):
        if not names - seen:
            continue
        with subtests.test(f"{scene.name} hostile"):
            if unknown := names - most.keys():
                follow(page, asked(lesson, scene, dict.fromkeys(names, "")))
                most |= {name: limit(page, name) for name in unknown}
            there = {name: hostile(most[name]) for name in sorted(names - seen) if most[name]}
            seen |= there.keys()
            follow(page, asked(lesson, scene, there))
            assert page.locator("[data-testid=stMain]").evaluate(MADE) == []
            assert page.locator(UNCAUGHT).count() == 0


def limit(page: Page, name: str) -> int:
    """Return how many letters a box takes; 0 if it is not there."""
    box = page.locator(f".st-key-{name} :is(input, textarea)")
    return int(box.first.get_attribute("maxlength") or 600) if box.count() else 0


#: A page of nothing but texts, in whatever takes Markdown.
TEXTS = """
import json
from pathlib import Path
import streamlit as st
from explorer.ui.messages import info, plain
st.title("Texts")
for number, text in enumerate(json.loads(Path("texts.json").read_text())):
    with st.container(key=f"text_{number}"):
        info(text)
        st.caption(plain(text))
        st.markdown(f"Before **{plain(text)}** after.")
        st.button(plain(text), key=f"button_{number}")
        st.pills("pills", [plain(text)], key=f"pills_{number}")
        st.expander(plain(text), key=f"fold_{number}")
"""
#: Text that stands in it, without what has no width.
WRITTEN = r"""root => [...root.querySelectorAll('[data-testid=stMarkdownContainer] p')].map(
    each => each.textContent.replaceAll('\u2060', '').trim())"""


def test_plain_text_looks_as_it_was_typed(browse: OpenPage, tmp_path: Path) -> None:
    texts = [*HOSTILE, *(each for each in KNOWN if each.isprintable() and each.strip()), "a -> b -- c <= d", "- 1. x"]
    (tmp_path / "app.py").write_text(TEXTS)
    (tmp_path / "texts.json").write_text(json.dumps(texts))
    (tmp_path / "explorer").symlink_to(ROOT / "explorer")
    server, address = start_server(tmp_path)
    try:
        page = browse("/", address=address)
        for number, text in enumerate(texts):
            block = page.locator(f".st-key-text_{number}")
            assert block.evaluate(MADE) == []
            written = [each.removeprefix("Before ").removesuffix(" after.") for each in block.evaluate(WRITTEN)]
            assert set(written) - {"pills"} == {" ".join(text.split())}, (text, written)
    finally:
        server.terminate()
        server.wait(20)


#: Every box that takes a file: where it stands, and a file.
FILES = {
    "kr_file": ("/kernel_regression?scene=own_data", "points.csv", b"x,y\n1,2\n2,3\n3,5\n4,4\n"),
    "sa_file": ("/seq2seq_attention?scene=bottleneck&sa_sample=file", "pairs.tsv", b"Ein Hund.\tA dog.\n" * 3),
    "tr_doc_file": ("/translator?scene=documents", "texts.txt", b"Hello.\n"),
    "vi_picture_file": ("/vision", "picture.png", b"no picture"),
    "tl_file": ("/training_lab?scene=own_task", "pairs.csv", b"a,b\nc,d\n" * 20),
    "tl_upload": ("/training_lab?scene=bring", "model.zip", b"no model"),
}


def test_a_file_that_a_new_server_does_not_have_is_said_to_be_gone(browse: OpenPage) -> None:
    server, address = start_server()
    pages = {}
    for key, (path, name, content) in FILES.items():
        page = pages[key] = browse(f"{path}&lang=en" if "?" in path else f"{path}?lang=en", address=address)
        told = len(page.told)
        page.locator(f".st-key-{key} input[type=file]").set_input_files(
            {"name": name, "mimeType": "", "buffer": content}
        )
        page.locator(f".st-key-{key}").get_by_text(name).first.wait_for(state="attached")
        while len(page.told) < told + 2:  # it asks where to, and says that the file is there
            page.wait_for_timeout(50)
        settled(page)
        assert not page.get_by_text("no longer on this server").count()
    server.terminate()
    server.wait(20)
    server, _ = start_server(port=int(address.rpartition(":")[2]))
    try:
        for page in pages.values():
            page.get_by_text("no longer on this server").first.wait_for(timeout=60_000)
    finally:
        server.terminate()
        server.wait(20)
