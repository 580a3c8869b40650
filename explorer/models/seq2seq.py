"""The recurrent encoder-decoder, with attention (Bahdanau et al. 2015; Luong et al. 2015) and without."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.attention.attend import Attended
from explorer.models.seq2seq_parts import NOT_FORCED, SITE, Forced, Memory, Stepped, Unrolled, join_steps
from explorer.models.seq2seq_step import Seq2SeqStep
from explorer.nn.recurrent import LayerState
from explorer.nn.tape import Tape


class Seq2Seq(Seq2SeqStep):
    """Encoder and decoder over one vocabulary.

    Step t of the decoder reads token y of step t − 1, looks at the source for a context c, and moves its state s:
    s_t = cell([E y; c], s_{t−1}) and h = tanh(W [s_t; c; E y]) with the context at the `input`; s_t = cell(E y,
    s_{t−1}) and h = tanh(W [s_t; c]) at the `output`; s_t = cell([E y; c'], s_{t−1}) and h = tanh(W [s_t; c]) for the
    `next` step, with the context c' of step t − 1, 0 at first. h Eᵀ scores the vocabulary; where the readout is `bare`,
    V s_t + b does. The initial state of decoder layer l is tanh(W_l [→h; ←h] + b_l), or tanh(W_l (→h + ←h) + b_l), of
    the last states of both directions of encoder layer l (an LSTM's cell state comes from a map of its own, without
    tanh); or →h + ←h itself, and the sum of both cells, where the start is `summed`.

    Tape site: `decoder.cross`, one row for each target token; none where the mechanism is `none`.
    """

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
            state: of every layer; `memory.initial` at the first step.
            number: of the step, from 0.
            forced: weights that stand in for the model's own.
        """
        embedded = self.dropout(self.embedding(token_ids))
        gates, rest = self.cell.gates(embedded), self.rest()
        context, attended, state = self.move(gates, rest, memory, source_allowed, state, number, forced)
        hidden = self.step_outputs(state[-1][0][:, None], context, embedded[:, None])[:, 0]  # [batch, d_read]
        return Stepped(hidden, state, context[:, 0], attended)

    def unroll(
        self,
        target_ids: Int[Tensor, "batch target"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        *,
        teacher_forcing: float = 1.0,
        forced: Forced = NOT_FORCED,
    ) -> Unrolled:
        """Run every step of the decoder.

        Args:
            target_ids: padded tokens, each row starting with `bos_id`.
            teacher_forcing: probability that a step reads the given token and not the one the decoder thinks likeliest
                (scheduled sampling, Bengio et al. 2015), drawn for each token.
            forced: weights that stand in for the model's own.
        """
        embedded = self.dropout(self.embedding(target_ids))
        waits = self.config.context == "next" or (self.config.context == "input" and self.config.attends)
        if teacher_forcing >= 1 and not waits:
            return self._at_once(embedded, memory, source_allowed, forced)
        return self._one_by_one(embedded, memory, source_allowed, teacher_forcing, forced)

    def _at_once(
        self,
        embedded: Float[Tensor, "batch target d_embedding"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        forced: Forced,
    ) -> Unrolled:
        """Run the cells in one call, where no input waits for a state."""
        start = tuple(torch.stack(parts) for parts in zip(*memory.initial, strict=True))
        first = memory.initial[-1][0][:, None]  # [batch, 1, d_hidden]
        if self.config.context == "input":  # and the context depends on no state
            blind = embedded.new_zeros(*embedded.shape[:2], self.config.d_hidden)
            contexts, attended = self.look(blind, memory, source_allowed, forced=forced)
            after, _ = self.cell(torch.cat([embedded, contexts.to(embedded.dtype)], -1), start)
        else:
            after, _ = self.cell(embedded, start)
            asking = after if self.config.query == "after" else torch.cat([first, after[:, :-1]], 1)
            contexts, attended = self.look(asking, memory, source_allowed, forced=forced)
        states = torch.cat([first, after], 1)  # [batch, target + 1, d_hidden]
        return Unrolled(self.step_outputs(after, contexts, embedded), states, contexts, attended)

    def _one_by_one(
        self,
        embedded: Float[Tensor, "batch target d_embedding"],
        memory: Memory,
        source_allowed: Bool[Tensor, "batch source"],
        teacher_forcing: float,
        forced: Forced,
    ) -> Unrolled:
        """Run step by step: the inputs' maps are computed for all steps at once, the rest as states become known."""
        gates, rest, state = self.cell.gates(embedded).unbind(1), self.rest(), memory.initial
        states: list[Tensor] = [state[-1][0]]
        contexts: list[Tensor] = []
        read: list[Tensor] = []
        looks: list[Attended | None] = []
        for number, (now, given) in enumerate(zip(gates, embedded.unbind(1), strict=True)):
            if number > 0 and teacher_forcing < 1:
                now, given = self._sampled(now, given, states, contexts, read, teacher_forcing)
            read.append(given)
            context, attended, state = self.move(now, rest, memory, source_allowed, state, number, forced)
            states.append(state[-1][0])
            contexts.append(context[:, 0])
            looks.append(attended)
        after, seen = torch.stack(states[1:], 1), torch.stack(contexts, 1)  # [batch, target, d_hidden | d_memory]
        hidden = self.step_outputs(after, seen, torch.stack(read, 1))
        return Unrolled(hidden, torch.stack(states, 1), seen, join_steps(looks))

    def _sampled(
        self,
        gates: Float[Tensor, "batch gates"],
        given: Float[Tensor, "batch d_embedding"],
        states: list[Tensor],
        contexts: list[Tensor],
        read: list[Tensor],
        teacher_forcing: float,
    ) -> tuple[Float[Tensor, "batch gates"], Float[Tensor, "batch d_embedding"]]:
        """Choose the token that the step reads: for some rows the decoder's own."""
        with torch.no_grad():
            hidden = self.step_outputs(states[-1][:, None], contexts[-1][:, None], read[-1][:, None])
            own = self.logits(hidden)[:, 0].argmax(-1)  # [batch]
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
    ) -> Float[Tensor, "batch target d_read"]:
        """Read the target and the source up to the vectors that `logits` turns into logits."""
        unrolled = self.unroll(target_ids, memory, source_allowed, teacher_forcing=teacher_forcing)
        if tape is not None and unrolled.attended is not None:
            tape.record(SITE, unrolled.attended)
        return unrolled.hidden

    def forward(
        self,
        source_ids: Int[Tensor, "batch source"],
        target_ids: Int[Tensor, "batch target"],
        *,
        tape: Tape | None = None,
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits of the token after each target position, given the source."""
        source_allowed = source_ids != self.config.pad_id
        memory = self.encode(source_ids, source_allowed)
        return self.logits(self.hidden(target_ids, memory, source_allowed, tape=tape))
