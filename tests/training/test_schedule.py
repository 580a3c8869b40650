"""Warm up, stay, come down."""

import pytest

from explorer.training.config import TrainingConfig
from explorer.training.schedule import Schedule

SCHEDULE = Schedule(peak=2.0, warmup=10, horizon=100, decay_from=60)


def test_the_rate_climbs_stays_and_falls_to_zero() -> None:
    rates = [SCHEDULE.rate(step) for step in range(101)]
    assert rates[:10] == pytest.approx([0.2 * (i + 1) for i in range(10)])
    assert set(rates[10:61]) == {2.0}
    assert rates[61:] == sorted(rates[61:], reverse=True)
    assert rates[80] == pytest.approx(1.0)
    assert rates[100] == 0.0
    assert SCHEDULE.rate(150) == 0.0


@pytest.mark.parametrize(
    "change", [{"steps": 0}, {"minutes": 0.0}, {"decay_share": 1.0}, {"smoothing": -0.1}, {"learning_rate": 0.0}]
)
def test_a_config_names_what_is_wrong(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        TrainingConfig(**change)
