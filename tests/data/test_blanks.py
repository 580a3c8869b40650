"""Sentences with blanks: who is trained on, what is asked for, and that a seed gives the same again."""

from pathlib import Path

import pytest
import torch

from explorer.data.blanks import BLANK_SHARE, Blanks, read_sentences
from explorer.data.tokenizer import MASK, Tokenizer

TEXTS = [
    f"The {noun} {verb} the {other} ."
    for noun in ("cat", "dog")
    for verb in ("saw", "bit")
    for other in ("mouse", "bird")
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(TEXTS, 300, [MASK])


def blanks(tokenizer: Tokenizer, share: float = 0.3) -> Blanks:
    return Blanks(TEXTS * 40, tokenizer, max_length=40, share=share, seed=3)


def test_a_share_is_asked_for_at_least_one_and_never_what_nobody_says(tokenizer: Tokenizer) -> None:
    source = blanks(tokenizer)
    asked, words, blank = 0, 0, 0
    for number, rows in enumerate(source.epoch(0, tokens_per_batch=400)):
        batch = source.batch(rows, 0, number)
        wanted = batch.wanted != tokenizer.pad_id
        assert wanted.any(1).all()
        original = torch.where(wanted, batch.wanted, batch.read)
        assert [row[row != tokenizer.pad_id].tolist() for row in original] == [
            source.rows[row].tolist() for row in rows
        ]
        assert not torch.isin(batch.wanted[wanted], torch.tensor(sorted(tokenizer.special_ids))).any()
        asked += int(wanted.sum())
        words += int((~torch.isin(original, torch.tensor(sorted(tokenizer.special_ids)))).sum())
        blank += int((batch.read == tokenizer.mask_id).sum())
    assert asked / words == pytest.approx(0.3, abs=0.03)
    assert blank / asked == pytest.approx(BLANK_SHARE, abs=0.05)


def test_every_sentence_once_an_epoch_and_a_seed_gives_the_same(tokenizer: Tokenizer) -> None:
    source, again = blanks(tokenizer), blanks(tokenizer)
    first = [rows.tolist() for rows in source.epoch(1, tokens_per_batch=200)]
    assert sorted(row for rows in first for row in rows) == list(range(len(source.rows)))
    assert first == [rows.tolist() for rows in again.epoch(1, tokens_per_batch=200)]
    assert first != [rows.tolist() for rows in again.epoch(2, tokens_per_batch=200)]


def test_what_is_held_out_is_not_trained_on(tmp_path: Path) -> None:
    for name, train in (("one", "A b.\tX\nHeld out!\tY\n"), ("two", "a  b\tZ\nHeld, out.\tZ\nNew one.\tZ\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.tsv").write_text(train)
    (tmp_path / "one" / "dev.tsv").write_text("Held out.\tY\n")
    (tmp_path / "one" / "test.tsv").write_text("Test.\tY\n")
    found = read_sentences([(tmp_path / "one", "de"), (tmp_path / "two", "fr")])
    assert found == (["A b.", "New one."], ["Held out."], ["Test."])


def test_sentences_that_are_all_too_long_are_said(tokenizer: Tokenizer) -> None:
    with pytest.raises(ValueError, match="no sentence has at most 3 tokens"):
        Blanks(TEXTS, tokenizer, max_length=3, share=0.3, seed=3)
