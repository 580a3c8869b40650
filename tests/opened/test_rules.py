"""Each rule is earned by a head that was made to keep it, and by no other."""

import pytest
import torch
from torch import Tensor

from explorer.opened.passes import rules
from explorer.records.opened.look import OpenedTokens
from explorer.records.sequence import TokenRow

#: `a b c . a b d . a b c` after a start mark, twice the same beginning.
IDS = (1, 10, 11, 12, 5, 10, 11, 13, 5, 10, 11, 12)
LABELS = ("<s>", "a", "b", "c", ".", "a", "b", "d", ".", "a", "b", "c")


def tokens(ids: tuple[int, ...] = IDS, labels: tuple[str, ...] = LABELS, special: int = 1) -> OpenedTokens:
    row = TokenRow(
        labels=labels,
        words=tuple((n,) for n in range(len(labels))),
        word_labels=labels,
        special=tuple(n < special for n in range(len(labels))),
    )
    return OpenedTokens(row=row, ids=ids)


def resting(target: Tensor, share: float) -> Tensor:
    """A head that gives a share to the first token and the rest to its target, or the first where it has none."""
    weights = target / target.sum(-1, keepdim=True).clamp(min=1)
    made = (1 - share) * weights
    made[:, 0] += 1 - made.sum(-1)
    return made[None]


@pytest.mark.parametrize("rule", ["previous", "same", "after", "twin", "punctuation"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_head_that_keeps_a_rule_is_named_by_it_however_much_it_rests(rule: str, share: float) -> None:
    text = tokens()
    causal = torch.ones(12, 12, dtype=torch.bool).tril()
    target = rules.text_targets(text, text, itself=True)[rule] & causal  # type: ignore[index]
    target[:, 0] = False
    (found,) = rules.judge(resting(target.float(), share), text, text, causal)
    assert found.rule == rule
    assert found.score == pytest.approx(1, abs=1e-6)
    assert not found.leans
    assert found.rest >= share - 1e-6


def test_the_next_word_can_be_looked_at_where_all_may_be_seen() -> None:
    text = tokens()
    target = torch.diag(torch.ones(11), 1)
    (found,) = rules.judge(resting(target, 0.2), text, text)
    assert found.rule == "next"


def test_a_head_that_only_rests_and_one_that_spreads_and_one_that_does_neither() -> None:
    text = tokens()
    causal = torch.ones(12, 12, dtype=torch.bool).tril()
    only = resting(torch.zeros(12, 12), 1.0)
    even = (causal / causal.sum(-1, keepdim=True))[None]
    far = torch.zeros(12, 12)
    far[torch.arange(12), (torch.arange(12) - 5).clamp(min=1)] = 1
    found = rules.judge(torch.cat([only, even, resting(far * causal, 0.1)]), text, text, causal)
    assert [each.rule for each in found] == ["resting", "broad", "mixed"]
    assert found[0].rest == pytest.approx(1)


def test_a_head_may_lean() -> None:
    text = tokens(tuple(range(1, 31)), tuple(f"w{n}" for n in range(30)))
    target = torch.diag(torch.ones(29), -1)
    target[:, 0] = 0
    spread = torch.ones(30, 30)
    spread[:, 0] = 0
    (found,) = rules.judge(0.25 * resting(target, 0) + 0.75 * resting(spread, 0), text, text)
    assert (found.rule, found.leans) == ("previous", True)


def test_between_two_texts_a_head_may_run_along_the_diagonal() -> None:
    text, other = tokens(), tokens(tuple(range(12)), tuple(f"v{n}" for n in range(12)), special=0)
    (found,) = rules.judge(torch.eye(12)[None], other, text)
    assert found.rule == "diagonal"


def test_on_a_picture_a_head_may_look_around_itself() -> None:
    labels = ("[CLS]", *(f"{row},{column}" for row in range(4) for column in range(4)))
    row = TokenRow(
        labels=labels, words=tuple((n,) for n in range(17)), word_labels=labels, special=(True, *[False] * 16)
    )
    picture = OpenedTokens(row=row, ids=(), grid=(4, 4))
    near = rules.grid_targets((4, 4), 17)["near"].float()
    assert near.sum(-1).tolist() == [0, 3, 5, 5, 3, 5, 8, 8, 5, 5, 8, 8, 5, 3, 5, 5, 3]
    (around,) = rules.judge(resting(near, 0.1), picture, picture)
    (itself,) = rules.judge(torch.eye(17)[None], picture, picture)
    assert (around.rule, itself.rule) == ("near", "same")
