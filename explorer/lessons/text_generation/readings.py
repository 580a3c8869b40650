"""“Text generation”: what each figure says, computed from its numbers."""

import math

import numpy as np

from explorer.lessons.text_generation.look import (
    BACK,
    clamped,
    head_map,
    lens,
    looked_at,
    next_at,
    rows,
    stretch,
)
from explorer.lessons.text_generation.state import Result, View, clamp_place
from explorer.records.attention import AttentionRecord
from explorer.records.generation import InductionRecord
from explorer.records.language import Translate, english
from explorer.records.wording import decided, lens_name, percent

#: Characters of a run that counts as a repetition.
LEAST_REPEAT = 18


def describe_surprise(result: Result, t: Translate = english) -> str:
    """Say how surprising the text is that the model wrote."""
    written = result.text.surprisal[result.text.n_given :]
    mean = float(written.mean())
    return t(
        "**{n}** characters, **{mean}** nats of surprise each: as if it chose evenly among **{choices}** each time."
    ).format(n=len(written), mean=f"{mean:.2f}", choices=f"{math.exp(mean):.1f}")


def surprise_in_words(result: Result) -> tuple[float, float]:
    """Return the mean surprise of the first letters of words that were written, and of the letters inside them."""
    labels, surprisal = result.text.labels, result.text.surprisal
    places = [place for place in range(result.text.n_given, len(labels)) if labels[place].isalpha()]
    within = np.array([labels[place - 1].isalpha() for place in places])
    return float(surprisal[places][~within].mean()), float(surprisal[places][within].mean())


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


def describe_attention(result: Result, view: View, t: Translate = english) -> str:
    """Say where the step looked that wrote the chosen token."""
    weights = looked_at(result, view)
    best = int(np.nanargmax(weights))
    said = t("To write “{token}”, it looked most at “**{best}**”, {distance} back: **{share}**.").format(
        token=token_at(result, clamp_place(result, view.place), t),
        best=result.text.labels[best],
        distance=clamp_place(result, view.place) - best,
        share=percent(float(weights[best])),
    )
    return said + f" ({whose(result, view, t)})"


def whose(result: Result, view: View, t: Translate = english) -> str:
    """Name the head whose weights are shown, or the mean that they are."""
    layer, head = clamped(stretch(result, view.place)[1], view)
    return of_head(View(layer=layer, head=head), t)


def of_head(view: View, t: Translate = english) -> str:
    """Name a head, or a mean."""
    if view.layer is None:
        return t("mean over all heads")
    if view.head is None:
        return t("layer {layer}, mean over its heads").format(layer=view.layer)
    return t("layer {layer}, head {head}").format(layer=view.layer, head=view.head)


def back_by_one(record: AttentionRecord) -> float:
    """Return the mean weight of a map on the character before the newest one."""
    return float(np.diagonal(record.weights[0], -1).mean())


def describe_next(result: Result, view: View, t: Translate = english) -> str:
    """Say what stands at the chosen place, how likely it was, and what the sampler took away."""
    record, place = next_at(result, view), clamp_place(result, view.place)
    cut = record.n_tokens - record.n_kept
    if record.chosen is None or record.rank is None:
        said = t("Next would most likely come “{best}” ({share}).").format(
            best=record.likeliest[0].label, share=percent(record.likeliest[0].model)
        )
    else:
        mine = record.likeliest[record.chosen]
        said = t("“{token}” was number {rank} of {all}: probability {share}, surprise {nats} nats.").format(
            token=mine.label,
            rank=f"{record.rank + 1:,}",
            all=f"{record.n_tokens:,}",
            share=percent(mine.model),
            nats=f"{-math.log(max(mine.model, 1e-30)):.2f}",
        )
        if mine.fate != "kept" and place >= result.text.n_given:
            said += " " + t("It stands there though the sampler would cut it: it was put there.")
    if not cut:
        return f"{said} " + t("The sampler cuts nothing away.")
    return f"{said} " + t(
        "The sampler cuts away {cut} tokens; it leaves {kept}, with {share} of the probability."
    ).format(kept=f"{record.n_kept:,}", share=percent(record.kept), cut=f"{cut:,}")


def describe_rows(result: Result, view: View, t: Translate = english) -> str:
    """Say which heads look sharply, and where."""
    found, place = rows(result, view), clamp_place(result, view.place)
    own = found.weights[:, 1:] if found.keys[0] == BACK else found.weights
    shift = found.weights.shape[1] - own.shape[1]
    row, key = (int(each) for each in np.unravel_index(int(own.argmax()), own.shape))
    before = int((found.weights.argmax(1) == found.weights.shape[1] - 1).sum())
    before_last = int((found.weights.argmax(1) == found.weights.shape[1] - 2).sum()) if own.shape[1] > 1 else 0
    return t(
        "Writing “{token}”: head {head} looks hardest, {share} on “{key}”. Of {n} heads, {here} look most at the token"
        " just read and {before} at the one before it."
    ).format(
        token=token_at(result, place, t),
        head=found.heads[row],
        share=percent(float(own[row, key])),
        key=found.keys[key + shift],
        n=len(found.heads),
        here=before,
        before=before_last,
    )


def describe_map(result: Result, view: View, t: Translate = english) -> str:
    """Say how far back the head looks on average, and how much it looks at the token before."""
    record = head_map(result, view)
    weights = record.weights[0]
    n = len(weights)
    distance = np.subtract.outer(np.arange(n), np.arange(n))
    back = float((weights * np.maximum(distance, 0)).sum(1).mean())
    here, before = float(np.diagonal(weights).mean()), float(np.diagonal(weights, -1).mean()) if n > 1 else 0.0
    return t(
        "Over {n} steps it looks {back} tokens back on average; {here} of its weight lies on the token just read and"
        " {before} on the one before it."
    ).format(n=n, back=f"{back:.1f}", here=percent(here), before=percent(before))


def describe_lens(result: Result, view: View, t: Translate = english) -> str:
    """Say from which layer on the written token is the lens's first choice."""
    record, column = lens(result, view)
    place = clamp_place(result, view.place)
    first = record.likeliest[0][column][0]
    begin = t("Before the first layer the lens reads “{other}” ({share}).").format(
        other=first.label, share=percent(first.probability)
    )
    if place >= len(result.ids):
        last = record.likeliest[-1][column][0]
        return f"{begin} " + t("After the last it reads “{other}” ({share}): nothing has been drawn yet.").format(
            other=last.label, share=percent(last.probability)
        )
    token, since = record.written_labels[column], decided(record, column)
    share = percent(float(record.share[-1, column]))
    if since is None:
        rank = int(record.rank[-1, column]) + 1
        if place < result.text.n_given:
            end = t("“{token}” is not the first choice in the end: it is number {rank} with {share}; it was given.")
        else:
            end = t("“{token}” is not the first choice in the end: it is number {rank} with {share}, and was drawn.")
        return f"{begin} " + end.format(token=token, rank=f"{rank:,}", share=share)
    where = lens_name(record.points[record.layer_ends[since]], t)
    return f"{begin} " + t("“{token}” is the first choice for good {since}, and has {share} in the end.").format(
        token=token, since=where, share=share
    )


def describe_edit(before: Result, after: Result, t: Translate = english) -> str:
    """Say how far two texts from one beginning part, and which the model finds likelier."""
    place = after.text.n_given - 1
    one, other = before.ids[place + 1 :], after.ids[place + 1 :]
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    differ = sum(a != b for a, b in zip(one, other, strict=False))
    said = t(
        "After “{new}” in place of “{old}”, the next {same} characters are the same; of {all} in all, {differ} differ."
    ).format(
        new=after.text.labels[place],
        old=before.text.labels[place],
        same=same,
        all=min(len(one), len(other)),
        differ=differ,
    )
    nats = [float(np.nansum(each.text.surprisal[place:])) / max(1, len(each.ids) - place) for each in (before, after)]
    return f"{said} " + t("From there on it surprises by {before} nats a character as it was, by {after} now.").format(
        before=f"{nats[0]:.2f}", after=f"{nats[1]:.2f}"
    )


def describe_induction(record: InductionRecord, t: Translate = english) -> str:
    """Say which heads match the prefix and copy; whether the repetition helps at all."""
    best = {name: _best(getattr(record, name)) for name in ("prefix", "previous")}
    matching, found = int(record.matches.sum()), int(record.inducts.sum())
    said = t("Prefix matching: best head {head} with {score} (evenly spread: {even}).").format(
        head=best["prefix"][0], score=f"{best['prefix'][1]:.2f}", even=f"{record.even[0]:.2f}"
    )
    said += " " + (
        t(
            "{n} heads reach {prefix} there; {found} of them also reach {copying} in copying ({even} if every character"
            " were raised alike), so {found} are induction heads by this test."
        ).format(
            n=matching,
            prefix=f"{record.least[0]:.2f}",
            found=found,
            copying=f"{record.least[1]:.2f}",
            even=f"{record.even[1]:.2f}",
        )
        if matching
        else t("None reaches {prefix}: no induction head by this test.").format(prefix=f"{record.least[0]:.2f}")
    )
    said += " " + t("Previous token: best head {head} with {score}.").format(
        head=best["previous"][0], score=f"{best['previous'][1]:.2f}"
    )
    return f"{said} " + t("A token of the first run costs {first} nats, of the repetitions {later}.").format(
        first=f"{record.loss[0]:.2f}", later=f"{record.loss[1]:.2f}"
    )


def describe_repeated(record: InductionRecord, view: View, t: Translate = english) -> str:
    """Say the three scores of the chosen head, or of its layer on average."""
    layer = min(max(view.layer or 0, 0), len(record.prefix) - 1)
    here = np.s_[layer] if view.head is None else np.s_[layer, min(view.head, record.prefix.shape[1] - 1)]
    prefix, copying, previous = (float(each[here].mean()) for each in (record.prefix, record.copying, record.previous))
    return t(
        "Over the {n} sequences it looks with {prefix} at what followed the same character before, with {previous} at"
        " the character before; {copying} of what it raises is what it looks at."
    ).format(n=record.sequences, prefix=percent(prefix), previous=percent(previous), copying=percent(copying))


def token_at(result: Result, place: int, t: Translate = english) -> str:
    """Say the token of a place; at the end of the text, the next one."""
    return result.text.labels[place] if place < len(result.ids) else t("the next token")


def _best(scores: np.ndarray) -> tuple[str, float]:
    layer, head = (int(each) for each in np.unravel_index(int(scores.argmax()), scores.shape))
    return f"{layer}.{head}", float(scores[layer, head])
