"""Subject of a run in the training lab: a recipe within bounds, its examples, and its model."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any, Literal, get_args

import torch

from explorer.data.parallel.pairs import Pair
from explorer.data.task_tokenizer import TaskTokenizer, Unit
from explorer.data.tasks import N_HELD_OUT, TASKS, Split, Task, split_task, texts, unit_of
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import ContextUse, Seq2SeqConfig
from explorer.models.translator import Translator, TranslatorConfig
from explorer.nn.alignment import MECHANISMS, Mechanism
from explorer.nn.attention import Scoring
from explorer.nn.blocks import NormPlace
from explorer.nn.positions import IN_SCORE, POSITION_KINDS, PositionKind
from explorer.nn.recurrent import CELLS, CellKind

LabTask = Task | Literal["own"]
LAB_TASKS: tuple[str, ...] = (*TASKS, "own")
LabFamily = Literal["recurrent", "transformer"]
LAB_FAMILIES: tuple[LabFamily, ...] = get_args(LabFamily)
#: What everything else of a recipe may be. Another value is replaced by the default.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "task": LAB_TASKS,
    "unit": get_args(Unit),
    "family": LAB_FAMILIES,
    "mechanism": MECHANISMS,
    "cell": CELLS,
    "context": get_args(ContextUse),
    "position": POSITION_KINDS,
    "scoring": get_args(Scoring),
    "norm": get_args(NormPlace),
}
#: Least and most of every number of a recipe. What lies outside is brought inside.
BOUNDS: Mapping[str, tuple[int | float, int | float]] = {
    "d_model": (16, 256),
    "d_embedding": (8, 256),
    "n_layers": (1, 3),
    "n_heads": (1, 8),
    "d_ff": (16, 512),
    "dropout": (0.0, 0.5),
    "attention_dropout": (0.0, 0.9),
    "teacher_forcing": (0.0, 1.0),
    "learning_rate": (1e-5, 0.1),
    "batch": (4, 256),
    "seed": (0, 999_999),
    "steps": (20, 5_000),
    "minutes": (0.05, 10.0),
}
#: Examples a task is trained on, apart from the held-out ones.
N_TRAIN = 20_000
#: Tokens of the longest source or target, special ones included; own examples that are longer are cut. A drawing of a
#: digit has 64 and its end.
MAX_LENGTH = 66


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRecipe:
    """A recipe of the training lab: any values are accepted, and brought within `BOUNDS`.

    Attributes:
        task: what to learn; `own` learns `pairs`.
        pairs: the reader's own sources and targets.
        unit: what a token of the own pairs is.
        family: recurrent encoder-decoder, or Transformer.
        mechanism: how the recurrent decoder looks at the source.
        cell: of the recurrent networks.
        context: where the recurrent decoder's context enters: before the cell (`input`, Bahdanau), after it
            (`output`, Luong), or there and into the `next` step's cell (input feeding).
        d_model: length of the states; of a recurrent decoder too, whose encoder has half of it in each direction.
        d_embedding: length of a recurrent model's token vectors; a Transformer's are as long as its states.
        n_layers: of encoder and decoder each.
        n_heads: of the Transformer; the largest number up to it is used that divides `d_model`, for rotary positions
            into parts of even length.
        d_ff: width inside the Transformer's feed-forward nets.
        position: how the Transformer knows where a token stands; rotary and ALiBi need a scaled dot product.
        scoring: how the Transformer's heads compare queries with keys.
        norm: whether the Transformer's layers normalise before or after each step.
        residual: whether what a step of the Transformer's layers read is added to what it made.
        dropout: while training, of embeddings, states, and what each step adds.
        attention_dropout: while training, of the Transformer's attention weights.
        teacher_forcing: probability that, while training, the recurrent decoder reads the right token and not its own.
        learning_rate: at its peak.
        batch: examples in a step.
        seed: of examples, order and weights.
        steps: after which it ends.
        minutes: after which it ends, whatever the steps.
    """

    task: LabTask = "reverse"
    pairs: tuple[tuple[str, str], ...] = ()
    unit: Unit = "characters"
    family: LabFamily = "recurrent"
    mechanism: Mechanism = "additive"
    cell: CellKind = "gru"
    context: ContextUse = "input"
    d_model: int = 128
    d_embedding: int = 64
    n_layers: int = 1
    n_heads: int = 4
    d_ff: int = 256
    position: PositionKind = "sinusoidal"
    scoring: Scoring = "scaled_dot"
    norm: NormPlace = "pre"
    residual: bool = True
    dropout: float = 0.0
    attention_dropout: float = 0.0
    teacher_forcing: float = 1.0
    learning_rate: float = 3e-3
    batch: int = 64
    seed: int = 1
    steps: int = 600
    minutes: float = 3.0

    def __post_init__(self) -> None:
        default = {entry.name: entry.default for entry in fields(self)}
        for name, values in CHOICES.items():
            if getattr(self, name) not in values:
                object.__setattr__(self, name, default[name])
        for name, (least, most) in BOUNDS.items():
            object.__setattr__(self, name, _clamped(getattr(self, name), least, most, default[name]))
        if self.scoring == "additive" and self.position in IN_SCORE:
            object.__setattr__(self, "position", default["position"])
        even = self.d_model - self.d_model % 4  # both directions of an encoder, and rotary pairs of two heads or one
        pair = 2 if self.position == "rotary" else 1
        heads = max(n for n in range(1, self.n_heads + 1) if even % (n * pair) == 0)
        object.__setattr__(self, "d_model", even)
        object.__setattr__(self, "n_heads", heads)
        object.__setattr__(self, "residual", self.residual is not False)
        if self.task == "own" and not self.pairs:
            object.__setattr__(self, "task", "reverse")
        if self.task != "own":
            object.__setattr__(self, "pairs", ())

    def to_json(self) -> str:
        """Return the recipe as JSON on one line."""
        return json.dumps(asdict(self), ensure_ascii=True)

    @classmethod
    def from_json(cls, text: str) -> "LabRecipe":
        """Read what `to_json` wrote.

        Raises:
            ValueError: it is something else.
        """
        content = json.loads(text)
        try:
            pairs = tuple((str(source), str(target)) for source, target in content.pop("pairs", ()))
            return cls(pairs=pairs, **content)
        except (TypeError, AttributeError) as error:
            raise ValueError(f"no recipe: {error}") from error


#: What differs from the defaults of `LabRecipe` where a family is to learn the tasks well.
DEFAULTS: Mapping[LabFamily, Mapping[str, Any]] = {
    "recurrent": {},
    "transformer": {"d_model": 64, "learning_rate": 5e-3, "steps": 1_000},
}


def _clamped(value: Any, least: int | float, most: int | float, default: Any) -> Any:
    kind = type(default)
    if not isinstance(value, int | float) or value != value:  # NaN
        return default
    return kind(min(max(value, least), most))


def data_of(recipe: LabRecipe) -> Split:
    """Return training and held-out examples of a recipe."""
    return _data(recipe.task, recipe.pairs, recipe.seed)


def held_out(recipe: LabRecipe, n: int = 20) -> tuple[Pair, ...]:
    """Return the first held-out examples: the same for every recipe of a task, whatever its seed."""
    return tuple(data_of(LabRecipe(task=recipe.task, pairs=recipe.pairs)).held_out[:n])


def unit_in(recipe: LabRecipe) -> Unit:
    """Return what a token of a recipe's examples is."""
    return recipe.unit if recipe.task == "own" else unit_of(recipe.task)


def tokenizer_of(recipe: LabRecipe) -> TaskTokenizer:
    """Return the vocabulary of a recipe's examples."""
    return _tokenizer(recipe.task, recipe.pairs, recipe.seed, unit_in(recipe))


@lru_cache(maxsize=8)
def _data(task: LabTask, own: tuple[tuple[str, str], ...], seed: int) -> Split:
    if task != "own":
        return split_task(task, N_TRAIN, seed)
    pairs = list({source: Pair(source, (target,)) for source, target in own}.values())
    n_held_out = min(N_HELD_OUT, len(pairs) // 5)
    every = len(pairs) // n_held_out if n_held_out else len(pairs) + 1
    held_out = pairs[::every][:n_held_out]
    kept = {pair.source for pair in held_out}
    return Split(train=[pair for pair in pairs if pair.source not in kept], held_out=held_out or pairs)


@lru_cache(maxsize=8)
def _tokenizer(task: LabTask, own: tuple[tuple[str, str], ...], seed: int, unit: Unit) -> TaskTokenizer:
    data = _data(task, own, seed)
    return TaskTokenizer.train(texts([*data.train, *data.held_out]), unit)


def config_of(recipe: LabRecipe, vocab_size: int) -> Seq2SeqConfig | TranslatorConfig:
    """Return the shape of the model."""
    if recipe.family == "transformer":
        return TranslatorConfig(
            vocab_size=vocab_size,
            d_model=recipe.d_model,
            n_heads=recipe.n_heads,
            n_encoder_layers=recipe.n_layers,
            n_decoder_layers=recipe.n_layers,
            d_ff=recipe.d_ff,
            dropout=recipe.dropout,
            max_length=MAX_LENGTH,
            position=recipe.position,
            norm=recipe.norm,
            residual=recipe.residual,
            attention_dropout=recipe.attention_dropout,
            scoring=recipe.scoring,
        )
    return Seq2SeqConfig(
        vocab_size=vocab_size,
        mechanism=recipe.mechanism,
        cell=recipe.cell,
        n_layers=recipe.n_layers,
        d_embedding=recipe.d_embedding,
        d_hidden=recipe.d_model,
        d_encoder=recipe.d_model // 2,
        d_attention=recipe.d_model // 2,
        context=recipe.context,
        query="before" if recipe.context == "input" else "after",
        dropout=recipe.dropout,
        max_length=MAX_LENGTH,
    )


def new_model(recipe: LabRecipe, vocab_size: int) -> Seq2Seq | Translator:
    """Make the model with the seed's weights; the caller's random numbers are left alone."""
    config = config_of(recipe, vocab_size)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        return Seq2Seq(config) if isinstance(config, Seq2SeqConfig) else Translator(config)
