"""Recurrent nets against torch's own cells, unrolled by hand."""

import pytest
import torch
from torch import Tensor, nn

from explorer.nn.recurrent import CELLS, CellKind, LayerState, Recurrent, RecurrentEncoder, gru_step, lstm_step


def random_state(kind: CellKind, layers: int, batch: int, d: int) -> tuple[Tensor, ...]:
    return tuple(torch.randn(layers, batch, d).double() for _ in range(1 if kind == "gru" else 2))


def by_layer(state: tuple[Tensor, ...]) -> tuple[LayerState, ...]:
    return tuple(zip(*(part.unbind(0) for part in state), strict=True))


def loud(module: nn.Module) -> nn.Module:
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.5)
    return module.double()


@torch.no_grad()
def test_a_gru_step_is_that_of_torch() -> None:
    cell = loud(nn.GRUCell(5, 7))
    x, hidden = torch.randn(3, 5).double(), torch.randn(3, 7).double()
    ours = gru_step(x @ cell.weight_ih.T + cell.bias_ih, hidden @ cell.weight_hh.T + cell.bias_hh, hidden)
    torch.testing.assert_close(ours, cell(x, hidden))


@torch.no_grad()
def test_an_lstm_step_is_that_of_torch() -> None:
    cell = loud(nn.LSTMCell(5, 7))
    x, hidden, memory = torch.randn(3, 5).double(), torch.randn(3, 7).double(), torch.randn(3, 7).double()
    gates = x @ cell.weight_ih.T + cell.bias_ih + hidden @ cell.weight_hh.T + cell.bias_hh
    for ours, theirs in zip(lstm_step(gates, memory), cell(x, (hidden, memory)), strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("n_layers", [1, 2, 3])
@torch.no_grad()
def test_step_by_step_is_all_at_once(kind: CellKind, n_layers: int) -> None:
    net = loud(Recurrent(kind, 5, 7, n_layers, dropout=0.3)).eval()
    x, start = torch.randn(4, 6, 5).double(), random_state(kind, n_layers, 4, 7)
    outputs, end = net(x, start)
    state, first, rest = by_layer(start), net.gates(x[..., :3]), net.rest(3)
    for step in range(6):
        state = net.step(first[:, step] + x[:, step, 3:] @ rest.T, state)
        torch.testing.assert_close(state[-1][0], outputs[:, step])
    for layer in range(n_layers):
        for part, expected in zip(state[layer], end, strict=True):
            torch.testing.assert_close(part, expected[layer])


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("bidirectional", [False, True])
@torch.no_grad()
def test_every_length_of_a_batch_reads_as_if_alone(kind: CellKind, bidirectional: bool) -> None:
    net = loud(RecurrentEncoder(kind, 5, 4, 2, bidirectional=bidirectional)).eval()
    lengths = torch.tensor([3, 7, 1, 5, 2, 6, 4])
    x = torch.randn(7, 7, 5).double()
    read = net(x, lengths)
    for row, n in enumerate(lengths.tolist()):
        states, last = net.network(x[row : row + 1, :n])
        torch.testing.assert_close(read.states[row, :n], states[0])
        assert not read.states[row, n:].any()
        parts = last if kind == "lstm" else (last,)
        for ours, theirs in zip(read.last, parts, strict=True):
            top = theirs.view(2, -1, 4)[-1]  # [directions, d_hidden]
            torch.testing.assert_close(ours[-1, row], top.flatten())
        forward_end, backward_end = read.states[row, n - 1, :4], read.states[row, 0, 4:]
        torch.testing.assert_close(read.last[0][-1, row], torch.cat([forward_end, backward_end]))


@pytest.mark.parametrize("kind", CELLS)
def test_padding_gets_no_gradient(kind: CellKind) -> None:
    net = RecurrentEncoder(kind, 5, 4, 1, bidirectional=True)
    x = torch.randn(3, 6, 5, requires_grad=True)
    lengths = torch.tensor([6, 2, 4])
    net(x, lengths).states.square().sum().backward()
    for row, n in enumerate(lengths.tolist()):
        assert x.grad is not None
        assert not x.grad[row, n:].any()
        assert (x.grad[row, :n].abs().sum(-1) > 0).all()


def test_recurrent_maps_start_orthogonal_and_an_lstm_remembers() -> None:
    net = Recurrent("lstm", 5, 8)
    for gate in net.network.weight_hh_l0.detach().split(8):
        torch.testing.assert_close(gate @ gate.T, torch.eye(8), atol=1e-5, rtol=0)
    total = net.network.bias_ih_l0 + net.network.bias_hh_l0
    assert total.tolist() == [0.0] * 8 + [1.0] * 8 + [0.0] * 16


@pytest.mark.parametrize("kind", CELLS)
def test_at_first_an_lstm_forgets_little_and_no_other_gate_is_biased(kind: CellKind) -> None:
    for network in (Recurrent(kind, 5, 7, 2).network, RecurrentEncoder(kind, 5, 7, 1, bidirectional=True).network):
        for name, parameter in network.named_parameters():
            if name.startswith("bias"):
                gates = parameter.view(-1, 7)
                forget = 1.0 if kind == "lstm" and name.startswith("bias_ih") else 0.0
                assert (gates[1] == forget).all(), name
                assert not gates[[0, *range(2, len(gates))]].any(), name
            elif name.startswith("weight_hh"):
                for gate in parameter.view(-1, 7, 7):
                    torch.testing.assert_close(gate @ gate.T, torch.eye(7), atol=1e-5, rtol=0)
