"""The scenes of the masked softmax."""

from explorer.scenes import book
from explorer.scenes.controls import Slider, Toggle
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene

#: Tokens of the sentence that is drawn on.
_WORDS = 12
_EACH_FAVOURITE = "1:3 2:3 3:3 4:5 5:7 6:7 7:8 8:9 9:10 10:9 11:10 12:2"
_FAR = " ".join(
    f"{row}:{first}-{last}"
    for row in range(1, _WORDS + 1)
    for first, last in ((1, row - 2), (row + 2, _WORDS))
    if first <= last
)
_BACK = "1 allows a query only its own place. With the causal mask the window looks back only."
WINDOW = Slider("Window: allow keys nearer than (0: no window)", 0, 16, default=0, help=_BACK)
_BATCH = {
    "ms_text": "she reads long letters\nthe cat saw the dog and ran\nbirds sing",
    "ms_padding": Toggle("Forbid the padding", default=True),
    "ms_left": Toggle("Padding before the words", default=False),
    "ms_lengths": "",
    "ms_causal": Toggle("Forbid the future (causal)", default=False),
    "ms_window": WINDOW,
    "ms_hand": "",
    "ms_seed": Slider("Seed", 0, 99, default=0),
    "ms_batch": "1",
    "ms_query": "1",
}

PADDING = Scene(
    name="padding",
    title="Hide padding",
    question="How is padding hidden?",
    lead=(
        "A short sentence is filled up with **pad**. The word that :orange[**asks**] must not look there: a mask hides "
        "it. **Switch the mask on.**"
    ),
    controls={"mp_word": "3", "mp_on": False, "mp_head": "2.2"},
    presets=(
        Preset(
            "With the mask",
            {"mp_on": True},
            "Look at the two bars: the hatched part ends, and every other part grows by one factor.",
        ),
        Preset(
            "Who loses most?",
            {"mp_word": "0", "mp_head": "2.0", "mp_on": True},
            "Look at the first row: nearly all of its weight lay on padding.",
        ),
        Preset(
            "A head that hardly needs it",
            {"mp_word": "0", "mp_head": "1.1", "mp_on": True},
            "Look at the two bars: they are alike, because this head gave padding next to nothing.",
        ),
    ),
    prediction=Prediction(
        question="The mask takes the hatched weight from “sleeping”. Who gets it?",
        answers={"even": "all words the same", "proportion": "each in proportion", "nearest": "the nearest word"},
        reveals={"mp_on": True},
        why=(
            "Every word that stays is multiplied by the same 1 / (1 − {lost}), computed before rounding: {factor}. "
            "“{word}” goes from {before} to {after}."
        ),
    ),
)

FUTURE = Scene(
    name="future",
    title="Hide the future",
    question="How is the future hidden?",
    lead=(
        "A model that writes must guess the next word, so no word may look at **later** ones (hatched). **Switch the "
        "mask on.**"
    ),
    controls={"mf_word": "0", "mf_on": False, "mf_head": "3.1"},
    presets=(
        Preset(
            "Hide the future",
            {"mf_word": "7", "mf_on": True},
            "Look for the staircase: each row may see one word more than the row above.",
        ),
        Preset(
            "The first row",
            {"mf_word": "0", "mf_on": True},
            "Look at the second bar: one key is left, so it gets all the weight.",
        ),
        Preset(
            "The last row",
            {"mf_word": "11", "mf_on": True},
            "Look at the two bars: the full stop sees all words, so the mask changes nothing.",
        ),
        Preset(
            "Another head",
            {"mf_word": "7", "mf_head": "0.0", "mf_on": True},
            "Look at the factor: this head gave the future less, so less is shared out.",
        ),
    ),
    prediction=Prediction(
        question="“start” may see only itself: all hatched weight is taken away. What weight has it then?",
        answers={"same": "as much as before", "more": "more, but below 1", "all": "1"},
        reveals={"mf_word": "0", "mf_on": True},
        why="It was {before} before the mask. Weights add up to 1, and one key is left: it gets {after}.",
    ),
    experiment=Experiment(
        kind="mask",
        question="A model writes this sentence word by word, and guesses the next. Which words may each one see?",
        why=(
            "Each word sees itself and what stands before it: {seen} of {all} cells. A model that sees the next word "
            "has nothing to guess."
        ),
    ),
)

DRAW = Scene(
    name="draw",
    title="Draw your own",
    question="What if this cell is forbidden?",
    lead=(
        "A row says where one word looks. **Paint over a cell** to forbid it: its weight :blue[**flows**] to the other "
        "words of the row."
    ),
    controls={"md_word": "7", "md_head": "1.2", "md_cells": ""},
    presets=(
        Preset(
            "Forbid each favourite",
            {"md_cells": _EACH_FAVOURITE},
            "Look for a hatched cell in each row: it held the largest weight, and the second now leads.",
        ),
        Preset(
            "Neighbours only", {"md_cells": _FAR}, "Look for a band: three words at most share the weight of a row."
        ),
        Preset(
            "Two texts in one",
            {"md_cells": "1-6:7-12 7-12:1-6"},
            "Look for two blocks: two texts lie in one sequence, and neither sees the other.",
        ),
        Preset(
            "Nothing left",
            {"md_cells": "8:1-12"},
            "Look at the second bar: no key is left, so there is no weight, and the output is 0.",
        ),
    ),
    prediction=Prediction(
        question="“big” looks most at “white”, then at “dog”. Forbid “white”: what does “dog” get?",
        answers={"same": "as much as before", "share": "a share of what is free", "all": "all that “white” had"},
        reveals={"md_cells": "8:9"},
        why=(
            "It had {before} and gets {before} / (1 − {lost}), computed before rounding: {after}. The other words get "
            "a share too."
        ),
    ),
)

BATCH = Scene(
    name="batch",
    title="A batch of your own",
    question="What do several masks allow together?",
    lead=(
        "Type sentences, and combine padding, future and window. Click a cell to change it by hand. Here the words "
        "have random vectors: **nothing is trained**."
    ),
    core=False,
    controls={**_BATCH, "ms_shown": "weights"},
    presets=(
        Preset(
            "Future and padding",
            {"ms_causal": True},
            "Look for the staircase and the hatched columns: a cell must pass every rule.",
        ),
        Preset(
            "A causal window of three",
            {"ms_causal": True, "ms_window": 3, "ms_batch": "2", "ms_query": "6"},
            "Look for a band below the diagonal: each word sees itself and two words before it.",
        ),
        Preset(
            "A length for each query",
            {"ms_lengths": "1 2 3 4 1 2 3; 7; 2", "ms_query": "3"},
            "Look at the rows: each may see a number of keys of its own.",
        ),
        Preset(
            "Padding first, causal",
            {"ms_left": True, "ms_causal": True},
            "Look for rows without any weight: every padding query may see nothing.",
        ),
        Preset(
            "Two groups",
            {"ms_hand": "1-3:4-7 4-7:1-3", "ms_batch": "2", "ms_query": "4"},
            "Look for two blocks: two groups that do not see each other.",
        ),
    ),
)

NOTHING = Scene(
    name="nothing",
    title="The fully masked row",
    question="What if a query may see nothing?",
    lead=(
        "Softmax over no keys is 0/0. Here every key is taken from one :orange[**query**], and seven ways of masking "
        "say what its weights are."
    ),
    core=False,
    controls=_BATCH,
    presets=(
        Preset(
            "A word of the long sentence",
            {"ms_batch": "2", "ms_query": "3"},
            "Look at the evenly inked rows: a fill value alone gives every forbidden key the same weight.",
        ),
        Preset("One word", {"ms_text": "alone"}, "Look at the rows with a 1: a forbidden key gets all the weight."),
    ),
)

FILLS = Scene(
    name="fills",
    title="What to fill with",
    question="Which number hides a key, in which dtype?",
    lead=(
        "Most code overwrites a forbidden score with a very negative number. Beside each fill stands what the dtype "
        "**keeps** of it: in float16, −1e9 is −∞."
    ),
    core=False,
    controls={**_BATCH, "ms_added": False},
    presets=(
        Preset(
            "Added, not put in place",
            {"ms_added": True},
            "Look at float32: −1e6 leaves the scores' differences, and the row looks as if unmasked.",
        ),
        Preset(
            "A query with more keys",
            {"ms_batch": "2", "ms_causal": True, "ms_query": "4"},
            "Look at the first picture: while one key is allowed, every fill gives the others exactly 0.",
        ),
    ),
)

CONVENTIONS = Scene(
    name="conventions",
    title="Same mask, other code",
    question="Does True mean “may look” or “must not”?",
    lead=(
        "Two functions of PyTorch read the same mask in opposite ways. Neither complains when it gets the wrong one: "
        "only the numbers tell."
    ),
    core=False,
    controls=_BATCH,
    presets=(
        Preset(
            "Causal",
            {"ms_causal": True, "ms_batch": "2", "ms_query": "4"},
            "Look at the last row: the weight lies on the future, and the past has none.",
        ),
        Preset(
            "Nothing forbidden",
            {"ms_padding": False},
            "Look at the last row: the mask that allows everything now forbids everything.",
        ),
    ),
)

LESSON = Lesson(
    stem="masked_softmax", book=(book.SCORING,), scenes=(PADDING, FUTURE, DRAW, BATCH, NOTHING, FILLS, CONVENTIONS)
)
