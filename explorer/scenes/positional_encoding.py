"""The scenes of positional encoding."""

from explorer.scenes import book
from explorer.scenes.controls import Buttons, Slider, TextInput
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene

_HINT = "Type a sentence and press Enter"
TEXT = TextInput("An English sentence", 160, default="My dog loves your cat", placeholder=_HINT)
DIMENSIONS = Slider("Length of a code, d_model", 4, 128, 2, default=12)
LENGTH = Slider("Positions", 8, 256, 8, default=64)
WINDOWS = Slider("Texts to read", 4, 64, 4, default=16, name="n_windows")

ORDER = Scene(
    name="order",
    title="Shuffle the words",
    question="Does word order matter to attention?",
    lead=(
        "“dog” and “cat” have changed places. Bars: what the encoder makes of each word; black marks: before. **Drag a "
        "word.**"
    ),
    controls={"pe_order": "swap", "pe_one": "1", "pe_other": "4", "pe_seed": "249"},
    presets=(
        Preset(
            "Swap the owners",
            {"pe_one": "0", "pe_other": "3"},
            "Look at the two French sentences: only one of them notices whose dog it is now.",
        ),
        Preset(
            "Back to front",
            {"pe_order": "back"},
            "Look at the upper row: every bar still meets its mark, although every word has moved.",
        ),
        Preset(
            "Words that come again",
            {"pe_text": "I know that you know that I know.", "pe_order": "random", "pe_seed": "5"},
            "Look at the equal words: without codes equal words get equal outputs.",
        ),
        Preset(
            "Who bites whom",
            {"pe_text": "The dog bit the man.", "pe_order": "random", "pe_seed": "249"},
            "Look at the two French sentences: which of them says who bit whom?",
        ),
    ),
    prediction=Prediction(
        question="Without codes (above) this swap changed nothing. And if all words stand back to front?",
        answers={"one": "still nothing changes", "some": "some outputs change", "all": "all change"},
        reveals={"pe_order": "back"},
        why=(
            "Without codes all {orders} orders of these five words give {without} French sentence, “{sentence}”; with "
            "codes they give {with_codes}."
        ),
    ),
)

WAVES = Scene(
    name="waves",
    title="Waves",
    question="How does a position become numbers?",
    lead=(
        "Each position has six clocks: the first hand turns fast, the last hardly. Their directions, as numbers, are "
        "its **code**. **Press ▶.**"
    ),
    controls={"pe_place": "10", "pe_base": "10000", "pe_dims": DIMENSIONS},
    presets=(
        Preset(
            "One position on",
            {"pe_place": "11"},
            "Look at the hands: the first has turned by 57°, the last ones hardly at all.",
        ),
        Preset(
            "Six positions on",
            {"pe_place": "16"},
            "Look at the first hand: it is nearly back. The second hand tells 16 from 10.",
        ),
        Preset("Base 100", {"pe_base": "100"}, "Look at the last waves: all hands move within one sentence now."),
        Preset(
            "Where it goes wrong",
            {"pe_base": "10", "pe_dims": 4, "pe_place": "20"},
            "Look at the lowest curve: two fast clocks give other positions nearly the same code.",
        ),
    ),
    prediction=Prediction(
        question="The first hand is round every 6.28 positions, the second every 29.2. And the last?",
        answers={"60": "after 60 positions", "1400": "after 1,400", "14000": "after 14,000"},
        reveals={"pe_place": "60"},
        why=(
            "From clock to clock one round takes {factor} times as many positions: the sixth needs {slowest}. "
            "At position {position} its hand has turned by {degrees}°."
        ),
    ),
)

TURN = Scene(
    name="turn",
    title="An offset is a turn",
    question="How does a model see how far apart words are?",
    lead=(
        "Two words stand on a line; each clock has a hand for either word. **Move the pair** and watch the **angle** "
        "between the hands."
    ),
    controls={"pe_place": "10", "pe_offset": 5, "pe_base": "10000", "pe_dims": DIMENSIONS},
    presets=(
        Preset("Far along", {"pe_place": "50"}, "Look at the lower row and the score: neither has changed."),
        Preset("Neighbours", {"pe_offset": 1}, "Look at the angles: a short distance shows in the fast clocks only."),
        Preset(
            "Thirty positions back",
            {"pe_place": "200", "pe_offset": -30},
            "Look at the direction: the hands turn the other way round, and the score is that of +30.",
        ),
        Preset("Distance 0", {"pe_offset": 0}, "Look at the score: a code fits itself best."),
    ),
    prediction=Prediction(
        question="The pair moves from positions 10 and 15 to 50 and 55. What becomes of the angles?",
        answers={"wider": "wider", "same": "the same", "narrower": "narrower"},
        reveals={"pe_place": "50"},
        why=(
            "The first angle is {before}° at position 10 and {after}° at position 50; over all positions checked, the "
            "turned code misses the true one by at most {residual}."
        ),
    ),
    experiment=Experiment(
        kind="number",
        question="A code fits itself best. How many positions away does another fit less than half as well?",
        number=Slider("Distance in positions", 1, 60, 1, default=30),
        why=(
            "For the first time at distance {best}, with {score} of the score. At {again} it is back at {back}: every "
            "clock goes round, so the curve waves, and near does not always mean alike."
        ),
    ),
)

BEYOND = Scene(
    name="beyond",
    title="Beyond the training length",
    question="What if the text is longer than any before?",
    lead=(
        "Five models learned from texts of 128 characters; now they read on. A line that rises is a model that gets "
        "unsure. **Press ▶.**"
    ),
    controls={"pe_read": "112"},
    presets=(
        Preset(
            "A little too far",
            {"pe_read": "176"},
            "Look at the sinusoidal model: its codes are new to it, and it fails at once.",
        ),
        Preset(
            "Twice as far",
            {"pe_read": "240"},
            "Look at the order of the curves: who fails at once, who slowly, and who not at all?",
        ),
        Preset(
            "Four times as far",
            {"pe_read": "496"},
            "Look at the numbers at the end: guessing blindly is nearly as good as the worst one.",
        ),
    ),
    prediction=Prediction(
        question="All lines start low. Which one stays low up to character 500?",
        answers={
            "sinusoidal": "waves (sinusoidal)",
            "rotary": "turns (rotary)",
            "alibi": "distance subtracted (ALiBi)",
            "none": "no codes at all",
        },
        reveals={"pe_read": "496"},
        why=(
            "It hesitates between {far} characters there and between {near} at the end of its training length; the "
            "next best between {next}."
        ),
    ),
)

COUNTING = Scene(
    name="counting",
    title="Counting",
    question="How can so few waves tell every position apart?",
    lead=(
        "A row is a position, a column is one number of its code; the framed pair is one clock. The counter beside it "
        "does the same with bits: the first flips at every step, the next at every second."
    ),
    core=False,
    controls={
        "pe_base": "10000",
        "pe_d": Slider("Length of a code, d_model", DIMENSIONS.low, DIMENSIONS.high, 2, default=32, name="d_model"),
        "pe_length": LENGTH,
        "pe_pair": Slider("Which pair of dimensions?", 0, DIMENSIONS.high // 2 - 1, default=4),
    },
    presets=(
        Preset(
            "Waves that double like bits",
            {"pe_base": "100000", "pe_d": 34, "pe_pair": 3},
            "Look at the numbers below: from column to column the waves nearly double, as the bits do.",
        ),
        Preset(
            "So small a base that all comes round",
            {"pe_base": "10", "pe_length": 128, "pe_pair": 15},
            "Look at the last columns: even the slowest wave repeats within these positions.",
        ),
        Preset(
            "Half a translator’s code",
            {"pe_d": 128, "pe_length": 256, "pe_pair": 20},
            "Look at how many columns hardly change: they are for texts far longer than this one.",
        ),
    ),
)

ENTERS = Scene(
    name="enters",
    title="Where it enters",
    question="How much of what enters is word, how much position?",
    lead=(
        "The translator adds the code of the position to the embedding of the word. Their lengths show how the sum is "
        "shared; the cosine shows whether they get in each other’s way."
    ),
    core=False,
    presets=(
        Preset(
            "A word that comes again",
            {"pe_text": "I know that you know that I know."},
            "Look at “know”: its embedding is equally long each time, its sum is not.",
        ),
        Preset(
            "Punctuation",
            {"pe_text": "Yes, no, yes, no!"},
            "Look at the commas: is their embedding as long as that of a word?",
        ),
    ),
)

LEARNED = Scene(
    name="learned",
    title="Learned",
    question="What if the model learns its own codes?",
    lead=(
        "Each position has a vector that was trained like any other weight. No formula ties neighbours together, and "
        "the table ends where the training texts ended."
    ),
    core=False,
    controls={"pe_table": "codes"},
    presets=(
        Preset(
            "How alike they are",
            {"pe_table": "likeness"},
            "Look at the diagonal: it says how far around a position the codes are still alike.",
        ),
    ),
)

ROTARY = Scene(
    name="rotary",
    title="Rotary",
    question="What if nothing is added, and queries and keys turn?",
    lead=(
        "The :orange[**query**] and the :blue[**key**] are turned by their positions. Of two turns only the difference "
        "is left: every diagonal has one colour, and the score depends on the distance."
    ),
    core=False,
    controls={
        "pe_phase_pair": 2,
        "pe_line": "The dog bit the man. The man bit the dog.",
        "pe_asking": 37,
        "pe_asked": 4,
        "pe_layer": "0",
        "pe_head": "0",
    },
    presets=(
        Preset(
            "The fastest pair",
            {"pe_phase_pair": 0},
            "Look at the stripes: this pair has turned once after 6.28 positions.",
        ),
        Preset(
            "A slow pair",
            {"pe_phase_pair": 9},
            "Look at the even colour: at these distances this pair hardly turns at all.",
        ),
        Preset(
            "Another head",
            {"pe_layer": "2", "pe_head": "3", "pe_asked": 36},
            "Look at the thick curve: other vectors prefer other distances.",
        ),
    ),
)

ALIBI = Scene(
    name="alibi",
    title="ALiBi",
    question="Is it enough to subtract the distance?",
    lead=(
        "Every head subtracts the distance, times a slope of its own, from its scores. Nothing is learned. Steep heads "
        "read their neighbours, flat ones the whole text."
    ),
    core=False,
    controls={"pe_heads": 4, "pe_alibi_head": "1"},
    presets=(
        Preset(
            "Eight heads, as published",
            {"pe_heads": 8, "pe_alibi_head": "0"},
            "Look at the steepest curve: half of the weight is gone after little more than one position.",
        ),
        Preset(
            "The flattest of four",
            {"pe_alibi_head": "3"},
            "Look at the bold curve: this head leaves distant words most of their weight.",
        ),
    ),
)

SIDE_BY_SIDE = Scene(
    name="side_by_side",
    title="Side by side",
    question="How far back do the trained models look?",
    lead=(
        "Five small language models, alike but for their positions, learned from the same text. The curves are their "
        "attention against distance, mean over all heads."
    ),
    core=False,
    controls={"pe_axis": "log"},
    presets=(
        Preset(
            "Even steps",
            {"pe_axis": "linear"},
            "Look at the first few characters: in every model the largest weights lie there.",
        ),
    ),
)

MEASURED = Scene(
    name="measured",
    title="Measured",
    question="How sure are the curves beyond the training length?",
    lead=(
        "Between how many characters each model hesitates (e to its mean loss), with the standard error. The curves "
        "were measured once, on the whole excerpt; below you can measure a sample of it on this machine."
    ),
    core=False,
    controls={
        "pe_over": Buttons(
            "Drawn over", {"length": "whole texts, by length", "place": "single positions"}, default="length"
        ),
        "pe_windows": WINDOWS,
        "pe_sample": Slider("Seed of their choice", 0, 99, default=0, name="seed"),
    },
    presets=(
        Preset(
            "Single positions",
            {"pe_over": "place"},
            "Look at the steps: at single positions the curves rise sooner than over whole texts.",
        ),
    ),
)

LESSON = Lesson(
    stem="positional_encoding",
    book=(book.SELF_ATTENTION,),
    shared={"pe_text": TEXT},
    scenes=(ORDER, WAVES, TURN, BEYOND, COUNTING, ENTERS, LEARNED, ROTARY, ALIBI, SIDE_BY_SIDE, MEASURED),
)
