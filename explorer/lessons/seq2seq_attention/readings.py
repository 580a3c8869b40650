"""“Recurrent attention”: what its figures say, computed from their numbers."""

from collections.abc import Sequence

import numpy as np

from explorer.lessons.seq2seq_attention import details
from explorer.lessons.seq2seq_attention.forced_weights import ForceResult
from explorer.lessons.seq2seq_attention.numbers import context_parts, distances, pharaoh_counts, word_weights
from explorer.records.language import Translate, english
from explorer.records.recurrent import DecoderStep, RecurrentRecord, Vector
from explorer.records.wording import joined, percent, said_strongest, token


def says(record: RecurrentRecord, t: Translate = english) -> str:
    """Quote what was written, and say whether it came to an end."""
    said = t("“{text}”").format(text=record.best.text) if record.best.text else t("It writes nothing.")
    return joined([said, "" if record.best.finished else t("It did not come to an end.")], t)


def says_how(record: RecurrentRecord, t: Translate = english) -> str:
    """Say in a few words what the decoder sees of the source."""
    if record.mechanism == "none":
        return t("all through {d} numbers").format(d=record.trace.summary.size)
    return t("word 3 looks at word 3") if record.mechanism == "fixed" else t("looks where it wants")


def describe_kept(record: RecurrentRecord, t: Translate = english) -> str:
    """Quote the output, and say how many details have arrived."""
    there, every = details.kept(record)
    return joined(
        [
            says(record, t),
            t("**{there} of {every}** details arrived.").format(there=there, every=every) if every else "",
        ],
        t,
    )


def describe_look(word: str, source: Sequence[str], weights: Vector | None, t: Translate = english) -> str:
    """Say what an output word looks at most; without weights, that it looks at nothing."""
    if weights is None:
        return t("**{query}** looks at nothing.").format(query=token(word, t))
    best = int(weights.argmax())
    said = t("**{query}** looks at **{key}** ({share}).")
    return said.format(query=token(word, t), key=token(source[best], t), share=f"{weights[best]:.0%}")


def describe_step(record: RecurrentRecord, place: int, t: Translate = english) -> str:
    """Say what a step looked at, what it wrote, and how sure the model was."""
    step = record.trace.steps[place]
    word, sure = token(step.written.label, t), percent(step.written.probability)
    if step.weights is None:
        said = t("Step {n}: it looks at nothing, sees the same {d} numbers as always, and writes **{word}** ({sure}).")
        return said.format(n=place + 1, d=step.context.size, word=word, sure=sure)
    weights = word_weights(record.trace, step)
    best = int(weights.argmax())
    said = t("Step {n}: it looks at **{key}** with {share} of its weight and writes **{word}**; it is {sure} sure.")
    key = token(record.trace.source.word_labels[best], t)
    return said.format(n=place + 1, key=key, share=f"{weights[best]:.0%}", word=word, sure=sure)


def describe_couplet(record: RecurrentRecord, t: Translate = english) -> str:
    """Quote the second line, and say how many of its characters look most at the one across."""
    alignment = record.trace.alignment
    if alignment is None:
        return says(record, t)
    best = alignment.weights[0].argmax(-1).tolist()[: sum(not special for special in record.trace.written.special)]
    straight = sum(row == column for row, column in enumerate(best))
    said = t("**{straight} of {n}** look most straight across.")
    return joined([says(record, t), said.format(straight=straight, n=len(best))], t)


def describe_wiring(query: str, context: str, t: Translate = english) -> str:
    """Say which state asks and where the context enters."""
    asks = t("The state **before** the step asks") if query == "before" else t("The state **after** the step asks")
    enters = {
        "input": t("and the context enters the cell, so it shapes the new state."),
        "output": t("and the context stands beside the new state: the next word is read off both."),
        "next": t("the next word is read off it and the context, and the cell of the next step reads the context too."),
    }[context]
    return t("{asks}, {enters}").format(asks=asks, enters=enters)


def describe_alignment(record: RecurrentRecord, t: Translate = english) -> str:
    """Say how the alignment goes: the strongest look, and how often it goes back."""
    alignment = record.trace.alignment
    if alignment is None:
        return describe_summary(record, t)
    if record.mechanism == "fixed":
        return t(
            "Output word {n} looks at source word {n}, and past the end at the last one: nothing was compared."
        ).format(n="t")
    back, n = pharaoh_counts(record.trace)
    order = (
        t("Aligned tokens that look further back in the source than the one before: {back} of {n}.").format(
            back=back, n=n
        )
        if n
        else t("Every output token weighs the end most, so there is no hard alignment.")
    )
    return joined([said_strongest(alignment, t), order], t)


def describe_summary(record: RecurrentRecord, t: Translate = english) -> str:
    """Say what there is instead of an alignment."""
    said = t("These {d} numbers are all that the decoder ever sees of the {n} source tokens; every step sees the same.")
    return said.format(d=record.trace.summary.size, n=len(record.trace.source.labels))


def describe_scores(record: RecurrentRecord, step: DecoderStep, t: Translate = english) -> str:
    """Say which source token fits best, and what the softmax makes of it."""
    if step.scores is None or step.weights is None:
        return describe_summary(record, t)
    labels = [token(label, t) for label in record.trace.source.labels]
    best = int(step.weights.argmax())
    if step.forced:
        return t("These weights were put here by hand; the model’s own scores prefer “{key}” (e = {score}).").format(
            key=labels[int(step.scores.argmax())], score=f"{step.scores.max():.2f}"
        )
    if record.mechanism == "fixed":
        return t("Nothing is compared: the weight of “{key}” is 1 because its turn has come.").format(key=labels[best])
    if len(labels) < 2:
        return t("“{key}” is the only source token, so it gets all the weight.").format(key=labels[best])
    second = int(np.argsort(-step.weights, kind="stable")[1])
    gap = float(step.scores[best] - step.scores[second])
    return t(
        "“{key}” fits best (e = {score}) and gets {share} of the weight; “{other}” scores {gap} less, so it gets"
        " e^−{gap} = {ratio} times as much, {other_share}."
    ).format(
        key=labels[best],
        score=f"{step.scores[best]:.2f}",
        share=percent(float(step.weights[best])),
        other=labels[second],
        gap=f"{gap:.2f}",
        ratio=f"{np.exp(-gap):.2g}",
        other_share=percent(float(step.weights[second])),
    )


def describe_context(record: RecurrentRecord, step: DecoderStep, t: Translate = english) -> str:
    """Say which weighted state makes up most of the context."""
    parts = context_parts(record.trace, step)
    if parts is None:
        return t("Without attention the context is the same vector at every step: the last states of the encoder.")
    shares = parts.shares[: len(parts.places)]
    best = int(np.argmax(shares))
    return t("The state of “{key}” makes up {share} of the context, measured along it.").format(
        key=token(record.trace.source.labels[parts.places[best]], t), share=percent(shares[best])
    )


def describe_state(step: DecoderStep, t: Translate = english) -> str:
    """Say how far the state moved."""
    cosine, change = distances(step)
    return t(
        "This step moves the state by {change} of its length; the cosine between before and after is {cosine}."
    ).format(change=percent(change), cosine=f"{cosine:.2f}")


def describe_forced(result: ForceResult, t: Translate = english) -> str:
    """Say what the forced step changed."""
    change = result.forced.best.log_probability - result.own.best.log_probability
    odds = t("Log-probability: {own} as the model wrote it, {forced} with the step forced.").format(
        own=f"{result.own.best.log_probability:.2f}", forced=f"{result.forced.best.log_probability:.2f}"
    )
    if all(result.forced_kept) and all(result.own_kept):
        return joined(
            [says(result.forced, t), t("The output stays the same."), odds if abs(change) >= 0.005 else ""], t
        )
    said = t("New: {new} of {n} tokens; gone of the model’s own: {lost}.").format(
        new=result.forced_kept.count(False), n=len(result.forced_kept), lost=result.own_kept.count(False)
    )
    return joined([says(result.forced, t), said], t)


def describe_straw(fixed: RecurrentRecord, other: RecurrentRecord | None, t: Translate = english) -> str:
    """Say where the fixed alignment cannot look: past the end, at what it never reaches, where attention did look."""
    n_source, n_target = len(fixed.trace.source.labels), len(fixed.trace.written.labels)
    lengths = t("The source has {n} tokens, its output {m}.").format(n=n_source, m=n_target)
    if n_target > n_source:
        failure = (
            t("At step {step} it can only look at “{last}” once more.")
            if n_target == n_source + 1
            else t("From step {step} on it can only look at “{last}” again and again.")
        ).format(step=n_source + 1, last=token(fixed.trace.source.labels[-1], t))
    elif n_target < n_source:
        failure = t("It never looks at the end of the source: “{missed}”.").format(
            missed=" ".join(token(label, t) for label in fixed.trace.source.labels[n_target:])
        )
    else:
        failure = t("The lengths agree, but the order need not.")
    if other is None or other.trace.alignment is None:
        return joined([lengths, failure], t)
    best = other.trace.alignment.weights[0].argmax(-1)
    off = int((best != np.minimum(np.arange(len(best)), n_source - 1)).sum())
    apart = t(
        "In its own output the trained attention looked most at another place than the diagonal {n} of {m} times."
    )
    return joined([lengths, failure, apart.format(n=off, m=len(best))], t)
