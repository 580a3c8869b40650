"""`show.model` runs a model that a notebook has loaded, and draws what *Open a model* draws of it."""

import numpy as np
import pytest
from torch import nn

from explorer import show
from explorer.opened.passes import looks
from explorer.records.opened import wording
from explorer.records.opened.look import code
from explorer.show import models
from tests.imports import imported_by
from tests.opened.conftest import Families, family as family
from tests.opened.tiny import TEXT
from tests.show.test_pictures import drawn


@pytest.mark.parametrize("name", ["llama", "bert", "bart", "bloom"])
def test_every_head_is_drawn_with_its_rule_and_the_model_stays_as_it_was(name: str, family: Families) -> None:
    folder, opened = family(name)
    mine = type(opened.model).from_pretrained(folder, attn_implementation="sdpa" if opened.own else "eager").train()
    made = show.model(mine, opened.tokenizer, TEXT, hide_rest=True)
    given = looks.read_text(opened, TEXT, 64)
    look = looks.look(opened, given)
    maps = [looks.attention(opened, given, site.number).weights for site in look.sites]
    data = drawn(made)
    assert all(map(np.array_equal, data["tiles"], map(code, maps)))
    assert [site["heads"] for site in data["sites"]] == [4] * len(maps)
    kept = [data["rules"][rule]["name"] for site in data["sites"] for rule in site["rules"]]
    names = wording.rules()
    assert kept == [names[each.rule].name for judged in look.rules for each in judged]
    assert list(data["parts"]) == list(dict.fromkeys(site.part for site in look.sites))
    assert data["hide"] is True
    assert (mine.config._attn_implementation, mine.training) == ("sdpa" if opened.own else "eager", True)
    assert made.heard["head"]({"position": 5}) == {"head": (1, 1)}
    assert made.heard["head"]({"position": 99}) is None
    assert made.heard["word"]({"position": 0}) == {"query": None}


def test_of_a_long_text_summaries_are_drawn(family: Families, monkeypatch: pytest.MonkeyPatch) -> None:
    _, opened = family("llama")
    monkeypatch.setattr(models, "MOST_WEIGHTS", 1000)
    made = show.model(opened.model, opened.tokenizer, "zx9q" * 20)
    look = looks.look(opened, looks.read_text(opened, "zx9q" * 20, 512))
    assert all(map(np.array_equal, drawn(made)["tiles"], look.tiles))
    assert not look.is_whole(0)


@pytest.mark.parametrize(("most", "read"), [(512, 64), (20, 20)], ids=["the model's own", "ours"])
def test_of_thousands_of_tokens_those_are_read_that_either_limit_allows(
    family: Families, monkeypatch: pytest.MonkeyPatch, most: int, read: int
) -> None:
    _, opened = family("llama")
    text = "zx9q" * 1250
    assert len(opened.tokenizer(text)["input_ids"]) > 4000
    monkeypatch.setattr(models, "MOST_TOKENS", most)
    (part,) = drawn(show.model(opened.model, opened.tokenizer, text))["parts"].values()
    assert read - 4 < len(part["asks"]) <= read


def test_what_cannot_be_looked_at_is_said_in_one_sentence(family: Families) -> None:
    _, opened = family("llama")
    with pytest.raises(ValueError, match="no tokens"):
        show.model(opened.model, opened.tokenizer, "")
    for other in (nn.Linear(2, 2), None):
        with pytest.raises(ValueError, match=rf"^A model of transformers is wanted, not {type(other).__name__}\.$"):
            show.model(other, opened.tokenizer, TEXT)
    _, seeing = family("vit")
    with pytest.raises(ValueError, match="reads pictures"):
        show.model(seeing.model, None, TEXT)


def test_without_transformers_it_says_what_to_install_and_the_import_brings_neither_it_nor_torch() -> None:
    there = imported_by("from explorer import show; assert callable(show.model)")
    assert {"torch", "transformers", "streamlit"} & there == set()
    said = imported_by(
        "import sys; sys.modules['transformers'] = None\nfrom explorer import show\n"
        "try: show.model(None, None, 'x')\n"
        "except ValueError as error: assert 'models]' in str(error), error\n"
        "else: raise AssertionError"
    )
    assert "streamlit" not in said
