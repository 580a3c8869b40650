"""Effect of an interference, in words, computed from its numbers."""

from explorer.lessons.translator.names import name
from explorer.lessons.translator.records import ChangeRecord
from explorer.records.language import Translate, english


def describe_change(record: ChangeRecord, t: Translate = english) -> str:
    """Say how much the old translation lost, and which token lost most."""
    change, labels = record.change, record.before.labels
    now = float(record.log_probability_after.sum())
    said = t("The old translation’s log-probability goes from {before} to {after} nats ({change}).").format(
        before=f"{record.before.log_probability:.2f}",
        after=f"{now:.2f}",
        change=f"{round(record.total_change, 2) + 0.0:+.2f}",
    )
    least, most = int(change.argmin()), int(change.argmax())
    if change[least] < -0.01:
        return f"{said} " + t("“{written}” loses most: {drop} nats.").format(
            written=name(labels[least], t), drop=f"{-change[least]:.2f}"
        )
    if change[most] > 0.01:
        return f"{said} " + t("No token loses anything worth naming; “{written}” gains most.").format(
            written=name(labels[most], t)
        )
    return f"{said} " + t("No token changes by more than 0.01 nats.")


def describe_anew(record: ChangeRecord, t: Translate = english) -> str:
    """Say whether the translation decoded anew is another one."""
    if record.after is None or record.done < record.total:
        return t("Decoding anew: {n} tokens so far.").format(n=record.done)
    if record.after.text == record.before.text:
        return t("Decoded anew under the change, the translation stays the same.")
    return t(
        "Decoded anew under the change it reads differently; its own log-probability there is {after} nats."
    ).format(after=f"{record.after.log_probability:.2f}")


def describe_cross_after(record: ChangeRecord, t: Translate = english) -> str:
    """Say where the decoder looks most in each of the two maps."""
    after = record.cross_after
    if after is None or not after.weights.size:
        return ""
    shares = [each.weights[0].max(-1).mean() for each in (record.cross_before, after)]
    return t("A row gives its first choice {before} on average before, {after} now.").format(
        before=f"{shares[0]:.0%}", after=f"{shares[1]:.0%}"
    )
