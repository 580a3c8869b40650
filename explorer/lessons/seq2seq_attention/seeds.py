"""Mechanisms that are ahead of a fixed alignment by more than the seeds of one mechanism differ."""

from collections.abc import Mapping, Sequence

from explorer.lessons.seq2seq_attention.seed_runs import SeedRuns
from explorer.lessons.seq2seq_attention.state import RecurrentModel
from explorer.records.language import t
from explorer.records.wording import join_sentences, typeset

#: What the others are compared with.
BASE = "fixed"
#: Of the test part in a manifest, by search.
METRICS = {"greedy": "test_bleu", "beam 5": "test_bleu_beam_5"}


def scores_of(there: Sequence[RecurrentModel], search: str) -> dict[str, float]:
    """Return BLEU on the test set by mechanism, from the manifests, for one way of searching."""
    metric = METRICS.get(search, "")
    return {each.mechanism: each.manifest.metrics[metric] for each in there if metric in each.manifest.metrics}


def describe_seeds(scores: Mapping[str, float], runs: SeedRuns, names: Mapping[str, str]) -> str:
    """Say who is ahead of the fixed alignment and who behind, here and after few steps of training.

    Args:
        scores: BLEU of the models that are shown, by mechanism.
        runs: the small ones, with the spread over their seeds.
    """
    here = _against_base(scores, runs.spread, names)
    early = _against_base(runs.bleu, runs.spread, names)
    said = [
        t("Against “{base}”, in BLEU on the test set: {groups}.").format(base=names[BASE], groups=here) if here else "",
        t("The small models after {steps} steps: {groups}.").format(steps=runs.steps, groups=early),
        t("Within {spread} BLEU, the spread over seeds, nobody is called ahead.").format(spread=f"{runs.spread:.1f}"),
    ]
    return join_sentences(said)


def _against_base(scores: Mapping[str, float], spread: float, names: Mapping[str, str]) -> str:
    """Sort the mechanisms into ahead, behind, and neither, each with its difference."""
    if BASE not in scores:
        return ""
    apart = {each: round(bleu - scores[BASE], 2) for each, bleu in scores.items() if each != BASE}
    groups = {
        t("ahead: {names}"): [each for each, by in apart.items() if by > spread],
        t("not told apart: {names}"): [each for each, by in apart.items() if abs(by) <= spread],
        t("behind: {names}"): [each for each, by in apart.items() if by < -spread],
    }
    told = (
        said.format(
            names=t(", ").join(f"{names[each]} {apart[each]:+.1f}" for each in sorted(some, key=apart.__getitem__))
        )
        for said, some in groups.items()
        if some
    )
    return typeset(t("; ").join(told))
