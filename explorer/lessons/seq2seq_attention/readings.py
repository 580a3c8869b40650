"""“Recurrent attention”: what its figures say, computed from their numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from explorer.lessons.seq2seq_attention import details
from explorer.lessons.seq2seq_attention.forced_weights import ForceResult
from explorer.lessons.seq2seq_attention.numbers import (
    context_parts,
    distances,
    pharaoh_counts,
    word_scores,
    word_weights,
)
from explorer.lessons.seq2seq_attention.records import Wiring
from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.recurrent import DecoderStep, RecurrentRecord
from explorer.records.wording import join_sentences, percent, said_strongest, token


def says(record: RecurrentRecord) -> str:
    """Quote what was written, and say whether it came to an end."""
    said = t("“{text}”").format(text=record.best.text) if record.best.text else t("It writes nothing.")
    return join_sentences([said, "" if record.best.finished else t("It did not come to an end.")])


def says_how(record: RecurrentRecord) -> str:
    """Say in a few words what the decoder sees of the source."""
    if record.mechanism == "none":
        return t("all through {d} numbers").format(d=record.trace.summary.size)
    return t("each word looks straight across") if record.mechanism == "fixed" else t("looks back where it wants")


def describe_kept(record: RecurrentRecord) -> str:
    """Say how many details have arrived; where nobody has listed any, quote the output."""
    there, every = details.count_details(record)
    return t("**{there} of {every}** details arrived.").format(there=there, every=every) if every else says(record)


def describe_detail(records: Mapping[str, RecurrentRecord], detail: details.Detail) -> str:
    """Say which models keep a detail; of one that nobody has listed, what was written looking at it."""
    if detail.said is None:
        looked = [_looked(title, each, detail) for title, each in records.items() if each.trace.alignment is not None]
        nobody = t("Without attention nobody can say what became of **{word}**.").format(word=detail.label)
        return join_sentences(looked or [nobody])
    keep = [title for title, record in records.items() if details.said_by(record, detail)]
    if len(keep) == len(records):
        return t("“{detail}” arrives in **every** translation.").format(detail=detail.label)
    if len(keep) < 2:
        said = t("Only **{name}** keeps “{detail}”.") if keep else t("**No** model keeps “{detail}”.")
        return said.format(detail=detail.label, name="".join(keep))
    said = t("**{there} of {every}** models keep “{detail}”: {names}.")
    return said.format(there=len(keep), every=len(records), detail=detail.label, names=t(", ").join(keep))


def _looked(title: str, record: RecurrentRecord, detail: details.Detail) -> str:
    rows = details.looking_at(record, detail)
    if not rows:
        return t("{name}: at no word does it look most at **{word}**.").format(name=title, word=detail.label)
    words = " ".join(token(record.trace.written.word_labels[row]) for row in rows)
    said = t("{name}: it looks most at **{word}** when it writes “{text}”.")
    return said.format(name=title, word=detail.label, text=words)


def describe_look(word: str, source: Sequence[str], weights: Float32 | None) -> str:
    """Say what an output word looks at most; without weights, that it looks at nothing."""
    if weights is None:
        return t("**{query}** looks at nothing.").format(query=token(word))
    best = int(weights.argmax())
    said = t("**{query}** looks at **{key}** ({share}).")
    return said.format(query=token(word), key=token(source[best]), share=f"{weights[best]:.0%}")


def describe_step(record: RecurrentRecord, position: int) -> str:
    """Say what a step looked at, what it wrote, and how sure the model was."""
    step = record.trace.steps[position]
    word, sure = token(step.written.label), percent(step.written.probability)
    if step.weights is None:
        said = t("Step {n}: it looks at nothing, sees the same {d} numbers as always, and writes **{word}** ({sure}).")
        return said.format(n=position + 1, d=step.context.size, word=word, sure=sure)
    weights = word_weights(record.trace, step)
    best = int(weights.argmax())
    said = t("Step {n}: it looks at **{key}** with {share} of its weight and writes **{word}**; it is {sure} sure.")
    key = token(record.trace.source.word_labels[best])
    return said.format(n=position + 1, key=key, share=f"{weights[best]:.0%}", word=word, sure=sure)


def describe_couplet(record: RecurrentRecord) -> str:
    """Quote the second line, and say how many of its characters look most at the one across."""
    alignment = record.trace.alignment
    if alignment is None:
        return says(record)
    best = alignment.weights[0].argmax(-1).tolist()[: sum(not special for special in record.trace.written.special)]
    straight = sum(row == column for row, column in enumerate(best))
    said = t("**{straight} of {n}** look most straight across.")
    return join_sentences([says(record), said.format(straight=straight, n=len(best))])


def describe_given(record: RecurrentRecord) -> str:
    """Say of a second line that was forced how many of its characters the model would have written itself."""
    steps = record.trace.steps[: sum(not special for special in record.trace.written.special)]
    said = t(
        "**{right} of {n}** characters of this line are the likeliest to the model; “{least}” surprises it most ({p})."
    )
    least = min(steps, key=lambda each: each.written.probability).written
    right = sum(each.chosen == 0 for each in steps)
    return said.format(right=right, n=len(steps), least=token(least.label), p=percent(least.probability))


def describe_wiring(wired: Wiring) -> str:
    """Say which state asks, where the context enters, what is read off, and whether the steps must be a loop."""
    asks = (
        t("The state **before** the step asks") if wired.query == "before" else t("The state **after** the step asks")
    )
    enters = {
        "input": t("and the context enters the cell, so it shapes the new state."),
        "output": t("and the context stands beside the new state: the next word is read off both."),
        "next": t("the next word is read off it and the context, and the cell of the next step reads the context too."),
    }[wired.context]
    read = {"bare": t("The next word is read off the new state **alone**."), "mixed": ""}[wired.readout]
    if wired.readout == "mixed" and wired.context == "input":
        read = t("The next word is read off the new state, the context and the last word.")
    loops = (
        t("Each step waits for the one before it: the decoder **must be a loop**.")
        if wired.waits
        else t("No state needs a context: where all right words are given, as in training, it needs no loop.")
    )
    return join_sentences([t("{asks}, {enters}").format(asks=asks, enters=enters), read, loops])


def describe_alignment(record: RecurrentRecord) -> str:
    """Say how the alignment goes: the strongest look, and how often it goes back."""
    alignment = record.trace.alignment
    if alignment is None:
        return describe_summary(record)
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
    return join_sentences([said_strongest(alignment), order])


def describe_summary(record: RecurrentRecord) -> str:
    """Say what there is instead of an alignment."""
    said = t("These {d} numbers are all that the decoder ever sees of the {n} source tokens; every step sees the same.")
    return said.format(d=record.trace.summary.size, n=len(record.trace.source.labels))


def describe_scores(record: RecurrentRecord, step: DecoderStep) -> str:
    """Say which source word fits best, and what the softmax makes of it."""
    if step.scores is None or step.weights is None:
        return describe_summary(record)
    labels, weights = [token(label) for label in record.trace.source.word_labels], word_weights(record.trace, step)
    scores = word_scores(record.trace, step)
    assert scores is not None
    best = int(weights.argmax())
    if step.forced:
        return t("These weights were put here by hand; the model’s own scores prefer “{key}” ({score}).").format(
            key=labels[int(scores.argmax())], score=f"{scores.max():.2f}"
        )
    if record.mechanism == "fixed":
        return t("Nothing is compared: the weight of “{key}” is 1 because its turn has come.").format(key=labels[best])
    if len(labels) < 2:
        return t("“{key}” is the only source word, so it gets all the weight.").format(key=labels[best])
    second = int(np.argsort(-weights, kind="stable")[1])
    gap = float(scores[best] - scores[second])
    return t(
        "“{key}” fits best (score {score}) and gets **{share}** of the weight; “{other}” scores {gap} less and gets "
        "{ratio} times as much."
    ).format(
        key=labels[best],
        score=f"{scores[best]:.2f}",
        share=percent(float(weights[best])),
        other=labels[second],
        gap=f"{gap:.2f}",
        ratio=f"{np.exp(-gap):.2g}",
    )


def describe_context(record: RecurrentRecord, step: DecoderStep) -> str:
    """Say which weighted state makes up most of the context."""
    parts = context_parts(record, step)
    if parts is None:
        return t("Without attention the context is the same vector at every step: the last states of the encoder.")
    shares = parts.shares[: len(parts.positions)]
    best = int(np.argmax(shares))
    return t("The state of “{key}” makes up {share} of the context, measured along it.").format(
        key=token(record.trace.source.word_labels[parts.positions[best]]), share=percent(shares[best])
    )


def describe_state(step: DecoderStep) -> str:
    """Say how far the state moved."""
    cosine, change = distances(step)
    return t(
        "This step moves the state by {change} of its length; the cosine between before and after is {cosine}."
    ).format(change=percent(change), cosine=f"{cosine:.2f}")


def describe_forced(result: ForceResult) -> str:
    """Say what the forced step changed."""
    change = result.forced.best.log_probability - result.own.best.log_probability
    odds = t("Log-probability: {own} as the model wrote it, {forced} with the step forced.").format(
        own=f"{result.own.best.log_probability:.2f}", forced=f"{result.forced.best.log_probability:.2f}"
    )
    if all(result.forced_kept) and all(result.own_kept):
        return join_sentences(
            [says(result.forced), t("The output stays the same."), odds if abs(change) >= 0.005 else ""]
        )
    said = t("New: {new} of {n} tokens; gone of the model’s own: {lost}.").format(
        new=result.forced_kept.count(False), n=len(result.forced_kept), lost=result.own_kept.count(False)
    )
    return join_sentences([says(result.forced), said])


def describe_straw(fixed: RecurrentRecord, other: RecurrentRecord | None) -> str:
    """Say where the fixed alignment cannot look: past the end, at what it never reaches, where attention did look."""
    n_source, n_target = len(fixed.trace.source.labels), len(fixed.trace.written.labels)
    lengths = t("The source has {n} tokens, its output {m}.").format(n=n_source, m=n_target)
    if n_target > n_source:
        failure = (
            t("At step {step} it can only look at “{last}” once more.")
            if n_target == n_source + 1
            else t("From step {step} on it can only look at “{last}” again and again.")
        ).format(step=n_source + 1, last=token(fixed.trace.source.labels[-1]))
    elif n_target < n_source:
        failure = t("It never looks at the end of the source: “{missed}”.").format(
            missed=" ".join(token(label) for label in fixed.trace.source.labels[n_target:])
        )
    else:
        failure = t("The lengths agree, but the order need not.")
    if other is None or other.trace.alignment is None:
        return join_sentences([lengths, failure])
    best = other.trace.alignment.weights[0].argmax(-1)
    off = int((best != np.minimum(np.arange(len(best)), n_source - 1)).sum())
    apart = t(
        "In its own output the trained attention looked most at another place than the diagonal {n} of {m} times."
    )
    return join_sentences([lengths, failure, apart.format(n=off, m=len(best))])
