"""The scenes of the Transformer, whole."""

from explorer.scenes import book
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

EXAMPLE = "My sister wants to live in a big white house."
SHORT = "I miss you."
BATCH = f"{SHORT}\nShe sings.\nDo you like wine?"
BLANKED = "He can ___ French."
CAPTION = "Ein Mann fährt mit einem Fahrrad durch die Stadt."

WHOLE = Scene(
    name="whole",
    title="The ride of a word",
    question="What happens to one word inside?",
    lead=(
        "Three words go in, three come out. Ride with one and watch its 256 numbers change at every stop; all other "
        "words do the same, here they stay pale. Then see all of them at once."
    ),
    controls={"wt_act": "ride", "wt_word": "2", "wt_stop": "1", "wt_shown": "mean"},
    presets=(
        Preset(
            "To the end",
            {"wt_act": "ride", "wt_word": "2", "wt_stop": "23"},
            "Look at the last “look”: “me” gives most weight to “miss”, and French for “miss” is chosen.",
        ),
        Preset(
            "Ride with “you”",
            {"wt_act": "ride", "wt_word": "3", "wt_stop": "23"},
            "Look where it comes out: “you”, third in English, becomes the first French word.",
        ),
        Preset(
            "All words",
            {"wt_act": "write", "wt_text": SHORT},
            "Look at the words that come out when you press “Write it”: each goes back in as the next line.",
        ),
        Preset(
            "A whole sentence",
            {"wt_act": "write", "wt_text": EXAMPLE},
            "Look at the ribbons: the more words, the more of them; each line still has 256 numbers.",
        ),
        Preset(
            "One head’s ribbons",
            {"wt_act": "write", "wt_shown": "2"},
            "Look at the ribbons: a single head looks more sharply than the mean of all.",
        ),
    ),
    prediction=Prediction(
        question="The ride makes 23 stops. At how many does the word hear other words?",
        answers={"1": "1", "10": "10", "23": "23"},
        reveals={"wt_act": "ride", "wt_stop": "23"},
        why=(
            "{hears}: {mixes} times it mixes with its own sentence, {looks} times French looks at English. At the "
            "other {alone} stops it is alone."
        ),
    ),
)

LAYER = Scene(
    name="layer",
    title="Inside a layer",
    question="What does a layer do to a word?",
    lead=(
        "The word’s line goes straight on. Each part reads it and adds what it makes of it. A disc is as large as a "
        "head’s weight. Click another word."
    ),
    controls={"wt_layer": "dec.2", "wt_asks": "3", "wt_numbers": False},
    presets=(
        Preset(
            "First encoder layer",
            {"wt_layer": "enc.0", "wt_asks": "2"},
            "Look at head 0: nearly all of its weight stays on “miss” itself; others look around.",
        ),
        Preset(
            "Last encoder layer",
            {"wt_layer": "enc.3", "wt_asks": "2"},
            "Look at the discs: each head chooses another word; head 6 rests on “end”.",
        ),
        Preset(
            "Numbers",
            {"wt_numbers": True},
            "Look at the largest discs: how many heads give “miss” more than half?",
        ),
        Preset(
            "A whole sentence",
            {"wt_text": EXAMPLE, "wt_asks": "6"},
            "Look at the lines: there are more, and the word’s 256 numbers are as many as before.",
        ),
    ),
    prediction=Prediction(
        question="How many of the 1,024 units of a net are active (above 0) at a word?",
        answers={"few": "fewer than a quarter", "half": "about half", "most": "nearly all"},
        reveals={"wt_numbers": True},
        why=(
            "On average {encoder} in the encoder and {decoder} in the decoder, for this sentence. Which are active "
            "depends on the word; the net is the same at every position."
        ),
    ),
)

HEAD = Scene(
    name="head",
    title="One head, one score",
    question="Where does a single weight come from?",
    lead=(
        "Read from left to right: a :orange[**query**] meets the :blue[**keys**], each pair makes a score. Softmax "
        "turns the scores into weights, and the :green[**values**] are mixed by them."
    ),
    controls={"wt_part": "dec.0.cross", "wt_head": "2", "wt_depth": "row"},
    presets=(
        Preset("One score", {"wt_depth": "score"}, "Look at the line of the sum: where does it jump?"),
        Preset(
            "Nothing from the future",
            {"wt_part": "dec.1.self", "wt_depth": "head"},
            "Look at the hatched cells: what is not yet written has no score.",
        ),
        Preset("Feed-forward", {"wt_depth": "net"}, "Look at the large box: few of its 1,024 cells are coloured."),
        Preset(
            "In the encoder",
            {"wt_part": "enc.2.self", "wt_head": "5", "wt_depth": "head"},
            "Look at the rows: all words may be asked, also later ones.",
        ),
    ),
    prediction=Prediction(
        question="A score is the sum of 32 products. What decides it?",
        answers={"one": "one product", "few": "a few large products", "alike": "all of them alike"},
        reveals={"wt_depth": "score"},
        why=(
            "Of all that is added or taken away, the largest product makes {most}, the {few} largest of {count} make "
            "{share}."
        ),
    ),
)

NORMS = Scene(
    name="norms",
    title="Where the norm stands",
    question="Where is the norm placed, and does it matter?",
    lead=(
        "A **norm** brings vectors to one length. Two translators, trained alike: one normalises what a part "
        "**reads**, one the **sum** it leaves, as the first Transformer did."
    ),
    controls={"wt_norm_shown": "line", "wt_caption": CAPTION, "wt_untrained": 12},
    presets=(
        Preset(
            "While training",
            {"wt_norm_shown": "loss"},
            "Look at the right end: after as many steps, which of both hesitates between fewer pieces?",
        ),
        Preset(
            "Before training",
            {"wt_norm_shown": "gradient"},
            "Look at the decoder: whose first and last layers get very different gradients?",
        ),
        Preset(
            "Three layers, untrained",
            {"wt_norm_shown": "gradient", "wt_untrained": 3},
            "Look at the slopes: with so few layers both norms pass the gradient on.",
        ),
    ),
    prediction=Prediction(
        question="Whose word vectors grow longer from part to part?",
        answers={
            "pre": "pre-norm’s",
            "post": "post-norm’s",
            "both": "both models’",
            "neither": "neither’s",
        },
        reveals={"wt_norm_shown": "line"},
        why=(
            "In the decoder the vectors end {pre} times as long as they began with pre-norm, {post} times with "
            "post-norm, where each sum is brought back to one scale."
        ),
    ),
)

OVER_WHAT = Scene(
    name="over_what",
    title="Layer or batch norm",
    question="Which numbers share one mean?",
    lead=(
        "The same batch of words, each cut to six numbers. **Layer norm** takes mean and scale over one word’s "
        "numbers, **batch norm** over one number of all words. The frame shows which."
    ),
    core=False,
    controls={"wt_over": "layer", "wt_batch": BATCH, "wt_pads": True, "wt_row": 2, "wt_column": 3},
    presets=(
        Preset(
            "Batch norm",
            {"wt_over": "batch"},
            "Look at the last map: without the last sentence every number of the others moves.",
        ),
        Preset(
            "Padding left out",
            {"wt_over": "batch", "wt_pads": False},
            "Look at the frame: padding no longer enters the mean.",
        ),
        Preset(
            "A long last sentence",
            {"wt_over": "batch", "wt_batch": f"{SHORT}\nWait!\nThe old man sold his house."},
            "Look at the padding: one long sentence fills up the others, and moves their means.",
        ),
    ),
)

FAMILIES = Scene(
    name="families",
    title="Three families",
    question="Who may look at whom, and what is guessed?",
    lead=(
        "Three trained models on one sentence. A row asks, a column is asked; hatched cells are forbidden. The bars "
        "are the guesses of the framed row."
    ),
    core=False,
    controls={"wt_blanked": BLANKED, "wt_family_layer": "last"},
    presets=(
        Preset(
            "First layer",
            {"wt_family_layer": "first"},
            "Look at the maps: what is forbidden stays the same, what is looked at does not.",
        ),
        Preset(
            "A clue on each side",
            {"wt_blanked": "I’m looking ___ my keys."},
            "Look at the first frame: which words before and behind the blank get weight?",
        ),
        Preset(
            "Blank at the end",
            {"wt_blanked": "I was born in ___."},
            "Look at the first two frames: behind the blank stands only a full stop, so both know the same words.",
        ),
        Preset(
            "Where it goes wrong",
            {"wt_blanked": "The dragon guards the ___ of gold."},
            "Look at the first bars: nouns, as there must be one, but all are short. It has hardly read of dragons.",
        ),
    ),
)

LESSON = Lesson(
    stem="whole_transformer",
    book=(book.TRANSFORMER,),
    scenes=(WHOLE, LAYER, HEAD, NORMS, OVER_WHAT, FAMILIES),
    shared={"wt_text": SHORT},
)
