"""Page 06: what its figures say, computed from their numbers."""

from explorer.lessons._multi_head_state import Result, View
from explorer.lessons._multi_head_untrained import Untrained
from explorer.records.heads import HeadLabel, Label
from explorer.records.language import Translate, english
from explorer.records.removal import AblationRecord, EffectRecord, SweepRecord


def label_name(name: Label, t: Translate = english) -> str:
    """Short name of a label, such as “previous token”."""
    raise NotImplementedError


def label_rule(name: Label, t: Translate = english) -> str:
    """The rule by which a label is given, in one sentence."""
    raise NotImplementedError


def label_score(label: HeadLabel | None, t: Translate = english) -> str:
    """A label with its score, such as “previous token (0.83)”; a dash where there is none."""
    raise NotImplementedError


def reading_overview(result: Result, view: View, t: Translate = english) -> str:
    """How many heads there are, how many earn a label, and which is the most common."""
    raise NotImplementedError


def reading_head(result: Result, view: View, t: Translate = english) -> str:
    """The strongest look of the view's head, its spread, and its label."""
    raise NotImplementedError


def reading_table(result: Result, view: View, t: Translate = english) -> str:
    """The sharpest and the broadest head, and where the view's head stands among all by its entropy."""
    raise NotImplementedError


def reading_inside(result: Result, view: View, t: Translate = english) -> str:
    """The product's sum over √d_key is the score; what the largest terms are."""
    raise NotImplementedError


def reading_contributions(result: Result, view: View, t: Translate = english) -> str:
    """Which head adds most to the output of the view's query token, and which points away from it."""
    raise NotImplementedError


def reading_ablation(record: AblationRecord, t: Translate = english) -> str:
    """Whether the translation changed, and how much less likely the old one is."""
    raise NotImplementedError


def reading_sweep(record: SweepRecord, t: Translate = english) -> str:
    """Which head the old translation needs most, and how many it hardly needs."""
    raise NotImplementedError


def reading_aggregate(result: Result, view: View, t: Translate = english) -> str:
    """The strongest look of the summary; for the maximum, how far it is from a distribution."""
    raise NotImplementedError


def reading_effect(result: Result, effect: EffectRecord, view: View, t: Translate = english) -> str:
    """Which source token the output token needed most, which the map points at, and how well the orders agree."""
    raise NotImplementedError


def reading_untrained(result: Result, fresh: Untrained, view: View, t: Translate = english) -> str:
    """How many labels and how much spread the untrained layer has beside the trained one."""
    raise NotImplementedError
