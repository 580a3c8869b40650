"""The scenes of multi-head attention."""

from explorer.scenes import book
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene
from explorer.scenes.translating import HIDE, MERGE

EXAMPLE = "My sister wants to live in a big white house."
#: What a pronoun of it means, `IT`, and to whom, everybody knows.
MEANT = "The dog ate the cake because it was hungry."
IT, WHOM = "it", "dog"
_HEAD = {
    "mh_find": "previous",
    "mh_site": "encoder",
    "mh_layer": "3",
    "mh_head": "6",
    "mh_query": "auto",
    "mh_key": "most",
}
_WORDS = {"mh_merge": MERGE, "mh_hide": HIDE}

ALL_HEADS = Scene(
    name="all_heads",
    title="All heads",
    question="What do all these heads look at?",
    lead=(
        "Each small square is one head. **Click one**: rows :orange[**ask**], columns are :blue[**asked**]. Heads "
        "**rest** on *end* when they need no word."
    ),
    controls={**_HEAD, **_WORDS, "mh_marks": False, "mh_unseen": False},
    presets=(
        Preset(
            "Swapped words",
            {"mh_find": "swap"},
            "Look at the framed row and the row above it: French puts two words in the other order.",
        ),
        Preset(
            "Word by word",
            {"mh_find": "diagonal"},
            "Look for the staircase: French is written while English is read at the same pace.",
        ),
        Preset("Almost evenly", {"mh_find": "even"}, "Look for a pale map: this head has no favourite place."),
        Preset(
            "Nobody looks at “end”",
            {"mh_unseen": True},
            "Look at the marked words: the sentence is translated, and then the translator goes on.",
        ),
    ),
    prediction=Prediction(
        question="“My” looks most at “end”, which is no word. If nobody may look there, the translator …",
        answers={"same": "writes the same", "other": "loses words", "on": "cannot stop"},
        reveals={"mh_unseen": True},
        why=(
            "It writes {after} words instead of {before}, and its own “end” becomes {times} times less likely. So "
            "“end” is a place to rest, and it tells where to stop."
        ),
    ),
)

ONE_HEAD = Scene(
    name="one_head",
    title="One head",
    question="Where do two words look?",
    lead=(
        "Below stand the words that :orange[**ask**], above those that are :blue[**asked**]. The more weight, the "
        "wider the ribbon. **Click two words** below."
    ),
    controls={**_HEAD, "mh_look": "lines", "mh_without": ""},
    presets=(
        Preset(
            "Swapped words",
            {"mh_find": "swap"},
            "Look at the two ribbons: they cross, for French puts “house” and “white” in the other order.",
        ),
        Preset(
            "All heads of a layer",
            {"mh_find": "swap", "mh_look": "all"},
            "Look at the colours: the heads of one layer look at different words.",
        ),
        Preset(
            "Without one head",
            {
                "mh_find": "own",
                "mh_site": "cross",
                "mh_layer": "0",
                "mh_head": "6",
                "mh_look": "all",
                "mh_without": "C0.6",
            },
            "Look at the translation: one word went with this head.",
        ),
        Preset(
            "Only backwards", {"mh_find": "same"}, "Look at the hatched words: what is not yet written cannot be asked."
        ),
    ),
    prediction=Prediction(
        question="“wants” and “to” ask. Grey shows where the others look. How do the ribbons of these two run?",
        answers={"cross": "they cross", "parallel": "side by side", "same": "both to one word"},
        reveals={},
        told=True,
        why=(
            "“{first}” looks at “{first_key}” ({first_weight}), “{second}” at “{second_key}” ({second_weight}): this "
            "head looks one word back. Where two languages order words differently, ribbons cross: see “Swapped words”."
        ),
    ),
    experiment=Experiment(
        kind="words",
        question="“The dog ate the cake because it was hungry.” What does “it” mean: at which words would you look?",
        why=(
            "Averaged over all {heads} heads, “it” gives “{whom}” {mean} of its weight: heads look at other things, "
            "too. One of them ({head}) gives it {share}. Nobody told it what “it” means."
        ),
    ),
)

ONE_SCORE = Scene(
    name="one_score",
    title="Inside one score",
    question="Why does one word get this much weight?",
    lead=(
        ":orange[**Query**] and :blue[**key**] are multiplied number by number and added up: the score. The highest "
        "score gets most of the weight."
    ),
    controls={**_HEAD, "mh_inside": "pair"},
    presets=(
        Preset("The least wanted word", {"mh_key": "least"}, "Look for bars below zero: they pull the score down."),
        Preset(
            "A head that looks at itself",
            {"mh_find": "same"},
            "Look for query and key that point the same way, though they belong to one word.",
        ),
        Preset(
            "French asks English",
            {"mh_find": "swap"},
            "Look for the score that stands out: the query has found its word.",
        ),
        Preset(
            "The whole journey",
            {"mh_find": "swap", "mh_inside": "journey"},
            "Look at the output: press ▶, and values flow into it along ribbons as wide as their weights.",
        ),
    ),
    prediction=Prediction(
        question="Here nearly all products lie above zero. And those of the word with the lowest score?",
        answers={"down": "mostly below zero", "cancel": "up and down, they cancel", "zero": "all close to zero"},
        reveals={"mh_key": "least"},
        why=(
            "“{query}” asks “{key}”. Divided by √{d}, {ups} products add {up} and {downs} take away {down}: the score "
            "is {score}, and softmax leaves {weight} of the weight."
        ),
    ),
)

SWITCH_OFF = Scene(
    name="switch_off",
    title="Switch heads off",
    question="Does a head matter?",
    lead=(
        "**Click a head** to cross it out: the sentence is translated again. Where a bar hangs, a word of the **old** "
        "translation became less likely."
    ),
    controls={"mh_off": "most", "mh_how": "off"},
    presets=(
        Preset(
            "All harmless ones",
            {"mh_off": "harmless"},
            "Look at the bars: each of these heads costs next to nothing alone; together they cost more.",
        ),
        Preset(
            "One layer off",
            {"mh_off": "C2.0 C2.1 C2.2 C2.3 C2.4 C2.5 C2.6 C2.7"},
            "Look for words that lose much: the last layer can no longer look at the source.",
        ),
        Preset(
            "The same, evenly",
            {"mh_off": "C2.0 C2.1 C2.2 C2.3 C2.4 C2.5 C2.6 C2.7", "mh_how": "uniform"},
            "Look at the difference: the heads still work, only where they look is lost.",
        ),
        Preset(
            "No look at English",
            {"mh_off": " ".join(f"C{layer}.{head}" for layer in range(3) for head in range(8))},
            "Look at the new translation: it is French, but of another sentence.",
        ),
    ),
    prediction=Prediction(
        question="One head is crossed out. What becomes of the translation?",
        answers={"same": "nothing changes", "word": "a word is lost", "apart": "it falls apart"},
        reveals={},
        why=(
            "“{word}” is lost. Yet each of {count} of {heads} heads can go alone without harm; without all of these "
            "together the old translation is {times} times less likely: heads stand in for each other."
        ),
        told=True,
    ),
)

SHAPES = Scene(
    name="shapes",
    title="Split and join",
    question="How do many heads become one output?",
    lead=(
        "Each head gives a part of the :violet[**output**]; the parts are added. *This sentence* shows what each part "
        "adds; *the textbook’s layer* shows how numbers are split for the heads and joined again."
    ),
    core=False,
    controls={key: value for key, value in _HEAD.items() if key != "mh_key"}
    | {
        "mh_shapes_of": "here",
        "mh_book_inputs": "ones",
        "mh_book_skip": False,
        "mh_book_query": "0",
        "mh_book_seed": 0,
        "mh_book_step": "0",
    },
    presets=(
        Preset(
            "The textbook’s five heads",
            {"mh_shapes_of": "textbook"},
            "Look at the code below: press ▶, and strips of 20 numbers move as each line runs.",
        ),
        Preset(
            "Follow one query",
            {"mh_shapes_of": "textbook", "mh_book_query": "2", "mh_book_step": "3"},
            "Look at the strong strips: the five parts of one query lie in five blocks.",
        ),
        Preset(
            "Five different maps",
            {"mh_shapes_of": "textbook", "mh_book_inputs": "random", "mh_book_step": "4"},
            "Look at the blocks: no two heads weigh alike, and no weight lies beyond the valid length.",
        ),
        Preset(
            "Where it goes wrong: no swap",
            {"mh_shapes_of": "textbook", "mh_book_skip": True, "mh_book_step": "2"},
            "Look at the framed block: one query in four colours.",
        ),
        Preset(
            "Cross-attention",
            {"mh_find": "swap"},
            "Look at the cosines: some heads point across the sum, or against it.",
        ),
    ),
    prediction=Prediction(
        question="Cut into heads, then reshape to (10, 4, 20) at once, without the swap. What lies in the first block?",
        answers={"head": "four queries of one head", "query": "one query in four parts", "mix": "both sentences"},
        reveals={"mh_shapes_of": "textbook", "mh_book_skip": True, "mh_book_step": "2"},
        why=(
            "Memory is read in order: first come all {heads} heads of the first query, so {parts} of its parts fill "
            "the block. The shape is right and no error is raised."
        ),
    ),
)

DROPOUT = Scene(
    name="dropout",
    title="Dropped weights",
    question="What if half the weights are thrown away?",
    lead=(
        "In training, **dropout** sets each weight to 0 with probability p and divides the others by 1 − p. A draw is "
        "a lottery; the mean over many draws is not."
    ),
    core=False,
    controls={"mh_p": 0.5, "mh_draws": 100, "mh_drop_seed": 0, "mh_drop_find": "even"},
    presets=(
        Preset("Another draw", {"mh_drop_seed": 3}, "Look for other crosses: each step of training drops others."),
        Preset(
            "Ten thousand draws",
            {"mh_draws": 10_000},
            "Look for diamonds on the pale bars: nothing is lost on average.",
        ),
        Preset(
            "A sharp head",
            {"mh_drop_find": "previous"},
            "Look for the one tall bar: it is all there, doubled, or the row has next to nothing.",
        ),
        Preset("Nearly all", {"mh_p": 0.9}, "Look for how high the rest are lifted: ten times, so the mean stays."),
    ),
    prediction=Prediction(
        question="Half of a row’s weights are dropped, draw after draw. What does the mean over the draws become?",
        answers={"half": "half the row", "row": "the row itself", "even": "the same for every key"},
        reveals={"mh_draws": 10_000},
        why=(
            "What survives is doubled, so nothing is lost on average: over {draws} draws no key is more than {away} "
            "away. But the sum of a single row varies by {spread} around 1."
        ),
        told=True,
    ),
)

UNTRAINED = Scene(
    name="untrained",
    title="Untrained",
    question="What did training give the heads?",
    lead=(
        "The same English words meet a trained layer, and a layer straight from its random start. Each map is one head."
    ),
    core=False,
    controls={"mh_width": 256, "mh_count": 8, "mh_seed": 0, "mh_trained": "1"},
    presets=(
        Preset(
            "Another random start",
            {"mh_seed": 7},
            "Look at the untrained maps: they all change, for what each prefers is an accident.",
        ),
        Preset(
            "Few and narrow",
            {"mh_width": 64, "mh_count": 4, "mh_seed": 7},
            "Look at the untrained maps: without training no head has a place of its own.",
        ),
        Preset(
            "The textbook’s size",
            {"mh_width": 100, "mh_count": 5},
            "Look at the untrained maps: five heads of 20 numbers each, and none follows the words.",
        ),
    ),
)

WHAT_HEADS_DO = Scene(
    name="what_heads_do",
    title="What a head does",
    question="Which head does what?",
    lead=(
        "A head gets a label only if a stated rule holds **on this sentence**. Most heads earn none. Choose a row to "
        "look at its head."
    ),
    core=False,
    controls={"mh_sort": "model", "mh_label": "all", "mh_only": "all"},
    presets=(
        Preset(
            "The sharpest first",
            {"mh_sort": "entropy"},
            "Look at the top of the table: these heads look at one token at a time.",
        ),
        Preset(
            "Heads with no label",
            {"mh_label": "none"},
            "Look for how they scatter: no one simple thing describes them.",
        ),
    ),
)

ONE_MAP = Scene(
    name="one_map",
    title="One map for all",
    question="Can one map show what all heads do?",
    lead=(
        "Each summary answers another question, and none is the model’s attention. Beside it stands an experiment: "
        "hide a source token, and see what falls."
    ),
    core=False,
    controls={"mh_summary": "mean", "mh_of": "cross", "mh_of_layer": "2", "mh_written": "1"},
    presets=(
        Preset(
            "Rollout",
            {"mh_summary": "rollout"},
            "Look for weights that spread: through many layers every token gets a share.",
        ),
        Preset("Maximum", {"mh_summary": "max"}, "Look for rows with several strong cells: they no longer sum to 1."),
    ),
)

EACH_ALONE = Scene(
    name="each_alone",
    title="Each alone",
    question="Which single head does the translation need?",
    lead=(
        "Each head is switched off alone, and the old translation is read again. Violet: it became less likely; green: "
        "likelier. Click on a head to take it out in *Switch heads off*."
    ),
    core=False,
    controls={"mh_how_alone": "off"},
    presets=(
        Preset(
            "Look evenly instead",
            {"mh_how_alone": "uniform"},
            "Look for heads that lose less: what they add does not depend on where they look.",
        ),
    ),
)

LESSON = Lesson(
    stem="multi_head",
    book=(book.MULTI_HEAD,),
    scenes=(ALL_HEADS, ONE_HEAD, ONE_SCORE, SWITCH_OFF, SHAPES, DROPOUT, UNTRAINED, WHAT_HEADS_DO, ONE_MAP, EACH_ALONE),
    shared={"mh_text": EXAMPLE},
)
