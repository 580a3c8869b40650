"""The scenes of vision."""

from typing import Any

from explorer.scenes import book
from explorer.scenes.controls import Buttons, Slider, Toggle
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: The whole head of the cat, which the Transformer takes for a frog.
_WHOLE_HEAD: dict[str, Any] = {"vi_zoom": 1.0, "vi_across": 35, "vi_down": 0}
_HORSE: dict[str, Any] = {"vi_picture": "horse", "vi_zoom": 1.0, "vi_across": 50, "vi_down": 50}
_ROCKET: dict[str, Any] = {"vi_picture": "rocket", "vi_zoom": 1.0, "vi_across": 50, "vi_down": 50}
#: The pupil, numbered from 1 row by row; 0 is the class token.
PUPIL = 12
QUERY = Slider("Who asks? 0: the summary (class token)", 0, 64, default=PUPIL)
_OVERLAYS = {
    "head": "One head",
    "mean": "Mean of the layer",
    "rollout": "Rollout up to the layer",
    "journey": "One query, number by number",
}
_MEASURES = {
    "rollout": "Rollout, layer by layer",
    "distance": "How far heads look",
    "positions": "Position codes",
}
ZOOM = Slider("Zoom", 1.0, 4.0, 0.1, default=1.4)
FRAME = {
    "vi_zoom": ZOOM,
    "vi_across": Slider("Across (%)", 0, 100, 5, default=30),
    "vi_down": Slider("Down (%)", 0, 100, 5, default=100),
}
#: A head in which a patch looks along its row.
_PUPIL_ASKS = {"vi_query": PUPIL, "vi_layer": "0", "vi_head": "1"}

LOOK = Scene(
    name="look",
    title="Let a patch look",
    question="What does a patch of a picture look at?",
    lead=(
        "The patch on the pupil :orange[**asks**]: the **yellower** a patch, the more it looks there. **Point** at "
        "another."
    ),
    controls={
        "vi_query": QUERY,
        "vi_layer": "5",
        "vi_head": "3",
        "vi_shown": Buttons("Show", _OVERLAYS, default="head"),
        "vi_look": Buttons("As", {"colour": "Colour", "light": "Light"}, default="colour"),
        "vi_seen": Toggle("As the model sees it (32 × 32)", default=False),
    },
    presets=(
        Preset(
            "Along the row", _PUPIL_ASKS, "Look at the coloured patches: in this head the pupil looks along its row."
        ),
        Preset(
            "One for all",
            {"vi_layer": "1", "vi_head": "0"},
            "Look at the blue frame, then click other patches: does it stay where it is?",
        ),
        Preset(
            "The horse",
            {**_HORSE, "vi_query": 0},
            "Look at the coloured patches: the summary (class token) gathers what the picture shows.",
        ),
        Preset(
            "Number by number",
            {**_PUPIL_ASKS, "vi_shown": "journey"},
            "Look how the pupil’s query meets other keys when you press ▶; a patch is named by row and column.",
        ),
        Preset(
            "Where it goes wrong",
            {**_WHOLE_HEAD, "vi_query": 0, "vi_shown": "mean"},
            "Look at the answers: the two models disagree about the whole head of the same cat.",
        ),
    ),
    prediction=Prediction(
        question="The patch in the orange frame asks. Where does most of its weight go?",
        answers={"near": "to itself and the patches around it", "far": "farther away"},
        reveals={"vi_shown": "head"},
        why=(
            "{far} goes farther away, and most of all to {best}: {weight}. Nothing keeps a patch near home: in every "
            "layer it can reach the whole picture."
        ),
    ),
)

HEADS = Scene(
    name="heads",
    title="Every head",
    question="Do all heads look at the same patches?",
    lead=(
        "Each tile is one head. The same patch :orange[**asks**] in all of them; **yellow** is where it looks "
        "most. **Click a tile.**"
    ),
    controls={"vi_query": QUERY},
    presets=(
        Preset(
            "The summary",
            {"vi_query": 0},
            "Look along a row: heads with the same number look at different patches in different layers.",
        ),
        Preset(
            "A corner",
            {"vi_query": 64},
            "Look for tiles with one yellow patch and little else: the reading says which is the sharpest.",
        ),
        Preset("The rocket", _ROCKET, "Look for the foot of the rocket: several heads are yellow there."),
    ),
    prediction=Prediction(
        question="In each of the 24 tiles, one patch is the yellowest. How many different patches are that?",
        answers={"few": "at most 8", "some": "9 to 16", "many": "17 to 24"},
        reveals={"vi_query": PUPIL},
        why="{count} different patches. Each head has queries and keys of its own.",
    ),
)

HIDE = Scene(
    name="hide",
    title="Hide a patch",
    question="Which patch does the answer depend on?",
    lead="**Click a patch** to hide it, and see the answers move. Is a large weight a large effect?",
    controls={"vi_hidden": "", "vi_off": "", "vi_worth": "answers"},
    presets=(
        Preset(
            "Each patch alone",
            {"vi_worth": "patches"},
            "Look for the cell of the strongest blue: without that patch the answer loses most.",
        ),
        Preset(
            "Each head alone",
            {"vi_worth": "heads"},
            "Look at the first row: what is lost without a head of the first layer.",
        ),
        Preset(
            "The upper half",
            {"vi_hidden": " ".join(map(str, range(1, 33)))},
            "Look at the hatched bars, which are the answers before: the eye is gone.",
        ),
        Preset(
            "Two heads off",
            {"vi_off": "0.0 0.1"},
            "Look at the Transformer’s bars: all patches are there, but two heads add nothing.",
        ),
    ),
    prediction=Prediction(
        question="In the end, the model looks most at the patch in the blue frame. Hide it: what becomes of “cat”?",
        answers={"half": "it falls below half", "less": "it falls, but not so far", "kept": "it does not fall"},
        reveals={"vi_hidden": "47"},
        why=(
            "The Transformer’s probability goes from {before} to {after}. A large weight does not prove importance. "
            "The patch that it misses most is {missed}: {change}."
        ),
    ),
)

PIXELS = Scene(
    name="pixels",
    title="Pixels to a vector",
    question="How does a patch become a vector?",
    lead=(
        "In the first vision Transformer **one linear map** turns a patch’s numbers into its vector. This model "
        "takes three small **convolutions**. How far would one linear map get?"
    ),
    core=False,
    controls={"vi_query": QUERY},
    presets=(
        Preset(
            "A corner",
            {"vi_query": 1},
            "Look at the dashed frame: it leaves the picture, and the convolutions read zeros there.",
        ),
        Preset(
            "The rocket",
            {**_ROCKET, "vi_query": 37},
            "Look at the second R²: on this picture the linear map is no better than a mean.",
        ),
    ),
)

WHOLE = Scene(
    name="whole",
    title="The whole model",
    question="What comes of all heads and layers together?",
    lead=(
        "A head shows one step. Three measures look at the whole: what has **reached** a patch, how **far** heads "
        "look, and what the model learned about **places**."
    ),
    core=False,
    controls={"vi_more": Buttons("Of the whole model", _MEASURES, default="rollout"), "vi_query": QUERY},
    presets=(
        Preset(
            "What reaches the summary",
            {"vi_query": 0},
            "Look from tile to tile: how does what has arrived change from layer to layer?",
        ),
        Preset(
            "Near and far",
            {"vi_more": "distance"},
            "Look at the dashed line: a head that looks everywhere alike would stand there.",
        ),
        Preset(
            "Learned places",
            {"vi_more": "positions"},
            "Look for the orange spot that moves from tile to tile: neighbours have similar codes.",
        ),
    ),
)

CHANNELS = Scene(
    name="channels",
    title="Channels",
    question="What if no query asks, and channels are weighed?",
    lead=(
        "A convolutional network holds the picture as one map for each **channel**. Squeeze-and-excitation gives each "
        "channel a **gate** between 0 and 1."
    ),
    core=False,
    controls={"vi_site": "0"},
    presets=(
        Preset(
            "The last stage", {"vi_site": "2"}, "Look at the bars: they say how far the gates of this stage spread."
        ),
        Preset(
            "The horse",
            {**_HORSE, "vi_site": "2"},
            "Look at the marks: they show the usual gate, and the bars this picture’s.",
        ),
    ),
)

THREE = Scene(
    name="three",
    title="Three kinds of attention",
    question="What does each kind of attention decide?",
    lead=(
        "**Self-attention** shares out a sum of 1. **Spatial attention** opens each place by itself. **Channel "
        "attention** weighs what, not where."
    ),
    core=False,
    presets=(
        Preset("The horse", _HORSE, "Look at the first two pictures: only the first has to share."),
        Preset(
            "The rocket",
            _ROCKET,
            "Look at the first picture: the class token weighs the bottom row, its lights and the rocket’s foot.",
        ),
    ),
)

LESSON = Lesson(
    stem="vision",
    book=(book.VISION,),
    scenes=(LOOK, HEADS, HIDE, PIXELS, WHOLE, CHANNELS, THREE),
    shared={"vi_picture": "cat", **FRAME},
)
