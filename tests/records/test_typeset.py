"""Numbers in readings as they are printed."""

from explorer.records.wording import typeset


def test_a_minus_sign_and_powers_of_ten_are_printed_and_words_are_left_alone() -> None:
    assert typeset("-0.22, cosine -.5; from -80.6 to -5") == "−0.22, cosine −.5; from −80.6 to −5"
    assert typeset("at most 2.2e-16, and -1e6") == "at most 2.2·10⁻¹⁶, and −1·10⁶"
    kept = "gpt-2, 10-20, log-probability, 8e, v1.2e3x, 2026-11-24, “a-1”"
    assert typeset(kept) == kept
