"""Checkpoints of this project are looked at by the same functions as models of others."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.checkpoints.manifest import BUNDLED
from explorer.inference.gpt.generate import load
from explorer.inference.gpt.trace import trace
from explorer.opened import sources
from explorer.opened.cards import card
from explorer.opened.passes import ours
from explorer.opened.refused import ModelRefused
from explorer.opened.studio import Studio
from tests.checkpoints.conftest import folder as folder


def ask(name: str, what: str, text: str, **more: int) -> Any:
    return Studio().answer(
        {"what": what, "folder": str(BUNDLED / name), "text": text, "most": 64, "name": name, **more}
    )


def test_they_are_listed_by_name() -> None:
    found = sources.sources()
    assert {"gpt-repeats", "masked-en", "translator-en-fr", "vit-cifar10"} <= found.keys()
    assert not {"cnn-cifar10", "seq2seq-de-en-dot"} & found.keys()
    assert sources.card_of(found["gpt-repeats"]).kind == "decoder"


def test_a_decoder_that_repeats_has_a_head_that_looks_at_what_followed_last_time() -> None:
    text = "qwertyuiop" * 3
    look = ask("gpt-repeats", "look", text)
    assert look.count()["after"] >= 1
    gpt = load("gpt-repeats")
    expected = trace(gpt, gpt.tokenizer.encode(text), None).attentions[1]
    maps = ask("gpt-repeats", "attention", text, site=1)
    assert np.allclose(maps.weights, expected.weights, atol=1e-6)
    assert maps.key_labels == expected.key_labels


def test_an_encoder_and_a_translator_are_read(folder: Path) -> None:
    look = ask("masked-en", "look", "The __ sat on the mat.")
    assert [site.part for site in look.sites] == ["encoder"] * 4
    assert look.keys.row.special[0]
    order = {"folder": str(folder), "text": "The cat", "most": 40}
    look = Studio().answer({"what": "look", **order})
    cross = Studio().answer({"what": "attention", "site": 3, **order})
    assert cross.weights.shape[1:] == (len(look.queries), len(look.keys))
    assert card.read(folder).maps == 2 * (2 + 2 * 2)


def test_what_is_not_looked_at_here_says_so(folder: Path) -> None:
    with pytest.raises(ModelRefused, match="cnn"):
        card.read(BUNDLED / "cnn-cifar10")
    with pytest.raises(ModelRefused, match="pages of their own"):
        ask("gpt-repeats", "lens", "abc")
    with pytest.raises(ModelRefused, match="no tokens"):
        ask("gpt-repeats", "look", " ")
    (folder / "model.safetensors").write_bytes(b"x")
    with pytest.raises(ModelRefused):
        Studio().answer({"what": "look", "folder": str(folder), "text": "The cat", "most": 40})


def test_a_model_of_pictures_is_shown_a_picture_and_gives_each_token_its_row() -> None:
    vit = BUNDLED / "vit-cifar10"
    picture = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    found = ours.look(vit, picture, 256, "")
    assert (found.keys.grid, len(found.keys), len(found.sites)) == ((8, 8), 65, 6)
    rows = ours.rows(vit, picture, 7)
    maps = ours.attention(vit, picture, 256, "", 2)
    assert np.array_equal(rows[2], maps.weights[:, 7])
    with pytest.raises(ModelRefused, match="token"):
        ours.rows(vit, picture, 65)
    with pytest.raises(ModelRefused, match="reads pictures"):
        ours.look(vit, "a text", 256, "")
    with pytest.raises(ModelRefused, match="reads text"):
        ours.look(BUNDLED / "masked-en", picture, 256, "")
