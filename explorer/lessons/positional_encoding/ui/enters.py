"""“Where it enters”: lengths of embedding and code at every token of a sentence."""

from functools import partial

from explorer.lessons.positional_encoding import trained, trained_readings
from explorer.lessons.positional_encoding.figures import trained as figures
from explorer.lessons.positional_encoding.ui import controls as widgets
from explorer.nn.embeddings import TokenEmbedding
from explorer.records.language import t
from explorer.ui import choice
from explorer.ui.scene import picture

CODE = (TokenEmbedding,)


def controls() -> str:
    """Return the sentence."""
    return str(choice.ask("pe_text"))


def stage(text: str) -> None:
    """Three bars for each token, and the cosine below."""
    record = widgets.find_result(trained.measure_lengths, text, trained.CHECKPOINT)
    if record is not None:
        picture.show_chart(
            "pe_entry",
            partial(figures.entry, record),
            title=t("What enters the translator, word by word"),
            reading=trained_readings.describe_entry(record),
            of=text,
        )
