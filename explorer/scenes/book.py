"""The sections of *Dive into Deep Learning* (Zhang et al., edition 1.0.3, d2l.ai) that the lessons follow."""

from dataclasses import dataclass

_ATTENTION = "chapter_attention-mechanisms-and-transformers"
_RECURRENT = "chapter_recurrent-modern"


@dataclass(frozen=True, slots=True)
class Chinese:
    """A section in the book's Chinese edition, which is older and counts otherwise.

    Attributes:
        number: as printed, such as 10.2.
        title: as printed.
        path: of its page at zh.d2l.ai.
        exercises: how many of its own it ends with; 0 where they are those of the English section.
    """

    number: str
    title: str
    path: str
    exercises: int = 0

    @property
    def address(self) -> str:
        """The page of the section."""
        return f"https://zh.d2l.ai/chapter_attention-mechanisms/{self.path}.html"

    @property
    def prose(self) -> str:
        """The section of a lesson's prose that answers its own exercises."""
        return f"book-zh-{self.number.replace('.', '-')}"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the book.

    Attributes:
        number: as printed, such as 11.5.
        title: as printed.
        path: of its page at d2l.ai.
        exercises: how many it ends with. The first lesson that names the section answers them.
        chinese: the section of the Chinese edition, if there is one.
    """

    number: str
    title: str
    path: str
    exercises: int
    chinese: Chinese | None = None

    @property
    def address(self) -> str:
        """The page of the section."""
        return f"https://d2l.ai/{self.path}.html"

    @property
    def prose(self) -> str:
        """The section of a lesson's prose that speaks of it."""
        return f"book-{self.number.replace('.', '-')}"


SEQ2SEQ = Section("10.7", "Sequence-to-Sequence Learning for Machine Translation", f"{_RECURRENT}/seq2seq", 6)
BEAM_SEARCH = Section("10.8", "Beam Search", f"{_RECURRENT}/beam-search", 3)
QUERIES = Section(
    "11.1",
    "Queries, Keys, and Values",
    f"{_ATTENTION}/queries-keys-values",
    4,
    Chinese("10.1", "注意力提示", "attention-cues", 2),
)
POOLING = Section(
    "11.2",
    "Attention Pooling by Similarity",
    f"{_ATTENTION}/attention-pooling",
    4,
    Chinese("10.2", "注意力汇聚：Nadaraya-Watson 核回归", "nadaraya-waston", 4),
)
SCORING = Section(
    "11.3",
    "Attention Scoring Functions",
    f"{_ATTENTION}/attention-scoring-functions",
    3,
    Chinese("10.3", "注意力评分函数", "attention-scoring-functions", 3),
)
BAHDANAU = Section(
    "11.4",
    "The Bahdanau Attention Mechanism",
    f"{_ATTENTION}/bahdanau-attention",
    2,
    Chinese("10.4", "Bahdanau 注意力", "bahdanau-attention"),
)
MULTI_HEAD = Section(
    "11.5",
    "Multi-Head Attention",
    f"{_ATTENTION}/multihead-attention",
    2,
    Chinese("10.5", "多头注意力", "multihead-attention"),
)
#: The Chinese edition lacks the third exercise.
SELF_ATTENTION = Section(
    "11.6",
    "Self-Attention and Positional Encoding",
    f"{_ATTENTION}/self-attention-and-positional-encoding",
    3,
    Chinese("10.6", "自注意力和位置编码", "self-attention-and-positional-encoding"),
)
#: The sixth exercise is the Chinese edition's alone.
TRANSFORMER = Section(
    "11.7",
    "The Transformer Architecture",
    f"{_ATTENTION}/transformer",
    6,
    Chinese("10.7", "Transformer", "transformer"),
)
VISION = Section("11.8", "Transformers for Vision", f"{_ATTENTION}/vision-transformer", 3)
PRETRAINING = Section(
    "11.9", "Large-Scale Pretraining with Transformers", f"{_ATTENTION}/large-pretraining-transformers", 4
)
