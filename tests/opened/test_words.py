"""Tokens and words as readers see them, whatever the family writes into its tokens."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from explorer.opened.passes import loader, words
from explorer.opened.refused import ModelRefused


@pytest.fixture(scope="module")
def bytes_(llama: Path) -> PreTrainedTokenizerFast:
    """Byte-level: a rare character is several tokens."""
    return loader.read_tokenizer(llama)


@pytest.fixture(scope="module")
def pieces() -> PreTrainedTokenizerFast:
    """Word pieces, as BERT's: lower case, `##` within words, `[UNK]` for what it lacks."""
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "sat", ".", "不"]
    tokenizer = Tokenizer(models.WordPiece({each: n for n, each in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]"
    )


def test_pieces_become_words_and_marks_stand_alone(pieces: PreTrainedTokenizerFast) -> None:
    found = words.read(pieces, "The cats sat.", 40)
    assert found.row.labels == ("[CLS]", "The", "cat", "s", "sat", ".", "[SEP]")
    assert found.row.word_labels == ("[CLS]", "The", "cats", "sat", ".", "[SEP]")
    assert found.row.special == (True, *[False] * 5, True)
    assert found.rest == found.row.special
    assert found.punctuation == (False, False, False, False, False, True, False)


def test_what_the_vocabulary_lacks_is_text_under_its_own_name(pieces: PreTrainedTokenizerFast) -> None:
    found = words.read(pieces, "the 猫 不", 40)
    assert found.row.labels == ("[CLS]", "the", "猫", "不", "[SEP]")
    assert found.unknown == (False, False, True, False, False)
    assert not found.row.special[2]


def test_the_bytes_of_a_character_stand_together_under_one_label(bytes_: PreTrainedTokenizerFast) -> None:
    found = words.read(bytes_, "The 鸟 saw", 40)
    position = found.row.labels.index("鸟")
    assert found.row.labels[position + 1] == ""
    (word,) = [each for each in found.row.words if position in each]
    assert len(word) >= 3
    assert found.row.word_labels[found.row.word_of(position)] == "鸟"


def test_wide_characters_are_words_of_their_own(bytes_: PreTrainedTokenizerFast) -> None:
    assert words.read(bytes_, "猫狗", 40).row.word_labels[1:-1] == ("猫", "狗")


def test_ends_of_lines_are_labelled(bytes_: PreTrainedTokenizerFast) -> None:
    assert "⏎" in words.read(bytes_, "The cat\nsaw", 40).row.labels


def test_no_end_mark_stands_where_a_model_is_to_go_on(bytes_: PreTrainedTokenizerFast) -> None:
    assert words.read(bytes_, "The cat", 40).row.labels[-1] == "</s>"
    found = words.read(bytes_, "The cat", 40, goes_on=True)
    assert found.row.labels == ("<s>", "The", "cat")
    assert found.rest == (True, False, False)


def test_where_no_token_is_special_the_first_is_the_resting_place(bytes_: PreTrainedTokenizerFast) -> None:
    found = words.written_tokens(bytes_, [*bytes_("The cat", add_special_tokens=False)["input_ids"]])
    assert found.row.labels == ("The", "cat")
    assert found.rest == (True, False)


def test_a_long_text_is_cut_and_says_so(bytes_: PreTrainedTokenizerFast) -> None:
    found = words.read(bytes_, "The cat saw the dog. " * 10, 12)
    assert len(found) == 12
    assert found.left_off > 100
    assert words.read(bytes_, "The cat", 12).left_off == 0


@pytest.mark.parametrize("text", ["", "   ", "</s>"])
def test_a_text_without_tokens_is_refused(pieces: PreTrainedTokenizerFast, text: str) -> None:
    if text == "</s>":
        text = "[SEP]"
    with pytest.raises(ModelRefused, match="no tokens"):
        words.read(pieces, text, 40)


def test_what_was_written_reads_as_what_was_read(bytes_: PreTrainedTokenizerFast) -> None:
    text = "The cat saw the dog, and 猫 saw it."
    read = words.read(bytes_, text, 60)
    written = words.written_tokens(bytes_, read.ids)
    assert written.row.word_labels == read.row.word_labels
    assert written.ids == read.ids
