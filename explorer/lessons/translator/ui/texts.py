"""Texts side by side, with what the model gives each of their pieces."""

import html
import math
from collections.abc import Mapping, Sequence
from itertools import groupby

import pandas as pd

from explorer.lessons.translator.names import name
from explorer.records.language import t
from explorer.records.search import ScoredText
from explorer.records.wording import times, typeset

#: As many in a row as fit.
STYLE = """.tr_texts{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:12px}
.tr_texts>div{border:1px solid var(--line);background:var(--board);border-radius:10px;padding:8px 14px}
.tr_texts h6{margin:0;padding:0;font-size:14.5px;color:var(--muted)}.tr_texts small{font-size:13.5px;color:var(--muted)}
.tr_texts p{font-size:18px;line-height:1.35;margin:2px 0;overflow-wrap:anywhere;font-weight:600}
.tr_texts mark{background:color-mix(in srgb,var(--query) 22%,transparent);color:inherit;padding:0 .1em;
border-radius:.2em}"""


def side_by_side(
    texts: Sequence[ScoredText],
    kept: Sequence[Sequence[bool]],
    names: Mapping[str, str],
    language: str,
    given: Sequence[int] = (),
) -> str:
    """Set the texts side by side as HTML; what was not kept is marked, and the first `given` tokens are underlined."""
    boxes = []
    for text, same, n in zip(texts, kept, given or [0] * len(texts), strict=True):
        found = text.candidate
        said = t("one in {times} · {n} tokens").format(
            times=times(math.exp(min(-found.log_probability, 700))), n=len(found.labels)
        )
        ended = "" if found.finished else f"<br><small>{html.escape(t('It did not come to an end.'))}</small>"
        boxes.append(
            f"<div><h6>{html.escape(names[text.name])}</h6>"
            f'<p translate="no" lang="{language}">{mark_tokens(text, same, n)}</p>'
            f"<small>{html.escape(typeset(said))}</small>{ended}</div>"
        )
    return f'<div class="tr_texts">{"".join(boxes)}</div>'


def mark_tokens(text: ScoredText, kept: Sequence[bool], given: int = 0) -> str:
    """Return a text as HTML: runs of tokens that were not kept are marked, the first `given` tokens underlined."""
    look = [
        (not same and bool(piece), position < given)
        for position, (piece, same) in enumerate(zip(text.surface, kept, strict=True))
    ]
    runs = []
    for (differs, first), run in groupby(range(len(look)), look.__getitem__):
        words = "".join(text.surface[position] for position in run)
        space = words[: len(words) - len(words.lstrip())]
        word = html.escape(words.lstrip())
        word = f"<mark>{word}</mark>" if differs and word else word
        runs.append(space + (f"<u>{word}</u>" if first and word else word))
    return "".join(runs) or "∅"


def tokens(texts: Sequence[ScoredText], names: Mapping[str, str]) -> pd.DataFrame:
    """Return every token of every text, one a row."""
    rows = [
        (names[text.name], number, name(label), value, total)
        for text in texts
        for number, (label, value, total) in enumerate(
            zip(text.candidate.labels, text.log_probabilities, text.running, strict=True), 1
        )
    ]
    columns = [t("text"), t("number"), t("token"), t("log-probability of the token (nats)"), t("sum (nats)")]
    return pd.DataFrame(rows, columns=columns)
