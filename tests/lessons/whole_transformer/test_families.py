"""“Three families”: who may look at whom, against masks drawn by hand; guesses against the models; the page."""

import numpy as np
import pytest
import torch

from explorer.inference.gpt import generate as gpt
from explorer.inference.masked import fill as masked
from explorer.lessons.whole_transformer import families
from explorer.lessons.whole_transformer.records import FamilyRecord
from tests.support.pages import OpenPage

PAGE = "pages/09_whole_transformer.py"


@pytest.fixture(scope="module")
def found() -> dict[str, FamilyRecord]:
    return {each.family: each for each in families.compute(families.Params())}


def test_who_may_look_at_whom(found: dict[str, FamilyRecord]) -> None:
    allowed = {name: np.isfinite(each.weights) for name, each in found.items()}
    assert allowed["encoder"].all()
    n = len(found["decoder"].labels)
    assert (allowed["decoder"] == np.tril(np.ones((n, n), bool))).all()
    read, whole = found["both"].reads, len(found["both"].labels)
    expected = np.ones((whole, whole), bool)
    expected[:, read:] = False
    expected[read:, read:] = np.tril(np.ones((whole - read,) * 2, bool))
    assert (allowed["both"] == expected).all()
    for name in ("encoder", "decoder"):
        np.testing.assert_allclose(np.nansum(found[name].weights, 1), 1, atol=1e-5)
    rows = np.nansum(found["both"].weights, 1)
    np.testing.assert_allclose(rows, [1] * read + [2] * (whole - read), atol=1e-5)


@torch.inference_mode()
def test_the_guesses_are_the_models_own(found: dict[str, FamilyRecord]) -> None:
    loaded = masked.load(families.ENCODER)
    tokenizer = loaded.tokenizer
    before, after = (tokenizer.encode(part) for part in ("He can", "French."))
    ids = torch.tensor([[tokenizer.bos_id, *before, tokenizer.mask_id, *after, tokenizer.eos_id]])
    share = loaded.model(ids)[0, 1 + len(before)].softmax(-1)
    share[sorted(tokenizer.special_ids)] = 0
    word, probability = found["encoder"].guesses[0]
    assert (tokenizer.decode([int(share.argmax())]), float(share.max())) == (word, pytest.approx(probability, rel=1e-3))
    decoder = gpt.load(families.DECODER)
    read = decoder.tokenizer.encode("He can ")[-families.MOST_CHARACTERS :]
    best = int(decoder.model(torch.tensor([read]))[0, -1].argmax())
    assert found["decoder"].guesses[0][0] == decoder.tokenizer.decode([best]).replace(" ", families.SPACE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("No blank here.", "where a word is left out"), ("  ", "nothing to translate"), ("a ___ " * 33, "cut it into")],
)
def test_what_cannot_be_drawn_is_said(open_page: OpenPage, text: str, expected: str) -> None:
    app = open_page(PAGE, scene="families", wt_blanked=text)
    assert not app.exception
    assert expected in app.info[0].value


@pytest.mark.parametrize("text", ["___", "🙂 ___ <b>", "$x$ ____ y ___."])
def test_any_blank_is_filled(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, scene="families", wt_blanked=text, wt_family_layer="💥")
    assert not app.exception
    assert not app.info


def test_the_layer_that_is_drawn_changes_no_guess() -> None:
    first, last = (families.compute(families.Params(depth=depth)) for depth in ("first", "last"))
    for one, other in zip(first, last, strict=True):
        assert (one.labels, one.asks, one.guesses) == (other.labels, other.asks, other.guesses)


def test_letters_that_are_cut_off_are_said() -> None:
    whole, cut = (
        families.decoder(families.Params(text=f"{text} ___."))
        for text in ("He drinks a cup of", "Every morning he drinks a cup of")
    )
    assert whole.labels[0] == "H"
    assert cut.labels[0].startswith("…")


def test_each_blank_is_filled_with_a_guess_of_its_own() -> None:
    first = families.encoder(families.Params(text="I ___ a ___.")).guesses[0][0]
    second = families.encoder(families.Params(text=f"I {first} a ___.")).guesses[0][0]
    assert first != second
    read = families.both(families.Params(text="I ___ a ___."))
    assert read.labels[: read.reads] == ("I", first, "a", second, ".", "</s>")
