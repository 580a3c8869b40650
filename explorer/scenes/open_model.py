"""The scenes of *Open a model*."""

from explorer.records.opened.texts import CAPITALS, FRANCE, GETTYSBURG, ITALY, MISS, SOFA
from explorer.scenes import book
from explorer.scenes.spec import Lesson, Prediction, Preset, Scene

#: Of the recorded models: one that writes, one that reads.
WRITER, READER = "SmolLM2-135M-Instruct", "all-MiniLM-L6-v2"
#: Of those that translate, one of our own.
TRANSLATES = "translator-en-fr"
#: Of those that see, one of our own.
SEES = "vit-cifar10"
#: In every scene that reads a text; `site.head`, and the revision of a model of the Hub.
MODEL = {"om_model": WRITER, "om_revision": ""}

EVERY_HEAD = Scene(
    name="every_head",
    title="Every head",
    question="What does this model look at?",
    lead=(
        "Each square is one head: its rows :orange[**ask**], its columns are :blue[**asked**]. **Click a square** to "
        "see it large."
    ),
    controls={"om_text": CAPITALS, "om_rest": False, "om_show": "maps", "om_head": "17.4", "om_word": ""},
    presets=(
        Preset(
            "As last time",
            {"om_rest": True},
            "Look at the large map: a word looks at what followed the same word the last time.",
        ),
        Preset(
            "The word before",
            {"om_rest": True, "om_head": "16.0"},
            "Look for the line below the diagonal: every word looks one word back.",
        ),
        Preset(
            "A model that reads",
            {"om_model": READER, "om_head": "1.8", "om_rest": True},
            "Look at both halves of each square: this model reads forwards, too.",
        ),
        Preset(
            "Coloured by rule",
            {"om_show": "rules"},
            "Look for the order: heads that look at what followed the last time stand together, those that look at "
            "the word itself come last.",
        ),
    ),
    prediction=Prediction(
        question="Look at the first column of the large map. How much of this head’s weight lies on “The”?",
        answers={"few": "about 5%", "some": "about 20%", "half": "more than half"},
        reveals={"om_rest": True},
        why=(
            "{own} of it, and {share} of the weight of all {heads} heads: they rest on “{word}”, because it stands "
            "first and every word can see it. Without it you see what each head does."
        ),
        told=True,
    ),
)

#: A token of the speech, whose row the picture opens with: “dedicate”, behind “we can not”.
DEDICATE = 128

ONE_WORD = Scene(
    name="one_word",
    title="One word",
    question="Where does one word look?",
    lead="**Click a word**: it :orange[**asks**]. The stronger the :blue[**blue**], the more it looks there.",
    controls={"om_long": GETTYSBURG, "om_layer": "17", "om_away": True, "om_join": True, "om_one": "4", "om_asks": ""},
    presets=(
        Preset(
            "As last time",
            {"om_one": "5", "om_asks": "56"},
            "Look at the arc: “so conceived and so dedicated”. The second “so” looks at what followed the first.",
        ),
        Preset(
            "The word before",
            {"om_one": "8", "om_asks": "220"},
            "Look at the strip below the text: what gets weight stands just before the word that asks.",
        ),
        Preset(
            "With its rest",
            {"om_away": False, "om_asks": "60"},
            "Look at the very first word: nearly everything lies there, and nothing else can be seen.",
        ),
        Preset(
            "All heads together",
            {"om_one": "mean", "om_asks": "220"},
            "Look for pale words everywhere: in the mean of all heads, what each of them does is hidden.",
        ),
    ),
    prediction=Prediction(
        question="“dedicate” looks far back, at one “a” of many. Why at this one?",
        answers={
            "first": "it is the first “a”",
            "nearest": "it is the nearest “a”",
            "followed": "it followed “dedicate” the last time",
        },
        reveals={"om_one": "4"},
        why=(
            "“{query}” stood there before, and “{key}” came after it: {share} of what does not rest goes there. Such a "
            "head repeats what followed the last time."
        ),
    ),
)


LAYER_BY_LAYER = Scene(
    name="layer_by_layer",
    title="Layer by layer",
    question="From which layer on is the answer there?",
    lead=(
        "After each layer we ask: what would the model write **now**? **Read from below**: the longer a bar, the surer."
    ),
    controls={"om_text": CAPITALS, "om_layers": "some", "om_cell": ""},
    presets=(
        Preset(
            "The last ten layers",
            {"om_layers": "last"},
            "Look from below: first “the”, then “city”, and the name of the city at the very end.",
        ),
        Preset(
            "What repeats",
            {"om_cell": "11.8", "om_layers": "all", "sight": "map"},
            "Look at the second “capital”: the model knows early that “of” follows, as it did before.",
        ),
        Preset(
            "Before the first layer",
            {"om_cell": "0.18", "om_layers": "all", "sight": "map"},
            "Look at the bottom row: with no layer at all, the likeliest next word is mostly the word itself.",
        ),
    ),
    prediction=Prediction(
        question="This model has layers 0 to 29, and writes “Rome” in the end. After which layer does “Rome” lead?",
        answers={"ten": "about 10", "twenty": "about 20", "last": "one of the last two"},
        reveals={"om_layers": "last"},
        why="“{answer}” leads after layer {layer}. One layer before, “{before}” is still ahead of it.",
        told=True,
    ),
)

WITHOUT_A_HEAD = Scene(
    name="without_a_head",
    title="Without a head",
    question="Does this head matter?",
    lead=(
        "Each square is one head switched off: the answer becomes :orange[**less**] or :blue[**more**] likely. **Click "
        "a square**, and read what is written then."
    ),
    controls={"om_text": CAPITALS, "om_group": "one", "om_measure": "effect", "om_left": 0, "om_off": "24.4"},
    presets=(
        Preset(
            "The one that matters",
            {"om_off": "23.4"},
            "Look at the framed square: without it the model still names a city, but has lost the country.",
        ),
        Preset(
            "Half of it",
            {"om_off": "23.4", "om_left": 50},
            "Look at the lists of words: with half of that head, the answer falls only a little. Now set less of it.",
        ),
        Preset(
            "All that look at themselves",
            {"om_group": "same"},
            "Look at how many squares are framed, and at the answer: all of them can go together.",
        ),
        Preset(
            "All without a rule",
            {"om_group": "mixed"},
            "Look at the answer: a third of the heads keep no rule of ours, and without them it is gone.",
        ),
        Preset(
            "What the gradient says",
            {"om_measure": "slope", "om_off": "23.4"},
            "Look at the framed square: one backward pass hardly sees the head that matters most.",
        ),
    ),
    prediction=Prediction(
        question="One square is the strongest orange. Without this head, how likely is “Rome” still?",
        answers={"high": "nearly as before", "half": "half as likely", "low": "under 10%"},
        reveals={"om_off": "23.4"},
        why=(
            "Without layer {layer}, head {head}, “{answer}” falls to {chance}, and the model writes “{now}”. Of all "
            "{heads} heads, {count} change it by more than two points, most of them little."
        ),
        told=True,
    ),
)

WHAT_IT_COSTS = Scene(
    name="what_it_costs",
    title="What it costs",
    question="What will this model cost?",
    lead="How much memory do a model and its attention maps take? **Move the length of the text.**",
    controls={"om_tokens": 128},
    presets=(
        Preset(
            "A model that reads",
            {"om_model": READER},
            "Look at the weights: a sixth of the parameters, and a sixth of the memory.",
        ),
        Preset(
            "A long text",
            {"om_tokens": 4096},
            "Look at the bars of the maps: all maps of a text of this length would take 18 GB.",
        ),
        Preset(
            "A short text",
            {"om_tokens": 32},
            "Look at the bars of the maps: beside the weights, they are nothing.",
        ),
    ),
    prediction=Prediction(
        question="This text has 128 tokens. One twice as long: how much memory do all its maps take?",
        answers={"same": "the same", "twice": "twice as much", "four": "four times as much"},
        reveals={"om_tokens": 256},
        why=(
            "A map has a row and a column for each token: {before} for {tokens} tokens, {after} for {more}. The "
            "weights of the model stay as large as they were."
        ),
        told=True,
    ),
)

#: Scores of a head of the shipped translator, writing “Une grande maison blanche”, and the weights that they become.
SCORES = """word,a,big,white,house,end
Une,1.1,3.3,0.4,-0.2,1.6
grande,0.7,11.2,2.0,-0.7,-0.6
maison,-0.4,3.1,3.0,4.4,0.3
de,-0.9,0.4,8.6,-0.7,5.1
blanc,-2.4,0.8,4.2,0.6,-1.2
end,0.4,-2.1,4.6,-2.3,2.2"""
#: The same, 10 more in one row.
RAISED = SCORES.replace("maison,-0.4,3.1,3.0,4.4,0.3", "maison,9.6,13.1,13.0,14.4,10.3")
ALIGNMENT = """word,a,big,white,house,end
Une,.08,.72,.04,.02,.14
grande,0,1,0,0,0
maison,0,.17,.16,.66,.01
de,0,0,.97,0,.03
blanc,0,.03,.94,.03,0
end,.01,0,.9,0,.08"""

OWN_MATRIX = Scene(
    name="own_matrix",
    title="Your own matrix",
    question="What does your own matrix look like?",
    lead=(
        "Paste numbers, a row for each query, or bring a file (CSV, or NPY of NumPy). Names in the first row and "
        "column are read, too. Until you do, scores of a head of our translator stand here."
    ),
    core=False,
    controls={"om_numbers": SCORES, "om_meaning": "scores", "om_temperature": 1.0},
    presets=(
        Preset(
            "An alignment",
            {"om_numbers": ALIGNMENT, "om_meaning": "weights"},
            "Look at the ribbons: every row adds up to 1 already, so nothing is changed.",
        ),
        Preset(
            "Rows that do not add up",
            {"om_meaning": "weights"},
            "Look at the sentence: scores are no weights, and it says how many rows give that away.",
        ),
        Preset(
            "Colder", {"om_temperature": 0.25}, "Look for one strong cell in each row: the largest score takes it all."
        ),
        Preset("Hotter", {"om_temperature": 5.0}, "Look for pale rows: nearly every column gets the same."),
    ),
    prediction=Prediction(
        question="Add 10 to every score of the row “maison”. Its weights …",
        answers={"grow": "grow", "same": "stay", "sharper": "become sharper"},
        reveals={"om_numbers": RAISED},
        why=(
            "Softmax divides by the sum of the same row, and what all its scores have in common cancels: the largest "
            "change of a weight is {apart}."
        ),
    ),
)

TWO_MODELS = Scene(
    name="two_models",
    title="Two models",
    question="How far apart are the maps of two models?",
    lead=(
        "The same text in two models of one origin, such as a base model and one tuned further. A cell is one head: "
        "how much of its weight lies elsewhere. Recorded is what **rounding** the weights does."
    ),
    core=False,
    controls={"om_other": "bits:8", "om_text": CAPITALS},
    presets=(
        Preset(
            "4 bits",
            {"om_other": "bits:4"},
            "Look at the first layers: their maps hardly move, and errors add up above them.",
        ),
        Preset("3 bits", {"om_other": "bits:3"}, "Look at the scale: maps move almost twice as far as with 4 bits."),
        Preset("2 bits", {"om_other": "bits:2"}, "Look at the scale: with three values for a weight, little is left."),
        Preset(
            "A model that reads",
            {"om_model": READER, "om_other": "bits:4"},
            "Look at the first layer: it moves least, and errors add up above it.",
        ),
    ),
    prediction=Prediction(
        question="Round every weight to 4 bits, as small files do. How much of its weight does a head move on average?",
        answers={"hardly": "less than 3%", "little": "3% to 20%", "much": "more than 20%"},
        reveals={"om_other": "bits:4"},
        why=(
            "With 8 bits {eight} of the weight moves, with 4 bits {four}, and of the head that moves most {most}. "
            "This model’s file held 4 bits already, and was rounded once more."
        ),
    ),
)

OVER_CORPUS = Scene(
    name="over_corpus",
    title="Over 200 sentences",
    question="What does a head do on two hundred sentences?",
    lead=(
        "One text may deceive. Here each head has read two hundred sentences. A cell says how much of its weight rests "
        "or, if you choose a rule, on how many sentences it keeps it. "
        "**Click a head** to see where it looks hardest."
    ),
    core=False,
    controls={"om_kind": "rests", "om_over": "16.0", "om_lines": ""},
    presets=(
        Preset(
            "The word itself",
            {"om_kind": "same", "om_over": "29.1"},
            "Look at the last layers: the word itself is what they look at, sentence after sentence.",
        ),
        Preset(
            "Evenly",
            {"om_kind": "broad", "om_over": "19.1"},
            "Look at the first two layers and the middle: these heads spread what does not rest over the whole "
            "sentence.",
        ),
        Preset(
            "The word before",
            {"om_kind": "previous"},
            "Look for the few strong cells: these heads look one word back, whatever the words are.",
        ),
        Preset(
            "A model that reads",
            {"om_model": READER, "om_kind": "next", "om_over": "1.8"},
            "Look for the one head that looks at the word after, on every single sentence.",
        ),
    ),
    prediction=Prediction(
        question="On one text, head 0 of layer 16 looked at the word before. On how many of 200 sentences does it?",
        answers={"few": "a few", "half": "about half", "all": "nearly all"},
        reveals={"om_kind": "previous", "om_over": "16.0"},
        why=(
            "On {times} of {count} sentences, and {rests} of its weight rests. What it does depends on place, not on "
            "words."
        ),
        told=True,
    ),
)

CARRIED_OVER = Scene(
    name="carried_over",
    title="Carried over",
    question="Which head carries the answer?",
    lead=(
        "Two texts differ in one word. A square is one head: at the last word, what it found in the **other** text "
        "stands in place of what it found in this one. :blue[**Blue**]: the answer moves towards the other text’s. "
        "**Click a head.**"
    ),
    core=False,
    controls={"om_into": FRANCE, "om_from": ITALY, "om_carry": "17.4"},
    presets=(
        Preset(
            "The one that carries it",
            {"om_carry": "23.4"},
            "Look at the answer: the text says France, one head says Italy, and the model writes what the head says.",
        ),
        Preset(
            "The other way round",
            {"om_into": ITALY, "om_from": FRANCE, "om_carry": "23.4"},
            "Look at the framed square: it is the same head.",
        ),
        Preset(
            "In the last layer",
            {"om_carry": "29.1"},
            "Look at the answer: a head of the last layer moves it a little, and the model still writes the same.",
        ),
    ),
    prediction=Prediction(
        question="One head of 270, at one word, comes from the text about Italy. How far can it move Paris to Rome?",
        answers={"little": "a few points", "half": "about half way", "all": "nearly all the way"},
        reveals={"om_carry": "23.4"},
        why=(
            "Layer {layer}, head {head} moves “{word}” from {before} to {after} of both. It looks from the last word "
            "at the name of the country, and brings it there."
        ),
        told=True,
    ),
)

TRANSLATION = Scene(
    name="translation",
    title="A translation",
    question="Who looks at whom while a text is translated?",
    lead=(
        "A model of two stacks reads one text and writes another. Each :orange[**word**] that it writes looks at what "
        "it has :blue[**read**]. **Point at a word**; then look at how the other two kinds of attention do it."
    ),
    core=False,
    controls={
        "om_translator": TRANSLATES,
        "om_translator_revision": "",
        "om_source": SOFA,
        "om_part": "cross",
        "om_stack": "2.mean",
        "om_marks": True,
        "om_start": "",
    },
    presets=(
        Preset(
            "Only the words",
            {"om_marks": False},
            "Look for ribbons that cross: in French, the cat comes before its colour.",
        ),
        Preset(
            "One head",
            {"om_stack": "1.2", "om_marks": False},
            "Look at how sure it is: nearly every word looks at the one that it translates.",
        ),
        Preset(
            "It reads",
            {"om_part": "encoder", "om_stack": "1.7"},
            "Look at both directions: a word that is read sees what comes after it, too.",
        ),
        Preset(
            "It writes",
            {"om_part": "decoder", "om_stack": "0.3"},
            "Look for hatched words: nobody can look at what is not written yet.",
        ),
        Preset(
            "Who misses whom?",
            {"om_source": MISS, "om_marks": False},
            "Look at the first word: “Tu” looks at “you”, the last word of the English sentence.",
        ),
    ),
    prediction=Prediction(
        question="“end” is no word. How much of all the weight that looks across lies there?",
        answers={"hardly": "hardly any", "third": "about a third", "most": "most of it"},
        reveals={"om_stack": "2.6"},
        why=(
            "{share} of the weight of {heads} heads, in one of them {most}. It is no bug: a head that finds nothing to "
            "look at must put its weight somewhere. Leave the marks out, and see the words."
        ),
    ),
)

ON_A_PICTURE = Scene(
    name="on_a_picture",
    title="On a picture",
    question="Where does a model that sees look?",
    lead=(
        "A picture is cut into patches, and each patch attends to all. **Point at a patch: it asks**, and the picture "
        "stays bright where it looks. Beside it, every head does the same."
    ),
    core=False,
    controls={
        "om_seer": SEES,
        "om_seer_revision": "",
        "om_picture": "cat",
        "om_eye": "1.0",
        "om_asker": "28",
    },
    presets=(
        Preset(
            "The summary asks",
            {"om_asker": "0", "om_eye": "5.mean"},
            "Look at how evenly it is lit: in the last layer, the class token gathers from the whole picture.",
        ),
        Preset(
            "The mean of a layer",
            {"om_eye": "1.mean"},
            "Look at what else is bright now: heads of one layer look at different places, and their mean hides it.",
        ),
        Preset(
            "A horse",
            {"om_picture": "horse"},
            "Look at where it is bright: the same head, on another picture, looks at another place.",
        ),
    ),
    prediction=Prediction(
        question="A text model may rest half of its weight on the first word. How much lies on the class token here?",
        answers={"even": "about 1%", "quarter": "about a quarter", "half": "more than half"},
        reveals={"om_asker": "0"},
        why=(
            "{share} of all weight, where an even spread would put {even}. It was trained on small pictures, and has "
            "learned no resting place. Large ones do: they rest on a few patches of the background."
        ),
    ),
)

LESSON = Lesson(
    stem="open_model",
    book=(book.PRETRAINING,),
    shared=MODEL,
    scenes=(
        EVERY_HEAD,
        ONE_WORD,
        LAYER_BY_LAYER,
        WITHOUT_A_HEAD,
        WHAT_IT_COSTS,
        CARRIED_OVER,
        OWN_MATRIX,
        TRANSLATION,
        ON_A_PICTURE,
        TWO_MODELS,
        OVER_CORPUS,
    ),
    exercises=3,
)
