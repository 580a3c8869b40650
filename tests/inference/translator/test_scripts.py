"""No letter of a foreign script in a translation, and the scores of everything else are the model's."""

import pytest
import torch

from explorer.data.tokenizer import Tokenizer
from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.inference.translator.scripts import Unheld, foreign, restrict_scripts
from explorer.models.translator import Translator, TranslatorConfig

TEXTS = ["我们认为你的理论是错的。", "Élodie a mangé du gâteau…", "Ночь, улица, фонарь", "“Hello” – 3 €", "straße"] * 9


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(TEXTS, 420, ["<2en>", "<2zh>"])


def small(tokenizer: Tokenizer) -> Translator:
    config = TranslatorConfig(
        vocab_size=tokenizer.vocab_size,
        directions="zh-en en-zh",
        max_length=40,
        d_model=16,
        n_heads=2,
        n_encoder_layers=1,
        n_decoder_layers=1,
        d_ff=32,
    )
    return Translator(config).eval()


def written_with(tokenizer: Tokenizer, language: str) -> set[str]:
    barred = set(foreign(tokenizer, language))
    return {char for text in TEXTS for char in text if not barred & set(tokenizer.encode(char))}


def test_a_language_is_written_with_its_letters_and_all_signs(tokenizer: Tokenizer) -> None:
    signs = set("…“”–€。，,. 3")
    letters = {char for text in TEXTS for char in text} - signs
    latin = {char for char in letters if ord(char) < 0x250}
    han = {char for char in letters if "\u4e00" <= char <= "\u9fff"}
    assert written_with(tokenizer, "en") >= latin
    assert not written_with(tokenizer, "en") & (letters - latin)
    assert written_with(tokenizer, "zh") >= latin | han
    assert not written_with(tokenizer, "zh") & (letters - latin - han)
    for language in ("en", "zh"):
        assert written_with(tokenizer, language) & set("…“”–€") == set("…“”–€")


def test_a_search_bars_by_the_tag_of_the_source(tokenizer: Tokenizer) -> None:
    torch.manual_seed(0)
    model = small(tokenizer)
    with torch.no_grad():  # everybody's first wish is a Chinese character
        model.decoder.norm.weight.zero_()
        model.decoder.norm.bias.copy_(3 * model.embedding.weight[tokenizer.encode("我")[0]])
    plain = prepare(model)
    choosy = restrict_scripts(plain, tokenizer)
    options = DecodingOptions(beam=3, max_length=8)
    sources = [
        [tokenizer.tags[tag], *tokenizer.encode("Hello"), tokenizer.eos_id] for tag in ("<2en>", "<2zh>", "<2en>")
    ]
    free, found = decode(plain, sources, options), decode(choosy, sources, options)
    barred = set(foreign(tokenizer, "en"))
    assert barred & set(free[0][0].ids)
    for number in (0, 2):
        assert not barred & {token for hypothesis in found[number] for token in hypothesis.ids}
    assert found[1][0] == free[1][0]
    held = {token for hypothesis in found[1] for token in hypothesis.ids} - set(tokenizer.special_ids)
    texts = [tokenizer.decode([token]).strip() for token in held]
    assert all(text.casefold() in "hello" for text in texts if text.isascii() and text.isalpha())


def test_chinese_is_written_with_no_latin_letters_but_those_of_the_source(tokenizer: Tokenizer) -> None:
    unheld = Unheld(tokenizer)
    barred = set(unheld([tokenizer.tags["<2zh>"], *tokenizer.encode("NASA is there"), tokenizer.eos_id]))
    assert not barred & set(tokenizer.encode("NASA"))
    assert tokenizer.encode("q")[-1] in barred
    assert not barred & {*tokenizer.encode("我"), *tokenizer.encode("7"), tokenizer.eos_id}


def test_what_is_left_has_the_probabilities_of_the_model(tokenizer: Tokenizer) -> None:
    torch.manual_seed(1)
    model = small(tokenizer)
    source = [tokenizer.tags["<2en>"], *tokenizer.encode("Hello"), tokenizer.eos_id]
    ((best,),) = decode(restrict_scripts(prepare(model), tokenizer), [source], DecodingOptions(beam=1, max_length=6))
    with torch.inference_mode():
        logits = model(torch.tensor([source]), torch.tensor([[tokenizer.bos_id, *best.ids[:-1]]]))[0]
        logits[:, list(model.config.never_written)] = -torch.inf
    expected = logits.log_softmax(-1)[range(len(best.ids)), list(best.ids)].sum()
    assert best.log_probability == pytest.approx(float(expected), abs=1e-4)
