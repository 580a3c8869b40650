"""The scenes of the masked softmax."""

from explorer.records.language import english as message
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: Tokens of the sentence that is drawn on.
_WORDS = 12
_EACH_FAVOURITE = "1:3 2:3 3:3 4:5 5:7 6:7 7:8 8:9 9:10 10:9 11:10 12:2"
_FAR = " ".join(
    f"{row}:{first}-{last}"
    for row in range(1, _WORDS + 1)
    for first, last in ((1, row - 2), (row + 2, _WORDS))
    if first <= last
)
_BATCH = {
    "ms_text": "she reads long letters\nthe cat saw the dog and ran\nbirds sing",
    "ms_padding": True,
    "ms_left": False,
    "ms_lengths": "",
    "ms_causal": False,
    "ms_window": 0,
    "ms_hand": "",
    "ms_seed": 0,
    "ms_batch": "1",
    "ms_query": "1",
}

PADDING = Scene(
    name="padding",
    title=message("Hide padding"),
    question=message("How is padding hidden?"),
    lead=message(
        "All sentences of a batch must be equally long, so the short ones are filled with **pad**. The word that "
        ":orange[**asks**] must not look there: a mask hides it."
    ),
    controls={"mp_word": "3", "mp_on": False, "mp_head": "2.2"},
    presets=(
        Preset(
            label=message("With the mask"),
            state={"mp_on": True},
            look=message("Look at the two bars: the hatched part ends, and every other part grows by one factor."),
        ),
        Preset(
            label=message("Who loses most?"),
            state={"mp_word": "0", "mp_head": "2.0", "mp_on": True},
            look=message("Look at the first row: nearly all of its weight lay on padding."),
        ),
        Preset(
            label=message("A head that hardly needs it"),
            state={"mp_word": "0", "mp_head": "1.1", "mp_on": True},
            look=message("Look at the two bars: they are alike, because this head gave padding next to nothing."),
        ),
    ),
    prediction=Prediction(
        question=message("“sleeping” gave part of its weight to padding. The mask takes it away. Who gets it?"),
        answers={
            "even": message("all words the same"),
            "proportion": message("each in proportion"),
            "nearest": message("the nearest word"),
        },
        reveals={"mp_on": True},
        why=message(
            "Every word that stays is multiplied by the same 1 / (1 − {lost}) = {factor}. “{word}” goes from {before} "
            "to {after}."
        ),
    ),
)

FUTURE = Scene(
    name="future",
    title=message("Hide the future"),
    question=message("How is the future hidden?"),
    lead=message(
        "A model that writes must guess the next word, so no word may look at **later** ones. Each row keeps its past, "
        "and the weight of the future goes there."
    ),
    controls={"mf_word": "7", "mf_on": False, "mf_head": "3.1"},
    presets=(
        Preset(
            label=message("Hide the future"),
            state={"mf_on": True},
            look=message("Look for the staircase: each row may see one word more than the row above."),
        ),
        Preset(
            label=message("The first row"),
            state={"mf_word": "0", "mf_on": True},
            look=message("Look at the second bar: one key is left, so it gets all the weight."),
        ),
        Preset(
            label=message("The last row"),
            state={"mf_word": "11", "mf_on": True},
            look=message("Look at the two bars: the last word sees all others, so the mask changes nothing."),
        ),
        Preset(
            label=message("Another head"),
            state={"mf_word": "7", "mf_head": "0.0", "mf_on": True},
            look=message("Look at the factor: this head gave the future less, so less is shared out."),
        ),
    ),
    prediction=Prediction(
        question=message("“start” comes first and may see only itself. How much weight does it get there?"),
        answers={"same": message("as much as before"), "more": message("more, but below 1"), "all": message("1")},
        reveals={"mf_word": "0", "mf_on": True},
        why=message("It was {before} before the mask. Weights add up to 1, and one key is left: it gets {after}."),
    ),
)

DRAW = Scene(
    name="draw",
    title=message("Draw your own"),
    question=message("What if this cell is forbidden?"),
    lead=message(
        "**Click a cell** to forbid it. The softmax shares out the weight among the other words of the row: it :blue["
        "**flows**] to them."
    ),
    controls={"md_word": "7", "md_head": "1.2", "md_cells": ""},
    presets=(
        Preset(
            label=message("Forbid each favourite"),
            state={"md_cells": _EACH_FAVOURITE},
            look=message("Look for a hatched cell in each row: it held the largest weight, and the second now leads."),
        ),
        Preset(
            label=message("Neighbours only"),
            state={"md_cells": _FAR},
            look=message("Look for a band: three words at most share the weight of a row."),
        ),
        Preset(
            label=message("Two texts in one"),
            state={"md_cells": "1-6:7-12 7-12:1-6"},
            look=message("Look for two blocks: two texts lie in one sequence, and neither sees the other."),
        ),
        Preset(
            label=message("Nothing left"),
            state={"md_cells": "8:1-12"},
            look=message("Look at the second bar: no key is left, so there is no weight, and the output is 0."),
        ),
    ),
    prediction=Prediction(
        question=message("“big” looks most at “white”, then at “dog”. Forbid “white”: what does “dog” get?"),
        answers={
            "same": message("as much as before"),
            "share": message("a share of what is free"),
            "all": message("all that “white” had"),
        },
        reveals={"md_cells": "8:9"},
        why=message("It had {before} and gets {before} / (1 − {lost}) = {after}. The other words get a share too."),
    ),
)

BATCH = Scene(
    name="batch",
    title=message("A batch of your own"),
    question=message("What do several masks allow together?"),
    lead=message(
        "Type sentences, and combine padding, future and window. Click a cell to change it by hand. Here the words "
        "have random vectors: **nothing is trained**."
    ),
    core=False,
    controls={**_BATCH, "ms_shown": "weights"},
    presets=(
        Preset(
            label=message("Future and padding"),
            state={"ms_causal": True},
            look=message("Look for the staircase and the hatched columns: a cell must pass every rule."),
        ),
        Preset(
            label=message("A causal window of three"),
            state={"ms_causal": True, "ms_window": 3, "ms_batch": "2", "ms_query": "6"},
            look=message("Look for a band below the diagonal: each word sees itself and two words before it."),
        ),
        Preset(
            label=message("A length for each query"),
            state={"ms_lengths": "1 2 3 4 1 2 3; 7; 2", "ms_query": "3"},
            look=message("Look at the rows: each may see a number of keys of its own."),
        ),
        Preset(
            label=message("Padding first, causal"),
            state={"ms_left": True, "ms_causal": True},
            look=message("Look for rows without any weight: the first padding queries may see nothing."),
        ),
        Preset(
            label=message("Two groups"),
            state={"ms_hand": "1-3:4-7 4-7:1-3", "ms_batch": "2", "ms_query": "4"},
            look=message("Look for two blocks: two groups that do not see each other."),
        ),
    ),
)

NOTHING = Scene(
    name="nothing",
    title=message("The fully masked row"),
    question=message("What if a query may see nothing?"),
    lead=message(
        "Softmax over no keys is 0/0. Here every key is taken from one :orange[**query**], and seven ways of masking "
        "say what its weights are."
    ),
    core=False,
    controls=_BATCH,
    presets=(
        Preset(
            label=message("A word of the long sentence"),
            state={"ms_batch": "2", "ms_query": "3"},
            look=message(
                "Look at the evenly inked rows: a fill value alone gives every forbidden key the same weight."
            ),
        ),
        Preset(
            label=message("One word"),
            state={"ms_text": "alone"},
            look=message("Look at the rows with a 1: a forbidden key gets all the weight."),
        ),
    ),
)

FILLS = Scene(
    name="fills",
    title=message("What to fill with"),
    question=message("Which number hides a key, in which dtype?"),
    lead=message(
        "Most code overwrites a forbidden score with a very negative number. Beside each fill stands what the dtype "
        "**keeps** of it: in float16, −1e9 is −∞."
    ),
    core=False,
    controls={**_BATCH, "ms_added": False},
    presets=(
        Preset(
            label=message("Added, not put in place"),
            state={"ms_added": True},
            look=message("Look at float32: −1e6 leaves the scores' differences, and the row looks as if unmasked."),
        ),
        Preset(
            label=message("A query with more keys"),
            state={"ms_batch": "2", "ms_causal": True, "ms_query": "4"},
            look=message("Look at the first picture: while one key is allowed, every fill gives the others exactly 0."),
        ),
    ),
)

CONVENTIONS = Scene(
    name="conventions",
    title=message("Same mask, other code"),
    question=message("Does True mean “may look” or “must not”?"),
    lead=message(
        "Two functions of PyTorch read the same mask in opposite ways. Neither complains when it gets the wrong one: "
        "only the numbers tell."
    ),
    core=False,
    controls=_BATCH,
    presets=(
        Preset(
            label=message("Causal"),
            state={"ms_causal": True, "ms_batch": "2", "ms_query": "4"},
            look=message("Look at the last row: the weight lies on the future, and the past has none."),
        ),
        Preset(
            label=message("Nothing forbidden"),
            state={"ms_padding": False},
            look=message("Look at the last row: the mask that allows everything now forbids everything."),
        ),
    ),
)

LESSON = Lesson(
    stem="masked_softmax",
    scenes=(PADDING, FUTURE, DRAW, BATCH, NOTHING, FILLS, CONVENTIONS),
)
