"""Hostile inputs through the page, beside a reader who must not notice; with a server, all two hundred: benchmarks."""

import unicodedata

import pytest

from explorer.inference.translator.request import CHECKPOINT, encode_text
from explorer.inference.translator.translate import InputRefused, load
from explorer.lessons.translator import Params, sentences
from tests.lessons.translator.test_page import PAGE, tiny, typed
from tests.lessons.translator.test_queue import big
from tests.pages.test_every_page import healthy
from tests.support.hostile import inputs
from tests.support.pages import OpenPage

__all__ = ["tiny"]
N = 200
#: Through the whole page; the others through all of it but the drawing.
N_DRAWN = 25


def test_hostile_texts_leave_the_page_alive_and_another_session_as_it_was(open_page: OpenPage) -> None:
    other, hostile = open_page(PAGE, tr_text="The cat saw the dog."), open_page(PAGE)
    before = big(other)
    for text in inputs(N)[:: N // N_DRAWN]:
        typed(hostile, text.replace("\ud83d", "�"))
        assert healthy(hostile), ascii(text)
        assert not hostile.error, ascii(text)
    assert big(other.run()) == before
    assert healthy(other)


@pytest.mark.parametrize("part", range(4))
def test_anything_is_translated_or_refused_and_no_token_is_unknown(part: int) -> None:
    translator = load(CHECKPOINT)
    vocabulary = translator.tokenizer.vocab_size
    for text in inputs(N)[part::4]:
        try:
            params = Params(text=text)
            asked = sentences.requests(params, sentences.sentences(params, most=5000))
            found = [encode_text(each) for each in asked]
        except InputRefused:
            continue
        for _, said, ids in found:
            assert all(0 <= token < vocabulary for token in ids)
            read = translator.tokenizer.decode(ids)
            assert read == unicodedata.normalize("NFC", said).replace("’", "'").strip(), ascii(text)
