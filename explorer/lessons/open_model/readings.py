"""What is read of the pictures of “Open a model”: sentences with computed numbers."""

import numpy as np

from explorer.lessons.open_model import heads_off, lens_rows, one_word, state, wording
from explorer.lessons.open_model.across import AcrossWords
from explorer.lessons.open_model.carried import EachCarried
from explorer.lessons.open_model.corpora import OverTexts
from explorer.lessons.open_model.costs import ModelCosts
from explorer.lessons.open_model.heads_off import EachAlone
from explorer.lessons.open_model.one_word import LongText
from explorer.lessons.open_model.seeing import Seeing
from explorer.lessons.open_model.state import Result, View
from explorer.opened.cards.configuration import Way
from explorer.opened.matrix import RowCheck
from explorer.records.attention import AttentionRecord
from explorer.records.image import patch_name
from explorer.records.language import t
from explorer.records.opened.look import RuleName
from explorer.records.opened.prediction import LensRecord, SlopesRecord, WithoutRecord
from explorer.records.opened.several import ComparedModels
from explorer.records.wording import capitalise, join_sentences


def describe_head(result: Result, view: View) -> str:
    """Say how much of a head's weight rests, and what it does beside that."""
    found, (_, keys) = state.rule(result, view), state.tokens(result, view)
    rests = t("On average, this head rests on {position} with **{share}** of its weight.").format(
        position=wording.resting_place(keys), share=f"{found.rest:.0%}"
    )
    return join_sentences([rests, _beside(result, view)])


def _beside(result: Result, view: View) -> str:
    found = state.rule(result, view)
    does = wording.rules()[found.rule].does
    if found.rule == "resting":
        return t("On this text it does nothing else.")
    if found.rule in ("broad", "mixed"):
        return t("Beside that, {does}.").format(does=does)
    said = t("Beside that, {does} (**{share}** of the rest).")
    if found.leans:
        said = t("Beside that, {does}, but weakly (**{share}** of the rest).")
    return said.format(does=does, share=f"{found.score:.0%}")


def describe_distance(shown: LongText, number: int | None) -> str:
    """Say how much of a head's weight rests on a long text, and how far away the remainder lies."""
    said = t(
        "On average over this text, **{share}** of its weight rests on {position}; the rest lies **{count} "
        "words** away."
    )
    return said.format(
        share=f"{one_word.rests(shown, number):.0%}",
        position=wording.resting_place(shown.keys),
        count=f"{one_word.distance(shown, number):.0f}",
    )


def describe_across(found: AcrossWords) -> str:
    """Say how much of the weight lies on marks that nobody types, and the strongest look between words."""
    rests = t("**{share}** of this weight lies on start and end marks, which are no words.")
    said = t("The strongest look between words: “{query}” at “{key}” with **{weight}**.")
    if found.record.query_role == "produced":
        said = t("The strongest look between words: writing “{query}”, at “{key}” with **{weight}**.")
    if found.strongest is None:
        return rests.format(share=f"{found.marks:.0%}")
    query, key, weight = found.strongest
    strongest = said.format(query=query, key=key, weight=f"{weight:.2f}")
    return join_sentences([strongest, rests.format(share=f"{found.marks:.0%}")])


def describe_seeing(found: Seeing, head: int | None) -> str:
    """Say where the token that asks looks most, and how much of its weight lies on the class token."""
    row = found.head(head)[found.asks]
    best = 1 + int(row[1:].argmax())
    said = t("{query} looks most at {best}: **{share}** of its weight. On the class token lie **{rests}**.")
    values = {"best": patch_name(best, found.grid), "share": f"{row[best]:.0%}", "rests": f"{row[0]:.0%}"}
    return capitalise(said.format(query=patch_name(found.asks, found.grid), **values))


def describe_class_token(found: Seeing, head: int | None) -> str:
    """Say how much of the weight lies on the class token, which a living picture of the patches does not."""
    rests = found.head(head)[found.asks, 0]
    return t("On the class token, which is no place of the picture, lies **{rests}** of its weight.").format(
        rests=f"{rests:.0%}"
    )


def describe_sight(found: Seeing) -> str:
    """Say at how many different patches the heads look hardest, for the token that asks."""
    best = found.rows[..., 1:].argmax(-1)
    said = t("Its {heads} heads look hardest at **{count}** different patches of {patches}.")
    return said.format(heads=best.size, count=len(set(best.ravel().tolist())), patches=found.grid**2)


def describe_matrix(record: AttentionRecord, head: int, temperature: float | None) -> str:
    """Say over how many columns a row of the reader's own matrix spreads.

    Args:
        temperature: of the softmax that made weights of scores; None where they were weights.
    """
    weights = record.weights[head].astype(np.float64)
    spread = np.exp(-(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1)).mean()
    values = {"count": f"{spread:.1f}", "columns": weights.shape[-1], "temperature": f"{temperature or 0:g}"}
    if temperature is None:
        said = t("Every row adds up to 1. A row spreads over about **{count} of {columns}** columns.")
    else:
        said = t("At temperature {temperature}, a row spreads over about **{count} of {columns}** columns.")
    return said.format(**values)


def describe_no_weights(found: RowCheck) -> str:
    """Say why numbers are no weights."""
    off = t("**{off} of {rows}** rows do not add up to 1: this is no attention yet. Are they scores?")
    outside = t("**{count}** numbers lie outside of 0 to 1: these are no weights. Are they scores?")
    if found.off:
        return off.format(off=found.off, rows=found.rows)
    return outside.format(count=found.outside)


def describe_pair(found: ComparedModels) -> str:
    """Say how far the maps of two models lie apart, and where most."""
    site, head = np.unravel_index(int(np.nanargmax(found.distance)), found.distance.shape)
    said = t(
        "Between the two, **{mean}** of a head’s weight lies elsewhere on average; most in layer {layer}, head {head}: "
        "**{most}**."
    )
    return said.format(
        mean=f"{np.nanmean(found.distance):.1%}", layer=site, head=head, most=f"{found.distance[site, head]:.1%}"
    )


def describe_over(read: OverTexts, rule: RuleName | None, site: int, head: int) -> str:
    """Say how often a head keeps a rule, and how much of its weight rests."""
    found = read.head(site, head)
    rests = t("**{share}** of its weight rests.").format(share=f"{found.rest:.0%}")
    does = wording.rules()[rule or found.rule].does
    said = t("Layer {layer}, head {head}: on **{times}** of {count} sentences {does}.")
    times = found.rules.get(rule or found.rule, 0)
    return join_sentences([said.format(layer=site, head=head, times=times, count=read.done, does=does), rests])


def describe_lens(record: LensRecord, position: int) -> str:
    """Say what a model writes at a place, from which layer on that leads, and what stood there half way."""
    last = len(record.share) - 1
    answer = record.top(last, position)[0]
    said = t("After “{word}”, the model writes “{answer}” with **{chance}**.")
    if lens_rows.is_gap(record, position):
        said = t("Into the gap, the model writes “{answer}” with **{chance}**.")
    word = wording.names(record.tokens)[position]
    ends = said.format(word=word, answer=answer.label, chance=f"{answer.probability:.0%}")
    return join_sentences([ends, _leads(record, position), _half_way(record, position)])


def _leads(record: LensRecord, position: int) -> str:
    row = record.leads_from(position)
    if not row:
        return t("It leads from the start.")
    return t("It leads after **layer {layer}** of 0 to {last}.").format(layer=row - 1, last=len(record.share) - 2)


def _half_way(record: LensRecord, position: int) -> str:
    row = len(record.share) // 2
    word = record.top(row, position)[0].label
    if word == lens_rows.final(record, position):
        return ""
    return t("After layer {layer}, “{word}” would have stood there.").format(layer=row - 1, word=word)


def describe_without(found: WithoutRecord, alone: EachAlone) -> str:
    """Say what a model says without some heads, and how many can go alone."""
    few = heads_off.SMALL
    small = alone.heads - alone.effects.count_beyond(few)
    counted = t("Alone, **{small}** of {heads} heads change it by less than two points.")
    return join_sentences([_without(found), counted.format(small=small, heads=alone.heads)])


def _without(found: WithoutRecord) -> str:
    many = len(found.off)
    one = {"layer": found.off[0][0], "head": found.off[0][1], "count": many, "percent": f"{found.left:.0%}"}
    if found.left:
        each = t("With {percent} of layer {layer}, head {head}")
        who = (each if many == 1 else t("With {percent} of each of these {count} heads")).format(**one)
    else:
        who = (t("Without layer {layer}, head {head}") if many == 1 else t("Without these {count} heads")).format(**one)
    if not found.before:
        return t("{who}, the cosine between the text’s vectors is **{cosine}**.").format(
            who=who, cosine=f"{found.chance:.3f}"
        )
    first, now = found.before[0], found.after[0].label
    values = {
        "who": who,
        "word": first.label,
        "before": f"{first.probability:.0%}",
        "after": wording.chance(found.chance),
    }
    if now == first.label:
        return t("{who}, “{word}” goes from {before} to **{after}** and still leads.").format(**values)
    return t("{who}, “{word}” falls from {before} to **{after}**, and the model writes “{now}”.").format(
        now=now, **values
    )


def describe_slopes(record: SlopesRecord, site: int, head: int) -> str:
    """Say at which place one backward pass puts a head."""
    said = t("One backward pass puts layer {layer}, head {head} at place **{rank}** of {heads}.")
    heads = int(record.log_probability.size)
    return said.format(layer=site, head=head, rank=heads_off.rank(record, site, head), heads=heads)


def describe_costs(found: ModelCosts) -> str:
    """Say how many maps a text makes, what they take, and what the model does."""
    card, tokens = found.card, found.params.tokens
    maps = t("A text of {tokens} tokens makes **{maps}** maps: **{size}**.").format(
        tokens=f"{tokens:,}", maps=f"{card.maps:,}", size=wording.megabytes(card.map_bytes(tokens))
    )
    whole = t("The model takes **{loaded}** as it runs here, in 32 bits; with all that it needs, {peak}.").format(
        loaded=wording.megabytes(card.loaded), peak=wording.megabytes(found.peak)
    )
    return join_sentences([maps, whole])


def describe_verdict(found: ModelCosts) -> str:
    """Say whether a model is opened here, and why not; and where such a text is cut."""
    said = t("Of {tokens} tokens, the first {most} are read.").format(
        tokens=f"{found.params.tokens:,}", most=f"{found.most_tokens:,}"
    )
    return join_sentences([_opens(found), said if found.params.tokens > found.most_tokens else ""])


def _opens(found: ModelCosts) -> str:
    if found.refused:
        return found.refused.explain()
    if found.download:
        return t("It can be opened: {size} would be fetched.").format(size=wording.megabytes(found.download))
    if found.opens:
        return t("It is here: every scene opens it.")
    return t("Already recorded here: nothing to download.")


def describe_way(way: Way) -> str:
    """Say whether a model's maps can be drawn, and its heads switched off."""
    said = {
        "function": t("can be drawn, and heads can be switched off"),
        "eager": t("can be drawn; no head can be switched off"),
        "project": t("can be drawn, by the code of this project"),
        "untried": t("nobody has tried this family here: open it and see"),
    }
    return said[way]


def describe_carried(found: EachCarried, site: int, head: int) -> str:
    """Say what the other text's answer becomes with one head carried over, and how many heads move it."""
    effects = found.site(site)
    values = {
        "layer": site,
        "head": head,
        "two": found.carried.label,
        "before": wording.chance(found.carried.probability),
        "after": wording.chance(float(effects.carried_chance[head])),
        "now": effects.likeliest[head][0].label,
    }
    said = t(
        "With layer {layer}, head {head} from the other text, “{two}” goes from {before} to **{after}**, and the model "
        "writes “{now}”."
    )
    heads = int(np.isfinite(found.shares).sum())
    count = t("**{few}** of {heads} heads move the two answers by more than two points.")
    return join_sentences([said.format(**values), count.format(few=found.count_moving(), heads=heads)])
