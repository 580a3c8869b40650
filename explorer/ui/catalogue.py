"""List of pages, the only one: it feeds the menu, the home page's map and the tests."""

from dataclasses import dataclass

from explorer.records.language import english as message


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the app.

    Attributes:
        file: path from the repository's root.
        group: heading in the menu (an English message).
        icon: a Material symbol.
        summary: what the learner does there (an English message).
        question: that the page answers, on its card (an English message).
    """

    file: str
    group: str
    icon: str
    title: str
    summary: str
    question: str = ""

    @property
    def stem(self) -> str:
        """Return the name of the lesson: the file's, without its number. Also the page's path in the URL."""
        name = self.file.removeprefix("pages/").removesuffix(".py")
        return name.partition("_")[2] if name[:2].isdigit() else name


HOME = Page(
    file="app.py",
    group="",
    icon=":material/home:",
    title=message("See attention at work"),
    summary=message("From a weighted average to a working translator. Every number is computed."),
)

PAGES = (
    Page(
        file="pages/01_queries_keys_values.py",
        group=message("Attention as a weighted average"),
        icon=":material/search:",
        title=message("Queries, keys and values"),
        summary=message("What catches the eye and what is looked for; a dictionary that answers softly."),
        question=message("How does a question find its answer?"),
    ),
    Page(
        file="pages/02_kernel_regression.py",
        group=message("Attention as a weighted average"),
        icon=":material/show_chart:",
        title=message("Kernel regression"),
        summary=message(
            "Predict by averaging what lies near: attention before neural networks, with a width you can learn."
        ),
        question=message("What should we predict between the points?"),
    ),
    Page(
        file="pages/03_scoring_functions.py",
        group=message("Attention as a weighted average"),
        icon=":material/straighten:",
        title=message("Scoring functions"),
        summary=message("Seven ways to say how well a query fits a key, on the same queries and keys."),
        question=message("How well does a key fit a query?"),
    ),
    Page(
        file="pages/04_masked_softmax.py",
        group=message("Attention as a weighted average"),
        icon=":material/grid_off:",
        title=message("Masked softmax"),
        summary=message("Hide padding and the future, draw a mask of your own, and see what a fill value does."),
        question=message("What must attention not see?"),
    ),
    Page(
        file="pages/05_seq2seq_attention.py",
        group=message("Before the Transformer"),
        icon=":material/moving:",
        title=message("Recurrent attention"),
        summary=message("A sentence through one vector, then a look back at every word: Bahdanau, Luong, couplets."),
        question=message("Can one vector hold a sentence?"),
    ),
    Page(
        file="pages/06_multi_head.py",
        group=message("The Transformer"),
        icon=":material/hub:",
        title=message("Multi-head and self-attention"),
        summary=message("See every head of a trained translator at once, look inside one, and switch heads off."),
        question=message("What do eighty heads look at?"),
    ),
    Page(
        file="pages/07_positional_encoding.py",
        group=message("The Transformer"),
        icon=":material/timeline:",
        title=message("Positional encoding"),
        summary=message(
            "Attention does not know what came first: see it, then give it sines, learned codes, rotations or ALiBi."
        ),
        question=message("How does it know what came first?"),
    ),
    Page(
        file="pages/08_architectures.py",
        group=message("The Transformer"),
        icon=":material/speed:",
        title=message("Architectures compared"),
        summary=message(
            "Convolution, recurrence and self-attention: what each costs, counted, drawn, and measured on this machine."
        ),
        question=message("How far must a signal travel?"),
    ),
    Page(
        file="pages/09_whole_transformer.py",
        group=message("The Transformer"),
        icon=":material/account_tree:",
        title=message("The Transformer, whole"),
        summary=message("One picture of a trained translator: play it, then zoom from the whole to a single score."),
        question=message("How does a sentence become another one?"),
    ),
    Page(
        file="pages/10_translator.py",
        group=message("The Transformer"),
        icon=":material/translate:",
        title=message("Translator"),
        summary=message("Translate a sentence with a trained Transformer and look into every attention that made it."),
        question=message("Where does a translator look?"),
    ),
    Page(
        file="pages/11_training_lab.py",
        group=message("Learning to attend"),
        icon=":material/science:",
        title=message("Training lab"),
        summary=message("Train a small model yourself, in a minute, and watch attention appear step by step."),
        question=message("When does attention appear?"),
    ),
    Page(
        file="pages/12_text_generation.py",
        group=message("Beyond translation"),
        icon=":material/edit_note:",
        title=message("Text generation"),
        summary=message("A decoder-only model writes, character by character: ask every one how it came about."),
        question=message("Why this letter, and not another?"),
    ),
    Page(
        file="pages/13_vision.py",
        group=message("Beyond translation"),
        icon=":material/image_search:",
        title=message("Vision"),
        summary=message(
            "Bring a picture: see it cut into patches that attend to each other, and channels and places turned up."
        ),
        question=message("What does a patch look at?"),
    ),
    Page(
        file="pages/14_efficient_attention.py",
        group=message("Beyond translation"),
        icon=":material/bolt:",
        title=message("Efficient attention"),
        summary=message("Sparse, linear, flash: the same queries, keys and values, the error and the cost, measured."),
        question=message("What may be left out?"),
    ),
)


def page(stem: str) -> Page:
    """Return the page of a lesson, or the home page for `app`.

    Raises:
        KeyError: if there is none.
    """
    return {each.stem: each for each in (HOME, *PAGES)}[stem]


def neighbours(stem: str) -> tuple[Page | None, Page | None]:
    """Return the pages before and after one, in the order of the lessons."""
    order = (HOME, *PAGES)
    place = [each.stem for each in order].index(stem)
    return (order[place - 1] if place else None, order[place + 1] if place + 1 < len(order) else None)
