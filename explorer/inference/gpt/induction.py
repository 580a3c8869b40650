"""Induction heads and previous-token heads, found on random sequences that are repeated (Olsson et al. 2022)."""

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.inference.gpt.generate import LoadedGPT, losses
from explorer.nn.blocks import EncoderLayer
from explorer.nn.tape import Tape
from explorer.records.generation import InductionRecord

#: Tokens of a random sequence, and how often it is read, as in the paper; shorter where a window is too small.
PERIOD, REPEATS = 25, 4
#: Random sequences that scores are averaged over.
SEQUENCES = 10


def make_repeated_text(gpt: LoadedGPT, seed: int) -> tuple[int, ...]:
    """An end of line, then different random characters, several times over.

    The sequence means nothing and no training text has it, so whoever predicts its second run has looked at the first.
    """
    period = min(PERIOD, (gpt.model.config.max_length - 1) // REPEATS, gpt.tokenizer.vocab_size - 1)
    start = gpt.tokenizer.encode("\n")[0]
    known = np.array([token for token in range(1, gpt.tokenizer.vocab_size) if token != start])
    drawn = np.random.default_rng(seed).choice(known, period, replace=False)
    return (start, *(int(token) for token in np.tile(drawn, REPEATS)))


@torch.inference_mode()
def induction(gpt: LoadedGPT, seed: int) -> InductionRecord:
    """Three scores of every head, averaged over several random sequences: `repeated` with this seed and those after it.

    Prefix matching (Olsson et al. 2022, appendix, “head activation evaluators”): from each token of a later run, the
    weight on the tokens that followed the same token in earlier runs, which are those that induction would name next.
    The weights of one query on all earlier runs are added, so that a head may look at any of them, and averaged over
    queries. Previous token: the weight of each token on the one before, averaged. Copying: what the head adds goes
    through the last normalisation and the output at once; of what it raises above the mean over the vocabulary (a
    ReLU takes the rest), the share of the token it looks at most, among the tokens of the sequence.
    """
    read = torch.tensor([make_repeated_text(gpt, seed + number) for number in range(SEQUENCES)], device=gpt.device)
    n = read.shape[1]
    period = (n - 1) // REPEATS
    tape = Tape()
    states = list(gpt.model.states(read, tape=tape))
    weights = torch.stack(
        [tape[site].weights for site in tape.sites]
    ).cpu()  # [layers, sequences, heads, queries, keys]
    positions = torch.arange(n)
    named = (
        ((positions[:, None] - positions) % period == period - 1)
        & (positions >= 2)
        & (positions[:, None] >= positions + 1)
    )
    named[: period + 1] = False
    before = torch.zeros(n, n, dtype=torch.bool)
    before[positions[1:], positions[:-1]] = True
    even = torch.tril(torch.ones(n, n)) / torch.arange(1, n + 1)[:, None]
    found = losses(gpt.model, read[:, :-1], read[:, 1:]).cpu()
    return InductionRecord(
        prefix=_mean(weights, named, period + 1).mean(1).numpy(),
        copying=_copying(gpt, tape, states[-1], read, period).cpu().numpy(),
        previous=_mean(weights, before, 1).mean(1).numpy(),
        even=(float(_mean(even, named, period + 1)), 1 / period, float(_mean(even, before, 1))),
        labels=tuple(gpt.tokenizer.pieces(read[0].tolist())),
        period=period,
        sequences=len(read),
        loss=(float(found[:, :period].mean()), float(found[:, period:].mean())),
        provenance=gpt.provenance(
            induction,
            f"{period} random tokens, {REPEATS} times; {len(read)} sequences, seeds {seed} to {seed + len(read) - 1}",
        ),
    )


def _mean(weights: Float[Tensor, "*heads queries keys"], wanted: Tensor, first: int) -> Float[Tensor, "*heads"]:
    """The weight on the wanted keys, averaged over the queries from `first` on."""
    return (weights * wanted).sum(-1)[..., first:].mean(-1)


def _copying(
    gpt: LoadedGPT,
    tape: Tape,
    last: Float[Tensor, "sequences positions d_model"],
    read: Int[Tensor, "sequences positions"],
    period: int,
) -> Float[Tensor, "layers heads"]:
    """Measure how much of what each head raises is the token it looks at most."""
    model, scores = gpt.model, []
    tokens, table = read[:, 1 : 1 + period], gpt.model.embedding.weight
    rows = (table[tokens] - table.mean(0)) * model.norm.weight  # [sequences, period, d_model]
    spread = last.var(-1, correction=0, keepdim=True).add(model.norm.eps).sqrt()[:, None]
    for layer, site in zip(model.layers, tape.sites, strict=True):
        assert isinstance(layer, EncoderLayer)
        attention, weights = layer.self_attention, tape[site].weights
        value = attention.value(tape.read(site).context)
        parts = value.view(*read.shape, attention.n_heads, -1).transpose(1, 2)  # [sequences, heads, positions, d_key]
        maps = attention.output.weight.view(value.shape[-1], attention.n_heads, -1)  # [d_model, heads, d_key]
        added = weights @ parts @ maps.permute(1, 2, 0)  # [sequences, heads, positions, d_model]
        centred = (added - added.mean(-1, keepdim=True)) / spread
        raised = (centred @ rows[:, None].mT).relu()  # [sequences, heads, positions, period]
        looked = read[torch.arange(len(read), device=read.device)[:, None, None], weights.argmax(-1)]
        mine = (raised * (looked[..., None] == tokens[:, None, None])).sum(-1)
        scores.append((mine / raised.sum(-1).clamp_min(1e-9))[..., 1:].mean((0, 2)))
    return torch.stack(scores)
