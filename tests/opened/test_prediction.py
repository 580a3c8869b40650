"""The lens is the shorter model, an effect is the changed model, an estimate is a derivative."""

from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.opened.passes import capture, effects, lens, loader, looks, readout, several
from explorer.opened.passes.loader import OpenedModel
from explorer.opened.passes.looks import Given
from explorer.opened.refused import ModelRefused
from explorer.records.opened.prediction import HeadEffects
from tests.opened import tiny
from tests.opened.conftest import Families
from tests.opened.tiny import TEXT

MASKED = "The cat saw the<mask>. The dog saw the cat."
#: Each with the name of its number of layers.
LAYERS = {
    "llama": "num_hidden_layers",
    "gemma2": "num_hidden_layers",
    "gpt2": "n_layer",
    "opt": "num_hidden_layers",
    "bert": "num_hidden_layers",
    "distilbert": "n_layers",
    "roberta": "num_hidden_layers",
}


def read(family: Families, name: str) -> tuple[Path, OpenedModel, Given]:
    folder, opened = family(name)
    masked = opened.card.kind == "encoder"
    return folder, opened, looks.read_text(opened, MASKED if masked else TEXT, 40)


@pytest.mark.parametrize("name", LAYERS)
def test_the_lens_after_a_layer_is_the_model_that_ends_there(name: str, family: Families) -> None:
    folder, opened, given = read(family, name)
    found = lens.lens(opened, given)
    assert found.likeliest.shape == (3, len(given.keys), lens.TOP)
    assert found.off == 0
    config = loader.read_configuration(folder, "eager")
    setattr(config, LAYERS[name], 1)
    if hasattr(config, "layer_types"):
        config.layer_types = config.layer_types[:1]
    shorter = type(opened.model)(config)
    shorter.load_state_dict(opened.model.state_dict(), strict=False)
    with torch.inference_mode():
        for row, model in ((1, shorter.eval()), (2, opened.model)):
            chances = torch.softmax(model(**given.inputs).logits[0], -1)
            assert np.allclose(found.probability[row], chances.topk(lens.TOP).values, atol=1e-6)
            final = torch.softmax(opened.model(**given.inputs).logits[0], -1).argmax(-1)
            assert np.allclose(found.share[row], chances[range(len(final)), final], atol=1e-6)
            assert np.array_equal(found.rank[row] == 0, (chances.argmax(-1) == final).numpy())


def test_the_word_leads_from_the_row_after_the_last_in_which_another_led(family: Families) -> None:
    _, opened, given = read(family, "llama")
    found = lens.lens(opened, given)
    for position in range(len(given.keys)):
        row = found.leads_from(position)
        assert (found.rank[row:, position] == 0).all()
        assert row == 0 or found.rank[row - 1, position] > 0


@pytest.mark.parametrize("name", ["llama", "bert", "t5"])
def test_each_head_alone_says_what_the_head_together_with_nobody_says(name: str, family: Families) -> None:
    _, opened, given = read(family, name)
    number = len(opened.sites) - 1
    for instead in ("nothing", "average"):
        swept = effects.each_without(opened, given, number, instead)
        alone = effects.without(opened, given, [(number, 2)], 0.0, instead)
        assert alone.chance == pytest.approx(swept.chance[2], abs=1e-6)
        assert [each.label for each in alone.after[:5]] == [each.label for each in swept.likeliest[2]]
        assert swept.answer == alone.before[0]
        assert alone.chance != pytest.approx(alone.chance_before, abs=1e-5)


def test_a_whole_head_changes_nothing_and_half_a_head_less_than_all(family: Families) -> None:
    _, opened, given = read(family, "llama")
    whole, half, none = (effects.without(opened, given, [(1, 2)], left, "nothing") for left in (1.0, 0.5, 0.0))
    assert whole.chance == pytest.approx(whole.chance_before, abs=1e-7)
    assert 0 < abs(half.chance - whole.chance) < abs(none.chance - whole.chance)
    swept = effects.each_without(opened, given, 1, "nothing", 0.5)
    assert swept.chance[2] == pytest.approx(half.chance, abs=1e-6)


def test_the_estimate_is_the_derivative_by_how_much_is_left(family: Families) -> None:
    _, opened, given = read(family, "llama")
    found = effects.slopes(opened, given)
    step = 1e-2
    for site, head in ((0, 1), (1, 3)):
        chances = [effects.without(opened, given, [(site, head)], 1 + by, "nothing").chance for by in (-step, step)]
        slope = (np.log(chances[0]) - np.log(chances[1])) / (2 * step)
        assert found.log_probability[site, head] == pytest.approx(slope, abs=2e-3)


def test_a_head_carried_over_from_the_same_text_changes_nothing_and_from_another_it_does(family: Families) -> None:
    _, opened, given = read(family, "llama")
    same = effects.each_carried(opened, given, given, 0)
    assert same.answer is not None
    assert np.allclose(same.chance, same.answer.probability, atol=1e-6)
    other = looks.read_text(opened, "The dog saw the dog", 40)
    found = effects.each_carried(opened, given, other, 0)
    assert np.abs(found.chance - same.chance).max() > 1e-5
    assert found.carried is not None
    taken: list[torch.Tensor] = []

    def take(call: capture.Call) -> None:
        taken.append(call.outputs[0, -1, 3].clone())

    with torch.inference_mode(), capture.watching(take):
        opened.model(**other.inputs)

    def put(call: capture.Call) -> torch.Tensor | None:
        outputs = call.outputs.clone()
        outputs[0, -1, 3] = taken[0]
        return outputs if call.number == 0 else None

    with torch.inference_mode(), capture.watching(put):
        chances = torch.softmax(opened.model(**given.inputs).logits[0, -1], -1)
        theirs = torch.softmax(opened.model(**other.inputs).logits[0, -1], -1).argmax()
    assert found.carried_chance[3] == pytest.approx(float(chances[theirs]), abs=1e-6)


def test_a_model_without_a_prediction_head_is_asked_for_its_vector(family: Families, tmp_path: Path) -> None:
    numbers = tiny.OWN["bert"]
    tiny.save(tmp_path / "sentences", "bert", numbers, bare=True)
    opened = loader.load(tmp_path / "sentences")
    given = looks.read_text(opened, TEXT, 40)
    assert not opened.predicts
    found = effects.each_without(opened, given, 1, "nothing")
    assert found.answer is None
    assert found.likeliest == ()
    assert (found.chance < 1 - 1e-6).all()
    assert effects.without(opened, given, [(1, 0)], 0, "nothing").chance == pytest.approx(found.chance[0], abs=1e-6)
    with pytest.raises(ModelRefused, match="no prediction head"):
        lens.lens(opened, given)


def test_what_cannot_be_asked_is_refused_by_name(family: Families) -> None:
    _, falcon, given = read(family, "falcon")
    with pytest.raises(ModelRefused, match="falcon cannot be switched off"):
        effects.without(falcon, given, [(0, 0)], 0, "nothing")
    _, bert = family("bert")
    with pytest.raises(ModelRefused, match="<mask>"):
        readout.place_of_answer(bert, looks.read_text(bert, TEXT, 40))
    _, llama, given = read(family, "llama")
    with pytest.raises(ModelRefused, match=r"head = 0\.9"):
        effects.without(llama, given, [(0, 9)], 0, "nothing")
    with pytest.raises(ModelRefused, match="site = 7"):
        effects.each_without(llama, given, 7, "nothing")


@pytest.fixture(scope="module")
def swept(family: Families) -> HeadEffects:
    _, opened, given = read(family, "llama")
    sites = (effects.each_without(opened, given, 0, "nothing"),)
    return HeadEffects(sites=sites, n_sites=2, n_heads=4)


def test_effects_grow_site_by_site(swept: HeadEffects) -> None:
    assert not swept.complete
    assert np.isnan(swept.chance[1]).all()
    assert swept.strongest()[0] == 0
    assert swept.count_beyond(0) == 4
    assert swept.answer is not None
    assert np.allclose(swept.change[0], swept.chance[0] - swept.answer.probability)


def test_a_corpus_in_two_parts_is_the_corpus_in_one(family: Families) -> None:
    _, opened = family("llama")
    texts = [TEXT, "The dog saw the cat.", "cat dog cat dog cat"]
    whole = several.over_texts(opened, texts, 40)
    parts = several.over_texts(opened, texts[:1], 40).joined(several.over_texts(opened, texts[1:], 40))
    assert whole.heads == parts.heads
    head = whole.heads[1][2]
    assert sum(head.rules.values()) == 3
    best = head.examples[0]
    given = looks.read_text(opened, texts[best.text], 40)
    maps = looks.attention(opened, given, 1).weights[2]
    assert maps[best.query, best.key] == pytest.approx(best.weight)
    assert not given.keys.rest[best.key]


def test_two_models_are_as_far_apart_as_their_maps(family: Families) -> None:
    _, one = family("qwen2")
    _, two = family("llama")
    found = several.compare(one, two, TEXT, 40)
    maps = [looks.attention(each, looks.read_text(each, TEXT, 40), 1).weights for each in (one, two)]
    assert found.distance[1] == pytest.approx(np.abs(maps[0] - maps[1]).sum(-1).mean(-1) / 2)
    assert several.compare(one, one, TEXT, 40).distance.max() == 0
    with pytest.raises(ModelRefused, match="compare models of one origin"):
        several.compare(one, family("bert")[1], TEXT, 40)
