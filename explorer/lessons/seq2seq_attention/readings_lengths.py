"""“Recurrent attention”: what the figures about the bottleneck say, computed from their numbers."""

from collections.abc import Mapping, Sequence

from explorer.lessons.seq2seq_attention.length_sample import SampleResult
from explorer.lessons.seq2seq_attention.records import LengthCurve
from explorer.records.language import t
from explorer.records.wording import join_sentences


def describe_lengths(curves: Sequence[LengthCurve], names: Mapping[str, str]) -> str:
    """Say how far the first and the last curve are apart for short and for long sources."""
    if not curves or not curves[0].groups:
        return t("Nothing is measured yet.")
    low, high = curves[0], curves[-1]
    if len(curves) < 2 or [g.name for g in low.groups] != [g.name for g in high.groups]:
        return t("{name}: {first} BLEU for {short} words, {last} for {long}.").format(
            name=names[low.mechanism],
            first=f"{low.groups[0].bleu:.1f}",
            short=low.groups[0].name,
            last=f"{low.groups[-1].bleu:.1f}",
            long=low.groups[-1].name,
        )
    gaps = [other.bleu - one.bleu for one, other in zip(low.groups, high.groups, strict=True)]
    widest = max(range(len(gaps)), key=lambda position: gaps[position])
    first, most = round(gaps[0], 1), round(gaps[widest], 1)
    if first >= 0:
        apart = t("“{high}” is {first} BLEU ahead of “{low}” for sources of {short} words, and **{most}** for {where}.")
    elif most >= 0:
        apart = t(
            "“{high}” is {first} BLEU behind “{low}” for sources of {short} words, and {most} ahead of it for {where}."
        )
    else:
        apart = t(
            "“{high}” is {first} BLEU behind “{low}” for sources of {short} words, and at least {most} for all others."
        )
    return apart.format(
        high=names[high.mechanism],
        low=names[low.mechanism],
        first=f"{abs(first):.1f}",
        short=low.groups[0].name,
        most=f"{abs(most):.1f}",
        where=low.groups[widest].name,
    )


def describe_sample(result: SampleResult, names: Mapping[str, str]) -> str:
    """Say BLEU over the whole sample, by model, and how small the sample is."""
    mechanisms = {curve.model: curve.mechanism for curve in result.curves}
    overall = "; ".join(
        t("{name} {bleu}").format(name=names[mechanisms[model]], bleu=f"{bleu:.1f}") for model, bleu in result.overall
    )
    sentences = max((sum(group.sentences for group in curve.groups) for curve in result.curves), default=0)
    said = t("BLEU over {n} sentences: {overall}.").format(n=sentences, overall=overall)
    small = t("So few sentences make BLEU rough: one changed word can move a point of the figure by 1 BLEU or more.")
    return join_sentences([said, small if sentences < 200 else ""])
