"""Recurrent networks: a state that is carried from step to step, all steps at once or one at a time."""

from typing import Literal, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from explorer.nn.embeddings import autocast

CellKind = Literal["gru", "lstm"]
CELLS: tuple[CellKind, ...] = ("gru", "lstm")
#: Ways in which the states of both directions become one.
Joining = Literal["beside", "summed", "projected"]
JOININGS: tuple[Joining, ...] = ("beside", "summed", "projected")
#: What a network carries: `(hidden,)` of a GRU, `(hidden, cell)` of an LSTM, each `[layers, batch, d_hidden]`.
HiddenState = tuple[Tensor, ...]
#: The state of one layer, each part `[batch, d_hidden]`.
LayerState = tuple[Tensor, ...]


def gru_step(
    from_input: Float[Tensor, "batch gates"],
    from_hidden: Float[Tensor, "batch gates"],
    hidden: Float[Tensor, "batch d_hidden"],
) -> Float[Tensor, "batch d_hidden"]:
    """One step of a gated recurrent unit: r = σ(a_r + b_r), z = σ(a_z + b_z), n = tanh(a_n + r b_n), h ← n + z (h − n).

    a = W x and b = U h stand one gate after the other: reset, update, new. The reset gate is applied after the map U,
    as in cuDNN and `nn.GRU` (Cho et al. 2014, eq. 5-8, applied it before).
    """
    d_hidden = hidden.shape[-1]
    reset, keep = torch.sigmoid(from_input[:, : 2 * d_hidden] + from_hidden[:, : 2 * d_hidden]).chunk(2, -1)
    new = torch.tanh(from_input[:, 2 * d_hidden :] + reset * from_hidden[:, 2 * d_hidden :])
    return new + keep * (hidden - new)


def lstm_step(
    gates: Float[Tensor, "batch gates"], cell: Float[Tensor, "batch d_hidden"]
) -> tuple[Float[Tensor, "batch d_hidden"], Float[Tensor, "batch d_hidden"]]:
    """One step of a long short-term memory: c ← σ(f) c + σ(i) tanh(g), h = σ(o) tanh(c).

    The gates W x + U h stand in the order i, f, g, o (Hochreiter & Schmidhuber 1997, with the forget gate of Gers et
    al. 2000).

    Returns:
        hidden and cell state.
    """
    write, forget, candidate, show = gates.chunk(4, -1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(write) * torch.tanh(candidate)
    return torch.sigmoid(show) * torch.tanh(cell), cell


class Recurrent(nn.Module):
    """Layers of GRU or LSTM cells whose parameters serve both ways of running them.

    `forward` runs all steps of a sequence in one call of `nn.GRU` or `nn.LSTM`. `gates` and `step` run one step at a
    time, for a decoder whose input depends on its own state. Both give the same numbers.

    Args:
        kind: of the cells.
        d_input: length of an input.
        d_hidden: length of a state.
        n_layers: each reads the states of the one below.
        dropout: while training, of what is handed from layer to layer.
    """

    def __init__(self, kind: CellKind, d_input: int, d_hidden: int, n_layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        make = nn.GRU if kind == "gru" else nn.LSTM
        self.kind, self.d_input, self.n_layers = kind, d_input, n_layers
        self.dropout = dropout if n_layers > 1 else 0.0
        self.network = make(d_input, d_hidden, n_layers, batch_first=True, dropout=self.dropout)
        initialise(self.network)

    def forward(
        self, x: Float[Tensor, "batch steps d_input"], state: HiddenState
    ) -> tuple[Float[Tensor, "batch steps d_hidden"], HiddenState]:
        """Run every step: the states of the last layer, and what all layers carry at the end."""
        start = tuple(part.contiguous() for part in state)
        outputs, end = self.network(x, start if self.kind == "lstm" else start[0])
        return outputs, end if self.kind == "lstm" else (end,)

    def gates(self, x: Float[Tensor, "*batch d_part"]) -> Float[Tensor, "*batch gates"]:
        """Map the first part of an input to the gates of the first layer, biases included.

        Inputs that are known ahead are mapped for all steps at once.
        """
        return F.linear(
            x, self.network.get_parameter("weight_ih_l0")[:, : x.shape[-1]], self.network.get_parameter("bias_ih_l0")
        )

    def rest(self, first: int) -> Float[Tensor, "gates d_part"]:
        """Return the map of the rest of an input, from number `first` on, to the gates: cut out once for all steps."""
        # Autocast remembers the low-precision copy of a parameter, but not that of a part of one.
        return autocast(self.network.get_parameter("weight_ih_l0")[:, first:])

    def step(self, gates: Float[Tensor, "batch gates"], state: tuple[LayerState, ...]) -> tuple[LayerState, ...]:
        """Run one step of all layers.

        Args:
            gates: of the first layer, from all parts of its input.
            state: of each layer, the first one first.
        """
        after: list[LayerState] = []
        for layer, parts in enumerate(state):
            if layer > 0:
                below = F.dropout(after[-1][0], self.dropout, self.training)
                gates = F.linear(below, *self._parameters_of("ih", layer))
            from_hidden = F.linear(parts[0], *self._parameters_of("hh", layer))
            if self.kind == "gru":
                after.append((gru_step(gates, from_hidden, parts[0]),))
            else:
                after.append(lstm_step(gates + from_hidden, parts[1]))
        return tuple(after)

    def _parameters_of(self, what: str, layer: int) -> tuple[Tensor, ...]:
        return tuple(self.network.get_parameter(f"{kind}_{what}_l{layer}") for kind in ("weight", "bias"))


class EncoderStates(NamedTuple):
    """The states of a recurrent encoder over a padded batch.

    Attributes:
        states: of the last layer at each token, both directions joined; 0 at padding.
        last: what each layer carries when its direction has read everything, both directions side by side, or summed
            where the states are `projected`.
    """

    states: Float[Tensor, "batch steps d_memory"]
    last: HiddenState


class RecurrentEncoder(nn.Module):
    """Read a padded batch packed, so that padding is never a step: from the left, or from both sides.

    The backward direction of each row begins at its own last token, not at the padding (Bahdanau et al. 2015, §3.2).

    Args:
        kind: of the cells.
        d_input: length of an input.
        d_hidden: length of a state of one direction.
        n_layers: each reads the states of the one below, of both directions.
        bidirectional: read from both sides.
        joining: put the states →h and ←h of a token `beside` each other, add them up (`summed`), or map them to
            tanh(W [→h; ←h] + b), as long as one of them (`projected`).
        dropout: while training, of what is handed from layer to layer.
    """

    def __init__(
        self,
        kind: CellKind,
        d_input: int,
        d_hidden: int,
        n_layers: int,
        *,
        bidirectional: bool,
        joining: Joining = "beside",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        make = nn.GRU if kind == "gru" else nn.LSTM
        self.kind, self.joining = kind, joining
        self.network = make(
            d_input,
            d_hidden,
            n_layers,
            batch_first=True,
            bidirectional=bidirectional,
            dropout=dropout if n_layers > 1 else 0.0,
        )
        self.projection = nn.Linear(2 * d_hidden, d_hidden) if joining == "projected" else None
        initialise(self.network)

    def forward(self, x: Float[Tensor, "batch steps d_input"], lengths: Int[Tensor, " batch"]) -> EncoderStates:
        """Read each row up to its length (at least 1); what stands behind it has no influence."""
        packed: PackedSequence = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        outputs, end = self.network(packed)
        if self.projection is not None:
            outputs = outputs._replace(data=torch.tanh(self.projection(outputs.data)))
        states, _ = pad_packed_sequence(outputs, batch_first=True, total_length=x.shape[1])
        if self.joining == "summed":
            states = states.view(*states.shape[:-1], 2, -1).sum(-2)  # [batch, steps, d_hidden]
        parts = end if self.kind == "lstm" else (end,)
        return EncoderStates(states, tuple(self._together(part) for part in parts))

    def _together(
        self, part: Float[Tensor, "layers_times_directions batch d_hidden"]
    ) -> Float[Tensor, "layers batch d_memory"]:
        directions = 2 if self.network.bidirectional else 1
        split = part.view(-1, directions, *part.shape[1:])  # [layers, directions, batch, d_hidden]
        return torch.cat(split.unbind(1), -1) if self.joining == "beside" else split.sum(1)  # [layers, batch, d_memory]


def initialise(network: nn.RNNBase) -> None:
    """Input maps uniform (Glorot), recurrent maps orthogonal gate by gate (Saxe et al. 2014), biases 0.

    The forget gate of an LSTM starts at a bias of 1, so that it forgets little at first (Jozefowicz et al. 2015).
    """
    for name, parameter in network.named_parameters():
        if name.startswith("weight_hh"):
            for gate in torch.split(parameter.data, network.hidden_size):
                nn.init.orthogonal_(gate)
        elif name.startswith("weight_ih"):
            for gate in torch.split(parameter.data, network.hidden_size):
                nn.init.xavier_uniform_(gate)
        else:
            nn.init.zeros_(parameter)
            if isinstance(network, nn.LSTM) and name.startswith("bias_ih"):
                parameter.data[network.hidden_size : 2 * network.hidden_size] = 1.0
