"""The ride of one word: where it stops on its way through the translator, and what it hears there."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.records.arrays import Float32
from explorer.records.whole_pass import WholePass

Kind = Literal["word", "position", "mix", "look", "alone", "memory", "chosen"]
#: What happens at a stop inside of a layer, by the name that its part has in the record.
KINDS: dict[str, Kind] = {"self": "mix", "cross": "look", "net": "alone"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """A stop of the ride.

    Attributes:
        kind: what happens there.
        stack: `enc` or `dec`.
        row: token of the stack that rides.
        part: of a layer, such as `dec.1.cross`; empty outside of the layers.
        after: array of the vectors that leave.
        added: array of what is added there; empty where nothing is.
    """

    kind: Kind
    stack: str
    row: int
    after: str
    added: str = ""
    part: str = ""

    @property
    def hears(self) -> bool:
        """Tell whether the word hears other words here."""
        return self.kind in ("mix", "look")


def writer(whole: WholePass, word: int) -> int:
    """Return the row of the decoder that looks most at a source word, summed over layers and averaged over heads."""
    looks = sum(whole[f"dec.{layer}.cross.weights"].mean(0) for layer in range(whole.n_decoder))
    return int(np.asarray(looks)[:, word].argmax())


def stops(whole: WholePass, word: int) -> tuple[Stop, ...]:
    """Return the stops of a source word, and from the memory on, of the row that looks most at it."""
    row = writer(whole, word)
    return (
        *_lane(whole, "enc", word),
        Stop(kind="memory", stack="enc", row=word, after="enc.end"),
        *_lane(whole, "dec", row),
        Stop(kind="chosen", stack="dec", row=row, after="dec.end"),
    )


def _lane(whole: WholePass, stack: str, row: int) -> list[Stop]:
    n_layers = whole.n_encoder if stack == "enc" else whole.n_decoder
    found = [
        Stop(kind="word", stack=stack, row=row, after=f"{stack}.embed"),
        Stop(kind="position", stack=stack, row=row, after=f"{stack}.x", added=f"{stack}.place"),
    ]
    for layer in range(n_layers):
        found += in_layer(f"{stack}.{layer}", row)
    return found


def in_layer(layer: str, row: int) -> list[Stop]:
    """Return the stops of a row inside of a layer such as `dec.1`."""
    stack = layer.partition(".")[0]
    kinds = ("self", "cross", "net") if stack == "dec" else ("self", "net")
    return [
        Stop(
            kind=KINDS[kind],
            stack=stack,
            row=row,
            part=f"{layer}.{kind}",
            after=f"{layer}.{kind}.after",
            added=f"{layer}.{kind}.added",
        )
        for kind in kinds
    ]


def weights_heard(whole: WholePass, stop: Stop) -> Float32:
    """Return the weights of who is heard at a stop, head by head; what a mask hides is left out."""
    weights = whole[f"{stop.part}.weights"][:, stop.row]
    found: Float32 = weights[:, : stop.row + 1] if stop.stack == "dec" and stop.kind == "mix" else weights
    return found


def most_heard(whole: WholePass, stop: Stop) -> tuple[str, float]:
    """Return the token that is heard most at a stop, besides the word that rides, and its weight: mean over heads.

    Raises:
        ValueError: nothing else is heard there.
    """
    weights = weights_heard(whole, stop).mean(0)
    others = [each for each in range(len(weights)) if stop.kind == "look" or each != stop.row]
    most = max(others, key=lambda each: float(weights[each]))
    asked = whole.source if stop.kind == "look" or stop.stack == "enc" else whole.read
    return asked.labels[most], float(weights[most])


def vectors(whole: WholePass, along: tuple[Stop, ...]) -> dict[str, Float32]:
    """Return the vectors of the stops `[stops, d_model]`, and the units `[nets, d_ff]` of the nets among them."""
    after = np.stack([whole[stop.after][stop.row] for stop in along])
    added = np.stack([whole[stop.added][stop.row] if stop.added else np.zeros_like(after[0]) for stop in along])
    units = [whole[f"{stop.part}.units"][stop.row] for stop in along if stop.kind == "alone"]
    return {"after": after, "added": added, "units": np.stack(units)}


def active(whole: WholePass, stop: Stop) -> int:
    """Return how many units of a net are above 0 at a stop."""
    return int((whole[f"{stop.part}.units"][stop.row] > 0).sum())
