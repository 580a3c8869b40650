"""Decoding with a recurrent model: its state is the cache."""

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from explorer.inference.search.protocols import VOCAB_BLOCK
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.models.seq2seq_parts import NOT_FORCED, Memory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedSeq2Seq:
    """A recurrent model laid out for decoding. Immutable: all sessions share it.

    Attributes:
        model: in `eval()`, on `device`.
        table: scores the vocabulary, which is rounded up to whole blocks, `[d_read, vocab]`.
        bias: the model's own or 0; -inf for `<pad>`, `<s>` and what was added: they are never written.
        device: where it decodes.
        forced: weights that stand in for the model's own at chosen steps, `{step: [source]}`, for every sentence.
    """

    SHARED: ClassVar[bool] = True

    model: Seq2Seq
    table: Tensor
    bias: Tensor
    device: torch.device
    forced: Mapping[int, Tensor]

    @property
    def config(self) -> Seq2SeqConfig:
        """Return the model's configuration."""
        return self.model.config

    def start(self, source_ids: Int[Tensor, "sentences source"], *, beam: int, max_steps: int) -> "Seq2SeqSteps":
        """Read the padded sources and stand before the first token."""
        del max_steps  # a state needs the same room at every step
        return Seq2SeqSteps(self, source_ids, beam=beam)

    def on_cpu(self) -> "PreparedSeq2Seq":
        """Return the same engine on the CPU."""
        return prepare_seq2seq(self.model, torch.device("cpu"), forced=self.forced)


def prepare_seq2seq(
    model: Seq2Seq,
    device: torch.device | None = None,
    dtype: torch.dtype = torch.float32,
    *,
    forced: Mapping[int, Tensor] = NOT_FORCED,
) -> PreparedSeq2Seq:
    """Lay out a recurrent model for decoding; the model is left as it is.

    Args:
        model: shares its weights with the result where device and dtype allow it.
        device: the CPU if not given.
        dtype: the arithmetic.
        forced: as in `PreparedSeq2Seq`.
    """
    device = device or torch.device("cpu")
    here = next(model.parameters())
    if here.device != device or here.dtype != dtype or model.training:
        model = copy.deepcopy(model).to(device=device, dtype=dtype).eval()
    config = model.config
    with torch.no_grad():
        weight, own_bias = model.head()
        table = F.pad(weight.detach(), (0, 0, 0, -config.vocab_size % VOCAB_BLOCK))
        bias = torch.zeros_like(table[:, 0])
        if own_bias is not None:
            bias[: config.vocab_size] = own_bias
        bias[[config.pad_id, config.bos_id, *range(config.vocab_size, len(bias))]] = -math.inf
    return PreparedSeq2Seq(model=model, table=table.t().contiguous(), bias=bias, device=device, forced=dict(forced))


class Seq2SeqSteps:
    """One batch of hypotheses: the memory of each source, and the state of each hypothesis."""

    def __init__(self, prepared: PreparedSeq2Seq, source_ids: Int[Tensor, "sentences source"], *, beam: int) -> None:
        self.prepared, self.beam, self.number = prepared, beam, 0
        allowed = source_ids != prepared.config.pad_id
        each_for_its_beam = torch.arange(len(source_ids)).repeat_interleave(beam)
        self._take(prepared.model.encode(source_ids, allowed), allowed, each_for_its_beam)
        self.state = self.memory.initial

    def advance(self, tokens: Int[Tensor, "sentences beam"]) -> Float[Tensor, "sentences beam vocab"]:
        """Read one token per hypothesis and score the next one."""
        stepped = self.prepared.model.step(
            tokens.flatten().clamp(max=self.prepared.config.vocab_size - 1),  # an impossible one may be any number
            self.memory,
            self.allowed,
            self.state,
            number=self.number,
            forced={
                step: self.prepared.forced[step].expand(len(self.allowed), -1)
                for step in (self.number - 1, self.number)  # the cell may read the context of the step before
                if step in self.prepared.forced
            },
        )
        self.state = stepped.state
        self.number += 1
        logits = torch.addmm(self.prepared.bias, stepped.hidden, self.prepared.table)
        return logits.view(*tokens.shape, -1)

    def continue_from(self, parents: Int[Tensor, "sentences beam"]) -> None:
        """Give each hypothesis the state of its parent."""
        if self.beam > 1:
            first = torch.arange(len(parents), device=parents.device)[:, None] * self.beam
            rows = (first + parents).flatten()
            self.state = tuple(tuple(part[rows] for part in layer) for layer in self.state)

    def keep(self, sentences: Int[Tensor, " kept"]) -> None:
        """Forget the sentences that are finished."""
        rows = (sentences[:, None] * self.beam + torch.arange(self.beam, device=sentences.device)).flatten()
        self._take(self.memory, self.allowed, rows)
        self.state = tuple(tuple(part[rows] for part in layer) for layer in self.state)

    def _take(self, memory: Memory, allowed: Tensor, rows: Tensor) -> None:
        """Keep rows of what was read."""
        self.memory = Memory(
            memory.states[rows],
            memory.offered[rows],
            memory.summary[rows],
            tuple(tuple(part[rows] for part in layer) for layer in memory.initial),
        )
        self.allowed = allowed[rows]
