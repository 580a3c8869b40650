"""“Vision”: which picture is asked about, what is shown of the answer, and what came out."""

from dataclasses import dataclass, field
from typing import Literal

from explorer.inference.vision.trace import HeadPlace
from explorer.records.image import ChannelGates, Classification, PatchAttention, SpatialGate
from explorer.records.readonly import record
from explorer.scenes.vision import ZOOM

#: The models: a vision Transformer, and a convolutional network with channel and spatial attention.
VIT, CNN = "vit-cifar10", "cnn-cifar10"
#: Pixels on each side of what the models see.
SIDE = 32
#: What a picture that is missing is filled with.
GREY = b"\x80"
MOST_ZOOM = ZOOM.high
Shown = Literal["head", "mean", "rollout"]
MapStyle = Literal["light", "colour"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A picture that is asked about; it is the key itself, wherever it came from.

    Attributes:
        pixels: red, green, blue of 32 × 32 pixels, row by row; filled with grey or cut off if it is of another length.
    """

    pixels: bytes = b""

    def __post_init__(self) -> None:
        wanted = SIDE * SIDE * 3
        object.__setattr__(self, "pixels", self.pixels[:wanted] + GREY * max(0, wanted - len(self.pixels)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalParams:
    """Patches and heads that are taken away.

    Attributes:
        patches: numbers of the patches that are painted over, row by row from 0.
        heads: of the Transformer, that add nothing.
    """

    params: Params = field(default_factory=Params)
    patches: tuple[int, ...] = ()
    heads: tuple[HeadPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A square of a picture that is looked at; numbers out of range are moved to the nearest one allowed.

    Attributes:
        zoom: 1 is the largest square.
        across: 0 is at the left, 100 at the right.
        down: 0 is at the top, 100 at the bottom.
    """

    zoom: float = 1.0
    across: int = 50
    down: int = 50

    def __post_init__(self) -> None:
        object.__setattr__(self, "zoom", min(max(float(self.zoom), 1.0), MOST_ZOOM))
        for name in ("across", "down"):
            object.__setattr__(self, name, min(max(int(getattr(self, name)), 0), 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn; numbers beyond what there is are clamped when the view is applied.

    Attributes:
        layer: from 0.
        head: from 0.
        query: 0 is the class token, then the patches from 1.
        shown: one head, the mean over the layer's heads, or attention rollout up to the layer.
        look: light falls where attention goes, or colour stands for it.
    """

    layer: int = 0
    head: int = 0
    query: int = 0
    shown: Shown = "head"
    look: MapStyle = "light"


@record
class Result:
    """Answers of both models to a picture.

    Attributes:
        attention: of the Transformer, every layer and head.
        answers: of the Transformer and of the convolutional network.
    """

    params: Params
    attention: PatchAttention
    answers: tuple[Classification, Classification]


@record
class Gates:
    """Gates of the convolutional network on a picture.

    Attributes:
        channels: every channel gate, in the order of the pass.
        positions: every spatial gate.
    """

    channels: tuple[ChannelGates, ...]
    positions: tuple[SpatialGate, ...]


@record
class Changed:
    """Results on the same picture, with something taken away.

    Attributes:
        before: with everything there.
        after: answers of Transformer and network without.
    """

    params: RemovalParams
    before: Result
    after: tuple[Classification, Classification]
