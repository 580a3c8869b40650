"""The scenes of the translator."""

from explorer.scenes import book
from explorer.scenes.spec import Experiment, Lesson, Prediction, Preset, Scene
from explorer.scenes.translating import BEAM, HIDE, LENGTH_PENALTY, MERGE

EXAMPLE = "She does not like black coffee."
SHORT = "I miss you."
LONG = "I would like to go with you, but I have to help my mother because she is ill and cannot work today."
#: The piece of its translation that looks back.
NOIR = "6"
#: One layer decides a word of it.
LAYERED = "My sister wants to live in a big white house."
NUMBERS = "Tom lived in Boston from 2013 to 2016."
UNKNOWN = "Oluwaseun and Marit paid 245,000 euros for the house."
#: An idiom, which means that he died.
WRONG = "He kicked the bucket."
#: Its best translation is not the first at every step, and the length penalty decides which that is.
RACE = "Nobody knows what will happen."
#: What the sentence at the beginning could have become, and a wrong answer that the book prints, with its reference.
REFERENCE = "Elle n'aime pas du tout le café noir."
BOOK_WRONG = ("il est mouillé .", "il est calme .")
_MAP = {"tr_site": "cross", "tr_layer": "2", "tr_head": "mean"}
_WORDS = {"tr_merge": MERGE, "tr_hide": HIDE}

LOOK = Scene(
    name="look",
    title="Translate and look",
    question="Where does a translator look?",
    lead=(
        "**Type a sentence.** Each word of its translation :orange[**asks**] your :blue[**words**]: a wide ribbon is "
        "a large weight."
    ),
    controls={**_MAP, **_WORDS, "tr_token": "0", "tr_without": ""},
    presets=(
        Preset("Short", {"tr_text": SHORT}, "Look for ribbons that cross: French begins with the one who is missed."),
        Preset(
            "Where it goes wrong",
            {"tr_text": WRONG},
            "Look at the bucket: the idiom means that he died, and the model translates the words.",
        ),
        Preset(
            "Long",
            {"tr_text": LONG, "sight": "map"},
            "Look along the diagonal: clause follows clause in both languages, so the strong cells rarely leave it.",
        ),
        Preset(
            "Names and numbers",
            {"tr_text": NUMBERS},
            "Look at the years: a number is copied, so each looks at its own place in the source.",
        ),
        Preset(
            "Names nobody knows",
            {"tr_text": UNKNOWN},
            "Look below the sentence, and at the ribbons: the model reads names and numbers that it can copy.",
        ),
        Preset(
            "Writing looks back",
            {"tr_site": "decoder", "tr_head": "all"},
            "Look for hatched cells: each piece sees only itself and what was written before it.",
        ),
    ),
    prediction=Prediction(
        question="“black coffee” becomes “café noir”. Do the wide ribbons of “café” and “noir” cross?",
        answers={"cross": "yes, they cross", "beside": "no, they run side by side"},
        reveals={"tr_token": NOIR},
        why=(
            "“{first}” looks at “{coffee}” ({coffee_share}), “{second}” at “{black}” ({black_share}). French puts the "
            "colour behind its noun: where the order turns round, ribbons cross."
        ),
    ),
)

ALIGN = Scene(
    name="align",
    title="Which word for which",
    question="Which word is translated by which?",
    lead=(
        "Keep only the heaviest :blue[**source word**] of each :orange[**written word**]: an alignment appears, which "
        "nobody taught."
    ),
    controls={"tr_look": "heaviest", "tr_heads": "", "tr_side": "written", "tr_word": "0", **_WORDS, "tr_token": "0"},
    presets=(
        Preset(
            "On a map",
            {"tr_look": "align"},
            "Look for columns without a frame: these source words have no partner.",
        ),
        Preset(
            "All ribbons",
            {"tr_look": "lines"},
            "Look at the thin ones: a word looks at several; only the heaviest makes the alignment.",
        ),
        Preset(
            "Head by head", {"tr_look": "heads"}, "Look for tiles with a clear diagonal: only some heads align words."
        ),
        Preset(
            "The source asks back",
            {"tr_look": "words", "tr_side": "read", "tr_word": "4"},
            "Look at the longest bar: it names the word that was written while the model looked here.",
        ),
        Preset(
            "Who misses whom?",
            {"tr_text": SHORT, "tr_look": "align"},
            "Look for frames away from the diagonal: the order of the words is turned round.",
        ),
    ),
    prediction=Prediction(
        question="“does not like” becomes “n’aime pas”. Does any French word look most at “does”?",
        answers={"yes": "yes, one does", "no": "no, none does"},
        reveals={"tr_look": "heaviest"},
        why=(
            "Every written word chooses one source word, and {partners} of {words} source words are chosen. Nothing "
            "makes the model spend weight on each of them. Without a partner: {bare}."
        ),
        told=True,
    ),
    experiment=Experiment(
        kind="words",
        question="You write each French word: which English words would you look at?",
        why=(
            "Nobody told the model which word belongs to which. The mean of all {heads} heads is pale, for many look "
            "elsewhere. One of them ({head}) agrees most with the others, and is sharp."
        ),
    ),
)

CHANGE = Scene(
    name="change",
    title="Change something",
    question="Does it matter where it looks?",
    lead="**Click an English word** to cross it out: nobody may look at it. What becomes of the French?",
    controls={
        "tr_mask": "",
        "tr_off": "",
        "tr_warmed": "none",
        "tr_warmth": 1.0,
        "tr_row": "",
        "tr_row_layer": "all",
        "tr_when": "after",
    },
    presets=(
        Preset(
            "A word nobody needs",
            {"tr_mask": "1"},
            "Look at the new line: French says it without “does”, and nothing is lost.",
        ),
        Preset(
            "“coffee” looks at “black”",
            {"tr_row": "5@4"},
            "Look at “café”: one wrong look, and the word is gone.",
        ),
        Preset(
            "Cross out “end”",
            {"tr_mask": "7"},
            "Look at the new line: the sentence is right, and then the model cannot stop. “end” says where to stop.",
        ),
        Preset(
            "One layer looks evenly",
            {"tr_text": LAYERED, "tr_warmed": "C2", "tr_warmth": 100.0},
            "Look at “blanche”: one layer that looks everywhere alike is enough to lose a word.",
        ),
    ),
    prediction=Prediction(
        question="Cross out “not”: nobody may look at it. What does the model write?",
        answers={"same": "the same", "likes": "that she likes it", "other": "nonsense"},
        reveals={"tr_mask": "2"},
        why=("The model now writes “{after}”: under the change “{token}” becomes {lost}."),
    ),
)

COMPARE = Scene(
    name="compare",
    title="Compare",
    question="Change one word: what else changes?",
    lead="Two sentences, or two models, side by side: the same attention of both, on one scale from 0 to 1.",
    core=False,
    controls={
        "tr_other": "She does not like black tea.",
        "tr_other_model": "same",
        **_MAP,
        **_WORDS,
    },
    presets=(
        Preset(
            "One word changed",
            {"tr_text": SHORT, "tr_other": "I miss her."},
            "Look at the first rows: “Tu” and “Elle” look at different words in the same place.",
        ),
        Preset(
            "Another model",
            {"tr_other": EXAMPLE, "tr_other_model": "translator-multi30k-en-fr"},
            "Look at its first words: a model that was trained on captions of pictures alone goes wrong here.",
        ),
    ),
)

SEARCH = Scene(
    name="search",
    title="The search",
    question="How does it find the best translation?",
    lead=(
        "Beam search keeps a few unfinished translations at once. A cell is one of them, with its newest piece; "
        "the :orange[**broad line**] leads to the one that won."
    ),
    core=False,
    controls={"tr_search": "tree", "tr_tree_step": "", "tr_tree_dropped": False, "tr_rank": 0.6},
    presets=(
        Preset(
            "A close race",
            {"tr_text": RACE},
            "Look for the broad line away from the top row: the winner was not always first.",
        ),
        Preset(
            "Greedy",
            {"tr_beam": 1},
            "Look at the single row: with a beam of 1, only the likeliest next piece survives.",
        ),
        Preset(
            "What length is worth",
            {"tr_search": "ranking", "tr_text": RACE},
            "Look where the top lines cross: there the length penalty changes the winner.",
        ),
    ),
)

TOKEN = Scene(
    name="token",
    title="Inside one word",
    question="How does one word come to be written?",
    lead=(
        "The decoder carries one vector for each word. Every sub-layer adds to it. Read off, after each layer, what "
        "the model would write if it ended there."
    ),
    core=False,
    controls={"tr_token": "0", "tr_point": "0", "tr_inside": "sentence"},
    presets=(
        Preset(
            "One word, step by step",
            {"tr_inside": "word", "tr_token": "5", "tr_point": "5"},
            "Look at the bars: each step adds a vector, and the choices beside it change.",
        ),
        Preset(
            "One word, layer by layer",
            {"tr_inside": "choices", "tr_token": "5"},
            "Look down the first column: the row from which the written word stays first.",
        ),
    ),
)

WAYS = Scene(
    name="ways",
    title="Samples",
    question="What if the next word is drawn by lot?",
    lead=(
        "The model says how likely each next piece is; how to choose is another matter. Greedy and beam search "
        "choose the likeliest. Samples are drawn."
    ),
    core=False,
    controls={"tr_temperature": 1.0, "tr_top_k": 0, "tr_top_p": 1.0, "tr_samples": 3, "tr_seed": 0},
    presets=(
        Preset(
            "Cold", {"tr_temperature": 0.3}, "Look at the samples: at a low temperature they stay close to the search."
        ),
        Preset(
            "Hot",
            {"tr_temperature": 2.0},
            "Look for lines that fall steeply: an unlikely piece was drawn, and the text breaks down.",
        ),
        Preset(
            "Only the likely ones",
            {"tr_top_p": 0.9, "tr_samples": 6},
            "Look at six samples: the unlikeliest pieces can no longer be drawn.",
        ),
    ),
)

WRITE_ON = Scene(
    name="write_on",
    title="Write on",
    question="What if another word stood there?",
    lead="Replace a piece of the translation. What stands before it is kept, and the translator writes on from there.",
    core=False,
    controls={"tr_edit_at": "none", "tr_edit_by": "none", "tr_edit_text": ""},
    presets=(
        Preset(
            "A shorter sentence",
            {"tr_text": SHORT},
            "Look for the lowest bar: there the model hesitated most. Replace that piece.",
        ),
    ),
)

DOCUMENTS = Scene(
    name="documents",
    title="Documents",
    question="Which rows of a document need a second look?",
    lead="Paste sentences or bring a file: up to 200 rows, a few at a time. Check names and numbers yourself.",
    core=False,
    controls={"tr_doc_column": "0", "tr_doc_heading": False},
)

BLEU = Scene(
    name="bleu",
    title="How good?",
    question="How good is a translation, as a number?",
    lead=(
        "BLEU asks which runs of 1 to k words the :violet[**translation**] shares with a :blue[**reference**] that a "
        "person wrote. Type your own."
    ),
    core=False,
    controls={"tr_bleu_hypothesis": "", "tr_bleu_reference": REFERENCE, "tr_bleu_k": "4", "tr_bleu_case": False},
    presets=(
        Preset(
            "go .",
            {"tr_text": "Go.", "tr_bleu_reference": "va !", "tr_bleu_k": "2"},
            "Look at two words: with so few, k = 2 is all that can be asked.",
        ),
        Preset(
            "i lost .",
            {"tr_text": "I lost.", "tr_bleu_reference": "j'ai perdu .", "tr_bleu_k": "2"},
            "Look at the scores: where everything matches, both are 1.",
        ),
        Preset(
            "he's calm .",
            {"tr_text": "He's calm.", "tr_bleu_reference": BOOK_WRONG[1], "tr_bleu_k": "2"},
            "Look at the full chips: this model gets right what the book’s small model got wrong.",
        ),
        Preset(
            "i'm home .",
            {"tr_text": "I'm home.", "tr_bleu_reference": "je suis chez moi .", "tr_bleu_k": "2"},
            "Look at five words and four pairs: a longer match is worth more.",
        ),
        Preset(
            "One word wrong",
            {
                "tr_text": "He's calm.",
                "tr_bleu_hypothesis": BOOK_WRONG[0],
                "tr_bleu_reference": BOOK_WRONG[1],
                "tr_bleu_k": "2",
            },
            "Look at the pairs: one wrong word breaks both pairs that it stands in.",
        ),
        Preset(
            "Too short",
            {"tr_bleu_hypothesis": "Ma sœur veut habiter dans une maison."},
            "Look below the picture: every word matches, and the brevity penalty takes its part.",
        ),
        Preset(
            "One word again and again",
            {"tr_bleu_hypothesis": "maison maison maison maison"},
            "Look for a single full chip: a word counts as often as the reference has it.",
        ),
    ),
    prediction=Prediction(
        question="“il est mouillé .” for “il est calme .”: how many of its three pairs of words match?",
        answers={"0": "none", "1": "one", "2": "two"},
        reveals={
            "tr_text": "He's calm.",
            "tr_bleu_hypothesis": BOOK_WRONG[0],
            "tr_bleu_reference": BOOK_WRONG[1],
            "tr_bleu_k": "2",
        },
        why=(
            "Words: {words}. Pairs: {pairs}, since one wrong word stands in two pairs. With k = 2 and the book’s "
            "weights BLEU is {score}."
        ),
    ),
)

SCORED = Scene(
    name="scored",
    title="Alignment, scored",
    question="Which head looks at the right word?",
    lead=(
        "A hundred sentences were aligned by hand. Each written word chooses the :blue[**source word**] that a head "
        "weighs most. The alignment error rate counts how far these choices are from the hand’s."
    ),
    core=False,
    controls={
        "tr_aer_model": "translator-de-en",
        "tr_aer_sentence": "21",
        "tr_aer_head": "1.mean",
        "tr_aer_captions": False,
    },
    presets=(
        Preset(
            "The first layer",
            {"tr_aer_head": "0.mean"},
            "Look for frames without a full corner: the first layer does not align words yet.",
        ),
        Preset(
            "A verb in two places",
            {"tr_aer_sentence": "3"},
            "Look at the row “wrote”: its partner stands at the end of the German sentence.",
        ),
        Preset(
            "A smaller model",
            {"tr_aer_model": "translator-multi30k-de-en"},
            "Look at the ink: a model that was trained on captions alone aligns everyday sentences badly.",
        ),
        Preset(
            "Into French",
            {"tr_aer_model": "translator-en-fr", "tr_aer_sentence": "0"},
            "Look at the rows “ne” and “pas”: two words that say one “not” together.",
        ),
    ),
    prediction=Prediction(
        question="The decoder has three layers. Whose heads, averaged, align words best?",
        answers={"0": "those of the first", "1": "those of the middle one", "2": "those of the last"},
        reveals={"tr_aer_head": "1.mean"},
        why=(
            "Error rates of layers 0, 1 and 2: {rates}. Linking by place alone: {diagonal}. Nobody taught the model to "
            "align."
        ),
    ),
)

LESSON = Lesson(
    stem="translator",
    book=(book.BEAM_SEARCH, book.SEQ2SEQ),
    scenes=(LOOK, ALIGN, CHANGE, SCORED, BLEU, COMPARE, SEARCH, TOKEN, WAYS, WRITE_ON, DOCUMENTS),
    shared={
        "tr_model": "translator-en-fr",
        "tr_text": EXAMPLE,
        "tr_sentence": "0",
        "tr_beam": BEAM,
        "tr_penalty": LENGTH_PENALTY,
        "tr_int8": False,
        "tr_as_typed": False,
    },
    parts={
        "tr_part": {
            "map": "look",
            "cross": "align",
            "step": "token",
            "change": "change",
            "compare": "compare",
            "search": "search",
            "ways": "ways",
            "edit": "write_on",
        }
    },
)
