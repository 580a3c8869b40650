"""The scenes of text generation."""

from typing import Any

from explorer.records.language import english as message
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
_SHARED: dict[str, Any] = {
    "tg_model": "",
    **PROMPTS,
    "tg_length": 160,
    "tg_temperature": 0.8,
    "tg_top_k": 0,
    "tg_top_p": 1.0,
    "tg_min_p": 0.0,
    "tg_penalty": 1.0,
    "tg_seed": 1,
    "tg_place": "",
}
_HEAD = {"tg_layer": "all", "tg_head": "mean"}

WATCH = Scene(
    name="watch",
    title=message("Watch it write"),
    question=message("How does a model write a text?"),
    lead=message(
        "It :blue[**looks back**] over the text, gives every character a probability, and a :orange[**die**] chooses "
        "one. Then it does the same again."
    ),
    controls={"tg_temperature": 0.8},
    presets=(
        Preset(
            label=message("No chance"),
            state={"tg_temperature": 0.0, "tg_place": "150"},
            look=message("Look for words that come back: the likeliest characters alone lead to the same words."),
        ),
        Preset(
            label=message("Where it goes wrong"),
            state={"tg_temperature": 1.6, "tg_place": "150"},
            look=message("Look for words that do not exist: one unlikely character leads to the next."),
        ),
        Preset(
            label=message("A Chinese poem"),
            state={"tg_model": "gpt-verse-zh", "tg_place": "150"},
            look=message("Look at the bars before a punctuation mark: after five characters it must come."),
        ),
        Preset(
            label=message("Letters that return"),
            state={"tg_model": "gpt-repeats", "tg_place": "150"},
            look=message("Look at the bars: from the second time on, there is hardly any choice."),
        ),
    ),
    prediction=Prediction(
        question=message("At temperature 0 it always takes the likeliest character. What happens?"),
        answers={
            "repeats": message("it repeats itself"),
            "fresh": message("always new words"),
        },
        reveals={"tg_temperature": 0.0, "tg_place": "150"},
        why=message(
            "“{again}” stands there {times} times. Likely words lead to the words that are likeliest after them, and "
            "so back to themselves. Chance prevents this."
        ),
    ),
)

ALTERNATIVES = Scene(
    name="alternatives",
    title=message("What else could stand here?"),
    question=message("What else could have stood here?"),
    lead=message(
        "The more :violet[**colour**], the more a character surprised the model. Point at one to see its rivals."
    ),
    controls={"tg_temperature": 0.8, "tg_top_k": 0, "tg_top_p": 1.0, "tg_min_p": 0.0, "tg_penalty": 1.0},
    presets=(
        Preset(
            label=message("Three at most"),
            state={"tg_temperature": 1.2, "tg_top_k": 3},
            look=message("Look at hatched bars: top-k cuts them away, even where they are nearly as likely."),
        ),
        Preset(
            label=message("Too hot"),
            state={"tg_temperature": 1.6},
            look=message("Look for dark colour: the die takes characters that the model hardly believed in."),
        ),
        Preset(
            label=message("Hot, but safe"),
            state={"tg_temperature": 1.6, "tg_min_p": 0.1},
            look=message("Look for words again: min-p cuts whatever is far less likely than the best."),
        ),
    ),
    prediction=Prediction(
        question=message("Where do characters surprise the model more?"),
        answers={
            "first": message("where words begin"),
            "inside": message("inside words"),
        },
        reveals={"tg_place": "26"},
        why=message(
            "A first letter costs {first} nats on average, a letter inside a word {inside}. A beginning has a "
            "choice of words; inside, the letters before it leave few."
        ),
    ),
)

LOOKED = Scene(
    name="looked",
    title=message("Where it looked"),
    question=message("Where does it look to write the next character?"),
    lead=message(
        "The :orange[**asking**] character was written after a look at the :blue[**coloured**] ones. Point at any; "
        "each head looks in its own way."
    ),
    controls={"tg_part": "text", **_HEAD},
    presets=(
        Preset(
            label=message("One step back"),
            state={"tg_part": "map", "tg_layer": "3", "tg_head": "4"},
            look=message("Look for the line beside the diagonal: this head reads the character before the newest."),
        ),
        Preset(
            label=message("Every head"),
            state={"tg_part": "rows"},
            look=message("Look down a column: some heads look close by, some far back. Click a row to open it."),
        ),
        Preset(
            label=message("Copying head"),
            state={"tg_model": "gpt-repeats", "tg_layer": "1", "tg_head": "2", "tg_place": "100"},
            look=message("Look at the one dark character: the same letter, where it stood one round earlier."),
        ),
        Preset(
            label=message("Its stripes"),
            state={"tg_model": "gpt-repeats", "tg_layer": "1", "tg_head": "2", "tg_part": "map"},
            look=message("Look for stripes: each stands one round back, wherever the letters have come before."),
        ),
    ),
    prediction=Prediction(
        question=message("Over all heads and steps, on what does most weight lie?"),
        answers={
            "newest": message("the newest character"),
            "before": message("the one before"),
            "further": message("further back"),
        },
        reveals={"tg_part": "rows"},
        why=message(
            "{further} lies further back, {before} on the character before the newest, {newest} on the newest itself. "
            "A character says little alone: the word and the line around it decide."
        ),
    ),
)

WHAT_IF = Scene(
    name="what_if",
    title=message("What if"),
    question=message("What if another character stood there?"),
    lead=message(
        "Everything before the place stays. What follows is written anew **with the same dice**, so every "
        ":violet[**difference**] comes from the model, not from chance."
    ),
    core=False,
    controls={"tg_instead": ""},
    presets=(
        Preset(
            label=message("A full stop"),
            state={"tg_place": "38", "tg_instead": "."},
            look=message("Look below: after a full stop somebody else speaks, and a name in capitals begins."),
        ),
        Preset(
            label=message("Another word"),
            state={"tg_place": "16", "tg_instead": "s"},
            look=message("Look below: “s” leads to another verb, and soon everything is different."),
        ),
        Preset(
            label=message("A wrong letter"),
            state={"tg_place": "12", "tg_instead": "w"},
            look=message("Look below: a word that does not exist, and then good words again."),
        ),
    ),
)

LENS = Scene(
    name="lens",
    title=message("Logit lens"),
    question=message("When does the model know what it will write?"),
    lead=message(
        "Each layer adds to one vector per character. Read this vector after every layer as if it were the last: the "
        "guess takes shape."
    ),
    core=False,
    controls={"tg_lens": "around"},
    presets=(
        Preset(
            label=message("Known early"),
            state={"tg_place": "43"},
            look=message("Look at the framed column: “t” is bold after layer 1 and stays."),
        ),
        Preset(
            label=message("Known late"),
            state={"tg_place": "19"},
            look=message("Look at the framed column: only the last layer finds “n”."),
        ),
        Preset(
            label=message("Its rivals"),
            state={"tg_place": "43", "tg_lens": "choices"},
            look=message("Look down the first column: first the character just read, in the end the answer."),
        ),
    ),
)

INDUCTION = Scene(
    name="induction",
    title=message("Induction heads"),
    question=message("Which heads continue a pattern they have seen?"),
    lead=message(
        "Random characters come several times in a row. An **induction head** reads A, finds the earlier A, looks at "
        "the B behind it, and makes B likelier."
    ),
    core=False,
    controls={"tg_dice": 0, **_HEAD},
    presets=(
        Preset(
            label=message("A model that must copy"),
            state={"tg_model": "gpt-repeats", "tg_layer": "1", "tg_head": "3"},
            look=message("Look at prefix matching in layer 1: all four heads are dark, and they copy as well."),
        ),
        Preset(
            label=message("Who prepares it"),
            state={"tg_model": "gpt-repeats", "tg_layer": "0", "tg_head": "0"},
            look=message("Look at previous token in layer 0: this head tells each place what came before it."),
        ),
        Preset(
            label=message("Poems do not repeat"),
            state={"tg_model": "gpt-verse-zh"},
            look=message("Look for dark cells in prefix matching: there are none, for poems leave nothing to copy."),
        ),
    ),
)

LESSON = Lesson(
    stem="text_generation",
    scenes=(WATCH, ALTERNATIVES, LOOKED, WHAT_IF, LENS, INDUCTION),
    shared=_SHARED,
    parts={"tg_part": _PARTS},
)
