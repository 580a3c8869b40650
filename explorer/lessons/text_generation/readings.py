"""“Text generation”: what each figure says, computed from its numbers."""

import math

import numpy as np

from explorer.lessons.text_generation.look import (
    BACK,
    clamp_head,
    every_step,
    head_map,
    lens,
    rows,
    stretch,
)
from explorer.lessons.text_generation.state import Result, View, clamp_place
from explorer.records.generation import InductionRecord
from explorer.records.language import t
from explorer.records.wording import deciding_layer, join_sentences, lens_name, percent

#: Characters of a run that counts as a repetition.
LEAST_REPEAT = 18


def describe_surprise(result: Result) -> str:
    """Say how surprising the text is that the model wrote."""
    written = result.text.surprisal[result.text.n_given :]
    mean = float(written.mean())
    return t("On average it chose as among **{choices}** equally likely characters (the perplexity).").format(
        choices=f"{math.exp(mean):.1f}"
    )


def surprise_in_words(result: Result) -> tuple[float, float]:
    """Return the mean surprise of the first letters of words that were written, and of the letters inside them."""
    labels, surprisal = result.text.labels, result.text.surprisal
    positions = [position for position in range(result.text.n_given, len(labels)) if labels[position].isalpha()]
    within = np.array([labels[position - 1].isalpha() for position in positions])
    return float(surprisal[positions][~within].mean()), float(surprisal[positions][within].mean())


def longest_repeat(result: Result) -> tuple[str, int]:
    """Return the longest run of characters that was written twice without overlapping itself, and how often it stands.

    Runs shorter than three words of usual length do not count.
    """
    written = result.writing[result.text.n_given - 1 :]
    for length in range(len(written) // 2, LEAST_REPEAT - 1, -1):
        for begin in range(len(written) - 2 * length + 1):
            run = written[begin : begin + length]
            if run in written[begin + length :]:
                return " ".join(run.split()), written.count(run)
    return "", 1


def whose(result: Result, view: View) -> str:
    """Name the head whose weights are shown, or the mean that they are."""
    layer, head = clamp_head(stretch(result, view.position)[1], view)
    return of_head(View(layer=layer, head=head))


def of_head(view: View) -> str:
    """Name a head, or a mean."""
    if view.layer is None:
        return t("mean over all heads")
    if view.head is None:
        return t("layer {layer}, mean over its heads").format(layer=view.layer)
    return t("layer {layer}, head {head}").format(layer=view.layer, head=view.head)


def describe_choices(result: Result) -> str:
    """Say how often the model's first choice was written, and how often something it hardly believed in."""
    steps = every_step(result)[result.text.n_given - 1 : -1]
    shares = [step["bars"][step["chosen"]][1] for step in steps if step["chosen"] is not None]
    return t("**{first}** of **{all}** characters were the model’s first choice; **{few}** had less than 10%.").format(
        first=sum(step["chosen"] == 0 for step in steps), all=len(steps), few=sum(share < 0.1 for share in shares)
    )


def describe_rows(result: Result, view: View) -> str:
    """Say which head looks most sharply, and where."""
    found, position = rows(result, view), clamp_place(result, view.position)
    if found.weights.shape[1] == 1:
        said = t("To write “{token}”, every head looks at “{key}”: nothing else is there yet.")
        return said.format(token=token_at(result, position), key=found.keys[0])
    own = found.weights[:, 1:] if found.keys[0] == BACK else found.weights
    shift = found.weights.shape[1] - own.shape[1]
    row, key = (int(each) for each in np.unravel_index(int(own.argmax()), own.shape))
    layer, head = found.heads[row].split(".")
    return t("To write “{token}”, layer {layer}, head {head} looks most sharply: **{share}** on “{key}”.").format(
        token=token_at(result, position),
        layer=layer,
        head=head,
        share=percent(float(own[row, key])),
        key=found.keys[key + shift],
    )


def describe_map(result: Result, view: View) -> str:
    """Say how far back the head looks on average, and how much it looks at the token before."""
    record = head_map(result, view)
    weights = record.weights[0]
    n = len(weights)
    distance = np.subtract.outer(np.arange(n), np.arange(n))
    back = float((weights * np.maximum(distance, 0)).sum(1).mean())
    here, before = float(np.diagonal(weights).mean()), float(np.diagonal(weights, -1).mean()) if n > 1 else 0.0
    if n == 1:
        return t(
            "Over {n} step it looks {back} tokens back; {here} of its weight lies on the token just read and {before}"
            " on the one before it."
        ).format(n=n, back=f"{back:.1f}", here=percent(here), before=percent(before))
    return t(
        "Over {n} steps it looks {back} tokens back on average; {here} of its weight lies on the token just read and"
        " {before} on the one before it."
    ).format(n=n, back=f"{back:.1f}", here=percent(here), before=percent(before))


def describe_lens(result: Result, view: View) -> str:
    """Say from which layer on the written token is the lens's first choice."""
    record, column = lens(result, view)
    position = clamp_place(result, view.position)
    first = record.likeliest[0][column][0]
    begin = t("Before the first layer the lens reads “{other}” ({share}).").format(
        other=first.label, share=percent(first.probability)
    )
    if position >= len(result.ids):
        last = record.likeliest[-1][column][0]
        return f"{begin} " + t("After the last it reads “{other}” ({share}): nothing has been drawn yet.").format(
            other=last.label, share=percent(last.probability)
        )
    token, since = record.written_labels[column], deciding_layer(record, column)
    share = percent(float(record.share[-1, column]))
    if since is None:
        rank = int(record.rank[-1, column]) + 1
        if position < result.text.n_given:
            end = t("“{token}” is not the first choice in the end: it is number {rank} with {share}; it was given.")
        else:
            end = t("“{token}” is not the first choice in the end: it is number {rank} with {share}, and was drawn.")
        return f"{begin} " + end.format(token=token, rank=f"{rank:,}", share=share)
    where = lens_name(record.points[record.layer_ends[since]])
    return f"{begin} " + t("“{token}” is the first choice for good {since}, and has {share} in the end.").format(
        token=token, since=where, share=share
    )


def describe_edit(before: Result, after: Result) -> str:
    """Say how far two texts from one beginning part, and which the model finds likelier."""
    position = after.text.n_given - 1
    one, other = before.ids[position + 1 :], after.ids[position + 1 :]
    differ = sum(a != b for a, b in zip(one, other, strict=False))
    count = min(len(one), len(other))
    said = {
        0: t("Nothing is written after “{new}”: the text ends here."),
        1: t("Of one character after “{new}”, **{differ}** differ."),
    }.get(count, t("Of {all} characters after “{new}”, **{differ}** differ."))
    said = said.format(new=after.text.labels[position], all=count, differ=differ)
    nats = [
        float(np.nansum(each.text.surprisal[position:])) / max(1, len(each.ids) - position) for each in (before, after)
    ]
    return f"{said} " + t("A character was a choice among {before} on average; now it is one among {after}.").format(
        before=f"{math.exp(nats[0]):.1f}", after=f"{math.exp(nats[1]):.1f}"
    )


def describe_induction(record: InductionRecord) -> str:
    """Say which heads match the prefix and copy, and whether the repetition helps at all."""
    matching, found = int(record.matches.sum()), int(record.inducts.sum())
    numbers = {
        "n": matching,
        "found": found,
        "prefix": f"{record.least[0]:.2f}",
        "first": f"{math.exp(record.loss[0]):.1f}",
        "later": f"{math.exp(record.loss[1]):.1f}",
    }
    if found:
        said = t("**{found}** induction heads: {n} heads reach {prefix} in prefix matching, {found} of them also copy.")
    else:
        said = t("**No induction head here**: heads that reach {prefix} in prefix matching: {n}, and none that copies.")
    costs = t("In the first run a character is a choice among **{first}**, in the later ones among **{later}**.")
    return join_sentences([said.format(**numbers), costs.format(**numbers)])


def describe_repeated(record: InductionRecord, view: View) -> str:
    """Say the three scores of the chosen head, or of its layer on average."""
    layer = min(max(view.layer or 0, 0), len(record.prefix) - 1)
    here = np.s_[layer] if view.head is None else np.s_[layer, min(view.head, record.prefix.shape[1] - 1)]
    prefix, copying, previous = (float(each[here].mean()) for each in (record.prefix, record.copying, record.previous))
    return t("Prefix matching **{prefix}**, copying **{copying}**, previous token **{previous}**.").format(
        prefix=percent(prefix), previous=percent(previous), copying=percent(copying)
    )


def token_at(result: Result, position: int) -> str:
    """Say the token of a place; at the end of the text, the next one."""
    return result.text.labels[position] if position < len(result.ids) else t("the next token")
