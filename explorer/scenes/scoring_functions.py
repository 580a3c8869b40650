"""The scenes of the scoring functions."""

from explorer.records.language import english as message
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

_DRAW = {"sf_keys": 8, "sf_t": 1.0, "sf_seed": 0}
_VECTORS = {"sf_d": 16, "sf_dk": "same", "sf_lengths": "", **_DRAW}

FIT = Scene(
    name="fit",
    title=message("How well does it fit?"),
    question=message("How well does a key fit a query?"),
    lead=message(
        "A score is one number for a :orange[**query**] and a :blue[**key**]. Each formula draws its own landscape "
        "around the same query: the stronger the colour, the better a key would fit there."
    ),
    controls={"sf_formula": "gaussian", "sf_reach": 1.8, "sf_turn": 35, "sf_even": False},
    presets=(
        Preset(
            label=message("Length counts"),
            state={"sf_formula": "dot"},
            look=message("Look for straight lines across the query: the far key A wins, though it points aside."),
        ),
        Preset(
            label=message("Only direction"),
            state={"sf_formula": "cosine"},
            look=message("Look for rays: length is gone, and the weights of A, B and C are nearly equal."),
        ),
        Preset(
            label=message("A learned rule"),
            state={"sf_formula": "additive"},
            look=message("Look for bent borders: this small network was trained to choose the key to the left of q."),
        ),
        Preset(
            label=message("Keys equally long"),
            state={"sf_formula": "dot", "sf_even": True},
            look=message("Look at the rows: dot product, cosine and Gaussian now choose the same key."),
        ),
        Preset(
            label=message("A long query"),
            state={"sf_formula": "dot", "sf_reach": 3.0},
            look=message("Look at the rows: the dot product is surer than before, and the cosine has not moved."),
        ),
    ),
    prediction=Prediction(
        question=message("A is far, B is near, C points the same way. Which key does the dot product prefer?"),
        answers={"A": message("A, far"), "B": message("B, near"), "C": message("C, same way")},
        reveals={"sf_formula": "dot"},
        why=message(
            "The dot product multiplies lengths. {winner} gets {weight}: it is {longer} times as long as B, and that "
            "outweighs the {aside}° by which it points aside."
        ),
    ),
)

SCALING = Scene(
    name="scaling",
    title=message("Why divide by √d?"),
    question=message("Why divide by √d?"),
    lead=message(
        "A dot product adds up **d** products. The longer the vectors, the further the scores spread, until the "
        "softmax gives everything to one :blue[**key**] and :violet[**the gradient is lost**]."
    ),
    controls={"sf_long": 32, "sf_which": 1, **_DRAW},
    presets=(
        Preset(
            label=message("Short: d = 2"),
            state={"sf_long": 2},
            look=message("Look for two rows that are nearly alike: dividing by 1.4 hardly matters."),
        ),
        Preset(
            label=message("A usual head: d = 64"),
            state={"sf_long": 64},
            look=message("Look at the scores as they are: nearly all weight goes to one key."),
        ),
        Preset(
            label=message("Very long: d = 512"),
            state={"sf_long": 512},
            look=message("Look at the curve of q·k: little of the gradient is left, while q·k/√d keeps its own."),
        ),
        Preset(
            label=message("Heat it instead"),
            state={"sf_long": 64, "sf_t": 8.0},
            look=message("Look at both rows: a temperature of 8 = √64 does for q·k what √d did, and q·k/√d blurs."),
        ),
    ),
    prediction=Prediction(
        question=message("With d = 512, how much of the gradient is left if we do not divide?"),
        answers={"half": message("half"), "quarter": message("a quarter"), "eighth": message("an eighth")},
        reveals={"sf_long": 512},
        why=message(
            "{left} is left. The variance of the scores grows like d: it is {variance} here, and in {frozen} of the "
            "queries one key takes more than 99 %."
        ),
    ),
)

SEVEN = Scene(
    name="seven",
    title=message("Seven at once"),
    question=message("Seven scores, the same vectors: who decides how?"),
    lead=message(
        "Each tile has a row for each :orange[**query**] and a column for each :blue[**key**]. All seven functions "
        "meet the same random vectors; those with parameters are untrained."
    ),
    core=False,
    controls={"sf_shown": "weights", **_VECTORS},
    presets=(
        Preset(
            label=message("Long vectors"),
            state={"sf_d": 512},
            look=message("Look for rows with one strong cell: dot product and Gaussian have decided."),
        ),
        Preset(
            label=message("Keys longer than queries"),
            state={"sf_dk": "64", "sf_shown": "scores"},
            look=message("Look for what is missing: only functions with weights between query and key can score."),
        ),
        Preset(
            label=message("Sharp, with padding"),
            state={"sf_t": 0.2, "sf_lengths": "3, 5, 8"},
            look=message("Look for hatched cells: these keys may not be seen, and the others share the weight."),
        ),
    ),
)

ONE_FUNCTION = Scene(
    name="one_function",
    title=message("One taken apart"),
    question=message("From scores to outputs: what does one function do?"),
    lead=message(
        "Scores first, then the softmax of each row, then the average of the :green[**values**] with these weights."
    ),
    core=False,
    controls={"sf_function": "scaled_dot", **_VECTORS},
    presets=(
        Preset(
            label=message("Undivided"),
            state={"sf_function": "dot", "sf_d": 128},
            look=message("Look at the weights: each query has all but chosen one key, and copies its value."),
        ),
        Preset(
            label=message("Cosine is shy"),
            state={"sf_function": "cosine", "sf_d": 128},
            look=message("Look for even weights: scores between −1 and 1 are too close for a softmax to choose."),
        ),
        Preset(
            label=message("A sharp Gaussian, with padding"),
            state={"sf_t": 0.2, "sf_lengths": "3, 5, 8", "sf_function": "gaussian"},
            look=message("Look for hatched cells: what is masked has a score, but no weight."),
        ),
    ),
)

NUMBERS = Scene(
    name="numbers",
    title=message("In numbers"),
    question=message("What does each function cost, and how sure is it?"),
    lead=message("One measure of all seven functions on the same random vectors."),
    core=False,
    controls={"sf_measure": "variance", **_VECTORS},
    presets=(
        Preset(
            label=message("Operations"),
            state={"sf_measure": "flops"},
            look=message("Look at additive and concat: one function, two prices."),
        ),
        Preset(
            label=message("Parameters"),
            state={"sf_measure": "parameters"},
            look=message("Look for the functions with nothing to learn: four of the seven."),
        ),
        Preset(
            label=message("How sure?"),
            state={"sf_measure": "largest", "sf_d": 128},
            look=message("Look at the longest bars: long vectors make dot product and Gaussian sure of one key."),
        ),
    ),
)

ONE_ANOTHER = Scene(
    name="one_another",
    title=message("Which are one another"),
    question=message("Which of the seven are one another?"),
    lead=message("Two functions, the same queries and keys. Where all dots lie on the line, both say the same."),
    core=False,
    controls={"sf_pair": "concat_is_additive", **_VECTORS},
    presets=(
        Preset(
            label=message("Projecting is bilinear"),
            state={"sf_pair": "projecting_is_general"},
            look=message("Look for dots on the line: two projections and a dot product are one matrix W."),
        ),
        Preset(
            label=message("Not the same"),
            state={"sf_pair": "gaussian_and_dot"},
            look=message("Look for dots away from the line: the Gaussian also looks at the length of the key."),
        ),
        Preset(
            label=message("Made the same"),
            state={"sf_pair": "equal_norms"},
            look=message("Look for dots back on the line: once all keys are equally long, the difference is gone."),
        ),
    ),
)

LENGTHS = Scene(
    name="lengths",
    title=message("Longer vectors"),
    question=message("What else changes as vectors grow longer?"),
    lead=message(
        "Variance of the scores, entropy and largest weight, and the gradient that passes the softmax, from d = 2 to "
        "512."
    ),
    core=False,
    controls=_DRAW,
    presets=(
        Preset(
            label=message("Two keys"),
            state={"sf_keys": 2},
            look=message("Look at the entropy: with two keys there is less to share, and the gradient starts higher."),
        ),
        Preset(
            label=message("Hot"),
            state={"sf_t": 10.0},
            look=message("Look at the largest weight: heat delays the choice of q·k, it does not prevent it."),
        ),
        Preset(
            label=message("Cold"),
            state={"sf_t": 0.1},
            look=message("Look at q·k/√d: at a tenth of the temperature even divided scores choose one key."),
        ),
    ),
)

TRAINED = Scene(
    name="trained",
    title=message("Additive, trained"),
    question=message("Would trained additive attention become the dot product?"),
    lead=message(
        "The task: find the key of which the query is a noisy copy. Its best possible score is known, a dot product. "
        "Three functions learn it now, on this machine."
    ),
    core=False,
    controls={
        "sf_fd": 8,
        "sf_noise": 1.0,
        "sf_offset": 0.0,
        "sf_steps": 300,
        "sf_look": "learning",
        "sf_seed": 0,
    },
    presets=(
        Preset(
            label=message("Keys away from 0"),
            state={"sf_offset": 1.0, "sf_steps": 600},
            look=message("Look at additive without a bias: it learns now, for the keys' mean does for it what b does."),
        ),
        Preset(
            label=message("Little noise"),
            state={"sf_noise": 0.4},
            look=message("Look at the losses: the task is easy now, and still additive without a bias only guesses."),
        ),
        Preset(
            label=message("What they learned"),
            state={"sf_look": "weights"},
            look=message("Look for the diagonal: in three tiles of four the right key gets the weight."),
        ),
    ),
)

LESSON = Lesson(
    stem="scoring_functions",
    scenes=(FIT, SCALING, SEVEN, ONE_FUNCTION, NUMBERS, ONE_ANOTHER, LENGTHS, TRAINED),
)
