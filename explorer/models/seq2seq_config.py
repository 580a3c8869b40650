"""The shape of a recurrent encoder-decoder."""

from dataclasses import dataclass
from typing import Literal, get_args

from explorer.models.limits import check
from explorer.nn.alignment import ATTENTIONS, EQUAL_LENGTHS, MECHANISMS, Mechanism
from explorer.nn.recurrent import CELLS, JOININGS, CellKind, Joining

ContextUse = Literal["input", "output", "next"]
QueryState = Literal["before", "after"]
Start = Literal["mapped", "summed"]
Readout = Literal["mixed", "bare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seq2SeqConfig:
    """The shape of a recurrent encoder-decoder.

    Attributes:
        vocab_size: tokens, shared by source and target.
        mechanism: how the decoder looks at the source: see `explorer.nn.alignment`.
        cell: of encoder and decoder.
        n_layers: of encoder and decoder each.
        d_embedding: length of a token's vector, and of the vectors that are scored against the vocabulary.
        d_hidden: length of a decoder state.
        d_encoder: length of an encoder state of one direction.
        bidirectional: whether the encoder reads from both sides.
        joining: how both states of a token become one: see `explorer.nn.recurrent.RecurrentEncoder`.
        start: whether the decoder's first state is `mapped` from where the encoder ended, by a learned tanh layer, or
            is the sum of both directions' ends (`summed`).
        d_attention: hidden units of additive and concat.
        score_bias: whether these have a bias.
        context: where the context vector enters: beside the embedding into the cell (`input`; Bahdanau et al. 2015,
            appendix A.2.2), or beside the cell's new state after it (`output`; Luong et al. 2015, eq. 5), or there and
            also into the cell of the `next` step.
        query: which state asks: the one `before` the step (Bahdanau), or the new one `after` it (Luong), which only
            a context at the `output` or for the `next` step can wait for.
        readout: whether state and context are `mixed` before the embeddings' own table scores the vocabulary, or a map
            with a bias scores it from the state alone (`bare`).
        dropout: while training, of embeddings, encoder states, between layers, and of the vectors that are scored.
        max_length: most tokens of a source or target, special ones included.
        pad_id: fills short rows.
        bos_id: starts every target.
        eos_id: ends every source and target.

    Raises:
        ValueError: naming the field that is out of range.
    """

    vocab_size: int
    mechanism: Mechanism = "additive"
    cell: CellKind = "gru"
    n_layers: int = 1
    d_embedding: int = 256
    d_hidden: int = 320
    d_encoder: int = 160
    bidirectional: bool = True
    joining: Joining = "beside"
    start: Start = "mapped"
    d_attention: int = 160
    score_bias: bool = False
    context: ContextUse = "input"
    query: QueryState = "before"
    readout: Readout = "mixed"
    dropout: float = 0.3
    max_length: int = 128
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2

    def __post_init__(self) -> None:
        check(self, "vocab_size", "n_layers", "d_embedding", "d_hidden", "d_encoder", "d_attention", "max_length")
        choices = {
            "mechanism": MECHANISMS,
            "cell": CELLS,
            "joining": JOININGS,
            "start": get_args(Start),
            "context": ("input", "output", "next"),
            "query": ("before", "after"),
            "readout": get_args(Readout),
        }
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} {getattr(self, name)!r} is not known; choose one of {', '.join(known)}")
        self._check_wiring()
        if self.mechanism in EQUAL_LENGTHS and self.d_hidden != self.d_memory:
            raise ValueError(
                f"{self.mechanism} compares states number by number: d_hidden {self.d_hidden} must be {self.d_memory},"
                " the length of an encoder state (of both directions)"
            )
        special = (self.pad_id, self.bos_id, self.eos_id)
        if len(set(special)) < 3 or not all(0 <= token < self.vocab_size for token in special):
            raise ValueError(f"pad_id, bos_id, eos_id {special} must be three ids below vocab_size {self.vocab_size}")

    def _check_wiring(self) -> None:
        if self.query == "after" and self.context == "input":
            raise ValueError("query 'after' needs context 'output': the cell cannot read what its new state asked for")
        if self.query == "before" and self.context == "next":
            raise ValueError("context 'next' needs query 'after': one asked for before the step is in time for it")
        if self.joining != "beside" and not self.bidirectional:
            raise ValueError(f"joining {self.joining!r} needs bidirectional: there is one direction")
        if self.start == "summed" and (self.joining == "beside" or self.d_hidden != self.d_encoder):
            raise ValueError(
                f"start 'summed' needs joining 'summed' or 'projected', and d_hidden {self.d_hidden} to be d_encoder"
                f" {self.d_encoder}: the sum is the first state as it is"
            )
        if self.score_bias and self.mechanism not in ("additive", "concat"):
            raise ValueError(f"score_bias needs the mechanism additive or concat: {self.mechanism} has no hidden units")

    @property
    def d_memory(self) -> int:
        """Return the length of an encoder state, of both directions together."""
        return self.d_encoder * (2 if self.bidirectional and self.joining == "beside" else 1)

    @property
    def feeds(self) -> bool:
        """Tell whether the cell reads a context."""
        return self.context != "output"

    @property
    def attends(self) -> bool:
        """Tell whether the mechanism compares queries with keys."""
        return self.mechanism in ATTENTIONS
