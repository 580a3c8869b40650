"""“Training lab”: what is to be trained, what is drawn of it, what is known before it starts."""

from dataclasses import dataclass, field
from pathlib import Path

from explorer.data.documents.tables import TextTable
from explorer.data.parallel.pairs import Pair
from explorer.data.tasks import expected_answer
from explorer.inference.lab.trace import Reading
from explorer.records.provenance import Provenance
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe, held_out

#: Held-out examples that are offered to be looked at.
N_EXAMPLES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Settings of what is to be trained.

    Attributes:
        recipe: task, model and training; brings every number within its bounds.
        table: the reader's own examples in two columns; None where the task makes them.
    """

    recipe: LabRecipe = field(default_factory=LabRecipe)
    table: str | bytes | TextTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Choices of the attention that is looked at.

    Attributes:
        layer: of the attention, from 0; clamped.
        head: from 0, clamped; None for the mean over heads.
        reading: whether the decoder reads the right answer (rows stay the same) or what it writes itself.
    """

    layer: int = 0
    head: int | None = None
    reading: Reading = "expected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Facts that are known before the training starts.

    Attributes:
        recipe: what will be trained, own examples included.
        n_train: examples to learn from; another seed's may be some few more or fewer.
        n_held_out: examples that are kept back to measure.
        n_repeated: rows of the reader’s table that were left out, since their source stands in a row before.
    """

    params: Params
    recipe: LabRecipe
    n_parameters: int
    n_train: int
    n_held_out: int
    n_repeated: int = 0

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the curves of such a training."""
        return provenance_of(self.recipe)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedText:
    """A text that a training is asked about.

    Attributes:
        folder: of the run's snapshots.
        text: the source.
        expected: its right answer; None where it is not known.
    """

    folder: Path
    text: str
    expected: str | None


def examples(recipe: LabRecipe) -> tuple[Pair, ...]:
    """Return some held-out examples, the longest first; the same for every recipe of a task."""
    return tuple(sorted(held_out(recipe, N_EXAMPLES), key=lambda pair: -len(pair.source)))


def answer(recipe: LabRecipe, text: str) -> str | None:
    """Return the right answer to a text: of a held-out example, or by the task's rule; None where neither says it."""
    known = {pair.source: pair.targets[0] for pair in examples(recipe)}
    return known.get(text) or (None if recipe.task == "own" else expected_answer(recipe.task, text))


def attention_shape(recipe: LabRecipe) -> tuple[int, int]:
    """Return how many layers of cross-attention the model has, and heads in each."""
    return (recipe.n_layers, recipe.n_heads) if recipe.family == "transformer" else (1, 1)


def provenance_of(recipe: LabRecipe) -> Provenance:
    """Return the provenance of the curves of a recipe."""
    return Provenance.of(LabTraining, seed=recipe.seed, detail=detail(recipe))


def detail(recipe: LabRecipe) -> str:
    """Return what a reader needs to train it again, in one line."""
    shape = f"d_model {recipe.d_model}, layers {recipe.n_layers}"
    if recipe.family == "transformer":
        parts = (
            f"Transformer, {shape}, heads {recipe.n_heads}, d_ff {recipe.d_ff}, {recipe.position} positions",
            f"{recipe.scoring} scores, {recipe.norm}-norm{'' if recipe.residual else ', no residuals'}",
            f"{recipe.attention_dropout:g} of the weights dropped" if recipe.attention_dropout else "",
        )
        model = ", ".join(filter(None, parts))
    else:
        position = "output and the next input" if recipe.context == "next" else recipe.context
        model = f"{recipe.cell.upper()}, {recipe.mechanism}, context at the {position}, {shape}"
        model += f", embedding {recipe.d_embedding}"
        model += f", teacher forcing {recipe.teacher_forcing:g}" if recipe.teacher_forcing < 1 else ""
    model += f", dropout {recipe.dropout:g}" if recipe.dropout else ""
    return f"{recipe.task}, {model}, rate {recipe.learning_rate:g}, batch {recipe.batch}, {recipe.steps} steps"
