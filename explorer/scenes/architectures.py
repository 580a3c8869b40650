"""The scenes of architectures compared."""

from explorer.scenes import book
from explorer.scenes.controls import Buttons, Control, SelectSlider, Slider
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: Sixteen words: the last must agree with the first.
SENTENCE = "Cats that we saw in the old garden behind the house by the lake often sleep"
FIRST = Slider("From word", 1, 16, default=1)
KERNEL = SelectSlider("k, kernel of the convolution", (3, 5, 7, 9, 15, 31), default=3, more=True)
#: The sizes along each axis: of the curves, and of what is measured.
SIZES: dict[str, Control] = {
    "ar_n": SelectSlider("n, length of the sequence", tuple(2**power for power in range(4, 13)), default=256),
    "ar_d": SelectSlider("d, numbers per position", tuple(2**power for power in range(4, 10)), default=64),
    "ar_axis": Buttons("What grows?", {"n": "n grows, d stays", "d": "d grows, n stays"}, default="n", more=True),
    "ar_kernel": KERNEL,
    "ar_heads": SelectSlider("Heads of the attention", (1, 2, 4, 8), default=4, more=True),
}

#: What is shown of what was measured.
SHOWN = Buttons("Show", {"here": "At this size", "curve": "As it grows", "memory": "Memory"}, default="here")

PATHS = Scene(
    name="paths",
    title="How a signal travels",
    question="How far is it from one word to another?",
    lead=(
        "“sleep” must agree with :orange[**Cats**], fifteen words back. **Press ▶**: four networks carry the signal, "
        "step by step."
    ),
    controls={"ar_step": "0", "ar_from": FIRST, "ar_to": Slider("To word", 1, FIRST.high, default=FIRST.high)},
    presets=(
        Preset(
            "All arrived",
            {"ar_step": "16"},
            "Look at the large numbers: attention needs one step, a recurrence one for each word.",
        ),
        Preset(
            "A wider convolution",
            {"ar_step": "16", "ar_kernel": 7},
            "Look at the convolution: with seven words to a layer it needs a third of the layers.",
        ),
        Preset(
            "Neighbours",
            {"ar_step": "16", "ar_from": 15},
            "Look at the large numbers: for neighbours one layer is enough. Only the recurrence reads all words first.",
        ),
        Preset(
            "Look ahead",
            {"ar_step": "16", "ar_from": 16, "ar_to": 1},
            "Look for two networks in which no signal travels back.",
        ),
    ),
    prediction=Prediction(
        question="The convolution (lowest) reads 3 words. After how many layers does the signal arrive?",
        answers={"1": "1", "7": "7 or 8", "15": "15"},
        reveals={"ar_step": "16"},
        why=(
            "Over 3 words each layer carries the signal one word on: {layers} layers. The recurrence reads {read} "
            "words one after another, and self-attention needs {attention} step."
        ),
    ),
)

COSTS = Scene(
    name="costs",
    title="What it costs",
    question="When does looking at everything cost too much?",
    lead=(
        "Self-attention compares every pair of words, so its curve is the steepest. **Move** :orange[**n**] to make "
        "the text longer."
    ),
    controls=SIZES | {"ar_counted": "operations"},
    presets=(
        Preset(
            "A sentence",
            {"ar_n": 32, "ar_d": 512},
            "Look at the bars: for a sentence self-attention needs less than the recurrence.",
        ),
        Preset(
            "A chapter",
            {"ar_n": 4096, "ar_d": 32},
            "Look at the dark part of the bar: nearly all of it compares pairs.",
        ),
        Preset(
            "Longer vectors",
            {"ar_axis": "d", "ar_n": 256},
            "Look for the crossing from the other side: wide vectors make self-attention cheap.",
        ),
        Preset(
            "A wide kernel",
            {"ar_kernel": 31},
            "Look at the convolution: it now costs most until the text is long.",
        ),
        Preset(
            "Memory",
            {"ar_counted": "peak", "ar_n": 4096},
            "Look for a square once more: the map of weights must be held.",
        ),
    ),
    prediction=Prediction(
        question="From n = 256, the upright line, to 4096: how much more does self-attention cost?",
        answers={"16": "16 times as much", "176": "about 180 times", "256": "256 times"},
        reveals={"ar_n": 4096},
        why=(
            "The projections grow 16 times, the pairs 256 times. Of {before} multiply-adds {pairs} compared pairs "
            "before; afterwards it is {after} in all: {times} times as many."
        ),
    ),
)

MEASURED = Scene(
    name="measured",
    title="Measured here",
    question="Does the machine agree with the counts?",
    lead=("Above: how much each layer must compute. Below: how long it takes on this machine. Do the bars look alike?"),
    controls=SIZES | {"ar_beside": SHOWN},
    presets=(
        Preset(
            "Wider vectors",
            {"ar_axis": "d", "ar_n": 128, "ar_beside": "curve"},
            "Look for points above the dotted lines: there the count alone does not explain the time.",
        ),
        Preset(
            "A wide kernel",
            {"ar_kernel": 31, "ar_beside": "curve"},
            "Look at the convolution: its count is ten times as large. Compare its points with the dotted line.",
        ),
        Preset(
            "Memory of eight heads",
            {"ar_heads": 8, "ar_beside": "memory"},
            "Look at the memory: the count is the same, but every head holds a map.",
        ),
    ),
    prediction=Prediction(
        question="Self-attention computes more than the recurrence. Which of the two is faster here?",
        answers={"attention": "self-attention", "recurrence": "the recurrence"},
        reveals={"ar_n": 256},
        why=(
            "Counted: {times} times the recurrence’s multiply-adds. Measured here: self-attention {attention} ms, the "
            "recurrence {recurrence} ms: {ratio} times as long. A count is not a time."
        ),
        told=True,
    ),
)

MISLEAD = Scene(
    name="mislead",
    title="Why the counts mislead",
    question="Why is a multiply-add not always worth the same?",
    lead=(
        "If counts were times, each layer would do equally many multiply-adds a second at every size. Here is how many "
        "it does."
    ),
    core=False,
    controls=SIZES,
    presets=(
        Preset(
            "d grows", {"ar_axis": "d"}, "Look at the recurrence: its steps stay as many, but each is a larger product."
        ),
        Preset(
            "Eight heads",
            {"ar_heads": 8},
            "Look at self-attention: the count is the same, in more and smaller products.",
        ),
    ),
)

LESSON = Lesson(
    stem="architectures",
    book=(book.SELF_ATTENTION,),
    scenes=(PATHS, COSTS, MEASURED, MISLEAD),
    shared={"ar_kernel": KERNEL},
)
