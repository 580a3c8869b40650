"""Page 06: attention beside the effect of removal: each source token is hidden, and the output's likelihood falls."""

from collections.abc import Iterator

from explorer.lessons._multi_head_state import Result, View
from explorer.lessons._translator_state import Params
from explorer.records.removal import Agreement, EffectRecord


def measure_effects(params: Params) -> Iterator[EffectRecord]:
    """Hide every source token alone; after some, the fall of every output token's log-probability so far.

    A generator for `explorer.ui.jobs.watch`. Nothing that is written changes: the old translation is read again with
    one column of the encoder's self-attention and of cross-attention forbidden.
    """
    raise NotImplementedError


def effects(params: Params) -> EffectRecord:
    """All of `measure_effects` at once: for short sentences."""
    raise NotImplementedError


def agreements(result: Result, effect: EffectRecord, view: View) -> tuple[Agreement, ...]:
    """Spearman's rank correlation of the effect with cross-attention's maps, for the view's output token and all.

    Maps: the view's head and the mean over heads of the view's layer (both of cross-attention), the mean over all
    heads and layers of cross-attention, rollout. The view's `query` is the place of the output token if its site is
    `cross` (else it is clamped to the output).
    """
    raise NotImplementedError
