"""Numbers of a source are found in its translation, however it writes them."""

import pytest

from explorer.evaluate.kept_numbers import count_kept


@pytest.mark.parametrize(
    ("pair", "source", "translation", "counts"),
    [
        ("zh-en", "花了103.7亿美元。", "It cost $10.37 billion.", (1, 1)),
        ("zh-en", "他有73万元。", "He has 730,000 yuan.", (1, 1)),
        ("zh-en", "他有73万元。", "He has 73 yuan.", (0, 1)),
        ("en-de", "It costs 1,234.50 euros.", "Das kostet 1.234,50 Euro.", (1, 1)),
        ("en-de", "It costs 1,234.50 euros.", "Das kostet 1.234 Euro.", (0, 1)),
        ("fr-en", "Il y a 1 234 567 habitants.", "There are 1,234,567 people.", (1, 1)),
        ("fr-en", "Le train part à 19 h 30.", "The train leaves at 7:30 pm.", (2, 2)),
        ("en-fr", "He has 3 dogs and 12 cats.", "Il a trois chiens et douze chats.", (2, 2)),
        ("en-zh", "27 books of 305 pages", "二十七本三百零五页的书", (2, 2)),
        ("zh-en", "3月5日", "March 5", (1, 1)),
        ("en-fr", "5 or 5", "5 ou 6", (1, 2)),
        ("en-fr", "No number", "Aucun", (0, 0)),
    ],
)
def test_numbers_are_kept(pair: str, source: str, translation: str, counts: tuple[int, int]) -> None:
    assert count_kept([source], [translation], *pair.split("-")) == counts
