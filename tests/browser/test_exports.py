"""What is taken away of a live picture is that of the stage: alive in a file without a network, still as SVG, PNG."""

import io
import itertools
import re
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.support.browser import OpenPage, follow, listen

Picture = tuple[str, str, str | None]


def lesson_and_language(picture: Picture) -> str:
    link = picture[0]
    return link.partition("?")[0].strip("/") + ("-zh" if "lang=zh" in link else "")


#: Link, key, and what is dragged in the picture; None where nothing is, and it is pointed at.
PICTURES: tuple[Picture, ...] = (
    ("/kernel_regression?scene=one_query&kr_query=1.5", "kr_fit", ".grip.query"),
    ("/kernel_regression?scene=every_query&kr_width=0.3", "kr_weights", ".grip"),
    ("/kernel_regression?scene=learn_width&kr_epoch=2", "kr_learning", ".grip.epoch"),
    ("/queries_keys_values?scene=plane&qk_score=dot", "qk_plane", ".grip.query"),
    ("/queries_keys_values?scene=dictionary&qk_t=0.5", "qk_dictionary", None),
    ("/queries_keys_values?scene=ways&qk_t=2", "qk_path", ".grip"),
    ("/queries_keys_values?scene=score&qk_red=1&lang=zh", "qk_parts", None),
    ("/queries_keys_values?scene=desk&qk_red=-1", "qk_desk", None),
    ("/training_lab?scene=watch&tl_step=150", "tl_map", "input"),
    ("/architectures?scene=paths&ar_step=9", "ar_paths", ".scrub"),
    ("/architectures?scene=costs&ar_n=1024", "ar_costs", None),
    ("/architectures?scene=measured&ar_beside=memory&ar_d=32", "ar_memory", None),
    ("/whole_transformer?scene=whole&wt_act=write", "wt_whole", "canvas.stage"),
    ("/whole_transformer?scene=whole&wt_stop=5", "wt_ride", ".scrub"),
    ("/whole_transformer?scene=layer&wt_numbers=1", "wt_in_layer", None),
    ("/whole_transformer?scene=head&wt_depth=head", "wt_open_head", "canvas.stage"),
    ("/whole_transformer?scene=head", "wt_one_weight", None),
    ("/efficient_attention?scene=flash&ea_step=5&ea_rows_drawn=all", "ea_tiles", ".scrub"),
    ("/efficient_attention?scene=flash&ea_step=8", "ea_one_row", ".scrub"),
    ("/efficient_attention?scene=measured&ea_n=512&ea_every=1", "ea_here", None),
    ("/efficient_attention?scene=leave_out&ea_name=dilated", "ea_kept", None),
    ("/seq2seq_attention?scene=step_by_step&sa_step=2", "sa_decoder", None),
    ("/seq2seq_attention?scene=step_by_step&sa_step=2&sa_shown=sum", "sa_decoder", None),
    ("/queries_keys_values?scene=journey&qk_numbers=noun&qk_ask=2", "qk_journey", None),
    ("/multi_head?scene=one_head&mh_find=swap&mh_site=decoder", "mh_ribbons", None),
    ("/translator?scene=look&tr_head=0", "tr_ribbons", None),
    ("/vision?scene=look&vi_query=12", "vi_large", None),
    ("/vision?scene=heads", "vi_heads", None),
    ("/text_generation?scene=alternatives&tg_model=positions-rotary&tg_length=40&tg_place=30", "tg_next", None),
    ("/text_generation?scene=looked&tg_model=positions-rotary&tg_length=40&lang=zh", "tg_looked", None),
    ("/multi_head?scene=shapes&mh_shapes_of=textbook&mh_book_step=8", "mh_book", None),
    ("/translator?scene=search&tr_tree_step=4", "tr_tree", None),
    ("/translator?scene=token&tr_inside=word&tr_point=3&tr_token=2", "tr_point_lens", None),
    ("/masked_softmax?scene=draw&md_cells=8:4-6", "md_map", "[role=gridcell]"),
    ("/scoring_functions?scene=scaling&sf_long=64", "sf_lanes", ".grip"),
    ("/scoring_functions?scene=fit&sf_turn=215", "sf_plane", ".grip"),
    ("/scoring_functions?scene=trained&sf_moment=20", "fitting", ".grip"),
    ("/positional_encoding?scene=waves&pe_place=5", "pe_clocks", ".grip"),
    ("/positional_encoding?scene=turn&pe_place=70&lang=zh", "pe_turn", ".grip"),
    ("/positional_encoding?scene=beyond&pe_read=240", "pe_unsure", ".grip"),
    ("/positional_encoding?scene=order&pe_order=2+1+3+4+5", "pe_words", ".grip"),
    ("/translator?scene=change&tr_row=5@4", "tr_crossed", None),
    ("/open_model?scene=every_head&om_rest=true", "om_heads", ".squares"),
    ("/open_model?scene=one_word", "om_text_picture", None),
    ("/open_model?scene=what_it_costs&om_tokens=512", "om_costs", None),
)
#: Those that one visit shows: of a lesson in a language.
VISITS = [
    (visit, list(pictures))
    for visit, pictures in itertools.groupby(sorted(PICTURES, key=lesson_and_language), key=lesson_and_language)
]
#: A map of pixels.
MAP = "canvas.map"
#: What is pointed at there, if it is no target.
POINTED = {
    "ea_kept": MAP,
    "sa_decoder": ".words button",
    "qk_journey": ".askers button",
    "mh_ribbons": ".asks button:not(.pointed, .asking)",
    "tr_ribbons": ".asks button:not(.pointed, .asking)",
    "vi_large": ".cell",
    "vi_heads": ".tile",
    "tg_next": ".letter",
    "tg_looked": ".letter",
    "mh_book": ".strip",
    "tr_tree": ".cell",
    "tr_point_lens": ".area",
    "om_costs": ".kept",
}
#: Pictures whose numbers a model makes, which is not in the file.
MADE_ELSEWHERE = {"pe_words"}
#: Pixels of a still picture.
WIDE = 900
#: Numbers that stand in the picture for those who do not see it.
NUMBERS = ".unseen"
SVG = "{http://www.w3.org/2000/svg}"
#: What a live picture writes that is seen and is not pressed.
WRITTEN = """host => {
    const walk = document.createTreeWalker(host.shadowRoot, NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) {
        const { data, parentElement: node } = walk.currentNode;
        if (node.closest('style, .unseen, .foot, .play, .press, input, select') || !node.getClientRects().length
            || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        found.push(data);
    }
    return found;
}"""


def taken(page: Page, card: Locator, folder: Path, *names: str) -> list[Path]:
    """Files that the card hands out, asked for at once: a still picture waits for a second and a half until it rests.
    Streamlit fetches its own a second time, to see that it is there: who opens the file sooner would break that off.
    """
    started = {}
    with ExitStack() as waiting:
        for name in names:
            if name == "HTML":  # what is a picture the browser makes
                waiting.enter_context(page.expect_request_finished(lambda asked: "/media/" in asked.url))
            ending = f".{name.lower()}"
            here = page.expect_download(lambda each, ending=ending: each.suggested_filename.endswith(ending))
            started[name] = waiting.enter_context(here)
            card.get_by_role("button", name=name).click()
    files = [folder / each.value.suggested_filename for each in started.values()]
    for file, each in zip(files, started.values(), strict=True):
        each.value.save_as(file)
    return files


def behind(page: Page, key: str) -> Locator:
    """What the icon below a picture opens."""
    page.locator(f".st-key-{key}_behind [data-testid=stPopoverButton]").first.click()
    return page.locator("[data-testid=stPopoverBody]")


def opened(page: Page, file: Path) -> tuple[list[str], Locator]:
    """What the file asks the network for, which refuses it, and the picture in it."""
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.unroute("http*://**")
    page.route("http*://**", refuse)
    page.set_viewport_size({"width": WIDE + 2 * 16, "height": 900})
    page.goto(file.as_uri())
    return asked, page.locator(".live")


def numbers(picture: Locator) -> list[str]:
    """What the picture says to those who do not see it, once it rests."""
    expect(picture.locator(NUMBERS).first).to_contain_text(re.compile(r"\d"))
    picture.page.wait_for_timeout(400)
    return picture.locator(NUMBERS).all_inner_texts()


def bare(*texts: str) -> str:
    """Texts one after the other, without spaces: a file breaks its lines."""
    return "".join("".join(texts).split())


def pixels(picture: Locator) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(picture.screenshot())).convert("L"), int)


def moved(page: Page, picture: Locator, grip: str | None, pointed: str) -> None:
    """Drag something, or point at something."""
    if grip is None:
        marks = picture.locator(pointed)
        below = {"x": 60, "y": 300} if pointed == MAP else None  # the middle of a map of what came before is its edge
        marks.nth(min(1, marks.count() - 1)).hover(force=True, position=below)
        return
    handle = picture.locator(grip).first
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    box = handle.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 60, box["y"] + box["height"] / 2 - 40, steps=4)
    page.mouse.up()


@pytest.fixture(scope="module")
def pages(stay: OpenPage) -> Callable[[str], Page]:
    """A page in each language."""
    return cache(lambda language: stay(f"/?lang={language}"))


@pytest.mark.parametrize("pictures", [each for _, each in VISITS], ids=[visit for visit, _ in VISITS])
def test_what_is_taken_away_is_the_picture_of_the_stage(
    pages: Callable[[str], Page],
    usual: BrowserContext,
    tmp_path: Path,
    subtests: pytest.Subtests,
    pictures: list[Picture],
) -> None:
    page = pages("zh" if "lang=zh" in pictures[0][0] else "en")
    page.complaints.clear()
    with usual.new_page() as away:
        listen(away)
        for position, (link, key, grip) in enumerate(pictures):
            page.keyboard.press("Escape")  # what the files were chosen from
            expect(page.locator("[data-testid=stPopoverBody]")).to_have_count(0)
            follow(page, link)
            with subtests.test(f"{key} of {link}"):
                the_files_are_the_picture_of_the_stage(page, away, tmp_path / str(position), key, grip)


def the_files_are_the_picture_of_the_stage(page: Page, away: Page, folder: Path, key: str, grip: str | None) -> None:
    """What is taken away of the page that is open, opened in another."""
    folder.mkdir()
    stage = page.locator(f".st-key-{key}_live")
    card = behind(page, key)
    shown = numbers(stage)
    page_file, svg, png = taken(page, card, folder, "HTML", "SVG", "PNG")
    reading = page.locator(f".st-key-{key}_remark .reading > span").last.inner_text()
    assert not page.complaints

    drawing = ElementTree.parse(svg).getroot()
    words = bare(*("".join(each.itertext()) for each in drawing.iter(f"{SVG}text")))
    assert not list(drawing.iter(f"{SVG}foreignObject"))
    picture = Image.open(png).convert("L")
    assert picture.width > 2 * WIDE
    assert np.asarray(picture).std() > 5

    asked, alive = opened(away, page_file)
    assert numbers(alive) == shown
    assert [each for each in alive.evaluate(WRITTEN) if bare(each) not in words] == []
    assert away.locator("h1").inner_text()
    assert reading in (away.locator("body > p").first.inner_text(), *alive.locator(".line").all_inner_texts())
    expect(away.locator(".provenance")).to_contain_text("·")
    assert away.locator("details table tr").count() > 3
    before = pixels(alive)
    moved(away, alive, grip, POINTED.get(key, ".target, .ground, .words .word"))
    away.wait_for_timeout(300)
    assert (pixels(alive) != before).mean() > 1e-4
    assert grip is None or (numbers(alive) != shown) == (key not in MADE_ELSEWHERE)
    assert not asked
    assert not away.complaints


@pytest.mark.parametrize(
    ("link", "stage", "part"),
    [
        ("couplets&sa_place=2", "sa_couplets", "sa_couplet_own"),
        ("force&sa_step=1", "sa_outputs", "sa_own_output"),
        ("three_models&sa_detail=1", "sa_details", "sa_map_seq2seq_de_en_additive"),
    ],
)
def test_a_column_is_taken_away_alone(browse: OpenPage, tmp_path: Path, link: str, stage: str, part: str) -> None:
    page = browse(f"/seq2seq_attention?scene={link}")
    (all_rows, *_) = numbers(page.locator(f".st-key-{stage}_live"))
    asked, alive = opened(page, *taken(page, behind(page, part), tmp_path, "HTML"))
    (own_rows, *_) = numbers(alive)
    named, *rows = own_rows.strip().splitlines()[1:]  # below the caption
    assert rows
    assert {named, *rows} <= set(all_rows.splitlines())
    alive.get_by_role("button", name="Step on").click()
    page.wait_for_timeout(1500)
    assert numbers(alive)[0] != own_rows
    assert not asked
    assert not page.complaints
