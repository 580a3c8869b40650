"""Sub-words: whatever is typed comes back, readable labels, words."""

import unicodedata
from pathlib import Path

import pytest
import tokenizers

from explorer.data.tokenizer import Tokenizer

TEXTS = [
    "The cat sat on the mat and the cat was happy.",
    "Le chat n'est pas sur le tapis, il est parti aujourd'hui ?",
    "I don't know what you're doing with l'enfant d'ailleurs.",
] * 20

HOSTILE = [
    "",
    "   ",
    "The cat",
    "  two  spaces\tand a tab ",
    "line\nbreak\r\nand more",
    "🎉👩‍👩‍👧‍👦🇫🇷 emoji",
    "注意力就是你所需要的一切。",
    "الانتباه هو كل ما تحتاجه",
    "zero\u200bwidth\u200d\ufeff",
    "control \x00\x01\x1b[31m\x7f",
    "<script>alert('x')</script>",
    "</s><pad><s> <s>",
    "$\\frac{a}{b}$ x² ≠ ∑",
    "donaudampfschifffahrt" * 20,
    "é versus e\u0301",
    "’",
    "▁ ␣ ‑ Ġ � ⟨E6⟩",
    "\ud7ff\U0010ffff",
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(TEXTS, 400)


@pytest.mark.parametrize("text", HOSTILE)
def test_every_text_comes_back(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    expected = unicodedata.normalize("NFC", text).replace("’", "'").strip()
    assert tokenizer.decode(ids) == expected
    assert not {tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id} & set(ids)
    assert all(0 <= token < tokenizer.vocab_size for token in ids)


@pytest.mark.parametrize("text", HOSTILE)
def test_labels_are_printable_and_say_what_they_stand_for(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    pieces = tokenizer.pieces(ids)
    assert len(pieces) == len(ids)
    assert all(piece and piece.isprintable() and " " not in piece for piece in pieces)
    if "�" not in text:
        assert not any("�" in piece for piece in pieces)


@pytest.mark.parametrize("text", HOSTILE)
def test_word_groups_partition_the_positions(tokenizer: Tokenizer, text: str) -> None:
    ids = [tokenizer.bos_id, *tokenizer.encode(text), tokenizer.eos_id]
    groups = tokenizer.word_groups(ids)
    assert [position for group in groups for position in group] == list(range(len(ids)))
    assert groups[0] == (0,)
    assert groups[-1] == (len(ids) - 1,)


def merged(tokenizer: Tokenizer, text: str) -> list[str]:
    ids = tokenizer.encode(text)
    return [tokenizer.decode([ids[i] for i in group]) for group in tokenizer.word_groups(ids)]


def test_words_are_merged_at_spaces_elisions_and_marks(tokenizer: Tokenizer) -> None:
    assert merged(tokenizer, "Tomatoes aren't what l'enfant ate, 1234!") == [
        "Tomatoes",
        "aren",
        "'t",
        "what",
        "l'",
        "enfant",
        "ate",
        ",",
        *"1234",
        "!",
    ]


def test_a_chinese_character_is_a_word_and_no_continuation() -> None:
    tokenizer = Tokenizer.train(["我认为你的理论是错的。我们 read 书"] * 9, 400)
    ids = tokenizer.encode("我们 read 书。")
    assert tokenizer.pieces(ids) == ["我", "们", "read", "␣", "书", "。"]
    assert tokenizer.word_groups(ids) == [(i,) for i in range(6)]
    assert tokenizer.decode(ids) == "我们 read 书。"


def test_a_stream_that_stops_inside_a_character_has_groups_and_labels(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("注意")[:-1]
    assert tokenizer.word_groups(ids) == [(i,) for i in range(len(ids))]
    assert tokenizer.pieces(ids)[0] == "⟨E6⟩"


def test_special_ids_are_labelled_and_not_decoded(tokenizer: Tokenizer) -> None:
    ids = [tokenizer.bos_id, *tokenizer.encode("The cat"), tokenizer.eos_id, tokenizer.pad_id]
    assert tokenizer.decode(ids) == "The cat"
    assert tokenizer.pieces(ids)[::1][0] == "<s>"
    assert tokenizer.pieces(ids)[-2:] == ["</s>", "<pad>"]


def test_a_word_is_cut_alike_at_the_start_and_inside(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("cat sat") == [*tokenizer.encode("cat"), *tokenizer.encode("sat")]


def test_saving_and_loading_keeps_everything(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path / "tokenizer.json")
    again = Tokenizer.load(tmp_path / "tokenizer.json")
    assert again.vocab_size == tokenizer.vocab_size
    for text in HOSTILE:
        assert again.encode(text) == tokenizer.encode(text)


def test_a_foreign_tokenizer_is_refused(tmp_path: Path) -> None:
    tokenizers.Tokenizer(tokenizers.models.BPE()).save(str(tmp_path / "t.json"))
    with pytest.raises(ValueError, match="lacks one of <pad>"):
        Tokenizer.load(tmp_path / "t.json")


def test_rare_characters_get_a_sub_word_of_their_own_if_they_shall() -> None:
    often, rare = "我们是好人" * 400, "鹭鹂黛霁"
    texts = [*TEXTS, often, rare]
    usual, all_of_them = (Tokenizer.train(texts, 330, n_characters=n) for n in (0, 9))
    assert [len(usual.encode(character)) for character in rare] == [3, 3, 3, 3]
    assert [len(all_of_them.encode(character)) for character in often[:5] + rare] == [1] * 9
    most = Tokenizer.train(texts, 330, n_characters=5)
    assert [len(most.encode(character)) for character in often[:5]] == [1] * 5
    assert min(len(most.encode(character)) for character in rare) > 1
    for text in HOSTILE:
        assert all_of_them.decode(all_of_them.encode(text)) == usual.decode(usual.encode(text))
