"""The scenes of queries, keys and values."""

from typing import Any

from explorer.scenes import book
from explorer.scenes.controls import Buttons, SelectSlider, Slider
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene

#: Three colours in the plane; a key that is there three times; a long key; numbers on a line.
COLOURS = "a -1.5 1 #0072b2\nb 1.5 1.5 #d55e00\nc 0.5 -1.5 #f0e442"
THRICE = f"{COLOURS}\nd 1.5 1.5 #d55e00\ne 1.5 1.5 #009e73"
LONG = "near 1 1 #0072b2\nlong 3.5 3 #d55e00\nother -1 -1.5 #f0e442"
LINE = "a -3 0 1\nb -1.5 0 3\nc 0 0 2\nd 1.5 0 4\ne 3 0 0.5"

CUES: dict[str, Any] = {
    "qk_readable": 1.0,
    "qk_red": 0.0,
    "qk_drinkable": 0.0,
    "qk_noisy": 0.0,
    "qk_alive": 0.0,
    "qk_salience": 0.3,
    "qk_calm": 0.2,
}
#: 1, 2 and 5 of every decade: from nearly hard to nearly the average.
_DECADES = (*(float(f"{step}e{power}") for power in range(-3, 3) for step in (1, 2, 5)), 1000.0)
_SCORES = {"distance": "distance, −½‖q − k‖²", "dot": "dot product, q · k"}
T = SelectSlider("Temperature T", _DECADES, default=1.0, help="Small: hard look-up. Large: average pooling.")
X = Slider("Query, first number", -4.0, 4.0, 0.05, default=0.5)
ENTRIES: dict[str, Any] = {
    "qk_keys": COLOURS,
    "qk_x": X,
    "qk_y": Slider("Query, second number", X.low, X.high, X.step, default=0.5),
    "qk_score": Buttons("Score", _SCORES, default="distance"),
    "qk_t": T,
}

JOURNEY = Scene(
    name="journey",
    title="One query’s journey",
    question="How does a word find what it looks for?",
    lead=(
        "A word asks with its :orange[**query**]. The better a :blue[**key**] fits, the more of its "
        ":green[**value**] goes into the :violet[**output**]. **Press ▶.**"
    ),
    controls={"qk_numbers": "toy", "qk_ask": "3", "qk_sentence": "The old man lost his red hat."},
    presets=(
        Preset("“warm” asks", {"qk_ask": "4"}, "Look for the thing that is not alive: two products decide."),
        Preset("“cat” asks", {"qk_ask": "1"}, "Look for a query with a single number: only an action fits it."),
        Preset(
            "A trained head: which noun?",
            {"qk_numbers": "noun", "qk_ask": "5"},
            "Look for the noun that “red” belongs to; nobody wrote these numbers.",
        ),
        Preset(
            "A trained head: the word before",
            {"qk_numbers": "before", "qk_ask": "5"},
            "Look one row up: nearly every word looks most at the one before it. Point at others.",
        ),
    ),
    prediction=Prediction(
        question="“its” asks: its query is high at “alive”. Which word’s key fits best?",
        answers={"cat": "“cat”", "its": "“its”", "milk": "“milk”"},
        reveals={"qk_ask": "3"},
        why=(
            "“its” looks for {wanted} of “alive”, and “{word}” offers {offered}: the largest product, and {weight} of "
            "the weight."
        ),
    ),
)

DESK = Scene(
    name="desk",
    title="The desk",
    question="What catches your eye, and what do you look for?",
    lead=(
        "You look for something to read: a :orange[**query**]. The weights move there, from where your eye went "
        "unasked (dotted)."
    ),
    controls=CUES,
    presets=(
        Preset(
            "Something red",
            {"qk_readable": 0.0, "qk_red": 1.0},
            "Look for the book beside the cup: it is red too, but less so.",
        ),
        Preset(
            "To drink, but not red",
            {"qk_readable": 0.0, "qk_drinkable": 1.0, "qk_red": -1.0},
            "Look for the water, which nobody noticed unasked, and for the cup, which is avoided.",
        ),
        Preset(
            "Nothing in particular",
            {"qk_readable": 0.0, "qk_salience": 1.0},
            "Look for discs that fill their dotted rings: to ask for salience alone is not to ask.",
        ),
        Preset(
            "No question at all",
            {"qk_readable": 0.0, "qk_salience": 0.0},
            "Look for eight equal discs: a query of zeros is average pooling.",
        ),
    ),
    prediction=Prediction(
        question="Now it must be to read, and red. What gets the most weight?",
        answers={"cup": "the red cup", "newspaper": "the newspaper", "book": "the book"},
        reveals={"qk_red": 1.0},
        why=(
            "What is wanted adds up. The cup scores {cup}, the newspaper {newspaper} and the book {book}: being good "
            "at both, it gets {weight} of the weight."
        ),
    ),
)

SCORE = Scene(
    name="score",
    title="From key to weight",
    question="How does an object come by its weight?",
    lead=(
        "Multiply the :orange[**query**] by each :blue[**key**], feature by feature, and add up: the score. Softmax "
        "turns scores into weights. **Click a row.**"
    ),
    controls=CUES | {"qk_object": "newspaper"},
    presets=(
        Preset(
            "Red, and to read",
            {"qk_red": 1.0, "qk_object": "book"},
            "Look for the book: no part is the longest, the sum is.",
        ),
        Preset(
            "To drink, but not red",
            {"qk_readable": 0.0, "qk_drinkable": 1.0, "qk_red": -1.0, "qk_object": "cup"},
            "Look for a bar that goes below zero: a negative number in the query asks for absence.",
        ),
        Preset(
            "All share alike",
            {"qk_red": 1.0, "qk_drinkable": 1.0, "qk_calm": 100.0, "qk_object": "cup"},
            "Look at the weights: the scores differ widely, but softmax hardly tells them apart.",
        ),
        Preset(
            "Temperature 0.01",
            {"qk_calm": 0.01, "qk_object": "book"},
            "Look at the weight of the book: a close second by score, it keeps next to nothing.",
        ),
    ),
    prediction=Prediction(
        question="The 0 below “red” in the query becomes 1. Whose score grows most?",
        answers={"cup": "the red cup’s", "newspaper": "the newspaper’s", "book": "the book’s"},
        reveals={"qk_red": 1.0, "qk_object": "cup"},
        why=(
            "1 × {cup} is added to the score of the red cup, 1 × {book} to that of the book, 1 × {newspaper} to that "
            "of the newspaper. The book now leads: {weight} of the weight."
        ),
    ),
)

DICTIONARY = Scene(
    name="dictionary",
    title="A soft dictionary",
    question="What does a dictionary answer when no key matches?",
    lead=(
        "No :blue[**key**] equals the :orange[**query**], so each answers as well as it fits. The "
        ":violet[**answer**] is a mix of their :green[**values**]."
    ),
    controls=ENTRIES,
    presets=(
        Preset(
            "Right on a key", {"qk_x": 1.5, "qk_y": 1.5}, "Look for distance 0: even then the other keys keep a little."
        ),
        Preset(
            "The same key three times",
            {"qk_keys": THRICE},
            "Look for three equal ribbons: the copies share, and together they outweigh the others.",
        ),
        Preset("Almost hard", {"qk_t": 0.01}, "Look for one ribbon that takes all: this is the look-up of a program."),
        Preset(
            "Values that are numbers",
            {"qk_keys": LINE, "qk_x": 1.0, "qk_y": 0.0, "qk_t": 0.5},
            "Look at the answer: it is a mean of numbers, and lies between the two that weigh most.",
        ),
    ),
    prediction=Prediction(
        question="Here the three weights add up to 1. If the query moves far away from every key, their sum …",
        answers={"none": "falls to nearly 0", "half": "falls to about a half", "all": "stays 1"},
        reveals={"qk_x": -4.0, "qk_y": -4.0},
        why=(
            "The nearest key is {distance} away, yet the weights sum to {total}: softmax compares keys with each other "
            "and cannot say “none of these”."
        ),
    ),
    experiment=Experiment(
        kind="number",
        question="Keys at −3, −1.5, 0, 1.5 and 3 hold 1, 3, 2, 4 and 0.5. Where is the answer to a query largest?",
        number=Slider("Query", -4.0, 4.0, 0.05, default=0.0),
        why=(
            "At {best} it is {most}; right on the key of the 4 it is {on}. The neighbours count, too: the best place "
            "leans away from the small value."
        ),
    ),
)

WAYS = Scene(
    name="ways",
    title="From hard to average",
    question="What lies between one answer and the average of all?",
    lead=(
        "A low **temperature**: the best key takes all. A high one: all get the same. Attention is in between. "
        "**Drag the mark.**"
    ),
    controls=ENTRIES,
    presets=(
        Preset(
            "T towards 0",
            {"qk_x": -0.5, "qk_t": 0.01},
            "Look at the strip: the answer at the mark is that of the hard look-up.",
        ),
        Preset(
            "The same key three times",
            {"qk_keys": THRICE},
            "Look at the cold end: the hard look-up takes the first of three equals, softmax never chooses.",
        ),
        Preset(
            "A query between two keys",
            {"qk_x": 0.1, "qk_y": 1.25},
            "Look for how cold it must be until one of them wins.",
        ),
        Preset(
            "Numbers on a line",
            {"qk_keys": LINE, "qk_x": 1.0, "qk_y": 0.0, "qk_t": 0.5},
            (
                "Look for key after key that joins in as it grows warmer: this is kernel regression, and √T is its "
                "width."
            ),
        ),
    ),
    prediction=Prediction(
        question="Move the query, and one end of the picture never changes. Which?",
        answers={"hard": "hard look-up", "average": "average pooling", "neither": "both change"},
        reveals={"qk_x": -1.5, "qk_y": 1.0},
        why=(
            "The query now stands on “{first}”: the hard look-up takes that one, average pooling still gives each "
            "{share}. From key to key the weights move by {now} at T = 1, by {hot} at T = 1000."
        ),
    ),
    experiment=Experiment(
        kind="number",
        question="Cold, the nearest of three keys gets all the weight. At which temperature is it down to a half?",
        number=Slider("Temperature T", 0.01, 100.0, default=0.1),
        log=True,
        why=(
            "At T = {best}. It has {cold} of the weight at T = 0.1 and {hot} at T = 100, hardly more than a third: "
            "then all three count alike."
        ),
    ),
)

PLANE = Scene(
    name="plane",
    title="The plane of queries",
    question="What would every other query be answered?",
    lead=(
        "Each place has the colour of the answer that a query placed there would get. Drag the "
        ":orange[**query**], or a :blue[**key**]."
    ),
    core=False,
    controls=ENTRIES,
    presets=(
        Preset(
            "Hard look-up",
            {"qk_t": 0.01},
            "Look for straight borders: each key rules the places that are nearest to it.",
        ),
        Preset(
            "Average pooling", {"qk_t": 1000.0}, "Look for a single colour: it does not matter where the query stands."
        ),
        Preset(
            "Far from every key, by distance",
            {"qk_x": -4.0, "qk_y": -4.0},
            "Look for how sure it is there: far away the nearest key wins clearly.",
        ),
        Preset(
            "Far from every key, by dot product",
            {"qk_x": -4.0, "qk_y": -4.0, "qk_score": "dot"},
            "Look for rays: direction decides, and a longer query is surer.",
        ),
        Preset(
            "Dot product: a long key beats a near one",
            {"qk_keys": LONG, "qk_x": 1.0, "qk_y": 0.8, "qk_score": "dot"},
            "Look for the winner: “long” lies farther away than “near”, and gets more.",
        ),
        Preset(
            "Numbers on a line: kernel regression",
            {"qk_keys": LINE, "qk_x": 1.0, "qk_y": 0.0, "qk_t": 0.5},
            "Look for upright bands: with all keys on one line only the first number counts.",
        ),
    ),
)

LAYERS = Scene(
    name="layers",
    title="Without a query",
    question="What does attention have that other layers lack?",
    lead=(
        "Five layers weigh the same six words. The fully connected layer was given attention’s own weights. Then words "
        "change places, and **no layer is told**."
    ),
    core=False,
    controls={"ql_order": "written", "ql_first": "1", "ql_second": "5"},
    presets=(
        Preset(
            "“cat” and “milk” swap",
            {"ql_order": "swapped"},
            "Look at the row of “its”: only attention still finds the cat.",
        ),
        Preset(
            "Two neighbours swap",
            {"ql_order": "swapped", "ql_first": "4", "ql_second": "5"},
            "Look at the convolution: it weighs the place before, its own and the next, whoever stands there.",
        ),
        Preset(
            "All backwards",
            {"ql_order": "reversed"},
            "Look at attention’s map: it is turned by half, cell by cell the old one.",
        ),
    ),
    prediction=Prediction(
        question="“cat” and “milk” change places. Which layer’s weights go along with the words?",
        answers={
            "full": "the fully connected layer’s",
            "convolution": "the convolution’s",
            "attention": "attention’s",
        },
        reveals={"ql_order": "swapped"},
        why=(
            "Its weights come from the words themselves: {attention} stays behind. The fully connected layer’s belong "
            "to places, and {full} now goes to the wrong word; of the convolution’s, {convolution}."
        ),
    ),
)

BATCHES = Scene(
    name="batches",
    title="A batch at once",
    question="How are many sentences averaged in one product?",
    lead=(
        "Every sentence of a batch has :blue[**weights**] and :green[**values**] of its own. One batched product makes "
        "every :violet[**output**]; no sentence sees another."
    ),
    core=False,
    controls={
        "qb_numbers": Buttons(
            "Numbers", {"ones": "ones", "mean": "equal weights", "softmax": "softmax"}, default="ones"
        ),
        "qb_batch": Slider("Sentences", 1, 3, default=2),
        "qb_queries": Slider("Queries", 1, 10, default=1, more=True),
        "qb_keys": Slider("Keys", 1, 10, default=4),
        "qb_length": Slider("Numbers in a value", 1, 6, default=6),
        "qb_seed": Slider("Seed", 0, 99, default=0, more=True),
    },
    presets=(
        Preset(
            "Ten equal weights",
            {"qb_numbers": "mean", "qb_keys": 10, "qb_length": 1},
            "Look at the outputs: each is the mean of its own ten values.",
        ),
        Preset(
            "Weights of a softmax",
            {"qb_numbers": "softmax", "qb_queries": 3, "qb_length": 2},
            "Look at the three rows of weights: each query mixes the same values in its own way.",
        ),
        Preset(
            "10 × 10 (textbook)",
            {"qb_numbers": "softmax", "qb_batch": 1, "qb_queries": 10, "qb_keys": 10, "sight": "map"},
            "Look at the rows of random scores after softmax: each sums to 1. Columns need not.",
        ),
    ),
    prediction=Prediction(
        question=("Ten weights of 0.1 meet the values 0…9 in one sentence and 10…19 in the other. What comes out?"),
        answers={
            "apart": "4.5 and 14.5",
            "mixed": "9.5 and 9.5",
            "sums": "45 and 145",
        },
        reveals={"qb_numbers": "mean", "qb_keys": 10, "qb_length": 1},
        why="Each sentence is averaged by itself: {first} is the mean of 0…9, {second} that of 10…19.",
    ),
)

LESSON = Lesson(
    stem="queries_keys_values",
    book=(book.QUERIES,),
    scenes=(JOURNEY, DESK, SCORE, DICTIONARY, WAYS, PLANE, LAYERS, BATCHES),
)
