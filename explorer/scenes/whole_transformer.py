"""The scenes of the Transformer, whole."""

from explorer.scenes import book
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

EXAMPLE = "My sister wants to live in a big white house."
SHORT = "I miss you."
BATCH = f"{SHORT}\nShe sings.\nDo you like wine?"
BLANKED = "He can ___ French."
#: The stop at which a word has gone through the whole encoder.
MEMORY = "11"
CAPTION = "Ein Mann fährt mit einem Fahrrad durch die Stadt."

WHOLE = Scene(
    name="whole",
    title="The ride of a word",
    question="What happens to one word inside?",
    lead="Ride with **one word** through the Transformer: at every stop, its 256 numbers change.",
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
    ),
    prediction=Prediction(
        question="At each “mix”, “miss” hears other words. Does the thickest ribbon always come from the same one?",
        answers={"same": "yes, from the same", "changes": "no, it changes"},
        reveals={"wt_act": "ride", "wt_stop": MEMORY},
        why=(
            "Of the other words, “miss” hears most: {heard}. Each layer asks anew. On the whole ride it hears others "
            "at {hears} stops, and is alone at {alone}."
        ),
    ),
)

LAYER = Scene(
    name="layer",
    title="Inside a layer",
    question="What does a layer do to a word?",
    lead=(
        "Eight heads **mix** what other words say into one word; then a net works on it **alone**. Larger disc: more "
        "weight. Click another word."
    ),
    controls={"wt_layer": "enc.1", "wt_asks": "2", "wt_numbers": False},
    presets=(
        Preset(
            "French looks at English",
            {"wt_layer": "dec.2", "wt_asks": "3"},
            "Look at the middle part: nearly all heads of “me” look at “miss”, just before “manques” is chosen.",
        ),
        Preset(
            "First encoder layer",
            {"wt_layer": "enc.0", "wt_asks": "2"},
            "Look at head 0: nearly all of its weight stays on “miss” itself; others look around.",
        ),
        Preset(
            "Last encoder layer",
            {"wt_layer": "enc.3", "wt_asks": "2"},
            "Look at the discs: most heads stay with “miss”; head 6 rests on “end”.",
        ),
        Preset(
            "A whole sentence",
            {"wt_text": EXAMPLE, "wt_asks": "6"},
            "Look at the lines: there are more, and the word’s 256 numbers are as many as before.",
        ),
    ),
    prediction=Prediction(
        question="Each of the eight heads has one disc in full colour. On how many different words do these lie?",
        answers={"1": "on one", "4": "on four", "8": "each on another"},
        reveals={"wt_numbers": True},
        why=(
            "Most weight goes to: {words}. Each head asks in its own way. Then, in the net, only {active} of the "
            "{units} units are active (above 0) at “miss”."
        ),
    ),
)

HEAD = Scene(
    name="head",
    title="One head, one score",
    question="Where does a single weight come from?",
    lead=(
        "Read from 1 to 6: a :orange[**query**] meets :blue[**keys**]; their scores become weights, and weights mix "
        "the :green[**values**]."
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
        question="“you” scores only a little more than “I”. How much more weight does “you” get?",
        answers={"little": "a few percent more", "half": "half as much again", "ten": "ten times as much"},
        reveals={"wt_depth": "row"},
        why=(
            "The scores are {first} and {second}. Softmax makes e^score of each, so a difference of {apart} multiplies "
            "the weight by {times}: {most} against {next}."
        ),
    ),
)

NORMS = Scene(
    name="norms",
    title="Where the norm stands",
    question="Where is the norm placed, and does it matter?",
    lead="A **norm** brings a vector to one length. Two translators, trained alike, differ only in where it stands.",
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
        question="The thick line carries a word’s vector. In which model does it grow longer and longer?",
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
