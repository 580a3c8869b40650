"""Let owners take turns in every queue of the server: translations, trainings, background jobs."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def round_robin(
    waiting: Sequence[T],
    owner: Callable[[T], str],
    at_work: Iterable[str] = (),
    *,
    small_first: bool = False,
    ahead: Callable[[T], bool] = lambda _: False,
) -> list[T]:
    """Return who waits, the next first: the second of an owner stands behind the first of every other.

    Args:
        waiting: in the order in which they came, which decides among equals.
        owner: whose each is.
        at_work: the owner of each that is being served: a turn that was had.
        small_first: among equals, an owner who waits for little comes before one who waits for much.
        ahead: who comes before all turns.
    """
    turns, many = Counter(at_work), Counter(map(owner, waiting))
    positions: list[tuple[bool, int, int, int]] = []
    for number, each in enumerate(waiting):
        whose, early = owner(each), ahead(each)
        positions.append((not early, 0 if early else turns[whose], many[whose] if small_first else 0, number))
        turns[whose] += 1
    return [waiting[number] for *_, number in sorted(positions)]
