"""The scenes of the training lab."""

from typing import Any

from explorer.scenes import book
from explorer.scenes.controls import Buttons, Control, Select, SelectSlider, Slider, Toggle, defaults
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

_ENTERS = {
    "input": "before the cell (Bahdanau)",
    "output": "after the cell (Luong)",
    "next": "after it and into the next step (input feeding)",
}
_FORCED = "How often, while training, the decoder reads the right token before it; else it reads its own."
_DROPPED = "While training, so large a share of the attention weights is set to 0."
_SHARES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)
_RATES = (0.0001, 0.0003, 0.001, 0.002, 0.003, 0.005, 0.01, 0.03, 0.1)
_STEPS = (20, 50, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 5000)
_ENDS = "Whichever comes first, the steps or the minutes, ends the training."
#: Of recurrent models alone, of Transformers alone, and of both.
RECURRENT: dict[str, Control] = {
    "tl_cell": Buttons("Cell", {"gru": "GRU", "lstm": "LSTM"}, default="gru"),
    "tl_context": Select("The context enters", _ENTERS, default="input"),
    "tl_forcing": Slider("Teacher forcing", 0.0, 1.0, 0.25, default=1.0, name="teacher_forcing", help=_FORCED),
}
TRANSFORMER: dict[str, Control] = {
    "tl_heads": SelectSlider("Heads", (1, 2, 4, 5, 8), default=4, name="n_heads"),
    "tl_inner": SelectSlider("Feed-forward width", (32, 64, 128, 256, 512), default=256, name="d_ff"),
    "tl_norm": Buttons("Layers normalise", {"pre": "before each step", "post": "after it"}, default="pre"),
    "tl_residual": Buttons("Residual connections", {"on": "yes", "off": "no"}, default="on"),
    "tl_dropped": SelectSlider("Dropout on the weights", _SHARES, default=0.0, name="attention_dropout", help=_DROPPED),
}
EMBEDDING = SelectSlider("Embedding size", (8, 16, 32, 64, 128, 256), default=64, name="d_embedding")
WIDTH = SelectSlider("Hidden size (d_model)", (16, 32, 64, 96, 100, 128, 192, 256), default=128, name="d_model")
TRAINING: dict[str, Control] = {
    "tl_dropout": SelectSlider("Dropout", (0.0, 0.1, 0.2, 0.3, 0.5), default=0.0),
    "tl_rate": SelectSlider("Learning rate", _RATES, default=0.003, name="learning_rate"),
    "tl_batch": SelectSlider("Batch (examples)", (4, 8, 16, 32, 64, 128, 256), default=64),
    "tl_seed": Slider("Seed", 0, 99, default=1),
    "tl_steps": SelectSlider("Steps", _STEPS, default=600),
    "tl_minutes": Slider("At most (minutes)", 0.5, 10.0, 0.5, default=3.0, help=_ENDS),
}
_SHARED: dict[str, Any] = {
    "tl_task": "reverse",
    "tl_family": "recurrent",
    "tl_mechanism": "additive",
    "tl_width": WIDTH,
    "tl_embedding": EMBEDDING,
    "tl_layers": Slider("Layers", 1, 3, default=1, name="n_layers"),
    "tl_position": "sinusoidal",
    "tl_scoring": "scaled_dot",
    **RECURRENT,
    **TRANSFORMER,
    **TRAINING,
}
#: Everything that is set before a training starts. It also says which recorded training stands on the stage.
SETTINGS = defaults(_SHARED)
#: What is looked at. `tl_stage` is `recorded`, one of the reader's trainings, or empty: the newest there is.
LOOK: dict[str, Any] = {"tl_stage": "", "tl_step": "newest", "tl_digit": "0"}
_RECORDED = {"tl_stage": "recorded"}
_TRANSFORMER = {"tl_family": "transformer", "tl_width": 64, "tl_rate": 0.005, "tl_steps": 1000, **_RECORDED}

WATCH = Scene(
    name="watch",
    title="Watch it appear",
    question="Where does attention come from?",
    lead="It learns from examples to spell words **backwards**. Nobody tells it where to look: **watch the map.**",
    controls={**LOOK, "tl_text": "", "tl_layer": "last", "tl_head": "mean", "tl_reading": "expected"},
    presets=(
        Preset(
            "The moment",
            {**_RECORDED, "tl_step": "75"},
            "Look at the small maps: within a few steps an even grey becomes a diagonal.",
        ),
        Preset(
            "Without attention",
            {**_RECORDED, "tl_mechanism": "none"},
            "Look at the long word: one vector must hold every letter, and the letters change places.",
        ),
        Preset(
            "Dates", {**_RECORDED, "tl_task": "dates"}, "Look at the rows: the year stands last and is written first."
        ),
        Preset(
            "Sort, by a Transformer",
            {**_TRANSFORMER, "tl_task": "sort"},
            "Look for a map without any line: each letter looks at its own copy, wherever that stands.",
        ),
        Preset(
            "English to French",
            {**_TRANSFORMER, "tl_task": "en_fr", "tl_batch": 32, "tl_steps": 400},
            "Look at a colour: French writes it behind its noun, so two cells leave the diagonal.",
        ),
        Preset(
            "As in the lecture notes",
            {
                **_TRANSFORMER,
                "tl_task": "en_fr",
                "tl_width": 32,
                "tl_layers": 2,
                "tl_inner": 64,
                "tl_norm": "post",
                "tl_dropout": 0.1,
                "tl_steps": 2000,
            },
            "Look at the curve: two layers and 32 numbers a token, as in the chapter, are enough for short French.",
        ),
        Preset(
            "Couplets",
            {**_RECORDED, "tl_task": "couplets", "tl_batch": 32, "tl_steps": 300},
            "Look at the diagonal: each character answers the one at its own place, and needs no other.",
        ),
        Preset(
            "Real couplets",
            {**_RECORDED, "tl_task": "verses", "tl_batch": 32, "tl_steps": 200},
            "Look at what it writes: scraps of the lines it knows by heart. Too few examples make no poet.",
        ),
        Preset(
            "A drawn digit",
            {**_RECORDED, "tl_task": "digits", "tl_steps": 400},
            "Look at the framed pixels: that is the ink. Does the weight lie on it?",
        ),
        Preset(
            "A Transformer reads the digit",
            {**_TRANSFORMER, "tl_task": "digits", "tl_steps": 600},
            "Look at the curve: it rises late. At first, the Transformer does no better than chance.",
        ),
        Preset(
            "Copy without positions",
            {**_TRANSFORMER, "tl_task": "copy", "tl_position": "none"},
            "Look at the tiles: most letters are right, but their order is lost.",
        ),
        Preset(
            "Where it goes wrong",
            {**_RECORDED, "tl_rate": 0.1},
            "Look at the curve: the steps are too long, and what was learned is lost again.",
        ),
    ),
    prediction=Prediction(
        question="Look at the small maps below. Between which two does it learn most about where to look?",
        answers={"0-30": "steps 0 and 30", "55-85": "steps 55 and 85", "210-300": "steps 210 and 300"},
        reveals={**_RECORDED, "tl_step": "85"},
        why=(
            "There the weight on the right letters grows from {low} to {high}. That is enough: at step {step} "
            "{accuracy} of new words are right, with {share} of the weight on exactly the right letter, {beside} with "
            "those beside it."
        ),
    ),
)

COMPARE = Scene(
    name="compare",
    title="Compare runs",
    question="What is a look back worth?",
    lead="Two trainings, alike but for **one thing**. The bars say how long a word each can manage.",
    controls={
        "tl_pair": "attention",
        "tl_along": "step",
        "tl_loss": Toggle("Draw the loss as well", default=False, more=True),
    },
    presets=(
        Preset(
            "Additive and dot product",
            {"tl_pair": "scores"},
            "Look at which curve is first to rise, and which one ends higher.",
        ),
        Preset(
            "With and without positions",
            {"tl_pair": "positions"},
            "Look at the curve along the floor: attention alone does not know where a letter stands.",
        ),
        Preset(
            "Two ways to read a picture",
            {"tl_pair": "digits"},
            "Look at which curve is first to rise. Width, learning rate and steps differ here as well.",
        ),
        Preset(
            "Where it goes wrong",
            {"tl_pair": "rates", "tl_loss": True},
            "Look at the loss: it falls, then it jumps up. The learning rate is far too high.",
        ),
    ),
    prediction=Prediction(
        question="Without attention, one vector holds the whole word. Which words does it get wrong?",
        answers={"long": "the long ones", "short": "the short ones", "alike": "all alike"},
        reveals={"tl_along": "step"},
        why=(
            "Right are {first} of the words of {short} letters, {last} of those of {long}; with attention {attended}. "
            "A step with attention takes {slower} times as long, and pays: half are right after {with_seconds} s, not "
            "after {without_seconds} s."
        ),
    ),
)

OWN_TASK = Scene(
    name="own_task",
    title="Your own task",
    question="Does it learn, or does it learn by heart?",
    lead=(
        "Bring two columns: what is read, and what is to be written. Until you do, the Roman numerals to 99 stand in. "
        "Every fifth one is held out."
    ),
    core=False,
    controls={"tl_table": "", "tl_unit": "characters", "tl_step": "newest", "tl_digit": "0"},
    presets=(
        Preset(
            "Before the first step",
            {"tl_step": "0"},
            "Look at the map: an even grey, and an answer of arbitrary signs.",
        ),
        Preset(
            "The loss parts in two",
            {"tl_step": "150"},
            "Look at the two losses: the broad pale one, of held-out examples, turns and rises again.",
        ),
    ),
)

BRING = Scene(
    name="bring",
    title="Bring a model",
    question="What can you do with a model that you take home?",
    lead=(
        "Take a trained model away as one zip file, open it here on another day, and ask it anything. Until then you "
        "see a map of the recorded training."
    ),
    core=False,
    presets=(),
)

PARTS = Scene(
    name="parts",
    title="Take a part out",
    question="What does training lose without one of its parts?",
    lead=(
        "Transformers learn the same short French and differ in **one part**. Each was trained with three seeds: the "
        "line is their mean, the band reaches from the lowest to the highest."
    ),
    core=False,
    controls={"tl_part": "depth", "tl_measure": "accuracy", "tl_parts_along": "step"},
    presets=(
        Preset(
            "Without residuals",
            {"tl_part": "residual"},
            "Look at the line along the floor: no seed has learned a single sentence.",
        ),
        Preset(
            "Dropout on the weights",
            {"tl_part": "dropped", "tl_measure": "loss"},
            "Look at the loss in training: what is dropped makes the same sentences harder.",
        ),
        Preset(
            "Additive scores, by the clock",
            {"tl_part": "scoring", "tl_parts_along": "seconds"},
            "Look at where the lines end: the same steps take longer.",
        ),
        Preset(
            "Norm before or after", {"tl_part": "norm"}, "Look at the start: which of the two begins to learn sooner?"
        ),
    ),
    prediction=Prediction(
        question="Without residual connections, how many sentences come out right, compared with a model with them?",
        answers={"nearly_all": "nearly as many", "half": "about half as many", "few": "far fewer"},
        reveals={"tl_part": "residual"},
        why=(
            "After {steps} steps {with_residuals} of the new sentences are right with residual connections, and "
            "{without_residuals} without, mean of three seeds. Without them each part must pass on all that the next "
            "one needs."
        ),
    ),
)

LESSON = Lesson(
    stem="training_lab", book=(book.TRANSFORMER,), shared=_SHARED, scenes=(WATCH, COMPARE, PARTS, OWN_TASK, BRING)
)
