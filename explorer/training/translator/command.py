"""Command that trains a translator."""

from explorer.data.parallel.directions import parse_directions
from explorer.models.translator import TranslatorConfig
from explorer.training.command import Command, values
from explorer.training.options import all_but
from explorer.training.translator.export import export_translator
from explorer.training.translator.recipe import PairFolder, TranslatorRecipe, train_translator

SHAPE = all_but(TranslatorConfig, "vocab_size", "directions", "pad_id", "bos_id", "eos_id")
RECIPE = ("vocab_size", "n_characters", "directions", "copying", "start_from", "keep_vocabulary")

TRANSLATOR = Command(
    shapes={TranslatorConfig: SHAPE},
    recipe=(TranslatorRecipe, RECIPE),
    make=lambda given, course: TranslatorRecipe(
        shape=values(given, SHAPE),
        training=course,
        **{**values(given, RECIPE), "directions": parse_directions(" ".join(map(str, given.directions)))},
    ),
    train=train_translator,
    export=export_translator,
    data="folders of Multi30k, or with train, dev and test .tsv or .tsv.gz of lines 'English TAB translation'; where"
    " there are several, as <language>=<folder>, and <language>=<folder>:<weight> to read one more or less often",
    corpus=PairFolder.named,
    credit="Sentence pairs from {names}.",
)
