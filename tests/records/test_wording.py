"""What several lessons say in the same way."""

import numpy as np
import pytest

from explorer.records.wording import percent, said_strongest, unlike
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


def test_a_taken_name_is_numbered() -> None:
    assert unlike("a", ()) == unlike("a", {"b"}) == "a"
    assert unlike("a", {"a", "a (2)", "a (4)"}) == "a (3)"


def test_the_strongest_look_is_said_by_what_the_row_is() -> None:
    assert said_strongest(attention()).endswith("writing “le”, it looks at “the” with weight **1.00**.")
    assert said_strongest(attention(query_role="read")).endswith("“le” looks at “the” with weight **1.00**.")
    assert "Nothing is left" in said_strongest(attention(weights=np.zeros((1, 2, 2), np.float32)))
