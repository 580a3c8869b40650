"""The scenes of the scoring functions."""

from explorer.scenes import book
from explorer.scenes.controls import Buttons, Select, SelectSlider, Slider, TextInput, Toggle
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene

#: Lengths of vectors that are measured.
MEASURED = (2, 4, 8, 16, 32, 64, 128, 256, 512)
_LENGTHS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
QUERY = SelectSlider("d, length of the queries", _LENGTHS, default=16, name="d_query")
KEYS = Slider("Number of keys", 2, 32, default=8, name="n_keys", more=True)
_EXAMPLE = "all keys, or for example 3, 5, 8"
_EACH = "How many keys each query may attend to, one number for each query; the last holds for the rest."
VALID = TextInput("Valid lengths", 40, default="", name="valid_lengths", more=True, placeholder=_EXAMPLE, help=_EACH)
REACH = Slider("Length of the query", 0.2, 3.0, 0.1, default=1.8)
TURN = Slider("Direction of the query", 0, 360, 5, default=35, format="%d°")
WHICH = Slider("Which query?", 1, 6, default=1)
_SEED = Slider("Seed", 0, 99, default=0, more=True)
_TEMPERATURE = Slider("Temperature", 0.1, 10.0, 0.1, default=1.0, name="temperature", more=True)
_DRAW = {"sf_keys": KEYS, "sf_t": _TEMPERATURE, "sf_seed": _SEED}
_SAME = {"same": "same as queries", **{str(length): str(length) for length in QUERY.options}}
_KEY = Select("Length of the keys", _SAME, default="same", name="d_key", more=True)
_VECTORS = {"sf_d": QUERY, **_DRAW, "sf_dk": _KEY, "sf_lengths": VALID}

FIT = Scene(
    name="fit",
    title="How well does it fit?",
    question="How well does a key fit a query?",
    lead=(
        "A score says how well a :blue[**key**] fits the :orange[**query**]. Each formula colours the plane: the "
        "stronger, the better a key fits there."
    ),
    controls={
        "sf_formula": "dot",
        "sf_reach": REACH,
        "sf_turn": TURN,
        "sf_even": Toggle("Make all keys equally long", default=False, more=True),
        "sf_every": Toggle("Three more formulas", default=False, more=True),
    },
    presets=(
        Preset(
            "Only distance",
            {"sf_formula": "gaussian"},
            "Look for circles around the tip of the query: the near key B wins, long or short.",
        ),
        Preset(
            "Only direction",
            {"sf_formula": "cosine"},
            "Look for rays: length is gone, and the weights of A, B and C are nearly equal.",
        ),
        Preset(
            "A learned rule",
            {"sf_formula": "additive", "sf_every": True},
            "Look for bent borders: this small network was trained to choose the key to the left of q.",
        ),
        Preset(
            "Keys equally long",
            {"sf_even": True},
            "Look at the rows: dot product, cosine and Gaussian now choose the same key.",
        ),
        Preset(
            "A long query",
            {"sf_reach": 3.0},
            "Look at the rows: the dot product is surer than before, and the cosine has not moved.",
        ),
    ),
    prediction=Prediction(
        question="The stronger the colour, the higher the score. Which key does the dot product prefer?",
        answers={"A": "A, far", "B": "B, near", "C": "C, same way"},
        reveals={},
        why=(
            "{winner} gets {weight}: it lies {longer} times as far from the middle as B, and that outweighs the "
            "{aside}° by which it points aside."
        ),
    ),
)

_QUERIES = "2.2 0.7, -1.2 1.5, 0.3 -1.1"
_KEYS = "2.9 1.2, 1.4 -0.9, -0.4 3.5, -2.1 1.9, -1.5 -1.5, 0.8 -3"
_TEN_EQUAL = ", ".join(["1 1"] * 10)

BESIDE = Scene(
    name="additive_beside_dot",
    title="Additive beside dot",
    question="Additive or dot product?",
    lead=(
        "A :green[**dot product**] multiplies query and key; :violet[**additive**] lets a small network judge. Which "
        "one finds the key that the :orange[**query**] points at (dashed)? **Drag a point.**"
    ),
    controls={
        "sf_rule": "ahead",
        "sf_second": "additive",
        "sf_maps": "weights",
        "sf_valid": VALID,
        "sf_queries": _QUERIES,
        "sf_points": _KEYS,
        "sf_start": 0,
    },
    presets=(
        Preset(
            "Nearest is right",
            {"sf_rule": "nearest"},
            "Look at query 3: the dot product prefers F, a long key. Additive finds B, the near one.",
        ),
        Preset(
            "No key far away",
            {"sf_points": _KEYS.replace("-0.4 3.5", "0.5 2.2")},
            "Look at query 2: key C has come closer. The dot product no longer prefers it and finds D.",
        ),
        Preset(
            "Equal keys (textbook)",
            {
                "sf_rule": "none",
                "sf_queries": "2.6 -0.6, -1.6 -1.4",
                "sf_points": _TEN_EQUAL,
                "sf_valid": "2, 6",
                "sight": "map",
            },
            "Look at both maps: of ten equal keys 2 and 6 may be seen, and no score can prefer one. Drag one away.",
        ),
        Preset(
            "Add instead",
            {"sf_second": "sum", "sight": "map"},
            "Look at the rows of the sum: all are alike. A query adds the same to every key, and softmax loses it.",
        ),
        Preset(
            "Untrained",
            {"sf_rule": "none", "sight": "map"},
            "Look at the pale map: random weights hardly decide. The dot product decides, and has learned nothing.",
        ),
    ),
    prediction=Prediction(
        question="Query 2 points at D (dashed); C lies farther out. Which of the two scores finds D?",
        answers={"dot": "only the dot product", "additive": "only additive", "both": "both", "neither": "neither"},
        reveals={},
        told=True,
        why=(
            "The dot product gives “{far}” {share} of the weight: a product grows with the length of the key. On "
            "unseen queries it finds {dot} of the right keys, additive {additive}: a network learns to bend."
        ),
    ),
)

SCALING = Scene(
    name="scaling",
    title="Why divide by √d?",
    question="Why divide by √d?",
    lead=(
        "A dot product adds up **d** products: the more, the further scores spread, until one :blue[**key**] takes "
        "all. Dividing by √d prevents that. **Move d.**"
    ),
    controls={
        "sf_long": SelectSlider("d, how many numbers", MEASURED, default=32, name="d"),
        "sf_which": WHICH,
        **_DRAW,
    },
    presets=(
        Preset(
            "Short: d = 2", {"sf_long": 2}, "Look for two rows that are nearly alike: dividing by 1.4 hardly matters."
        ),
        Preset(
            "A usual head: d = 64",
            {"sf_long": 64},
            "Look at the scores as they are: nearly all weight goes to one key.",
        ),
        Preset(
            "Very long: d = 512",
            {"sf_long": 512},
            "Look at the curve of q·k: a score hardly changes the weights any more, while with q·k/√d it does.",
        ),
        Preset(
            "Raise the temperature",
            {"sf_long": 64, "sf_t": 8.0},
            "Look at both rows: a temperature of 8 = √64 does for q·k what √d did, and q·k/√d blurs.",
        ),
    ),
    prediction=Prediction(
        question="Here d = 32. Sixteen times as many numbers: what do the lower scores, divided by √d, do?",
        answers={"wider": "spread further", "same": "stay as they are", "narrower": "come closer"},
        reveals={"sf_long": 512},
        why=(
            "Their spread stays {divided}; undivided it is now {spread}. There one key takes more than 99% in "
            "{frozen} of the queries, and only {left} of the gradient is left: little can be learned."
        ),
    ),
    experiment=Experiment(
        kind="number",
        question="We do not divide by √d. From which d on do half of all queries give over 99% to one key?",
        number=Slider("d, how many numbers", 2, 512, default=8),
        log=True,
        why=(
            "From about d = {best} on. At d = 64, a usual head, it is {usual} of the queries; divided by √d it is "
            "{divided}, whatever d is."
        ),
    ),
)

SEVEN = Scene(
    name="seven",
    title="Seven at once",
    question="Seven scores, the same vectors: who decides how?",
    lead=(
        "Each tile has a row for each :orange[**query**] and a column for each :blue[**key**]. All seven functions "
        "meet the same random vectors; those with parameters are untrained."
    ),
    core=False,
    controls={
        "sf_shown": Buttons("Show", {name: name for name in ("weights", "scores", "output")}, default="weights"),
        **_VECTORS,
    },
    presets=(
        Preset(
            "Long vectors",
            {"sf_d": 512},
            "Look for rows with one strong cell: divided by √d, a dot product decides far less.",
        ),
        Preset(
            "Keys longer than queries",
            {"sf_dk": "64", "sf_shown": "scores"},
            "Look for what is missing: only functions with weights between query and key can score.",
        ),
        Preset(
            "Sharp, with padding",
            {"sf_t": 0.2, "sf_lengths": "3, 5, 8"},
            "Look for hatched cells: these keys may not be seen, and the others share the weight.",
        ),
    ),
)

ONE_FUNCTION = Scene(
    name="one_function",
    title="One taken apart",
    question="From scores to outputs: what does one function do?",
    lead="Scores first, then the softmax of each row, then the average of the :green[**values**] with these weights.",
    core=False,
    controls={"sf_function": "scaled_dot", **_VECTORS},
    presets=(
        Preset(
            "Undivided",
            {"sf_function": "dot", "sf_d": 128},
            "Look at the weights: each query has all but chosen one key, and copies its value.",
        ),
        Preset(
            "Cosine is shy",
            {"sf_function": "cosine", "sf_d": 128},
            "Look for even weights: scores between −1 and 1 are too close for a softmax to choose.",
        ),
        Preset(
            "A sharp Gaussian, with padding",
            {"sf_t": 0.2, "sf_lengths": "3, 5, 8", "sf_function": "gaussian"},
            "Look for hatched cells: what is masked has a score, but no weight.",
        ),
    ),
)

NUMBERS = Scene(
    name="numbers",
    title="In numbers",
    question="What does each function cost, and how sure is it?",
    lead="One measure of all seven functions on the same random vectors.",
    core=False,
    controls={"sf_measure": "variance", **_VECTORS},
    presets=(
        Preset("Operations", {"sf_measure": "flops"}, "Look at additive and concat: one function, two prices."),
        Preset(
            "Parameters",
            {"sf_measure": "parameters"},
            "Look for the functions with nothing to learn: four of the seven.",
        ),
        Preset(
            "How sure?",
            {"sf_measure": "largest", "sf_d": 128},
            "Look at the longest bars: long vectors make dot product, bilinear score and Gaussian sure of one key.",
        ),
    ),
)

ONE_ANOTHER = Scene(
    name="one_another",
    title="Which are one another",
    question="Which of the seven are one another?",
    lead="Two functions, the same queries and keys. Where all dots lie on the line, both say the same.",
    core=False,
    controls={"sf_pair": "concat_is_additive", **_VECTORS, "sf_lengths": ""},
    presets=(
        Preset(
            "Projecting is bilinear",
            {"sf_pair": "projecting_is_general"},
            "Look for dots on the line: two projections and a dot product are one matrix W.",
        ),
        Preset(
            "Not the same",
            {"sf_pair": "gaussian_and_dot"},
            "Look for dots away from the line: the Gaussian also looks at the length of the key.",
        ),
        Preset(
            "Made the same",
            {"sf_pair": "equal_norms"},
            "Look for dots back on the line: once all keys are equally long, the difference is gone.",
        ),
    ),
)

LENGTHS = Scene(
    name="lengths",
    title="Longer vectors",
    question="What else changes as vectors grow longer?",
    lead=(
        "Variance of the scores, entropy and largest weight, and the gradient that passes the softmax, from d = 2 to "
        "512."
    ),
    core=False,
    controls=_DRAW,
    presets=(
        Preset(
            "Two keys",
            {"sf_keys": 2},
            "Look at the entropy: with two keys there is less to share, at most ln 2.",
        ),
        Preset(
            "Hot", {"sf_t": 10.0}, "Look at the largest weight: heat delays the choice of q·k, it does not prevent it."
        ),
        Preset(
            "Cold", {"sf_t": 0.1}, "Look at q·k/√d: at a tenth of the temperature even divided scores choose one key."
        ),
    ),
)

TRAINED = Scene(
    name="trained",
    title="Additive, trained",
    question="Would trained additive attention become the dot product?",
    lead=(
        "The task: find the key of which the query is a noisy copy. Its best possible score is known, a dot product. "
        "Three functions learn it now, on this machine."
    ),
    core=False,
    controls={
        "sf_moment": "",
        "sf_offset": Slider("Offset of the keys from 0", 0.0, 2.0, 0.1, default=0.0),
        "sf_noise": Slider("Noise of the query", 0.2, 3.0, 0.1, default=1.0),
        "sf_fd": SelectSlider("d, how many numbers", (2, 4, 8, 16, 32), default=8, name="d", more=True),
        "sf_seed": _SEED,
    },
    presets=(
        Preset(
            "Keys away from 0",
            {"sf_offset": 1.0},
            "Look at additive without a bias: it learns now, for the keys' mean does for it what b does.",
        ),
        Preset(
            "After ten steps",
            {"sf_moment": "10"},
            "Look at W: its diagonal stands out. General and additive with a bias find most of the right keys already.",
        ),
        Preset(
            "Long vectors",
            {"sf_fd": 32},
            "Look at additive with a bias: it learns more slowly, and not all. The bilinear score has no trouble.",
        ),
    ),
)

LESSON = Lesson(
    stem="scoring_functions",
    book=(book.SCORING,),
    scenes=(FIT, BESIDE, SCALING, SEVEN, ONE_FUNCTION, NUMBERS, ONE_ANOTHER, LENGTHS, TRAINED),
    exercises=4,
)
