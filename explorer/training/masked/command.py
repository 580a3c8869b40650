"""Command that trains an encoder that fills in blanks."""

from explorer.models.masked import MaskedConfig
from explorer.training.command import Command, values
from explorer.training.masked.recipe import MaskedRecipe, export_masked, train_masked
from explorer.training.options import all_but
from explorer.training.translator.recipe import PairFolder

SHAPE = all_but(MaskedConfig, "vocab_size", "pad_id")
RECIPE = ("vocab_size", "asked")

MASKED = Command(
    shapes={MaskedConfig: SHAPE},
    recipe=(MaskedRecipe, RECIPE),
    make=lambda given, course: MaskedRecipe(shape=values(given, SHAPE), training=course, **values(given, RECIPE)),
    train=train_masked,
    export=export_masked,
    data="folders of pairs as for a translator, as <language>=<folder>; of their pairs the English sentences are read",
    corpus=PairFolder.named,
    credit="English sentences from {names}.",
    defaults={"smoothing": 0.0},
)
