"""What the picture of three families says, computed from the records."""

from explorer.lessons.whole_transformer.records import FamilyRecord
from explorer.records.language import t
from explorer.records.wording import token


def describe(record: FamilyRecord) -> str:
    """Say what a model has in sight, and what it guesses."""
    guess, share = record.guesses[0]
    said = {
        "encoder": t("Sees both sides of the blank: “{guess}”, **{share:.0%}**."),
        "decoder": t("Sees only what comes before, by letters: next “{guess}”, **{share:.0%}**."),
        "both": t("Sees the sentence, and what it has written: next “{guess}”, **{share:.0%}**."),
    }
    return said[record.family].format(guess=token(guess), share=share)
