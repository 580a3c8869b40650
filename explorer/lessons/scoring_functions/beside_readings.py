"""“Additive beside dot”: what its figures say, computed from their numbers."""

import numpy as np

from explorer.lessons.scoring_functions.readings import names, short_names
from explorer.lessons.scoring_functions.records import EVEN, BesideRecord
from explorer.records.language import t
from explorer.records.wording import capitalise, join_sentences


def score_names(record: BesideRecord, *, short: bool = False) -> tuple[str, str]:
    """Return the names of both scores in the reader's language."""
    said = {**(short_names() if short else names()), "sum": t("sum") if short else t("sum of query and key")}
    return said[record.names[0]], said[record.names[1]]


def costs(record: BesideRecord) -> dict[str, tuple[float, float]]:
    """Return what is measured of both scores, by name; shares are shares."""
    found = {} if record.found is None else {t("right key found"): record.found}
    count = record.scores[0].size
    return {
        **found,
        t("numbers to learn"): record.parameters,
        t("operations, {count} scores").format(count=count): record.flops,
    }


def describe(record: BesideRecord) -> str:
    """Say where both scores agree, and where they do not."""
    if not record.allowed.any():
        return t("Every key is masked: there is nothing to compare, and every weight is 0.")
    if np.abs(record.difference).max() < EVEN:
        return _equal(record)
    if record.names[1] == "sum" and record.allowed.all():
        return _blind(record)
    if (record.right >= 0).any():
        return _found(record)
    return join_sentences([_agree(record), _differ(record)])


def _equal(record: BesideRecord) -> str:
    """Say that both agree everywhere, and why if all keys are equal."""
    if (record.keys == record.keys[0]).all():
        shares = enumerate(record.weights[0, :, 0], 1)
        message = t("query {query} gives each {share}")
        each = [message.format(query=query, share=f"{share:.0%}") for query, share in shares]
        return t("All keys are equal, so **both** share evenly among the keys that may be seen: {each}.").format(
            each=t(", ").join(each)
        )
    return t("Here **both** give every key the same weight.")


def _blind(record: BesideRecord) -> str:
    """Say that the sum weighs alike whoever asks: what a query adds is the same for every key of its row."""
    key = int(record.weights[1, 0].argmax())
    return t("Whoever asks, the sum gives key {key} **{share}**: the query is lost in the softmax.").format(
        key=record.letters[key], share=f"{record.weights[1, 0, key]:.0%}"
    )


def _found(record: BesideRecord) -> str:
    """Say for how many queries of the picture each score chooses the right key."""
    asked = [row for row, right in enumerate(record.right.tolist()) if right >= 0]
    one, other = (sum(record.choice(score, row) == record.right[row] for row in asked) for score in (0, 1))
    first, second = score_names(record)
    values = {"one": first, "other": second, "found": one, "also": other, "all": len(asked)}
    if one == other:
        return t("Both find the right key for **{found} of {all}** queries.").format(**values)
    return capitalise(
        t("{one} finds the right key for {found} of {all} queries, {other} for **{also} of {all}**.").format(**values)
    )


def _agree(record: BesideRecord) -> str:
    """Say for which queries both choose the same key."""
    choices = [(record.choice(0, row), record.choice(1, row)) for row in range(len(record.queries))]
    alike = [row + 1 for row, (one, other) in enumerate(choices) if one is not None and one == other]
    if len(alike) == len(choices):
        return t("Both choose the same key for every query.")
    if not alike:
        return t("They never choose the same key.")
    message = t("Both choose the same key for queries {queries}.")
    if len(alike) == 1:
        message = t("Both choose the same key for query {queries}.")
    return message.format(queries=t(", ").join(map(str, alike)))


def _differ(record: BesideRecord) -> str:
    """Say where their weights differ most."""
    row, column = np.unravel_index(int(np.abs(record.difference).argmax()), record.difference.shape)
    one, other = score_names(record)
    first, second = (record.weights[score, row, column] for score in (0, 1))
    return t("They differ most for query {query} and key {key}: {one} {first}, {other} **{second}**.").format(
        query=row + 1,
        key=record.letters[column],
        one=one,
        other=other,
        first=f"{first:.0%}",
        second=f"{second:.0%}",
    )
