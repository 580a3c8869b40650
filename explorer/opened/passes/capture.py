"""Take the weights of any model's attention where transformers computes them, and change heads at the same place.

One function is registered with `AttentionInterface`. It calls the *model's own* eager function, so that soft caps,
sinks and position biases are the model's, shows weights and outputs of the heads to whoever asked in this thread, and
returns no weights: a layer's map lives only as long as it is looked at.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from torch import Tensor
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

#: Under this name the models of the worker find it.
NAME = "explorer"
#: Below this, what is added to a score forbids it.
_FORBIDS = -1e30


@dataclass(frozen=True, slots=True)
class Call:
    """One attention while it is computed.

    Attributes:
        number: how many attentions came before it in this pass.
        weights: `[batch, heads, queries, keys]`.
        outputs: of the heads before they are mixed, `[batch, queries, heads, width]`.
        values: `[batch, kv_heads, keys, width]`.
        allowed: True = may attend, `[queries, keys]` of the first text; None where everything may.
    """

    number: int
    module: Any
    weights: Tensor
    outputs: Tensor
    values: Tensor
    allowed: Tensor | None


#: Is shown one attention; may return other outputs of its heads.
Hook = Callable[[Call], Tensor | None]


@dataclass(slots=True)
class Pass:
    """Passes of this thread, as `watching` counts them."""

    look: Hook
    calls: int = 0


_watched: ContextVar[Pass | None] = ContextVar("watched", default=None)


@contextmanager
def watching(look: Hook) -> Iterator[Pass]:
    """Show every attention of one pass, in this thread, to a function; count them."""
    watched = Pass(look)
    token = _watched.set(watched)
    try:
        yield watched
    finally:
        _watched.reset(token)


def _attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **settings: Any
) -> tuple[Tensor, None]:
    own = sys.modules[type(module).__module__].eager_attention_forward
    output, weights = own(module, query, key, value, attention_mask, **settings)
    watched = _watched.get()
    if watched is not None:
        number, watched.calls = watched.calls, watched.calls + 1
        changed = watched.look(Call(number, module, weights, output, value, _allowed(attention_mask, weights)))
        output = output if changed is None else changed
    return output, None


def _allowed(mask: Tensor | None, weights: Tensor) -> Tensor | None:
    if mask is None or mask.shape[-1] < weights.shape[-1]:
        return None
    allowed = mask[0, 0, :, : weights.shape[-1]] > _FORBIDS
    return allowed.expand(weights.shape[-2:])


AttentionInterface.register(NAME, _attend)
AttentionMaskInterface.register(NAME, eager_mask)
