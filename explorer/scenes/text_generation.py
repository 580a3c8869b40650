"""The scenes of text generation."""

from typing import Any

from explorer.scenes import book
from explorer.scenes.controls import Slider
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: The beginning that each kind of model goes on with.
PROMPTS = {"tg_text": "ROMEO:\nShall I ", "tg_line": "床前明月光，", "tg_letters": "attentionattention"}
#: The place that the deeper scenes open: “w” or “c” decides between two words there.
PLACE = 26
#: Which scene shows what `?tg_part=` showed on the old page.
_PARTS = {
    "next": "alternatives",
    "rows": "looked",
    "map": "looked",
    "lens": "lens",
    "change": "what_if",
    "induction": "induction",
}
_DIVIDED = "Logits are divided by it. 0 always takes the likeliest; above 1 the unlikely gain."
_FIRST = "Only so many of the likeliest can be drawn; 0 lets all."
_TOGETHER = "Only the likeliest that together have this probability can be drawn; 1 lets all."
_SHARE = "Only what is at least this share as likely as the likeliest can be drawn; 0 lets all."
_AGAIN = "Makes every character that stands in the window already less likely; 1 does nothing."
#: How long the text is, and how each of its characters is drawn.
SLIDERS: dict[str, Slider[Any]] = {
    "tg_length": Slider("Characters", 20, 400, 20, default=160),
    "tg_seed": Slider("Seed of the dice", 0, 99, 1, default=1, help="The same seed writes the same text."),
    "tg_temperature": Slider("Temperature", 0.0, 2.0, 0.1, default=0.8, help=_DIVIDED),
    "tg_top_p": Slider("Only the likeliest, up to (top-p)", 0.05, 1.0, 0.05, default=1.0, help=_TOGETHER),
    "tg_min_p": Slider("Only what is this likely (min-p)", 0.0, 0.5, 0.05, default=0.0, help=_SHARE),
    "tg_top_k": Slider("Only so many (top-k)", 0, 50, 1, default=0, help=_FIRST),
    "tg_penalty": Slider("Repetition penalty", 1.0, 2.0, 0.1, default=1.0, help=_AGAIN),
}
_SHARED: dict[str, Any] = {
    "tg_model": "gpt-shakespeare",
    **PROMPTS,
    **SLIDERS,
    "tg_place": "",
}
_HEAD = {"tg_layer": "all", "tg_head": "mean"}

WATCH = Scene(
    name="watch",
    title="Watch it write",
    question="How does a model write a text?",
    lead=(
        "It :blue[**looks back**] over the text, gives every character a probability, and a :orange[**die**] chooses "
        "one. Then it does the same again."
    ),
    controls={"tg_temperature": 0.8},
    presets=(
        Preset(
            "Always the likeliest",
            {"tg_temperature": 0.0, "tg_place": "175"},
            "Look for words that come back: the likeliest characters alone lead to the same words.",
        ),
        Preset(
            "Where it goes wrong",
            {"tg_temperature": 1.6, "tg_place": "150"},
            "Look for words that do not exist: one unlikely character leads to the next.",
        ),
        Preset(
            "A Chinese poem",
            {"tg_model": "gpt-verse-zh", "tg_place": "48"},
            "Look at the bars: after five characters there must be a punctuation mark.",
        ),
        Preset(
            "Letters that return",
            {"tg_model": "gpt-repeats", "tg_place": "150"},
            "Look at the bars: from the second time on, there is hardly any choice.",
        ),
    ),
    prediction=Prediction(
        question="At temperature 0 it always takes the likeliest character. What happens?",
        answers={"repeats": "it repeats itself", "fresh": "always new words"},
        reveals={"tg_temperature": 0.0, "tg_place": "175"},
        why=(
            "“{again}” stands there {times} times. Likely words lead to the words that are likeliest after them, and "
            "so back to themselves. Chance prevents this."
        ),
    ),
)

ALTERNATIVES = Scene(
    name="alternatives",
    title="What else could stand here?",
    question="What else could have stood here?",
    lead="The more :violet[**colour**], the more a character surprised the model. Point at one to see its rivals.",
    controls={"tg_temperature": 0.8, "tg_top_k": 0, "tg_top_p": 1.0, "tg_min_p": 0.0, "tg_penalty": 1.0},
    presets=(
        Preset(
            "Three at most",
            {"tg_temperature": 1.2, "tg_top_k": 3, "tg_place": "33"},
            "Look at the hatched bars: top-k cuts them away, although they are nearly as likely.",
        ),
        Preset(
            "Too hot",
            {"tg_temperature": 1.6},
            "Look for dark colour: the die takes characters that the model hardly believed in.",
        ),
        Preset(
            "Hot, but safe",
            {"tg_temperature": 1.6, "tg_min_p": 0.1},
            "Look for words again: min-p cuts whatever is far less likely than the best.",
        ),
    ),
    prediction=Prediction(
        question="Where do characters surprise the model more?",
        answers={"first": "where words begin", "inside": "inside words"},
        reveals={"tg_place": "26"},
        why=(
            "A first letter is like a choice among {first} characters, one inside a word among {inside}. A beginning "
            "has a choice of words; inside, the letters before it leave few."
        ),
    ),
)

LOOKED = Scene(
    name="looked",
    title="Where it looked",
    question="Where does it look to write the next character?",
    lead=(
        "To write the :orange[**orange**] character, the model looked at the :blue[**blue**] ones: the stronger, the "
        "more. **Point at any character.**"
    ),
    controls={"tg_part": "text", **_HEAD},
    presets=(
        Preset(
            "Every head",
            {"tg_part": "rows"},
            "Look down a column: some heads look close by, some far back. Click a row to open it.",
        ),
        Preset(
            "One step back",
            {"sight": "map", "tg_layer": "3", "tg_head": "4"},
            "Look for the line beside the diagonal: this head reads the character before the newest.",
        ),
        Preset(
            "Copying head",
            {"tg_model": "gpt-repeats", "tg_layer": "1", "tg_head": "2", "tg_place": "100"},
            "Look at the one strong character: the same letter, where it stood one round earlier.",
        ),
        Preset(
            "One query, number by number",
            {"tg_part": "journey", "tg_layer": "3", "tg_head": "5"},
            "Look how the query meets its keys when you press ▶; keys after it do not exist yet.",
        ),
    ),
    prediction=Prediction(
        question="To write the “e” of “more”: where does most of the look go?",
        answers={"newest": "to “r”, the newest", "word": "to “m” and “o”", "further": "before the word"},
        reveals={"tg_part": "text"},
        why=(
            "{word} goes to the beginning of the word, {newest} to the newest character, {further} before the word. A "
            "character says little alone: the model looks at the word that it is writing."
        ),
    ),
)

WHAT_IF = Scene(
    name="what_if",
    title="What if",
    question="What if another character stood there?",
    lead=(
        "Everything before the place stays. What follows is written anew **with the same dice**, so every "
        ":violet[**difference**] comes from the model, not from chance."
    ),
    core=False,
    controls={"tg_instead": ""},
    presets=(
        Preset(
            "A full stop",
            {"tg_place": "38", "tg_instead": "."},
            "Look below: after a full stop a speech may end, and a name in capitals begins the next.",
        ),
        Preset(
            "Another word",
            {"tg_place": "16", "tg_instead": "s"},
            "Look below: “s” leads to another verb, and soon everything is different.",
        ),
        Preset(
            "A wrong letter",
            {"tg_place": "12", "tg_instead": "w"},
            "Look below: a word that does not exist, and then good words again.",
        ),
    ),
)

LENS = Scene(
    name="lens",
    title="Logit lens",
    question="When does the model know what it will write?",
    lead=(
        "Each layer adds to one vector per character. Read this vector after every layer as if it were the last: the "
        "guess takes shape."
    ),
    core=False,
    controls={"tg_lens": "around"},
    presets=(
        Preset("Known early", {"tg_place": "43"}, "Look at the framed column: “t” is bold after layer 1 and stays."),
        Preset("Known late", {"tg_place": "19"}, "Look at the framed column: only the last layer finds “n”."),
        Preset(
            "Its rivals",
            {"tg_place": "43", "tg_lens": "choices"},
            "Look down the first column: first the character just read, in the end the answer.",
        ),
    ),
)

INDUCTION = Scene(
    name="induction",
    title="Induction heads",
    question="Which heads continue a pattern they have seen?",
    lead=(
        "Random characters come several times in a row. An **induction head** reads A, finds the earlier A, looks at "
        "the B behind it, and makes B likelier."
    ),
    core=False,
    controls={"tg_dice": Slider("Seed of the random sequences", 0, 20, default=0), **_HEAD},
    presets=(
        Preset(
            "A model that must copy",
            {"tg_model": "gpt-repeats", "tg_layer": "1", "tg_head": "3"},
            "Look at prefix matching in layer 1: all four heads are strong, and they copy as well.",
        ),
        Preset(
            "Who prepares it",
            {"tg_model": "gpt-repeats", "tg_layer": "0", "tg_head": "0"},
            "Look at previous token in layer 0: this head tells each place what came before it.",
        ),
        Preset(
            "Poems do not repeat",
            {"tg_model": "gpt-verse-zh"},
            "Look for strong cells in prefix matching: there are none. This model has not learned to copy.",
        ),
    ),
)

LESSON = Lesson(
    stem="text_generation",
    book=(book.PRETRAINING,),
    scenes=(WATCH, ALTERNATIVES, LOOKED, WHAT_IF, LENS, INDUCTION),
    shared=_SHARED,
    parts={"tg_part": _PARTS},
)
