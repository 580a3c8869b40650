"""The scenes of multi-head attention."""

from explorer.records.language import english as message
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

EXAMPLE = "My sister wants to live in a big white house."
_HEAD = {
    "mh_find": "previous",
    "mh_site": "encoder",
    "mh_layer": "3",
    "mh_head": "6",
    "mh_query": "auto",
    "mh_key": "most",
}
_WORDS = {"mh_merge": True, "mh_hide": False}

ALL_HEADS = Scene(
    name="all_heads",
    title=message("All heads"),
    question=message("What do all these heads look at?"),
    lead=message(
        "A Transformer looks **several times at once**. Each small square is one head: a row for the word that "
        ":orange[**asks**], a column for the word that is :blue[**asked**]. Choose one."
    ),
    controls={**_HEAD, **_WORDS, "mh_marks": False},
    presets=(
        Preset(
            label=message("The word itself"),
            state={"mh_find": "same"},
            look=message("Look for the diagonal: most words look at themselves."),
        ),
        Preset(
            label=message("One word ahead"),
            state={"mh_find": "next"},
            look=message("Look for the line one step above the diagonal: each word looks at the one after it."),
        ),
        Preset(
            label=message("Word by word"),
            state={"mh_find": "diagonal"},
            look=message("Look for the staircase: French is written while English is read at the same pace."),
        ),
        Preset(
            label=message("Swapped words"),
            state={"mh_find": "swap"},
            look=message("Look at the framed row and the row above it: French puts two words in the other order."),
        ),
        Preset(
            label=message("Almost evenly"),
            state={"mh_find": "even"},
            look=message("Look for a pale map: this head has no favourite place."),
        ),
    ),
    prediction=Prediction(
        question=message("How many heads follow a rule as simple as “look one token back”?"),
        answers={
            "few": message("about one in eight"),
            "third": message("about one in three"),
            "most": message("nearly all"),
        },
        reveals={"mh_marks": True},
        why=message(
            "{labelled} of {heads} heads keep one of nine stated rules on this sentence; the most common is “{common}” "
            "({count}). The others do nothing that has a simple name."
        ),
    ),
)

ONE_HEAD = Scene(
    name="one_head",
    title=message("One head"),
    question=message("Where does one word look?"),
    lead=message(
        "Below stands the word that :orange[**asks**], above it every word that can be :blue[**asked**]. The wider the "
        "ribbon, the larger the weight. Point at a word; a click pins it."
    ),
    controls={**_HEAD, "mh_look": "lines"},
    presets=(
        Preset(
            label=message("Swapped words"),
            state={"mh_find": "swap"},
            look=message("Look for two ribbons that cross: French puts these two words in the other order."),
        ),
        Preset(
            label=message("Word by word"),
            state={"mh_find": "diagonal"},
            look=message("Look for ribbons side by side: the words come in the same order."),
        ),
        Preset(
            label=message("Only backwards"),
            state={"mh_find": "same"},
            look=message("Look at the hatched words: what is not yet written cannot be asked."),
        ),
        Preset(
            label=message("The mean of a layer"),
            state={"mh_find": "swap", "mh_look": "all"},
            look=message("Look for thinner ribbons: no single head looks like the mean of all."),
        ),
    ),
    prediction=Prediction(
        question=message("“white house” becomes “maison blanche”. Two French words ask: how do their ribbons run?"),
        answers={
            "cross": message("they cross"),
            "parallel": message("side by side"),
            "same": message("both to one word"),
        },
        reveals={"mh_find": "swap"},
        why=message(
            "Writing “{first}”, this head looks at “{first_key}” ({first_weight}); writing “{second}”, at "
            "“{second_key}” ({second_weight}). Nobody told it the order: the weights follow the words."
        ),
    ),
)

ONE_SCORE = Scene(
    name="one_score",
    title=message("Inside one score"),
    question=message("Why does one word get this much weight?"),
    lead=message(
        "A head makes a short :orange[**query**] and a short :blue[**key**] of each word. It multiplies them number by "
        "number and adds up: the score. Softmax compares the scores."
    ),
    controls=_HEAD,
    presets=(
        Preset(
            label=message("The least wanted word"),
            state={"mh_key": "least"},
            look=message("Look for bars below zero: they pull the score down."),
        ),
        Preset(
            label=message("A head that looks at itself"),
            state={"mh_find": "same"},
            look=message("Look for query and key that point the same way, though they belong to one word."),
        ),
        Preset(
            label=message("French asks English"),
            state={"mh_find": "swap"},
            look=message("Look for the score that stands out: the query has found its word."),
        ),
    ),
    prediction=Prediction(
        question=message("The word that is looked at least: what do its products look like?"),
        answers={
            "down": message("nearly all below zero"),
            "cancel": message("up and down, they cancel"),
            "zero": message("all close to zero"),
        },
        reveals={"mh_key": "least"},
        why=message(
            "“{query}” asks “{key}”. Divided by √{d}, {ups} products add {up} and {downs} take away {down}: the score "
            "is {score}, and softmax leaves {weight} of the weight."
        ),
    ),
)

SWITCH_OFF = Scene(
    name="switch_off",
    title=message("Switch heads off"),
    question=message("Does a head matter?"),
    lead=message(
        "Click on heads to switch them off, and the sentence is translated again. The bars show what every piece of "
        "the **old** translation loses: harm shows there before a word changes."
    ),
    controls={"mh_off": "most", "mh_how": "off"},
    presets=(
        Preset(
            label=message("All harmless ones"),
            state={"mh_off": "harmless"},
            look=message("Look at the bars: each of these heads costs next to nothing alone; together they cost more."),
        ),
        Preset(
            label=message("One layer of looking at English"),
            state={"mh_off": "C2.0 C2.1 C2.2 C2.3 C2.4 C2.5 C2.6 C2.7"},
            look=message("Look for pieces that lose much: the last layer can no longer look at the source."),
        ),
        Preset(
            label=message("The same layer, looking evenly"),
            state={"mh_off": "C2.0 C2.1 C2.2 C2.3 C2.4 C2.5 C2.6 C2.7", "mh_how": "uniform"},
            look=message("Look at the difference: the heads still work, only where they look is lost."),
        ),
        Preset(
            label=message("Where it goes wrong: no look at English"),
            state={
                "mh_off": " ".join(f"C{layer}.{head}" for layer in range(3) for head in range(8)),
            },
            look=message("Look at the new translation: it is French, but of another sentence."),
        ),
    ),
    prediction=Prediction(
        question=message(
            "Most heads can go alone without harm. All of those go together: how much less likely is the old "
            "translation?"
        ),
        answers={
            "hardly": message("hardly at all"),
            "some": message("a few times"),
            "thousands": message("over a hundred times"),
        },
        reveals={"mh_off": "harmless"},
        why=message(
            "{count} of {heads} heads change its log-probability by less than {small} nats alone. Without all of them "
            "it is {times} times less likely: heads stand in for each other."
        ),
    ),
)

SHAPES = Scene(
    name="shapes",
    title=message("Split and join"),
    question=message("How do many heads become one output?"),
    lead=message(
        "Each head gives a part of the :violet[**output**]; the parts are added. Bars show how long each part is, and "
        "whether it points the way of the sum."
    ),
    core=False,
    controls={key: value for key, value in _HEAD.items() if key != "mh_key"},
    presets=(
        Preset(
            label=message("Cross-attention"),
            state={"mh_find": "swap"},
            look=message("Look at the cosines: some heads point across the sum, or against it."),
        ),
    ),
)

UNTRAINED = Scene(
    name="untrained",
    title=message("Untrained"),
    question=message("What did training give the heads?"),
    lead=message(
        "The same English words meet a trained layer, and a layer straight from its random start. Each map is one head."
    ),
    core=False,
    controls={"mh_width": 256, "mh_count": 8, "mh_seed": 0, "mh_trained": "3"},
    presets=(
        Preset(
            label=message("Another random start"),
            state={"mh_seed": 7},
            look=message("Look at the untrained maps: they all change, for what each prefers is an accident."),
        ),
        Preset(
            label=message("Few and narrow"),
            state={"mh_width": 64, "mh_count": 4, "mh_seed": 7},
            look=message("Look at the untrained maps: without training no head has a place of its own."),
        ),
    ),
)

WHAT_HEADS_DO = Scene(
    name="what_heads_do",
    title=message("What a head does"),
    question=message("Which head does what?"),
    lead=message(
        "A head gets a label only if a stated rule holds **on this sentence**. Most heads earn none. Choose a row to "
        "look at its head."
    ),
    core=False,
    controls={"mh_sort": "model", "mh_label": "all", "mh_only": "all"},
    presets=(
        Preset(
            label=message("The sharpest first"),
            state={"mh_sort": "entropy"},
            look=message("Look at the top of the table: these heads look at one token at a time."),
        ),
        Preset(
            label=message("Heads with no label"),
            state={"mh_label": "none"},
            look=message("Look for how they scatter: no one simple thing describes them."),
        ),
    ),
)

ONE_MAP = Scene(
    name="one_map",
    title=message("One map for all"),
    question=message("Can one map show what all heads do?"),
    lead=message(
        "Each summary answers another question, and none is the model’s attention. Beside it stands an experiment: "
        "hide a source token, and see what falls."
    ),
    core=False,
    controls={"mh_summary": "mean", "mh_of": "cross", "mh_of_layer": "2", "mh_written": "1"},
    presets=(
        Preset(
            label=message("Rollout"),
            state={"mh_summary": "rollout"},
            look=message("Look for weights that spread: through many layers every token gets a share."),
        ),
        Preset(
            label=message("Maximum"),
            state={"mh_summary": "max"},
            look=message("Look for rows with several dark cells: they no longer sum to 1."),
        ),
    ),
)

EACH_ALONE = Scene(
    name="each_alone",
    title=message("Each alone"),
    question=message("Which single head does the translation need?"),
    lead=message(
        "Each head is switched off alone, and the old translation is read again. Violet: it became less likely; green: "
        "likelier. Click on a head to take it out in *Switch heads off*."
    ),
    core=False,
    controls={"mh_how_alone": "off"},
    presets=(
        Preset(
            label=message("Look evenly instead"),
            state={"mh_how_alone": "uniform"},
            look=message("Look for heads that lose less: what they add does not depend on where they look."),
        ),
    ),
)

LESSON = Lesson(
    stem="multi_head",
    scenes=(
        ALL_HEADS,
        ONE_HEAD,
        ONE_SCORE,
        SWITCH_OFF,
        SHAPES,
        UNTRAINED,
        WHAT_HEADS_DO,
        ONE_MAP,
        EACH_ALONE,
    ),
    shared={"mh_text": EXAMPLE},
)
