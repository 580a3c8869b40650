"""Page 06: heads taken away, by hand or one after the other."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.lessons._translator_state import Params
from explorer.records.heads import HeadName, in_order
from explorer.records.removal import AblationRecord, How, SweepRecord

HOWS: tuple[How, ...] = ("off", "uniform")


@dataclass(frozen=True, slots=True, kw_only=True)
class AblationParams:
    """Which heads are taken away from which translation. Heads are sorted, each kept once.

    Attributes:
        params: the translation.
        heads: those taken away; heads the model does not have are ignored.
        how: `off`, they add nothing; `uniform`, they weigh all they may see the same.
    """

    params: Params = Params()  # noqa: RUF009 - frozen
    heads: tuple[HeadName, ...] = ()
    how: How = "off"

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", tuple(sorted(set(self.heads), key=in_order)))
        object.__setattr__(self, "how", self.how if self.how in HOWS else "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepParams:
    """Which translation is measured, and what is done to each head."""

    params: Params = Params()  # noqa: RUF009 - frozen
    how: How = "off"


def ablate(params: AblationParams) -> AblationRecord:
    """Translate without some heads, and ask how likely the old translation still is.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    raise NotImplementedError


def sweep(params: SweepParams) -> Iterator[SweepRecord]:
    """Take away every head alone: after each, the importance map so far. A generator for `explorer.ui.jobs.watch`."""
    raise NotImplementedError
