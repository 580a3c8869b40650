"""The scenes of efficient attention."""

from typing import Any

from explorer.scenes import book
from explorer.scenes.controls import Buttons, SelectSlider, Slider
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

EXAMPLE = "Good morrow, neighbour Baptista. Good morrow, neighbour Gremio. God save you, gentlemen!"

_WIDE = "Positions that are seen in each direction, one’s own included."
_GLOBAL = "First positions (BigBird: blocks) that see all and are seen by all."
_COST = "The cost grows as m. The error falls as 1/√m only where queries and keys are short."
_COUNTS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
SEED = Slider("Seed of the draw", 0, 99, default=0, name="seed", help="Another seed, other random blocks or features.")
FEATURE = SelectSlider("Random features m", _COUNTS, default=64, name="n_features", help=_COST)
WINDOWS = Slider("Texts to read", 2, 32, default=8, name="n_windows", more=True)
PATTERN: dict[str, Any] = {
    "ea_name": "window",
    "ea_width": Slider("How wide?", 1, 64, default=8, help=_WIDE),
    "ea_gap": Slider("Gap", 1, 16, default=2, help="From one seen position to the next; 1 is the plain window."),
    "ea_stride": Slider("Stride", 1, 32, default=8, help="The last few positions, and every so many-th before them."),
    "ea_global": Slider("Global", 1, 16, default=1, name="n_global", help=_GLOBAL),
    "ea_block": SelectSlider("Block", (4, 8, 16, 32), default=8, help="Positions to a block."),
    "ea_reach": Slider("Blocks to each side", 0, 4, default=1, help="0: each block sees itself alone."),
    "ea_random": Slider(
        "Random blocks", 0, 4, default=1, name="n_random", help="Drawn once for each block of queries."
    ),
    "ea_draw": SEED,
}
DRAWN = {"ea_features": FEATURE, "ea_draw": SEED}

LEAVE_OUT = Scene(
    name="leave_out",
    title="Leave cells out",
    question="Which cells can be left out?",
    lead=(
        "To save time, each letter may look only at a :blue[**few before it**]. What it looked at elsewhere is "
        ":violet[**lost**]. Try other patterns."
    ),
    controls=PATTERN,
    presets=(
        Preset(
            "Only the last 4",
            {"ea_width": 4},
            "Look at the large dot: how far from “exact” does a narrow band leave the model?",
        ),
        Preset(
            "Every second one",
            {"ea_name": "dilated", "ea_width": 32},
            "Look beside the diagonal: the letter just before is left out, and that one matters most.",
        ),
        Preset(
            "16 letters",
            {"ea_width": 16},
            "Look for lost weight all over the map, and yet a dot that lies close to “exact”.",
        ),
        Preset(
            "A head that looks far",
            {"ea_layer": "0", "ea_head": "3", "ea_width": 4},
            "Look for lost weight far below the band: this head loses half of it.",
        ),
        Preset(
            "BigBird",
            {"ea_name": "bigbird", "ea_block": 4},
            "Look for three parts: a band, the first letters, and a few random blocks.",
        ),
    ),
    prediction=Prediction(
        question="Blue weight is kept, violet is lost. How much of this head’s weight is lost?",
        answers={"fifth": "about a fifth", "half": "about half", "most": "nearly all"},
        reveals={"ea_width": 8},
        why=(
            "{lost} is lost: most of what a letter looks at stands just before it. The model hardly suffers: it is as "
            "unsure as among {now} letters instead of {exact}."
        ),
        told=True,
    ),
)

FLASH = Scene(
    name="flash",
    title="The flash player",
    question="Can you average without seeing all at once?",
    lead=(
        "Flash attention takes a **weighted mean** of a few :blue[**keys**] at a time, and corrects its "
        ":violet[**answer so far**]. **Press ▶.**"
    ),
    controls={
        "ea_rows_drawn": Buttons("Draw", {"one": "One row", "all": "All rows"}, default="one"),
        "ea_step": "6",
        "ea_rows": "8",
        "ea_columns": "8",
        "ea_row": "7",
        "ea_cut": 32,
    },
    presets=(
        Preset(
            "A larger score",
            {"ea_step": "7"},
            "Look at the line: a larger score came, so the answer before counts less, and the mean moves.",
        ),
        Preset(
            "The last tile of a row",
            {"ea_step": "9"},
            "Look at the bar: this tile counts more than all before, and the answer is exact.",
        ),
        Preset(
            "One tile holds the row",
            {"ea_columns": "32", "ea_step": "3"},
            "Look at the bar: with all keys in one tile there is no answer before.",
        ),
        Preset(
            "All rows",
            {"ea_rows_drawn": "all"},
            "Look at the large square: the map of a long text is never stored, only the dot below it exists.",
        ),
    ),
    prediction=Prediction(
        question="The next tile (“row, nei”) brings a larger score. What becomes of the answer so far?",
        answers={"stays": "it counts as before", "shrinks": "it counts less", "again": "it is thrown away"},
        reveals={"ea_step": "7"},
        why=(
            "Each term is e^(score − largest). The largest grows from {before} to {after}, so all terms are multiplied "
            "by e^({before} − {after}) = {factor}."
        ),
    ),
)

MEASURED = Scene(
    name="measured",
    title="Measured here",
    question="When does plain attention stop working?",
    lead=(
        "**Move n**, the length of the text: plain attention writes n × n cells, three other ways never do. Measured "
        "on this machine."
    ),
    controls={"ea_n": 256, "ea_shown_beside": "here", "ea_every": False, "ea_allowed": 256},
    presets=(
        Preset(
            "A paragraph, n = 128",
            {"ea_n": 128},
            "Look at the bars: for a short text, leaving cells out saves no time.",
        ),
        Preset(
            "Some pages, n = 4,096",
            {"ea_n": 4096},
            "Look for one big square: plain attention holds n × n numbers, twice a head.",
        ),
        Preset(
            "A book, n = 65,536",
            {"ea_n": 65536},
            "Look at the dotted lines: minutes and gigabytes for one layer, by the measured law.",
        ),
        Preset(
            "Where the memory ends",
            {"ea_shown_beside": "memory"},
            "Look where plain attention meets the dashed line: there the allowed memory is full.",
        ),
    ),
    prediction=Prediction(
        question="The text doubles from 256 to 512. How much longer does plain attention take?",
        answers={"2": "2 times", "4": "4 times", "8": "8 times"},
        reveals={"ea_n": 512},
        why=(
            "Twice the queries meet twice the keys. Measured here: {before} ms and {after} ms, {times} times as long. "
            "Linear attention: {linear} times."
        ),
        told=True,
    ),
)

FEATURES = Scene(
    name="features",
    title="Linear and random features",
    question="What if no score is ever computed?",
    lead=(
        "Replace e^(q·k) by φ(q)·φ(k), and sum over the keys once for all queries. The cost grows as n. The weights "
        "are no longer sharp."
    ),
    core=False,
    controls=DRAWN,
    presets=(
        Preset("4 random features", {"ea_features": 4}, "Look for blots: a few features cannot tell the keys apart."),
        Preset(
            "1,024 random features",
            {"ea_features": 1024},
            "Look at the curve: sixteen times the cost, and this head is still far off.",
        ),
        Preset(
            "Short queries and keys",
            {"ea_source": "random", "ea_features": 1024},
            "Look at the steepest curve: for short vectors more features help as 1/√m says.",
        ),
    ),
)

SHARED_KEYS = Scene(
    name="shared_keys",
    title="Shared keys",
    question="Must every head keep keys of its own?",
    lead=(
        "A decoder keeps :blue[**keys**] and :green[**values**] of all it has read. Heads that share them keep less. "
        "One head for all is *multi-query*, a few are *grouped-query* attention."
    ),
    core=False,
    controls={"ea_groups": "2"},
    presets=(
        Preset(
            "Multi-query: one for all",
            {"ea_groups": "1"},
            "Look down the columns: each head’s map changes, but no two are alike: each has its own query still.",
        ),
        Preset("Each its own", {"ea_groups": "4"}, "Look for two equal rows: nothing is shared, nothing is lost."),
    ),
)

TRAINED = Scene(
    name="trained",
    title="What it costs a trained model",
    question="What does a model lose that was trained without it?",
    lead=(
        "Each mechanism takes the place of attention in *all* layers, without further training. The model reads "
        "Shakespeare that it has never seen."
    ),
    core=False,
    controls={
        "ea_length": Buttons(
            "Length of the texts", {"128": "128 letters, as in training", "512": "512 letters"}, default="128"
        ),
        "ea_windows": WINDOWS,
        "ea_sample": Slider("Seed of their choice", 0, 99, default=0, name="seed", more=True),
    },
    presets=(
        Preset(
            "Texts four times as long", {"ea_length": "512"}, "Look for windows that are better than exact attention."
        ),
    ),
)

BESIDE = Scene(
    name="beside",
    title="One by one",
    question="What does each mechanism change, and what does it save?",
    lead=(
        "Eleven mechanisms on the same queries, keys and values: their weights beside the exact ones, the error of "
        "each query, and what they cost."
    ),
    core=False,
    controls=PATTERN | DRAWN | {"ea_groups": "2", "ea_shown": "weights"},
    presets=(
        Preset(
            "What changes",
            {"ea_shown": "difference"},
            "Look for orange in the band: the weight that was lost is shared out among what is left.",
        ),
        Preset(
            "Query by query",
            {"ea_shown": "errors"},
            "Look for the first queries: whatever the window sees whole is exact.",
        ),
        Preset(
            "All costs",
            {"ea_shown": "costs"},
            "Look for bars longer than 1: at this length some cost more than what they replace.",
        ),
        Preset(
            "BigBird in the translator’s encoder",
            {"ea_source": "encoder", "ea_name": "bigbird", "ea_block": 4},
            "Look at both sides of the diagonal: an encoder looks ahead as well.",
        ),
    ),
)

LESSON = Lesson(
    stem="efficient_attention",
    book=(book.TRANSFORMER,),
    scenes=(LEAVE_OUT, FLASH, MEASURED, FEATURES, SHARED_KEYS, TRAINED, BESIDE),
    shared={
        "ea_source": "gpt",
        "ea_text": EXAMPLE,
        "ea_seed": Slider("Seed of the numbers", 0, 99, default=0),
        "ea_layer": "2",
        "ea_head": "1",
    },
)
