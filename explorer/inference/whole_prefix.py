"""Decoding without a cache: the whole target so far is read again at every step."""

from typing import TYPE_CHECKING

import torch
from jaxtyping import Float, Int
from torch import Tensor

if TYPE_CHECKING:  # which is built on this module
    from explorer.inference.prepared import Prepared


class WholePrefix:
    """One batch on its way, for positions that the fast cache does not know (all but sinusoidal).

    Slower than `explorer.inference.stepping.Cache`, quadratic in the length: meant for small models and short targets.
    Belongs to one search; never shared.
    """

    def __init__(self, prepared: "Prepared", source_ids: Int[Tensor, "sentences source"], *, beam: int) -> None:
        self._prepared, self._beam = prepared, beam
        allowed = source_ids != prepared.config.pad_id
        memory = prepared.model.encode(source_ids, allowed)
        self._allowed = allowed.repeat_interleave(beam, 0)  # [sentences*beam, source]
        self._memory = memory.repeat_interleave(beam, 0)
        self._read = source_ids.new_empty(len(self._memory), 0)  # [sentences*beam, target]

    def advance(self, tokens: Int[Tensor, "sentences beam"]) -> Float[Tensor, "sentences beam vocab"]:
        """Read one token per hypothesis and score the next one."""
        self._read = torch.cat([self._read, tokens.flatten()[:, None]], 1)
        hidden = self._prepared.model.hidden(self._read, self._memory, self._allowed)[:, -1]
        return self._prepared.out(hidden).view(*tokens.shape, -1)

    def continue_from(self, parents: Int[Tensor, "sentences beam"]) -> None:
        """Give each hypothesis the past of its parent."""
        first = torch.arange(len(parents), device=parents.device)[:, None] * self._beam
        self._read = self._read[(first + parents).flatten()]

    def keep(self, sentences: Int[Tensor, " kept"]) -> None:
        """Forget the sentences that are finished."""
        beams = torch.arange(self._beam, device=sentences.device)
        rows = (sentences[:, None] * self._beam + beams).flatten()
        self._read, self._memory, self._allowed = self._read[rows], self._memory[rows], self._allowed[rows]
