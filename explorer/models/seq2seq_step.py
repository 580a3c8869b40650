"""The parts of one step of a recurrent encoder-decoder."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.attend import Attended
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.models.seq2seq_parts import NOT_FORCED, Forced, Memory
from explorer.nn.alignment import Alignment, align_fixed
from explorer.nn.dropout import Dropout
from explorer.nn.embeddings import TokenTable, autocast
from explorer.nn.recurrent import LayerState, Recurrent, RecurrentEncoder


class Seq2SeqStep(nn.Module):
    """The parameters, the reading of the source, and the parts of a step; `Seq2Seq` runs the steps."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.config = config
        c = config
        self.embedding = TokenTable(c.vocab_size, c.d_embedding)
        self.dropout = Dropout(c.dropout)
        self.encoder = RecurrentEncoder(
            c.cell,
            c.d_embedding,
            c.d_encoder,
            c.n_layers,
            bidirectional=c.bidirectional,
            joining=c.joining,
            dropout=c.dropout,
        )
        n_maps = 0 if c.start == "summed" else c.n_layers * (1 if c.cell == "gru" else 2)
        self.bridge = nn.ModuleList(nn.Linear(c.d_memory, c.d_hidden) for _ in range(n_maps))
        extra = c.d_memory if c.feeds else 0
        self.cell = Recurrent(c.cell, c.d_embedding + extra, c.d_hidden, c.n_layers, c.dropout)
        self.alignment = (
            Alignment(c.mechanism, c.d_hidden, c.d_memory, c.d_attention, bias=c.score_bias) if c.attends else None
        )
        seen = c.d_hidden + c.d_memory + (c.d_embedding if c.context == "input" else 0)
        bare = c.readout == "bare"
        self.readout = nn.Linear(c.d_hidden, c.vocab_size) if bare else nn.Linear(seen, c.d_embedding)
        for linear in (*self.bridge, self.readout):
            assert isinstance(linear, nn.Linear)
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def encode(self, source_ids: Int[Tensor, "batch source"], source_allowed: Bool[Tensor, "batch source"]) -> Memory:
        """Read the source.

        Args:
            source_ids: padded tokens, each row ending in `eos_id`.
            source_allowed: True where there is a token, False where there is padding, which follows.
        """
        read = self.encoder(self.dropout(self.embedding(source_ids)), source_allowed.sum(-1))
        states = self.dropout(autocast(read.states))
        offered = states if self.alignment is None else self.alignment.offer(states)
        return Memory(states, offered, read.last[0][-1], self._initial(read.last))

    def _initial(self, last: tuple[Float[Tensor, "layers batch d_memory"], ...]) -> tuple[LayerState, ...]:
        if self.config.start == "summed":
            return tuple(zip(*(part.unbind() for part in last), strict=True))
        n_parts, state = len(last), []
        for layer in range(self.config.n_layers):
            maps = [self.bridge[layer * n_parts + part] for part in range(n_parts)]
            parts = [linear(part[layer]) for linear, part in zip(maps, last, strict=True)]
            parts[0] = torch.tanh(parts[0])
            # Under autocast the maps are bfloat16, which is too coarse for a state that is added to at every step.
            state.append(tuple(part.to(torch.promote_types(part.dtype, torch.float32)) for part in parts))
        return tuple(state)

    def look(
        self,
        query: Float[Tensor, "batch queries d_hidden"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        *,
        first: int = 0,
        forced: Forced = NOT_FORCED,
    ) -> tuple[Float[Tensor, "batch queries d_memory"], Attended | None]:
        """Look at the source from some steps: what they see, and how they look.

        Args:
            query: the states that ask.
            first: number of the first of these steps.
            forced: weights that stand in for the model's own.
        """
        steps = query.shape[1]
        if self.config.mechanism == "none":
            return memory.summary[:, None].expand(-1, steps, -1), None  # [batch, steps, d_memory]
        if self.alignment is None:
            attended = align_fixed(memory.states, source_allowed, first=first, steps=steps)
        else:
            attended = self.alignment(query, memory.offered, memory.states, source_allowed[:, None])
        rows = {step - first: row for step, row in forced.items() if first <= step < first + steps}
        if rows:
            weights = attended.weights.clone()
            for step, row in rows.items():
                weights[:, step] = row
            attended = Attended(weights @ memory.states, weights, attended.scores)
        return attended.output, attended

    def rest(self) -> Tensor | None:
        """Return the cell's map of the context, where it reads one."""
        return self.cell.rest(self.config.d_embedding) if self.config.feeds else None

    def move(
        self,
        gates: Float[Tensor, "batch gates"],
        rest: Float[Tensor, "gates d_memory"] | None,
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        state: tuple[LayerState, ...],
        number: int,
        forced: Forced,
    ) -> tuple[Float[Tensor, "batch 1 d_memory"], Attended | None, tuple[LayerState, ...]]:
        """Look and move the state, in the order that the configuration says."""
        if self.config.query == "after":
            if rest is not None and number > 0:  # the context of the step before; there is none at first
                fed, _ = self.look(state[-1][0][:, None], memory, source_allowed, first=number - 1, forced=forced)
                gates = gates + F.linear(fed[:, 0], rest)
            state = self.cell.step(gates, state)
            context, attended = self.look(state[-1][0][:, None], memory, source_allowed, first=number, forced=forced)
            return context, attended, state
        context, attended = self.look(state[-1][0][:, None], memory, source_allowed, first=number, forced=forced)
        if rest is not None:
            gates = gates + F.linear(context[:, 0], rest)
        return context, attended, self.cell.step(gates, state)

    def step_outputs(
        self,
        states: Float[Tensor, "batch target d_hidden"],
        contexts: Float[Tensor, "batch target d_memory"],
        embedded: Float[Tensor, "batch target d_embedding"],
    ) -> Float[Tensor, "batch target d_read"]:
        """Read out some steps as vectors that `score` turns into logits: tanh(W [s; c; E y]), tanh(W [s; c]), or s."""
        if self.config.readout == "bare":
            bare: Tensor = self.dropout(states)
            return bare
        seen = [states, contexts, embedded] if self.config.context == "input" else [states, contexts]
        hidden: Tensor = self.dropout(torch.tanh(self.readout(torch.cat(seen, -1))))
        return hidden

    def head(self) -> tuple[Float[Tensor, "vocab d_read"], Float[Tensor, " vocab"] | None]:
        """Return the table that scores the vocabulary, and its bias if it has one."""
        if self.config.readout == "bare":
            return self.readout.weight, self.readout.bias
        return self.embedding.weight, None

    def logits(self, hidden: Float[Tensor, "*batch d_read"]) -> Float[Tensor, "*batch vocab"]:
        """Return the logits of the next token."""
        return F.linear(hidden, *self.head())
