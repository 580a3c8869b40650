"""A translation is read back into English for those who do not read its language."""

from explorer.ui import meaning


def test_a_translation_that_lost_a_word_is_read_back_without_it() -> None:
    (said,) = meaning.read_back(("Elle aime le café noir.", "fr"))
    assert said == "She likes black coffee."


def test_what_no_model_reads_has_no_line() -> None:
    assert not meaning._reader("xx")
    assert meaning._reader("fr")
