"""Characters as tokens, and a text as windows."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.data.text import (
    CharacterTokenizer,
    TextError,
    Windows,
    excerpt,
    find_text,
    normalise,
    parts,
    read_text,
)

HOSTILE = ["", "   ", "🎉👩‍👩‍👧‍👦", "注意力", "\x00\x1b[31m", "a\r\nb\rc", "<script>", "\ufffd", "é vs e\u0301"]


@pytest.fixture(scope="module")
def tokenizer() -> CharacterTokenizer:
    return CharacterTokenizer.train(["To be, or not\nto be"])


class TestTokenizer:
    @pytest.mark.parametrize("text", ["To be", "not to be\nor", "oooo", ""])
    def test_known_characters_come_back(self, tokenizer: CharacterTokenizer, text: str) -> None:
        assert tokenizer.decode(tokenizer.encode(text)) == text

    @pytest.mark.parametrize("text", HOSTILE)
    def test_any_text_has_ids(self, tokenizer: CharacterTokenizer, text: str) -> None:
        ids = tokenizer.encode(text)
        assert len(ids) == len(normalise(text))
        assert all(0 <= token < tokenizer.vocab_size for token in ids)
        assert len(tokenizer.pieces(ids)) == len(ids)

    def test_a_character_it_lacks_is_unknown(self, tokenizer: CharacterTokenizer) -> None:
        assert tokenizer.encode("tzo") == [tokenizer.encode("t")[0], 0, tokenizer.encode("o")[0]]
        assert tokenizer.decode(tokenizer.encode("tzo")) == "t\ufffdo"
        assert tokenizer.unknown("zebra zoo") == ["z", "a"]

    def test_ids_follow_the_code_points_after_the_unknown(self, tokenizer: CharacterTokenizer) -> None:
        assert tokenizer.characters == "\n ,Tbenort"
        assert tokenizer.encode("\nt") == [1, 10]
        assert tokenizer.vocab_size == 11

    def test_white_space_can_be_read(self, tokenizer: CharacterTokenizer) -> None:
        assert tokenizer.pieces(tokenizer.encode("o b\n")) == ["o", "␣", "b", "⏎"]

    def test_ids_from_elsewhere_are_no_crash(self, tokenizer: CharacterTokenizer) -> None:
        assert tokenizer.decode([-1, 99]) == "\ufffd\ufffd"

    def test_a_file_comes_back(self, tokenizer: CharacterTokenizer, tmp_path: Path) -> None:
        tokenizer.save(tmp_path / "tokenizer.json")
        assert CharacterTokenizer.load(tmp_path / "tokenizer.json").characters == tokenizer.characters

    @pytest.mark.parametrize(
        "content",
        ["", "{}", "[]", '{"type": "characters"}', '{"type": "characters", "characters": "aa"}', '{"type": "bpe"}',
         '{"type": "characters", "characters": ""}', '{"type": "characters", "characters": ["a"]}', "[" * 9],
    )  # fmt: skip
    def test_what_is_no_vocabulary_is_refused(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "tokenizer.json").write_text(content)
        with pytest.raises((ValueError, TypeError)):
            CharacterTokenizer.load(tmp_path / "tokenizer.json")

    def test_a_huge_file_is_not_read(self, tmp_path: Path) -> None:
        whole = {"type": "characters", "characters": "a" * 1_000_001}
        (tmp_path / "tokenizer.json").write_text(json.dumps(whole))
        with pytest.raises(ValueError, match="bytes"):
            CharacterTokenizer.load(tmp_path / "tokenizer.json")


class TestFiles:
    def test_plain_and_gzipped(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(b"one\r\ntwo")
        (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one\ntwo"))
        assert read_text(tmp_path / "a.txt") == read_text(tmp_path / "a.txt.gz") == "one\ntwo"

    @pytest.mark.parametrize(("name", "content"), [("a.txt", b"\xff\xfe"), ("a.txt", b" \n"), ("a.txt.gz", b"no")])
    def test_what_is_no_text(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(TextError, match=name):
            read_text(tmp_path / name)

    def test_none_there(self, tmp_path: Path) -> None:
        with pytest.raises(TextError, match=r"no input\.txt"):
            find_text(tmp_path)
        with pytest.raises(TextError, match="does not exist"):
            read_text(tmp_path / "none.txt")

    def test_the_end_is_held_out(self) -> None:
        assert parts("abcdefghij") == ("abcdefghi", "j")

    def test_the_excerpt_is_long_enough_to_measure_on_and_no_corpus(self) -> None:
        assert 40_000 < len(excerpt()) < 45_000
        assert excerpt().startswith("GREMIO:\nGood morrow")


class TestWindows:
    def test_a_window_and_what_follows(self) -> None:
        windows = Windows(range(100), length=8, seed=1)
        batch = windows.batch(np.array([0, 50]))
        assert batch.read.tolist() == [list(range(8)), list(range(50, 58))]
        assert torch.equal(batch.following, batch.read + 1)

    def test_an_epoch_reads_almost_everything_once(self) -> None:
        windows = Windows(range(1000), length=16, seed=1)
        read = torch.cat([windows.batch(starts).read for starts in windows.epoch(3, rows=7)]).flatten()
        assert len(read.unique()) == len(read) > 1000 - 2 * 16

    def test_seed_and_epoch_decide(self) -> None:
        def order(seed: int, epoch: int) -> list[int]:
            return np.concatenate(list(Windows(range(500), length=8, seed=seed).epoch(epoch, rows=9))).tolist()

        assert order(1, 0) == order(1, 0)
        assert order(1, 0) != order(1, 1)
        assert order(1, 0) != order(2, 0)
        assert len({order(1, epoch)[0] % 8 for epoch in range(20)}) > 3  # borders move

    def test_a_text_of_one_window(self) -> None:
        (starts,) = Windows(range(9), length=8, seed=1).epoch(0, rows=4)
        assert starts.tolist() == [0]

    def test_too_short(self) -> None:
        with pytest.raises(TextError, match="no window of 8"):
            Windows(range(8), length=8, seed=1)
