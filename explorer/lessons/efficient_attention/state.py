"""“Efficient attention”: what is asked for, what is drawn, what was found."""

from dataclasses import dataclass

from explorer.attention.efficient.variants import ALL_SETTINGS, SETTINGS, Variant
from explorer.lessons.efficient_attention.records.comparison import VariantCost, VariantRecord
from explorer.records.readonly import record
from explorer.scenes.controls import SelectSlider, Slider, find_declared
from explorer.scenes.efficient_attention import BESIDE, EXAMPLE, SEED

#: Where queries, keys and values come from, and how many layers and heads there are.
SOURCES = {"gpt": (4, 4), "encoder": (4, 8), "random": (1, 4), "random_causal": (1, 4)}
GPT, TRANSLATOR = "positions-rotary", "translator-en-fr"
#: Characters that are read: what the small language model was trained on.
MOST_TEXT = 128
#: Random sequences: their length, and that of their vectors.
RANDOM_N, RANDOM_D = 96, 32
GROUPS, TILES = (1, 2, 4, 8), (4, 8, 16, 32)
#: How many of the first positions the flash player cuts into tiles.
CUTS = (16, 32, 64, 128)
_ASKED = find_declared(BESIDE.controls)
#: Keys of the settings in the link.
KEYS = {each.field_of(key): key for key, each in _ASKED.items()} | {"groups": "ea_groups"}
#: Smallest and largest of a setting, or all it can be.
REACH = {each.field_of(key): (each.low, each.high) for key, each in _ASKED.items() if isinstance(each, Slider)}
OPTIONS = {each.field_of(key): each.options for key, each in _ASKED.items() if isinstance(each, SelectSlider)}
OPTIONS["groups"] = GROUPS
MOST_SEED = SEED.high


@dataclass(frozen=True, slots=True, kw_only=True)
class QKVSource:
    """A source of queries, keys and values; what is out of range is moved to the nearest one allowed.

    Attributes:
        kind: one of `SOURCES`.
        text: what a model reads; at most `MOST_TEXT` characters.
        layer: from 0.
        head: from 0: whose weights and errors.
    """

    kind: str = "gpt"
    text: str = EXAMPLE
    layer: int = 2
    head: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        kind = self.kind if self.kind in SOURCES else "gpt"
        layers, heads = SOURCES[kind]
        random = kind.startswith("random")
        given = {
            "kind": kind,
            "text": "" if random else self.text[:MOST_TEXT],
            "layer": min(max(self.layer, 0), layers - 1),
            "head": min(max(self.head, 0), heads - 1),
            "seed": min(max(self.seed, 0), MOST_SEED) if random else 0,
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def n_heads(self) -> int:
        """Return how many heads the layer has."""
        return SOURCES[self.kind][1]


USUAL = QKVSource()


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A source and a mechanism with its settings; numbers out of range are moved to the nearest one allowed.

    Attributes:
        source: of queries, keys and values.
        name: of the mechanism that is looked at.
        width: see `explorer.attention.efficient.variants.Variant`, likewise the others.
    """

    source: QKVSource = USUAL
    name: str = "window"
    width: int = 8
    gap: int = 2
    stride: int = 8
    n_global: int = 1
    block: int = 8
    reach: int = 1
    n_random: int = 1
    n_features: int = 64
    groups: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name if self.name in MECHANISMS else "window")
        for name, (least, most) in REACH.items():
            object.__setattr__(self, name, min(max(getattr(self, name), least), most))
        for name, options in OPTIONS.items():
            within = [each for each in options if name != "groups" or self.source.n_heads % each == 0]
            asked = getattr(self, name)
            object.__setattr__(self, name, min(within, key=lambda each: (abs(each - asked), each)))

    def variant(self, name: str) -> Variant:
        """Return a mechanism with the reader's settings, and only those it has."""
        own = {each: getattr(self, each) for each in SETTINGS[name] if each in ALL_SETTINGS and hasattr(self, each)}
        return Variant(name=name, **own)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of what is drawn: `weights` beside the exact ones, their `difference`, `errors` or `costs`."""

    shown: str = "weights"


@record
class Result:
    """The mechanism that is looked at, and what all of them cost.

    Attributes:
        costs: of every mechanism at the reader's settings, exact attention first.
    """

    params: Params
    record: VariantRecord
    costs: tuple[VariantCost, ...]


#: The mechanisms to choose from: all but exact attention itself.
MECHANISMS = tuple(name for name in SETTINGS if name != "plain")
#: Those that leave cells out.
SPARSE = ("window", "dilated", "strided", "global", "longformer", "block", "bigbird")
