"""List of pages, the only one: it feeds the menu, the home page's map and the tests."""

from dataclasses import dataclass

from explorer.records.language import message


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the app.

    Attributes:
        file: path from the repository's root.
        group: heading in the menu (an English message).
        icon: a Material symbol.
        question: that the page answers, on its card (an English message).
    """

    file: str
    group: str
    icon: str
    title: str
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
)

PAGES = (
    Page(
        file="pages/01_queries_keys_values.py",
        group=message("Attention as a weighted average"),
        icon=":material/search:",
        title=message("Queries, keys and values"),
        question=message("How does a question find its answer?"),
    ),
    Page(
        file="pages/02_kernel_regression.py",
        group=message("Attention as a weighted average"),
        icon=":material/scatter_plot:",
        title=message("Kernel regression"),
        question=message("What should we predict between the points?"),
    ),
    Page(
        file="pages/03_scoring_functions.py",
        group=message("Attention as a weighted average"),
        icon=":material/straighten:",
        title=message("Scoring functions"),
        question=message("How well does a key fit a query?"),
    ),
    Page(
        file="pages/04_masked_softmax.py",
        group=message("Attention as a weighted average"),
        icon=":material/grid_off:",
        title=message("Masked softmax"),
        question=message("What must attention not see?"),
    ),
    Page(
        file="pages/05_seq2seq_attention.py",
        group=message("Before the Transformer"),
        icon=":material/autorenew:",
        title=message("Recurrent attention"),
        question=message("Can one vector hold a sentence?"),
    ),
    Page(
        file="pages/06_multi_head.py",
        group=message("The Transformer"),
        icon=":material/hub:",
        title=message("Multi-head and self-attention"),
        question=message("What do eighty heads look at?"),
    ),
    Page(
        file="pages/07_positional_encoding.py",
        group=message("The Transformer"),
        icon=":material/format_list_numbered:",
        title=message("Positional encoding"),
        question=message("How does it know what came first?"),
    ),
    Page(
        file="pages/08_architectures.py",
        group=message("The Transformer"),
        icon=":material/speed:",
        title=message("Architectures compared"),
        question=message("How far must a signal travel?"),
    ),
    Page(
        file="pages/09_whole_transformer.py",
        group=message("The Transformer"),
        icon=":material/account_tree:",
        title=message("The Transformer, whole"),
        question=message("How does a sentence become another one?"),
    ),
    Page(
        file="pages/10_translator.py",
        group=message("The Transformer"),
        icon=":material/translate:",
        title=message("Translator"),
        question=message("Where does a translator look?"),
    ),
    Page(
        file="pages/11_training_lab.py",
        group=message("Learning to attend"),
        icon=":material/science:",
        title=message("Training lab"),
        question=message("When does attention appear?"),
    ),
    Page(
        file="pages/12_text_generation.py",
        group=message("Beyond translation"),
        icon=":material/edit_note:",
        title=message("Text generation"),
        question=message("Why this letter, and not another?"),
    ),
    Page(
        file="pages/13_vision.py",
        group=message("Beyond translation"),
        icon=":material/image_search:",
        title=message("Vision"),
        question=message("What does a patch look at?"),
    ),
    Page(
        file="pages/14_efficient_attention.py",
        group=message("Beyond translation"),
        icon=":material/bolt:",
        title=message("Efficient attention"),
        question=message("What may be left out?"),
    ),
    Page(
        file="pages/15_open_model.py",
        group=message("Yours"),
        icon=":material/folder_open:",
        title=message("Open a model"),
        question=message("What does any model look at?"),
    ),
)


def page(stem: str) -> Page:
    """Return the page of a lesson.

    Raises:
        KeyError: if there is none.
    """
    return {each.stem: each for each in PAGES}[stem]


def following(stem: str) -> Page | None:
    """Return the page after one, in the order of the lessons; None after the last."""
    position = PAGES.index(page(stem)) + 1
    return PAGES[position] if position < len(PAGES) else None
