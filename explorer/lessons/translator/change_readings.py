"""Effect of an interference, in words, computed from its numbers."""

from explorer.lessons.translator.names import name
from explorer.lessons.translator.records import ChangeRecord
from explorer.records.language import t
from explorer.records.wording import said_change

#: A smaller change of a log-probability, in nats, is not worth naming: less than a tenth of the probability.
SMALL = 0.1


def describe_change(record: ChangeRecord) -> str:
    """Say which word of the old translation lost most."""
    change, labels = record.change, record.before_words
    least, most = int(change.argmin()), int(change.argmax())
    if change[least] < -SMALL:
        return t("“{written}” loses most: it becomes {change}.").format(
            written=name(labels[least]), change=said_change(float(change[least]), strong=True)
        )
    if change[most] > SMALL:
        return t("Nothing loses; “{written}” gains most: it becomes {change}.").format(
            written=name(labels[most]), change=said_change(float(change[most]), strong=True)
        )
    return t("Every word stays about as likely.")


def describe_anew(record: ChangeRecord) -> str:
    """Say whether the translation decoded anew is another one."""
    if record.after is None or record.done < record.total:
        return t("Decoding anew: {n} tokens so far.").format(n=record.done)
    if record.after.text == record.before.text:
        return t("Under the change, it writes the same translation.")
    return t("Under the change, it writes another translation.")
