"""The scenes of recurrent attention."""

from dataclasses import replace

from explorer.scenes import book
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene
from explorer.scenes.translating import BEAM, LENGTH_PENALTY

SOFA = "Auf dem Sofa schläft eine kleine Katze."
BALL = "Zwei Kinder spielen im Park mit einem roten Ball."
STAIRS = "Ein Skateboardfahrer springt über eine Treppe."
DRESSES = "Drei junge Frauen, die bunte Kleider tragen, tanzen auf der Straße."
CAR = "Neben einem alten Auto steht ein Mann in einem schwarzen Anzug."
FLOWERS = "Ein Mann mit Bart und einem grünen Hut verkauft auf der Straße Blumen."
PAINTINGS = "Zwei Personen sehen sich Gemälde an."
RIDER = "Ein Motorradfahrer fährt."
LONG = (
    "Ein alter Mann mit grauem Bart und einem schwarzen Hut sitzt auf einer Holzbank vor einem kleinen Laden und"
    " spielt Gitarre, während zwei Kinder auf dem Gehweg stehen und ihm zuhören."
)
#: Du Fu's; the others are first lines of wb14123's test set, as cleaned by v-zich (MIT).
ORIOLES, REPEATED = "两个黄鹂鸣翠柳", "水水山山，处处明明秀秀"
#: Du Fu's second line.
EGRETS = "一行白鹭上青天"
BRIDGE, BROCADE = "断桥残雪留春韵", "大雪翩翩铺锦笺，碧柳添诗，飞禽绘画"

_BEAM = replace(BEAM, default=5)
_GERMAN = {"sa_text": SOFA, "sa_beam": _BEAM, "sa_penalty": replace(LENGTH_PENALTY, default=1.0)}
_STEP = {"sa_step": "0", "sa_look": "", "sa_line": ORIOLES, **_GERMAN}

THREE_MODELS = Scene(
    name="three_models",
    title="One vector or a look back",
    question="Squeeze a sentence into one vector, or look back?",
    lead=("Three models translate one :blue[**German**] sentence. Follow **a small cat**: does it arrive in English?"),
    controls={"sa_detail": "0", "sa_models": "", "sa_hard": False, **_GERMAN},
    presets=(
        Preset(
            "A long sentence",
            {"sa_text": LONG, "sa_detail": "4"},
            "Look at the three lists: one vector loses five of eight details, a look back two.",
        ),
        Preset(
            "The old car",
            {"sa_text": CAR},
            "Look at the red ribbons: word for word, “alten Auto” becomes “an old”, and what is old is the man.",
        ),
        Preset(
            "All three manage",
            {"sa_text": STAIRS},
            "Look at the ribbons: the words have the same order in both languages, and no list has a cross.",
        ),
        Preset(
            "Where it goes wrong",
            {"sa_text": FLOWERS, "sa_detail": "4"},
            "Look for the flowers: the model that looks back has lost them, though it could look at them.",
        ),
        Preset(
            "The same as a map",
            {"sight": "map", "sa_hard": True},
            "Look for frames away from the diagonal: there the order of the words changes.",
        ),
    ),
    prediction=Prediction(
        question="Read the three translations. Which models keep “kleine katze”, a small cat?",
        answers={
            "none": "none of them",
            "back": "only the one that looks back",
            "two": "two of them",
            "all": "all three",
        },
        reveals={},
        why=(
            "One vector: “{none}” Word for word: “{fixed}” Look back: “{attention}” A vector of fixed size has no room "
            "for every detail; who looks back finds it where it stands."
        ),
    ),
)

STEP_BY_STEP = Scene(
    name="step_by_step",
    title="Step by step",
    question="What happens when it writes one word?",
    lead=(
        "Before each word its :orange[**memory**] asks every German :blue[**word**]. The :green[**states**], added up "
        "by weight, are the :violet[**context**]. **Press ▶.**"
    ),
    controls={"sa_shown": "step", **_STEP},
    presets=(
        Preset(
            "Back to the sofa",
            {"sa_step": "6"},
            "Look at the widest ribbon: the model goes back to the third word of the source.",
        ),
        Preset(
            "Where to stop",
            {"sa_step": "8"},
            "Look at the weights: none is large, and yet the model is sure that the sentence is over.",
        ),
        Preset(
            "What is added up",
            {"sa_step": "6", "sa_shown": "sum"},
            "Look at the last strip: it is nearly the state of one word.",
        ),
        Preset(
            "Before the softmax",
            {"sa_step": "2", "sa_shown": "scores"},
            "Look at both columns: small differences of the scores are large ones of the weights.",
        ),
    ),
    prediction=Prediction(
        question="To write “a” it looks at “eine”. Where does it look to write “cat”?",
        answers={"auf": "auf", "kleine": "kleine", "katze": "katze"},
        reveals={"sa_step": "2"},
        why="It gives {share} of its weight to “{word}” and writes “{written}”.",
    ),
    experiment=Experiment(
        kind="words",
        question="“On the sofa sleeps a small cat”: for each English word, which German words would you look at?",
        why=(
            "The German begins with the sofa, the English with the cat. The model begins at word {first} and goes "
            "back to word {back} for “{last}”: nobody told it the order."
        ),
    ),
)

FORCE = Scene(
    name="force",
    title="Force a step",
    question="What if it must look at another word?",
    lead=(
        "To write “cat” it looks at “katze”. **Click another German word**: all weight of this step goes there, and "
        "the model writes on."
    ),
    controls={"sa_force": "", "sa_at": "2", **{key: value for key, value in _STEP.items() if key != "sa_step"}},
    presets=(
        Preset(
            "The sofa, not the cat",
            {"sa_at": "2", "sa_force": "2@2"},
            "Look at the third word: it is what the model was made to look at.",
        ),
        Preset(
            "The text stays",
            {"sa_at": "0", "sa_force": "0@2"},
            "Look at both sides: the text is equal. But the log-probability falls: now the model is less sure.",
        ),
        Preset(
            "The verb too early",
            {"sa_at": "1", "sa_force": "1@3"},
            "Look at the second word: the verb comes too early, and then once more in its place.",
        ),
    ),
    prediction=Prediction(
        question="What does it write in the place of “cat” if it must look at “sofa”?",
        answers={"cat": "cat all the same", "couch": "couch", "end": "nothing more"},
        reveals={"sa_at": "2", "sa_force": "2@2"},
        why="It writes “{text}” The weights decide what the model sees, so they are a cause and not only a picture.",
    ),
)

BOTTLENECK = Scene(
    name="bottleneck",
    title="The bottleneck, measured",
    question="Does one vector fail more often when sentences grow longer?",
    lead=(
        "BLEU counts how much of a translation agrees with a human one. Each point is a group of test sentences of "
        "similar length."
    ),
    core=False,
    controls={"sa_search": "beam 5", "sa_sample": "test", "sa_count": 100},
    presets=(
        Preset(
            "The likeliest word at once",
            {"sa_search": "greedy"},
            "Look at the points: most are lower when only the likeliest word is kept at each step.",
        ),
        Preset(
            "Measure it here",
            {"sa_sample": "own"},
            "Look at the curves while they grow: all models translate the same captions while you wait.",
        ),
    ),
)

WORD_FOR_WORD = Scene(
    name="word_for_word",
    title="Word for word",
    question="Why not simply let word 3 look at word 3?",
    lead=(
        "The strong cells show a model whose word 3 may look only at word 3: attention whose weights are fixed, a "
        "single 1 in each row. The orange marks show where the trained attention looked most in its own translation."
    ),
    core=False,
    controls=_GERMAN,
    presets=(
        Preset(
            "A verb in two parts",
            {"sa_text": PAINTINGS},
            "Look at the marks for the verb: its second part stands at the end of the German sentence.",
        ),
        Preset(
            "A longer output",
            {"sa_text": RIDER},
            "Look at the last rows: past the end there is only the end to look at.",
        ),
        Preset(
            "Nearly word for word",
            {"sa_text": STAIRS},
            "Look at the marks: here none lies more than two places off the diagonal.",
        ),
    ),
)

COUPLETS = Scene(
    name="couplets",
    title="Couplets",
    question="Here the right place is known: what does choosing add?",
    lead=(
        "One model answers the first line of a Chinese couplet three times: looking where it wants, straight across, "
        "and at all alike. Or three small models answer, each trained its own way; or the model is "
        "made to write the poet’s line. **Click a character**."
    ),
    core=False,
    controls={
        "sa_line": ORIOLES,
        "sa_who": "one",
        "sa_true": EGRETS,
        "sa_formal": True,
        "sa_place": "2",
        "sa_beam": _BEAM,
        "sa_task": "couplet",
    },
    presets=(
        Preset(
            "Characters that return",
            {"sa_line": REPEATED, "sa_place": "0"},
            "Look at the second line: a character returns wherever one does in the first.",
        ),
        Preset(
            "Snow on a broken bridge",
            {"sa_line": BRIDGE},
            "Look at the first two pictures: nobody told it, and yet most of its own ribbons run straight across.",
        ),
        Preset(
            "Three, each trained its own way",
            {"sa_who": "trained", "sa_formal": False},
            "Look at what each foresees: told the place, a model learns more in as many steps than one that seeks it.",
        ),
        Preset(
            "The poet’s own line",
            {"sa_who": "true", "sa_place": "3"},
            "Look at 鹭, the egret: made to write the poet’s line, the model looks at 鹂, the oriole, straight across.",
        ),
        Preset(
            "Without the form",
            {"sa_formal": False, "sa_place": "0"},
            "Look at the third picture: where it looks at all alike, the model sees the end at once and stops.",
        ),
        Preset(
            "Where it goes wrong",
            {"sa_line": BROCADE, "sa_place": "6"},
            "Look for crossing ribbons: in a long line of three parts its own choice loses the place.",
        ),
    ),
    prediction=Prediction(
        question=(
            "Nobody told the model where to look. In which lines does it foresee the second better when it is made to "
            "look straight across?"
        ),
        answers={"short": "short ones", "long": "long ones", "both": "all", "neither": "none"},
        reveals={"sa_line": BROCADE, "sa_place": "6"},
        why="{said}",
    ),
)

PAPERS = Scene(
    name="papers",
    title="Bahdanau and Luong",
    question="Which state asks, and where does the answer enter?",
    lead=(
        "All score, weigh and average. They differ in which :orange[**state**] asks, in where the "
        ":violet[**context**] enters, and in what the next word is read off: in two papers, and in the lecture notes."
    ),
    core=False,
    controls={"sa_wired": "bahdanau"},
    presets=(
        Preset("Luong", {"sa_wired": "luong"}, "Look at the cell: it moves first, and only then its new state asks."),
        Preset(
            "Fed into the next step",
            {"sa_wired": "feeding"},
            "Look at the cell: it also reads the context of the step before, so it knows what was looked at already.",
        ),
        Preset(
            "As in the notes",
            {"sa_wired": "notes"},
            "Look at the next word: only one arrow leads there, so what was seen must go through the state.",
        ),
    ),
)

NOTES = Scene(
    name="notes",
    title="The notes’ model",
    question="Which change to the notes’ own model is worth its time?",
    lead=(
        "The lecture notes’ model, trained for 1,800 steps, and four changes to it: **parameters** in the score, "
        "**two layers**, **all right words** given while it trains, or parameters and right words."
    ),
    core=False,
    controls={"sa_notes": "training", "sa_notes_axis": "steps", "sa_notes_beside": "params", "sa_word": "6", **_GERMAN},
    presets=(
        Preset(
            "By time",
            {"sa_notes_axis": "minutes"},
            "Look at where the curves end: a model that must choose words of its own takes longer for as many steps.",
        ),
        Preset(
            "Two on one sentence",
            {"sa_notes": "sentences", "sa_text": BALL, "sa_notes_beside": "params-given", "sa_word": "2"},
            "Look at the ribbons: with parameters and right words many are wide; without either they fan out.",
        ),
        Preset(
            "One of its steps",
            {"sa_notes": "step", "sa_text": BALL, "sa_word": "8"},
            "Look at the dashed arrow: a step cannot look before the step before it has ended.",
        ),
        Preset(
            "Where it starts",
            {"sa_notes": "start", "sa_text": BALL},
            "Look at the thick line: below it stands the sum of the two rows above, number by number.",
        ),
    ),
    prediction=Prediction(
        question=(
            "While it trains, the notes’ model reads the right word half the time, and its own word otherwise. What if "
            "it is always given the right one, in as many steps?"
        ),
        answers={"better": "it translates better", "same": "no difference", "worse": "it translates worse"},
        reveals={"sa_notes_axis": "minutes"},
        why=(
            "With all right words it reaches {given} BLEU, with half of them {base}; up to {spread} is called no "
            "difference. Its own first words are wrong, and the right word after a wrong one is harder to learn: with "
            "half of them it hesitates between more pieces all along."
        ),
    ),
)

LESSON = Lesson(
    stem="seq2seq_attention",
    book=(book.BAHDANAU, book.SEQ2SEQ),
    scenes=(THREE_MODELS, STEP_BY_STEP, FORCE, BOTTLENECK, WORD_FOR_WORD, COUPLETS, PAPERS, NOTES),
)
