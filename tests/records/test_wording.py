"""What several lessons say in the same way."""

import numpy as np
import pytest

from explorer.records.wording import percent, rests, said_change, said_rest, said_strongest, times, unique_name
from tests.records.test_attention_record import attention


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (1.0, "100.0%"),
        (1 - 6e-8, "100.0%"),
        (0.9996, "> 99.9%"),
        (0.87, "87.0%"),
        (0.032, "3.2%"),
        (0.0004, "< 0.1%"),
        (0.0, "0.0%"),
        (-0.0004, "> −0.1%"),
    ],
)
def test_a_share_is_said_in_few_digits(share: float, said: str) -> None:
    assert percent(share) == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (0.0, "as likely as before"),
        (-0.02, "as likely as before"),
        (-np.log(76), "76 times less likely"),
        (np.log(1.5), "1.5 times as likely"),
        (-11.4, "89,000 times less likely"),
        (-1e4, "10³⁰⁴ times less likely"),
    ],
)
def test_a_change_is_a_factor(change: float, said: str) -> None:
    assert said_change(change) == said
    assert said_change(change, strong=True).replace("**", "") == said


def test_a_factor_has_two_digits_that_count() -> None:
    assert [times(each) for each in (1.04, 2.44, 76.4, 1234.5, 2e6)] == ["1", "2.4", "76", "1,234", "10⁶"]


def test_heads_rest_on_what_nobody_types() -> None:
    assert list(map(rests, ("<s>", "</s>", "end", "cat"))) == [True, True, False, False]
    assert said_rest(("cat", "</s>")).startswith("“end”")
    assert said_rest(("<s>", "chat")).startswith("“start”")
    assert said_rest(("end",)) == ""


def test_a_taken_name_is_numbered() -> None:
    assert unique_name("a", ()) == unique_name("a", {"b"}) == "a"
    assert unique_name("a", {"a", "a (2)", "a (4)"}) == "a (3)"


def test_the_strongest_look_is_said_by_what_the_row_is() -> None:
    assert said_strongest(attention()).endswith("writing “le”, it looks at “the” with weight **1.00**.")
    assert said_strongest(attention(query_role="read")).endswith("“le” looks at “the” with weight **1.00**.")
    assert "Nothing is left" in said_strongest(attention(weights=np.zeros((1, 2, 2), np.float32)))
