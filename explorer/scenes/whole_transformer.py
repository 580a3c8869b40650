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
    title="The whole",
    question="How does a sentence become another one?",
    lead=(
        "A trained translator, from end to end, on your sentence. Press “Write it” to see it written. Point at a word "
        "to follow its line; click a layer to open it."
    ),
    controls={"wt_shown": "mean"},
    presets=(
        Preset(
            "Three words",
            {"wt_text": SHORT},
            "Look for ribbons from “you” to the first French word: the order is turned round.",
        ),
        Preset(
            "A question",
            {"wt_text": "Do you want to go to the movies with me tonight?"},
            "Look at the words that come out when you press “Write it”: which English word lights up with each?",
        ),
        Preset(
            "One head’s ribbons",
            {"wt_shown": "2"},
            "Look at the ribbons: a single head looks more sharply than the mean of all.",
        ),
    ),
    prediction=Prediction(
        question="How many maps of weights does one sentence make in the whole picture?",
        answers={"7": "7", "10": "10", "80": "80"},
        reveals={"wt_shown": "2"},
        why=(
            "The {layers} layers hold {sites} attentions, for a decoder layer has two; each has {heads} heads. So "
            "there are {maps} maps. The picture now shows those of one head."
        ),
        told=True,
    ),
)

LAYER = Scene(
    name="layer",
    title="Inside a layer",
    question="What does a layer do to a word?",
    lead=(
        "The line goes straight on. Each part reads it, normalised, and adds what it makes of it. The heads split a "
        "vector into eight and join it again."
    ),
    controls={"wt_layer": "dec.1"},
    presets=(
        Preset(
            "First encoder layer",
            {"wt_layer": "enc.0"},
            "Look at the heads: which keep to the diagonal, whatever the word?",
        ),
        Preset(
            "Last decoder layer",
            {"wt_layer": "dec.2"},
            "Look at the cross-attention: its dark cells follow the order of the words.",
        ),
        Preset(
            "Three words",
            {"wt_text": SHORT},
            "Look at the lines: there are fewer, but each vector has 256 numbers as before.",
        ),
    ),
    prediction=Prediction(
        question="How many of the 1,024 units of a net are active (above 0) at a word?",
        answers={"few": "fewer than a quarter", "half": "about half", "most": "nearly all"},
        reveals={"wt_layer": "enc.1"},
        why=(
            "On average {encoder} in the encoder and {decoder} in the decoder, for this sentence. Which are active "
            "depends on the word; the net is the same at every position."
        ),
        told=True,
    ),
)

HEAD = Scene(
    name="head",
    title="One head, one score",
    question="Where does a single weight come from?",
    lead=(
        ":orange[**Queries**] meet :blue[**keys**]: each pair makes a score. Softmax turns a row of scores into "
        "shares, and the :green[**values**] are mixed by them. Click a score to open it."
    ),
    controls={"wt_part": "dec.1.cross", "wt_head": "3", "wt_depth": "head"},
    presets=(
        Preset("One score", {"wt_depth": "score"}, "Look at the line of the sum: where does it jump?"),
        Preset(
            "Nothing from the future",
            {"wt_part": "dec.1.self"},
            "Look at the hatched cells: what is not yet written has no score.",
        ),
        Preset("Feed-forward", {"wt_depth": "net"}, "Look at the large box: few of its 1,024 cells are coloured."),
        Preset(
            "In the encoder",
            {"wt_part": "enc.2.self", "wt_head": "5"},
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
    question="Where does the norm stand, and does it matter?",
    lead=(
        "Two translators with the same data, seed and steps. One normalises what a part **reads**, one the **sum** it "
        "leaves, as the first Transformer did."
    ),
    controls={"wt_norm_shown": "loss", "wt_caption": CAPTION, "wt_untrained": 12},
    presets=(
        Preset(
            "Along the line",
            {"wt_norm_shown": "line"},
            "Look at the ends of both curves: one line has kept its length.",
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
            {"wt_blanked": "He drinks a cup of ___ every morning."},
            "Look at the first bars: nouns, as there must be one, but hardly any that a cup holds.",
        ),
    ),
)

LESSON = Lesson(
    stem="whole_transformer",
    book=(book.TRANSFORMER,),
    scenes=(WHOLE, LAYER, HEAD, NORMS, OVER_WHAT, FAMILIES),
    shared={"wt_text": EXAMPLE},
)
