"""The scenes of the training lab."""

from typing import Any

from explorer.records.language import english as message
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: Everything that is set before a training starts. It also says which recorded training stands on the stage.
SETTINGS: dict[str, Any] = {
    "tl_task": "reverse",
    "tl_family": "recurrent",
    "tl_mechanism": "additive",
    "tl_cell": "gru",
    "tl_context": "input",
    "tl_width": 128,
    "tl_layers": 1,
    "tl_heads": 4,
    "tl_inner": 256,
    "tl_position": "sinusoidal",
    "tl_rate": 0.003,
    "tl_batch": 64,
    "tl_seed": 1,
    "tl_steps": 600,
    "tl_minutes": 3.0,
}
#: What is looked at. `tl_stage` is `recorded`, one of the reader's trainings, or empty: the newest there is.
LOOK: dict[str, Any] = {"tl_stage": "", "tl_step": "newest", "tl_digit": "0"}
_RECORDED = {"tl_stage": "recorded"}
_TRANSFORMER = {"tl_family": "transformer", "tl_width": 64, "tl_rate": 0.005, "tl_steps": 1000, **_RECORDED}

WATCH = Scene(
    name="watch",
    title=message("Watch it appear"),
    question=message("Where does attention come from?"),
    lead=message(
        "Nobody tells this model where to look. It sees words and the same words **spelt backwards**, 64 at a step. "
        "Play the recorded training, then start your own."
    ),
    controls={
        **LOOK,
        "tl_text": "",
        "tl_layer": "last",
        "tl_head": "mean",
        "tl_reading": "expected",
    },
    presets=(
        Preset(
            label=message("The moment"),
            state={**_RECORDED, "tl_step": "75"},
            look=message("Look at the small maps: within a few steps an even grey becomes a diagonal."),
        ),
        Preset(
            label=message("Without attention"),
            state={**_RECORDED, "tl_mechanism": "none"},
            look=message("Look at the long word: one vector must hold every letter, and the letters change places."),
        ),
        Preset(
            label=message("Dates"),
            state={**_RECORDED, "tl_task": "dates"},
            look=message("Look at the rows: the year stands last and is written first."),
        ),
        Preset(
            label=message("Sort, by a Transformer"),
            state={**_TRANSFORMER, "tl_task": "sort"},
            look=message("Look for a map without any line: each letter looks at its own copy, wherever that stands."),
        ),
        Preset(
            label=message("A drawn digit"),
            state={**_RECORDED, "tl_task": "digits", "tl_steps": 400},
            look=message("Look at the framed pixels: that is the ink. Does the weight lie on it?"),
        ),
        Preset(
            label=message("A Transformer reads the digit"),
            state={**_TRANSFORMER, "tl_task": "digits", "tl_steps": 600},
            look=message("Look at how slowly it begins: it must learn from scratch which pixels lie side by side."),
        ),
        Preset(
            label=message("Copy without positions"),
            state={**_TRANSFORMER, "tl_task": "copy", "tl_position": "none"},
            look=message("Look at the tiles: the letters are the right ones, and their order is lost."),
        ),
        Preset(
            label=message("Where it goes wrong"),
            state={**_RECORDED, "tl_rate": 0.1},
            look=message("Look at the curve: the steps are too long, and what was learned is lost again."),
        ),
    ),
    prediction=Prediction(
        question=message("Half of the new words come out right. How much weight lies on exactly the right letter?"),
        answers={
            "under_half": message("under half"),
            "two_thirds": message("about two thirds"),
            "nearly_all": message("nearly all"),
        },
        reveals={**_RECORDED, "tl_step": "90"},
        why=message(
            "After {step} steps {accuracy} of the new words are right, and {share} of the weight lies on exactly the "
            "right letter; with the letters beside it, it is {beside}. A blurred look is enough, for each state knows "
            "its neighbours too."
        ),
    ),
)

COMPARE = Scene(
    name="compare",
    title=message("Compare runs"),
    question=message("What is a look back worth?"),
    lead=message(
        "Two trainings with the same examples, the same seed and everything else alike. They differ in one thing. "
        "The bars say how long a word each can manage."
    ),
    controls={"tl_pair": "attention", "tl_along": "step"},
    presets=(
        Preset(
            label=message("Additive and dot product"),
            state={"tl_pair": "scores"},
            look=message("Look at which curve is first to rise, and which one ends higher."),
        ),
        Preset(
            label=message("With and without positions"),
            state={"tl_pair": "positions"},
            look=message("Look at the curve along the floor: attention alone does not know where a letter stands."),
        ),
        Preset(
            label=message("Two ways to read a picture"),
            state={"tl_pair": "digits"},
            look=message("Look at the start: reading row by row helps before anything is learned."),
        ),
        Preset(
            label=message("Where it goes wrong"),
            state={"tl_pair": "rates"},
            look=message("Look at the loss: it falls, then it jumps up. The learning rate is far too high."),
        ),
    ),
    prediction=Prediction(
        question=message("A step with attention takes longer. Counted in seconds, who is ahead?"),
        answers={
            "with": message("still the one with attention"),
            "alike": message("both are alike"),
            "without": message("the one without"),
        },
        reveals={"tl_along": "seconds"},
        why=message(
            "A step takes {slower} times as long. But {share} of the new words are right after {with_seconds} s with "
            "attention and after {without_seconds} s without."
        ),
    ),
)

OWN_TASK = Scene(
    name="own_task",
    title=message("Your own task"),
    question=message("Does it learn, or does it learn by heart?"),
    lead=message(
        "Bring two columns: what is read, and what is to be written. Until you do, the Roman numerals to 99 stand in. "
        "Every fifth one is held out."
    ),
    core=False,
    controls={"tl_table": "", "tl_unit": "characters", "tl_step": "newest", "tl_digit": "0"},
    presets=(
        Preset(
            label=message("Before the first step"),
            state={"tl_step": "0"},
            look=message("Look at the map: an even grey, and an answer of arbitrary signs."),
        ),
        Preset(
            label=message("The loss parts in two"),
            state={"tl_step": "150"},
            look=message("Look at the two losses: the broad pale one, of held-out examples, stays where it is."),
        ),
    ),
)

BRING = Scene(
    name="bring",
    title=message("Bring a model"),
    question=message("What does a model do that you take home?"),
    lead=message(
        "Take a trained model away as one zip file, open it here on another day, and ask it anything. Until then you "
        "see a map of the recorded training."
    ),
    core=False,
    presets=(),
)

LESSON = Lesson(stem="training_lab", shared=SETTINGS, scenes=(WATCH, COMPARE, OWN_TASK, BRING))
