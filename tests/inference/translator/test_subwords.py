"""What a source begins with."""

import pytest

from explorer.data.parallel.directions import parse_directions
from explorer.data.tokenizer import Tokenizer
from explorer.inference.translator.subwords import cut_source, tag_of
from explorer.models.translator import TranslatorConfig
from tests.checkpoints.conftest import SENTENCES

(FR_EN,) = parse_directions("fr-en")


@pytest.fixture(scope="module")
def tagged() -> Tokenizer:
    """Of a model that was trained on several directions."""
    return Tokenizer.train(SENTENCES, 300, [FR_EN.tag])


@pytest.mark.parametrize("directions", ["fr-en", "fr-en de-en"])
def test_a_model_that_learnt_tags_reads_one_whatever_it_is_offered_for(tagged: Tokenizer, directions: str) -> None:
    config = TranslatorConfig(vocab_size=300, directions=directions, max_length=8)
    first, *words, last = cut_source(tagged, config, FR_EN, "Le chat a vu le chien.")
    assert (first, last) == (tagged.tags["<2en>"], tagged.eos_id)
    assert words == tagged.encode("Le chat a vu le chien.")[:6]


def test_a_model_without_tags_reads_none(tagged: Tokenizer) -> None:
    plain = Tokenizer.train(SENTENCES, 300)
    assert tag_of(plain, FR_EN) == ()
    assert tag_of(tagged, None) == ()
