"""Live pictures of somebody's own numbers: what is drawn is what was given; what cannot be is refused in a sentence."""

import base64
import json
import re
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from explorer import show
from explorer.figures.look import DARK, LIGHT
from explorer.records.language import speaking
from explorer.records.opened.look import decode
from explorer.show import browser, cell
from explorer.show.picture import LivePicture
from tests.imports import imported_by
from tests.support.browser import CHROMIUM

WEIGHTS = torch.softmax(torch.randn(2, 3, 5, 5, generator=torch.Generator().manual_seed(0)), -1)
TOKENS = ["the", "cat", "<b>sat</b>", "</script><script>alert(1)</script>", "“é” 中文 \u2028"]
RNG = np.random.default_rng(0)


def drawn(picture: LivePicture) -> Any:
    """What its script reads."""
    (length,) = struct.unpack("<I", picture.data[:4])
    head, positions, _ = json.loads(picture.data[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    whole = {"data": head}
    for path, kind, offset, shape in positions:
        at: Any = whole
        name: Any = "data"
        for following in path:
            at, name = at[name], following
        count = int(np.prod(shape))
        at[name] = np.frombuffer(picture.data, kind, count=count, offset=start + offset).reshape(shape)
    return whole["data"]


def test_it_needs_neither_streamlit_nor_torch_and_widgets_only_to_draw() -> None:
    there = imported_by("from explorer import show")
    assert not {"streamlit", "torch", "pandas", "anywidget", "IPython"} & there
    there = imported_by("from explorer import show; show.heads([[1, 0], [.5, .5]])._repr_html_()")
    assert "anywidget" in there
    assert not {"streamlit", "torch", "pandas"} & there


@pytest.mark.parametrize(
    "given",
    [
        WEIGHTS,
        WEIGHTS.numpy(),
        WEIGHTS.tolist(),
        tuple(each[None] for each in WEIGHTS),
        [each[None].numpy() for each in WEIGHTS],
        WEIGHTS[:, None].double(),
    ],
    ids=["tensor", "array", "list", "as transformers returns", "arrays with a batch of one", "batch of one inside"],
)
def test_every_head_is_drawn_to_a_byte(given: Any) -> None:
    data = drawn(show.heads(given, TOKENS))
    np.testing.assert_allclose(decode(np.stack(data["tiles"])), WEIGHTS, atol=0.0041)
    assert data["parts"]["encoder"]["asks"] == data["parts"]["encoder"]["asked"] == TOKENS
    assert [(site["layer"], site["heads"]) for site in data["sites"]] == [(0, 3), (1, 3)]
    assert not data["parts"]["encoder"]["causal"]


def test_letters_that_no_file_can_hold_are_replaced(tmp_path: Path) -> None:
    picture = show.heads(WEIGHTS[:, :, :2, :2].softmax(-1), ["\ud800", "\x00"])
    assert drawn(picture)["parts"]["encoder"]["asks"] == ["?", "\x00"]
    assert picture.html(tmp_path / "picture.html").is_file()


def test_fewer_dimensions_are_one_layer_and_one_head() -> None:
    assert len(drawn(show.heads(WEIGHTS[0]))["tiles"]) == 1
    assert drawn(show.heads(WEIGHTS[0, 0]))["tiles"][0].shape == (1, 5, 5)
    assert drawn(show.text(WEIGHTS[0, 0]))["part"]["asks"] == ["0", "1", "2", "3", "4"]


def test_a_mask_is_seen_where_nobody_looks_ahead_and_special_tokens_rest() -> None:
    masked = np.tril(np.ones((4, 4)))
    part = drawn(show.text(masked / masked.sum(-1, keepdims=True), ["<s>", "a", "b", "[SEP]"]))["part"]
    assert part["causal"]
    assert part["rest"] == [True, False, False, True]
    assert part["asks"] == ["start", "a", "b", "[SEP]"]
    crossed = drawn(show.text(np.eye(3), list("abc"), list("xyz")))["part"]
    assert (crossed["causal"], crossed["itself"], crossed["asked"]) == (False, False, ["x", "y", "z"])


def test_a_text_has_a_map_for_each_head_and_the_mean_last() -> None:
    data = drawn(show.text(WEIGHTS, TOKENS, layer=-1, head=2))
    maps = decode(data["maps"])
    np.testing.assert_allclose(maps[:3], WEIGHTS[1], atol=0.0041)
    np.testing.assert_allclose(maps[3], WEIGHTS[1].mean(0), atol=0.0041)
    assert data["head"] == [2, 0]
    assert drawn(show.text(WEIGHTS[:1], TOKENS))["head"] == [3, 0]


def test_ribbons_are_the_mean_or_one_head_between_any_words() -> None:
    np.testing.assert_allclose(drawn(show.ribbons(WEIGHTS[0]))["weights"], WEIGHTS[0].mean(0), rtol=1e-6)
    data = drawn(show.ribbons(WEIGHTS[:, :, :3], list("abc"), TOKENS, layer=1, head=-1))
    np.testing.assert_allclose(data["weights"], WEIGHTS[1, 2, :3])
    assert (data["asks"], data["asked"]) == (["a", "b", "c"], TOKENS)


@pytest.mark.parametrize("alone", [False, True])
def test_a_journey_ends_where_pytorch_does(alone: bool) -> None:
    query, key, value = (torch.from_numpy(RNG.normal(size=(4, each))).float() for each in (3, 3, 2))
    query = query[0] if alone else query
    packed = drawn(show.journey(query, key, value, list("abcd"), asker="me"))
    expected = torch.nn.functional.scaled_dot_product_attention(torch.atleast_2d(query), key, value)
    np.testing.assert_allclose(packed["packed"]["output"], expected, atol=1e-6)
    assert packed["asker"] == ("me" if alone else "")


def test_points_of_a_fit_are_sorted_and_keep_their_numbers() -> None:
    x, y = [3, 1, 2], [0.3, 0.1, 0.2]
    data = drawn(show.regression(x, y, width=0.5, query=1.5, kernel="boxcar"))
    np.testing.assert_array_equal(data["points"]["x"], [1, 2, 3])
    np.testing.assert_allclose(data["points"]["y"], [0.1, 0.2, 0.3])
    np.testing.assert_array_equal(data["numbers"], [1, 2, 0])
    assert (data["kernel"], data["width"], data["query"], data["queries"][0], data["queries"][-1]) == (
        "boxcar", 0.5, 1.5, 1, 3
    )  # fmt: skip


def test_a_mask_begins_with_what_is_forbidden() -> None:
    scores = RNG.normal(size=(3, 3)).astype(np.float32)
    forbidden = torch.ones(3, 3, dtype=torch.bool).triu(1)
    data = drawn(show.mask(scores, list("abc"), forbidden))
    np.testing.assert_array_equal(data["scores"], scores)
    np.testing.assert_array_equal(data["hidden"], forbidden)


def test_it_is_said_and_coloured_as_asked() -> None:
    assert DARK.paper in show.ribbons(np.eye(2), dark=True).page()
    assert LIGHT.paper in show.ribbons(np.eye(2)).page()
    with speaking("zh"):
        picture = show.ribbons(np.eye(2))
    assert '<html lang="zh">' in picture.page()
    (held,) = re.findall(r'"ui/live/catalogues.js": "data:text/javascript;base64,([^"]+)"', picture.page())
    words = json.loads(base64.b64decode(held).decode().removeprefix("export default ").removesuffix(";\n"))
    assert words["zh"]["Play"] == "播放"


SHARES = np.full((6, 6), 1 / 6)
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: show.heads([[0.5, 0.5], [1.0]]), "not equally long"),
    (lambda: show.heads([[float("nan"), 1]]), r"1 of 2 numbers are NaN or infinite, the first at \[0, 0\]"),
    (lambda: show.heads(np.zeros((2, 0, 3))), "nothing to draw"),
    (lambda: show.heads([]), "1 dimensions"),
    (lambda: show.heads(None), "numbers are wanted"),
    (lambda: show.heads((None, None)), "attn_implementation"),
    (lambda: show.heads(np.broadcast_to(np.float16(0), (10_000, 10_000))), "too large: at most 4,000,000 numbers"),
    (lambda: show.heads(torch.stack([WEIGHTS, WEIGHTS], 1)), "a batch of 2 texts"),
    (lambda: show.heads(np.zeros((1, 1, 1, 1, 1, 1))), "6 dimensions"),
    (lambda: show.heads(SHARES * 2), r"the row at \[0, 0, 0\] sums to 2"),
    (lambda: show.heads([[2.0, -1.0]]), r"2 at \[0, 0, 0, 0\] is no weight"),
    (lambda: show.heads(SHARES, "abcdef"), "must be a list of texts, such as text.split\\(\\), not str"),
    (lambda: show.heads(SHARES, 6), "must be a list of texts"),
    (lambda: show.heads(SHARES, [1, 2, 3, 4, 5, 6]), "tokens must be texts: number 0 is int"),
    (lambda: show.heads(SHARES, list("abc")), "3 tokens for 6"),
    (lambda: show.heads(SHARES[:2], list("ab")), "2 queries and 6 keys: name both"),
    (lambda: show.heads(SHARES, [*"abcde", "f" * 101]), "number 5 of the tokens has 101 letters"),
    (lambda: show.text(np.eye(1, 5000), None, ["word"] * 5000), "5,000 keys are too many: at most 512"),
    (lambda: show.text(np.eye(600), ["word"] * 600), "600 tokens are too many"),
    (lambda: show.text(WEIGHTS, TOKENS), "there are 2 layers: say which, from layer=0 to layer=1"),
    (lambda: show.text(WEIGHTS, TOKENS, layer=2), "layer=2: give a whole number from 0 to 1"),
    (lambda: show.text(WEIGHTS[0], TOKENS, head="a"), "head='a'"),
    (lambda: show.ribbons(np.eye(65)), "65 tokens are too many: at most 64"),
    (lambda: show.ribbons(WEIGHTS[0], TOKENS, head=3), "head=3"),
    (lambda: show.journey(np.ones(3), np.ones((4, 2)), np.ones((4, 2))), "queries of 3 numbers cannot be compared"),
    (lambda: show.journey(np.ones(2), np.ones((4, 2)), np.ones((3, 2))), "3 values for 4 keys"),
    (lambda: show.journey(np.ones((2, 2)), np.ones((4, 2)), np.ones((4, 2))), "2 queries for 4 keys"),
    (lambda: show.journey(np.ones(65), np.ones((4, 65)), np.ones((4, 2))), "65 numbers are too long"),
    (lambda: show.journey(np.ones(2), np.ones((30, 2)), np.ones((30, 2))), "30 tokens are too many"),
    (lambda: show.regression([1, 2], [1, 2, 3]), "3 y for 2 x"),
    (lambda: show.regression([1, 1], [1, 2]), "every x is 1"),
    (lambda: show.regression([1, 2], [1, 2], width=0), "width is 0: give a number from 0.005 to 1"),
    (lambda: show.regression([1, 2], [1, 2], query=float("nan")), "query is nan"),
    (lambda: show.regression([1, 2], [1, 2], kernel="no such"), "nobody knows the kernel 'no such'"),
    (lambda: show.regression(np.arange(501), np.arange(501)), "too large: at most 500 numbers"),
    (lambda: show.mask(np.ones((2, 3))), "no square"),
    (lambda: show.mask(np.ones((3, 3)), None, np.ones((2, 2))), r"forbidden is \(2, 2\), the scores are \(3, 3\)"),
    (lambda: show.mask(np.ones((33, 33))), "too large: at most 32 tokens"),
]  # fmt: skip


@pytest.mark.parametrize(("draw", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_cannot_be_drawn_is_refused_in_a_sentence(draw: Callable[[], Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        draw()
    assert "\n" not in str(refused.value)


def test_a_file_is_whole_or_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, there = show.heads(WEIGHTS, TOKENS), tmp_path / "heads.html"
    assert picture.html(there) == there
    text = there.read_text("utf8")
    assert text == picture.page()
    assert "alert(1)" not in text, "tokens are packed, not written"
    assert not re.search(r"""(src|href)\s*=\s*["']?http""", text)
    with pytest.raises(ValueError, match="there is no folder"):
        picture.html(tmp_path / "nowhere" / "heads.html")
    with pytest.raises(ValueError, match="is a folder"):
        picture.html(tmp_path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        picture.html(there)
    assert [each.name for each in tmp_path.iterdir()] == ["heads.html"]
    assert there.read_text("utf8") == text


def test_without_anywidget_it_is_a_picture_in_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell, "find_spec", lambda _: None)
    picture = show.heads(WEIGHTS, TOKENS)
    assert type(picture) is LivePicture
    assert picture._repr_html_().startswith("<iframe ")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_a_picture_of_it_is_as_high_as_what_it_shows_and_has_its_colours(tmp_path: Path) -> None:
    there = tmp_path / "fit.png"
    assert show.regression([0, 1, 2], [1, 3, 2]).png(there, width=600, scale=1) == there
    with Image.open(there) as found:
        assert found.format == "PNG"
        assert found.width == 600
        assert 300 < found.height < 900
        colours = {colour for _, colour in found.convert("RGB").getcolors(1 << 24) or ()}
    hexadecimal = {f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in colours}
    assert {LIGHT.paper, LIGHT.query, LIGHT.output} <= hexadecimal


def test_a_picture_that_cannot_be_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = show.mask(np.eye(3))
    with pytest.raises(ValueError, match="width=5"):
        picture.png(tmp_path / "mask.png", width=5)
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nothing"))
    with pytest.raises(RuntimeError, match="did not answer"):
        picture.png(tmp_path / "mask.png")
    monkeypatch.setenv("CHROMIUM", shutil.which("true") or "")
    with pytest.raises(RuntimeError, match="drew no picture"):
        picture.png(tmp_path / "mask.png")
    monkeypatch.delenv("CHROMIUM")
    monkeypatch.setattr(browser, "NAMES", ())
    with pytest.raises(RuntimeError, match="no browser is at hand"):
        picture.png(tmp_path / "mask.png")
    assert list(tmp_path.iterdir()) == []
