"""Hold what a translator is asked: the text, how it is searched, and what a page offers to begin with."""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.data.parallel.normalisation import Normalised, normalise, visible
from explorer.data.sentences import split
from explorer.inference.engine.layout import Precision
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.piece import Piece
from explorer.inference.translator.pieces import NONE, pieces, rarity
from explorer.inference.translator.translate import (
    MAX_CHARACTERS,
    InputRefused,
    LoadedTranslator,
    clean,
    encode_source,
    load,
)
from explorer.records.language import t

CHECKPOINT = "translator-en-fr"
MOST_BEAM = 8
MOST_LENGTH_PENALTY = 2.0
#: What fits into the box, and so into a link.
BOX_CHARACTERS = 6000
EXAMPLE = "She does not like black coffee."
#: Every model puts it word for word: a row of a document that needs a second look.
IDIOM = "It's raining cats and dogs."
#: Short sentences by language, each with something to see in its maps.
EXAMPLES = {
    "en": (
        EXAMPLE,
        "My sister wants to live in a big white house.",
        "I miss you.",
        "The book I read yesterday was very interesting.",
        "I know that you know that I know.",
        IDIOM,
        "She is not only beautiful, but also intelligent.",
        "Do you want to go to the movies with me tonight?",
    ),
    "fr": (
        "Ma sœur veut habiter dans une grande maison blanche.",
        "Tu me manques.",
        "Je ne sais pas ce que tu veux dire.",
        "Il pleut des cordes.",
    ),
    "de": (
        "Meine Schwester möchte in einem großen weißen Haus wohnen.",
        "Ich stehe jeden Morgen um sechs Uhr auf.",
        "Das Buch, das ich gestern gelesen habe, war sehr interessant.",
        "Es regnet in Strömen.",
    ),
    "zh": (
        "我的妹妹想住在一个大房子里。",
        "他昨天给我买了一本书。",
        "这本书很有意思。",
        "你今晚想和我一起去看电影吗？",
    ),
}


def said_example(text: str) -> str:
    """Return an example as a button says it: an idiom is called one."""
    return t("{text} (an idiom)").format(text=text) if text == IDIOM else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """A translation that is asked for, and how it is searched. Numbers are clamped to their ranges.

    Attributes:
        text: anything.
        beam: hypotheses kept at each step, 1…`MOST_BEAM`.
        length_penalty: exponent of the length factor, 0…`MOST_LENGTH_PENALTY`.
        checkpoint: a bundled name, a folder, or `org/name@revision`.
        direction: from which language into which, such as `fr-en`; the model's usual one where it has no such.
        precision: of the linear maps while searching.
        as_typed: whether nothing is read as something else, and no slip as what was meant.
    """

    text: str = EXAMPLE
    beam: int = 4
    length_penalty: float = 0.6
    checkpoint: str = CHECKPOINT
    direction: str = ""
    precision: Precision = "full"
    as_typed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "beam", min(max(self.beam, 1), MOST_BEAM))
        object.__setattr__(self, "length_penalty", min(max(self.length_penalty, 0.0), MOST_LENGTH_PENALTY))

    @property
    def options(self) -> DecodingOptions:
        """Return the search options."""
        return DecodingOptions(beam=self.beam, length_penalty=self.length_penalty)


def translator_for(params: Params) -> LoadedTranslator:
    """Return the model that is asked, in the direction and the arithmetic that are wanted.

    Raises:
        CheckpointError: the checkpoint cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    model = load(params.checkpoint, params.precision)
    wanted = [each for each in model.directions if str(each) == params.direction]
    return model.towards(wanted[0]) if wanted else model


def pieces_of(params: Params, attempts: Mapping[int, int] = NONE) -> tuple[Piece, ...]:
    """Return a text as its translator reads it: sentences in the form of the training data, long ones cut at clauses.

    The text of a model whose languages have no names, or that others made, is cleaned and split, no more.

    Args:
        attempts: for sentences of which something could not be put back, how often they were read otherwise.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    if len(params.text) > MAX_CHARACTERS:
        raise InputRefused("too_long", length=len(params.text), limit=MAX_CHARACTERS, unit="characters")
    translator = translator_for(params)
    if translator.rewritten is not None:
        found = pieces(
            params.text, translator.tokenizer, translator.rewritten, attempts=attempts, as_typed=params.as_typed
        )
    else:
        lines = "\n".join(clean(line) for line in params.text.splitlines() if visible(line))
        normal = [Normalised(text=sentence, changes=()) for sentence in split(lines)]
        found = tuple(Piece(text=each.text, sentence=number, of=each) for number, each in enumerate(normal))
    if not found:
        raise InputRefused("empty")
    return found


def normalise_text(translator: LoadedTranslator, text: str) -> Normalised:
    """Return a text in the form of the training data; only cleaned where nothing is rewritten."""
    text = clean(text)
    if translator.rewritten is None:
        return Normalised(text=text, changes=())
    return normalise(text, translator.rewritten.source, lambda word: rarity(translator.tokenizer, word))


def encode_text(params: Params) -> tuple[LoadedTranslator, str, list[int]]:
    """Return the model that is asked, one sentence in the form of its training data, and its tokens, `</s>` last.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    translator = translator_for(params)
    text = normalise_text(translator, params.text).text
    return translator, text, encode_source(translator, text)
