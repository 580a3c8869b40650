"""The recurrent encoder-decoder, with attention (Bahdanau et al. 2015; Luong et al. 2015) and without."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.attend import Attended
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.models.seq2seq_parts import NOT_FORCED, SITE, Forced, Memory, Stepped, Unrolled, joined, low
from explorer.nn.alignment import Alignment, fixed
from explorer.nn.blocks import Dropout
from explorer.nn.embeddings import OrderlessEmbedding
from explorer.nn.recurrent import LayerState, Recurrent, RecurrentEncoder
from explorer.nn.tape import Tape


class Seq2Seq(nn.Module):
    """Encoder and decoder over one vocabulary.

    Step t of the decoder reads token y of step t − 1, looks at the source for a context c, and moves its state s:
    s_t = cell([E y; c], s_{t−1}) and h = tanh(W [s_t; c; E y]) with the context at the `input`, s_t = cell(E y,
    s_{t−1}) and h = tanh(W [s_t; c]) at the `output`; h Eᵀ scores the vocabulary. The initial state of decoder layer l
    is tanh(W_l [→h; ←h] + b_l), of the last states of both directions of encoder layer l (an LSTM's cell state comes
    from a map of its own, without tanh).

    Tape site: `decoder.cross`, one row for each target token; none where the mechanism is `none`.
    """

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.config = config
        c = config
        self.embedding = OrderlessEmbedding(c.vocab_size, c.d_embedding)
        self.dropout = Dropout(c.dropout)
        self.encoder = RecurrentEncoder(
            c.cell, c.d_embedding, c.d_encoder, c.n_layers, bidirectional=c.bidirectional, dropout=c.dropout
        )
        n_parts = 1 if c.cell == "gru" else 2
        self.bridge = nn.ModuleList(nn.Linear(c.d_memory, c.d_hidden) for _ in range(c.n_layers * n_parts))
        extra = c.d_memory if c.context == "input" else 0
        self.cell = Recurrent(c.cell, c.d_embedding + extra, c.d_hidden, c.n_layers, c.dropout)
        self.alignment = Alignment(c.mechanism, c.d_hidden, c.d_memory, c.d_attention) if c.attends else None
        seen = c.d_hidden + c.d_memory + (c.d_embedding if c.context == "input" else 0)
        self.readout = nn.Linear(seen, c.d_embedding)
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
        states = self.dropout(low(read.states))
        offered = states if self.alignment is None else self.alignment.offer(states)
        return Memory(states, offered, read.last[0][-1], self._initial(read.last))

    def _initial(self, last: tuple[Float[Tensor, "layers batch d_memory"], ...]) -> tuple[LayerState, ...]:
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
        """What some steps see of the source, and how they look.

        Args:
            query: the states that ask.
            memory: from `encode`.
            source_allowed: as for `encode`.
            first: number of the first of these steps.
            forced: weights that stand in for the model's own.
        """
        steps = query.shape[1]
        if self.config.mechanism == "none":
            return memory.summary[:, None].expand(-1, steps, -1), None
        if self.alignment is None:
            attended = fixed(memory.states, source_allowed, first=first, steps=steps)
        else:
            attended = self.alignment(query, memory.offered, memory.states, source_allowed[:, None])
        rows = {step - first: row for step, row in forced.items() if first <= step < first + steps}
        if rows:
            weights = attended.weights.clone()
            for step, row in rows.items():
                weights[:, step] = row
            attended = Attended(weights @ memory.states, weights, attended.scores)
        return attended.output, attended

    def step(
        self,
        token_ids: Int[Tensor, " batch"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        state: tuple[LayerState, ...],
        *,
        number: int = 0,
        forced: Forced = NOT_FORCED,
    ) -> Stepped:
        """Read one token and move on: the same numbers as `unroll`, for a search that chooses each next token.

        Args:
            token_ids: read at this step.
            memory: from `encode`.
            source_allowed: as for `encode`.
            state: of every layer; `memory.initial` at the first step.
            number: of the step, from 0.
            forced: weights that stand in for the model's own.
        """
        embedded = self.dropout(self.embedding(token_ids))
        gates, rest = self.cell.gates(embedded), self._rest()
        context, attended, state = self._move(gates, rest, memory, source_allowed, state, number, forced)
        hidden = self._hidden(state[-1][0][:, None], context, embedded[:, None])[:, 0]
        return Stepped(hidden, state, context[:, 0], attended)

    def _rest(self) -> Tensor | None:
        """The cell's map of the context, where it reads one."""
        return self.cell.rest(self.config.d_embedding) if self.config.context == "input" else None

    def _move(
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
            state = self.cell.step(gates, state)
            context, attended = self.look(state[-1][0][:, None], memory, source_allowed, first=number, forced=forced)
            return context, attended, state
        context, attended = self.look(state[-1][0][:, None], memory, source_allowed, first=number, forced=forced)
        if rest is not None:
            gates = gates + F.linear(context[:, 0], rest)
        return context, attended, self.cell.step(gates, state)

    def _hidden(
        self,
        states: Float[Tensor, "batch target d_hidden"],
        contexts: Float[Tensor, "batch target d_memory"],
        embedded: Float[Tensor, "batch target d_embedding"],
    ) -> Float[Tensor, "batch target d_embedding"]:
        seen = [states, contexts, embedded] if self.config.context == "input" else [states, contexts]
        hidden: Tensor = self.dropout(torch.tanh(self.readout(torch.cat(seen, -1))))
        return hidden

    def unroll(
        self,
        target_ids: Int[Tensor, "batch target"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        *,
        teacher_forcing: float = 1.0,
        forced: Forced = NOT_FORCED,
    ) -> Unrolled:
        """Every step of the decoder.

        Args:
            target_ids: padded tokens, each row starting with `bos_id`.
            memory: from `encode`.
            source_allowed: as for `encode`.
            teacher_forcing: probability that a step reads the given token and not the one the decoder thinks likeliest
                (scheduled sampling, Bengio et al. 2015), drawn for each token.
            forced: weights that stand in for the model's own.
        """
        embedded = self.dropout(self.embedding(target_ids))
        if teacher_forcing >= 1 and (self.config.context == "output" or not self.config.attends):
            return self._at_once(embedded, memory, source_allowed, forced)
        return self._one_by_one(embedded, memory, source_allowed, teacher_forcing, forced)

    def _at_once(
        self,
        embedded: Float[Tensor, "batch target d_embedding"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        forced: Forced,
    ) -> Unrolled:
        """The cells in one call, where no input waits for a state."""
        start = tuple(torch.stack(parts) for parts in zip(*memory.initial, strict=True))
        first = memory.initial[-1][0][:, None]
        if self.config.context == "input":  # and the context depends on no state
            blind = embedded.new_zeros(*embedded.shape[:2], self.config.d_hidden)
            contexts, attended = self.look(blind, memory, source_allowed, forced=forced)
            after, _ = self.cell(torch.cat([embedded, contexts.to(embedded.dtype)], -1), start)
        else:
            after, _ = self.cell(embedded, start)
            asking = after if self.config.query == "after" else torch.cat([first, after[:, :-1]], 1)
            contexts, attended = self.look(asking, memory, source_allowed, forced=forced)
        states = torch.cat([first, after], 1)
        return Unrolled(self._hidden(after, contexts, embedded), states, contexts, attended)

    def _one_by_one(
        self,
        embedded: Float[Tensor, "batch target d_embedding"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        teacher_forcing: float,
        forced: Forced,
    ) -> Unrolled:
        """Step by step: the inputs' maps are computed for all steps at once, the rest as the states become known."""
        gates, rest, state = self.cell.gates(embedded).unbind(1), self._rest(), memory.initial
        states: list[Tensor] = [state[-1][0]]
        contexts: list[Tensor] = []
        read: list[Tensor] = []
        looks: list[Attended | None] = []
        for number, (now, given) in enumerate(zip(gates, embedded.unbind(1), strict=True)):
            if number > 0 and teacher_forcing < 1:
                now, given = self._sampled(now, given, states, contexts, read, teacher_forcing)
            read.append(given)
            context, attended, state = self._move(now, rest, memory, source_allowed, state, number, forced)
            states.append(state[-1][0])
            contexts.append(context[:, 0])
            looks.append(attended)
        after, seen = torch.stack(states[1:], 1), torch.stack(contexts, 1)
        hidden = self._hidden(after, seen, torch.stack(read, 1))
        return Unrolled(hidden, torch.stack(states, 1), seen, joined(looks))

    def _sampled(
        self,
        gates: Float[Tensor, "batch gates"],
        given: Float[Tensor, "batch d_embedding"],
        states: list[Tensor],
        contexts: list[Tensor],
        read: list[Tensor],
        teacher_forcing: float,
    ) -> tuple[Float[Tensor, "batch gates"], Float[Tensor, "batch d_embedding"]]:
        """The token that the step reads: for some rows the decoder's own."""
        with torch.no_grad():
            hidden = self._hidden(states[-1][:, None], contexts[-1][:, None], read[-1][:, None])
            own = self.score(hidden)[:, 0].argmax(-1)
        keep = torch.rand(len(own), 1, device=own.device) < teacher_forcing
        chosen = torch.where(keep, given, self.dropout(self.embedding(own)).to(given.dtype))
        return torch.where(keep, gates, self.cell.gates(chosen).to(gates.dtype)), chosen

    def hidden(
        self,
        target_ids: Int[Tensor, "batch target"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        *,
        teacher_forcing: float = 1.0,
        tape: Tape | None = None,
    ) -> Float[Tensor, "batch target d_embedding"]:
        """Read the target and the source up to the vectors that `score` turns into logits."""
        unrolled = self.unroll(target_ids, memory, source_allowed, teacher_forcing=teacher_forcing)
        if tape is not None and unrolled.attended is not None:
            tape.record(SITE, unrolled.attended)
        return unrolled.hidden

    def score(self, hidden: Float[Tensor, "*batch d_embedding"]) -> Float[Tensor, "*batch vocab"]:
        """Logits of the next token."""
        return self.embedding.score(hidden)

    def forward(
        self,
        source_ids: Int[Tensor, "batch source"],
        target_ids: Int[Tensor, "batch target"],
        *,
        tape: Tape | None = None,
    ) -> Float[Tensor, "batch target vocab"]:
        """Logits of the token after each target position, given the source."""
        source_allowed = source_ids != self.config.pad_id
        memory = self.encode(source_ids, source_allowed)
        return self.score(self.hidden(target_ids, memory, source_allowed, tape=tape))
