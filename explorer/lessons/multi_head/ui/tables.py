"""Numbers as tables, signs on tiles, translations, and the few sentences that go with them."""

import html
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from explorer.lessons import multi_head as lesson
from explorer.lessons.multi_head import wording
from explorer.lessons.multi_head.records import UnseenEnd
from explorer.records.ablation import AblationRecord, AblationSweepRecord
from explorer.records.heads import (
    MEASURES,
    ContributionRecord,
    HeadMeasures,
    InsideRecord,
    Label,
    ShapeStep,
    punctuation,
)
from explorer.records.language import t
from explorer.records.sequence import TokenRow
from explorer.records.wording import clamp, percent, rests
from explorer.ui import fields, meaning, messages, plot_clicks, tables
from explorer.ui.scene import beside

#: What stands above a tile, before the score.
SIGNS: dict[Label, str] = {
    "previous": "←",
    "same": "=",
    "next": "→",
    "first": "⇤",
    "punctuation": "¶",
    "special": "⇥",
    "diagonal": "↘",
    "broad": "○",
    "sharp": "●",
}


_LINES = """
.mh-said { font-size: clamp(17px, 1.42vw / var(--screen, 1), 20px); line-height: 1.35; margin: 0;
  overflow-wrap: anywhere; }
.mh-said span { color: var(--muted); }
@media (max-width: 760px) { .mh-said { font-size: 15px; line-height: 1.25; } }
.mh-said mark { background: color-mix(in srgb, var(--output) 26%, transparent); color: inherit; border-radius: 4px; }
@media (min-width: 761px) {
  .st-key-mh_heads { --text-gap: clamp(90px, 100dvh / var(--screen, 1) - 590px, 420px); }
  .st-key-mh_shapes :is(td, th) {
    padding: 2px 8px !important; font-size: calc(14px * var(--zoom, 1) * var(--screen, 1));
  }
}
"""


def style() -> None:
    """Write the style of the lesson's stages."""
    st.html(f"<style>{_LINES}</style>")


def translation(result: lesson.Result) -> None:
    """Show the sentence, and what the translator made of it."""
    found = result.translation
    source, target = html.escape(found.typed), html.escape(found.said[0]) or "∅"
    said = f'<b>{source}</b> <span>→ <span lang="fr">{target}</span></span>'
    beside.show(f'<p class="mh-said beside-switch" translate="no">{said}</p>', style=_LINES)


def both(record: AblationRecord, *, waits: bool = False) -> None:
    """Show the translation before and after some heads were taken away; what is not in the other is marked.

    Args:
        waits: whether the second is not shown yet.
    """
    before, after = html.escape(t("With all heads:")), html.escape(t("Without {heads}:"))
    if record.how == "uniform":
        after = html.escape(t("With {heads} looking at all alike:"))
    heads = record.heads
    few = wording.head_title(heads[0]) if len(heads) == 1 else t("{count} heads").format(count=len(heads))
    named = after.format(heads=html.escape(few) if heads else t("no head"))
    if waits:
        _lines([(before, mark_removed(record.before_words, [True] * len(record.before_words))), (named, "?")])
        return
    _lines(
        [
            (before, mark_removed(record.before_words, record.before_kept)),
            (named, mark_removed(record.after_words, record.after_kept)),
        ]
    )
    if record.after.finished and record.after.text != record.before.text:
        meaning.show(record.after.text, "fr")


def without_end(record: UnseenEnd) -> None:
    """Show the translation, and what is written when nobody may look at the source's end; what is new is marked."""
    named = (
        (t("As it is:"), record.before, record.before_words, [True] * len(record.before_words)),
        (t("Nobody looks at “end”:"), record.after, record.after_words, record.after_kept),
    )
    _lines(
        [
            (html.escape(name), mark_removed(words, kept) + ("" if each.finished else " …"))
            for name, each, words, kept in named
        ]
    )


def _lines(lines: Sequence[tuple[str, str]]) -> None:
    said = "".join(
        f'<p class="mh-said beside-switch"><span>{name}</span> <b translate="no" lang="fr">{text}</b></p>'
        for name, text in lines
    )
    beside.show(said, style=_LINES)


def mark_removed(words: Sequence[str], kept: Sequence[bool]) -> str:
    """Return the words of a translation, without its end, as HTML; what was not kept is marked."""
    said = []
    for word, same, attached in zip(words, kept, punctuation(words), strict=True):
        text = html.escape(word)
        if not rests(word):
            said.append(("" if attached else " ") + (text if same else f"<mark>{text}</mark>"))
    return "".join(said).strip() or "∅"


def symbols_explained(result: lesson.Result) -> str:
    """Say what the signs in the picture mean; only those that stand there."""
    found = {row.label.name for row in result.measures if row.label is not None}
    if not found:
        return t("No head keeps one of the rules on this sentence, so no tile is labelled.")
    said = [f"{messages.plain(SIGNS[name])} {wording.label_name(name)}" for name in SIGNS if name in found]
    return t("{signs}; all others keep no rule.").format(signs=" · ".join(said))


def ask_pair(result: lesson.Result, view: lesson.View, position: plot_clicks.Place) -> None:
    """Ask for the tokens of the cell of a map that was clicked; in a callback."""
    sides = zip(("mh_query", "mh_key"), token_places(result, view), ("y", "x"), strict=True)
    fields.set_values(
        {key: str(positions[clamp(round(position[axis]), len(positions))]) for key, positions, axis in sides}
    )


def token_places(result: lesson.Result, view: lesson.View) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each row and each column as drawn, the (first) token that it is, as the model has it."""
    asking, asked = result.trace.tokens(view.site)
    return _places(asking, view), _places(asked, view)


def _places(tokens: TokenRow, view: lesson.View) -> tuple[int, ...]:
    groups = tokens.words if view.merge else [(position,) for position in range(len(tokens.labels))]
    kept = [group[0] for group in groups if not (view.hide and all(tokens.special[position] for position in group))]
    return tuple(kept) or (0,)


def measure_names() -> dict[str, str]:
    """The columns of the table of heads."""
    return {
        "entropy": t("entropy (nats)"),
        "effective": t("spreads over (tokens)"),
        "distance": t("mean distance (tokens)"),
        "previous": t("on previous"),
        "same": t("on itself"),
        "next": t("on next"),
        "first": t("on first"),
        "punctuation": t("on punctuation"),
        "special": t("on special"),
        "diagonal": t("near the diagonal"),
        "evenness": t("evenness"),
        "largest": t("mean largest weight"),
    }


def measures(rows: Sequence[HeadMeasures]) -> pd.DataFrame:
    """Every measure of these heads, a row each."""
    names = measure_names()
    table = {
        t("head"): [wording.head_title(row.head) for row in rows],
        t("label"): [wording.label_score(row.label) for row in rows],
    }
    columns = {names[name]: [round(float(getattr(row, name)), 3) for row in rows] for name in MEASURES}
    return pd.DataFrame({**table, **columns})


def inside(record: InsideRecord) -> pd.DataFrame:
    """Query, key and product of one pair, component by component."""
    return pd.DataFrame(
        {
            t("query"): record.query,
            t("key"): record.key,
            t("product"): record.product,
            t("product ÷ √d"): record.product / np.sqrt(record.d_key),
        }
    ).rename_axis(t("component"))


def sum_of(record: InsideRecord) -> str:
    """The score as a sum, with the reader's numbers."""
    total = float(record.product.sum(dtype=np.float64))
    score = total / math.sqrt(record.d_key)
    return (
        rf"$\sum_c q_c k_c = {total:.3f}, \quad {total:.3f} / \sqrt{{{record.d_key}}} = \mathbf{{{score:.3f}}}$"
        f" ({t('in the model: {score}').format(score=f'{record.traced_score:.3f}')})"
    )


def describe_scores(record: InsideRecord, key: int) -> str:
    """Say where the chosen key's score stands among all, and what softmax makes of it."""
    mine = record.row_scores[key]
    if np.isnan(mine):
        return t("“{query}” may not look at “{key}”: the future is masked, so the weight is 0.").format(
            query=wording.token(record.query_label), key=wording.token(record.key_label)
        )
    seen = record.row_scores[~np.isnan(record.row_scores)]
    higher = int((seen > mine).sum())
    if not higher:
        said = t("“{key}” has the highest of {n} scores: softmax gives it **{weight}** of the weight.")
    elif higher == len(seen) - 1:
        said = t("“{key}” has the lowest of {n} scores: softmax gives it **{weight}** of the weight.")
    else:
        said = t("{higher} of {n} scores are higher than that of “{key}”: softmax gives it **{weight}** of the weight.")
    return said.format(higher=higher, key=wording.token(record.key_label), n=len(seen), weight=percent(record.weight))


def scores(record: InsideRecord) -> pd.DataFrame:
    """The query's score and weight with every key."""
    both = np.stack([record.row_scores, record.row_weights])
    return tables.matrix(both, (t("score"), t("weight")), record.key_labels).T


def shapes(steps: Sequence[ShapeStep]) -> str:
    """The way from input to output as a Markdown table of shapes."""
    lines = [f"| {t('symbol')} | {t('axes')} | {t('here')} | {t('learned')} |", "|---|---|---|---|"]
    said = {
        **{f"W_{each}": f"$W^{each}$" for each in "QKVO"},
        "QKᵀ/√d_key": r"$QK^\top/\sqrt{d_\text{key}}$",
        "concat": t("joined"),
        "output": t("output"),
        "queries": t("queries"),
        "keys": t("keys"),
        "heads": t("heads"),
        "heads·d_key": t("heads") + " · $d_\\text{key}$",
        "d_key": r"$d_\text{key}$",
        "d_model": r"$d_\text{model}$",
    }
    for step in steps:
        axes = " × ".join(said.get(axis, axis) for axis in step.axes)
        sizes = "\u00a0×\u00a0".join(f"{size:,}" for size in step.sizes)
        lines.append(f"| {said.get(step.symbol, step.symbol)} | {axes} | **{sizes}** | {'✓' if step.learned else ''} |")
    return "\n".join(lines)


def contributions(record: ContributionRecord, query: int) -> pd.DataFrame:
    """Length, cosine and share of every head's part, and of the bias, for one query."""
    heads = record.norm.shape[0]
    return pd.DataFrame(
        {
            t("part"): [t("head {number}").format(number=head) for head in range(heads)] + [t("bias")],
            t("length"): [*record.norm[:, query].tolist(), record.bias_norm],
            t("cosine"): [*record.cosine[:, query].tolist(), math.nan],
            t("share of the output"): [*record.share[:, query].tolist(), float(record.bias_share[query])],
        }
    )


def changes(record: AblationRecord) -> pd.DataFrame:
    """Every word of the old translation before and after."""
    return pd.DataFrame(
        {
            t("word"): [wording.token(label) for label in record.before_words],
            t("kept"): record.before_kept,
            t("log-probability before"): record.log_probability_before,
            t("log-probability after"): record.log_probability_after,
            t("change (nats)"): record.change,
        }
    )


def sweep(record: AblationSweepRecord) -> pd.DataFrame:
    """Every head with what its removal does."""
    rows = [(row, column) for row in range(len(record.sites)) for column in range(record.flips.shape[1])]
    return pd.DataFrame(
        {
            t("head"): [wording.head_title(record.head(*cell)) for cell in rows],
            t("change of log-probability (nats)"): [float(record.change[cell]) for cell in rows],
            t("tokens whose first choice changes"): [float(record.flips[cell]) for cell in rows],
        }
    )


def describe_layer(rows: Sequence[HeadMeasures]) -> str:
    """Say how many heads of a layer keep a rule, and how far a row spreads on average."""
    labelled = sum(bool(row.labels) for row in rows)
    spread = float(np.mean([row.effective for row in rows]))
    return t("{labelled} of {heads} heads keep a rule; a row spreads over {spread} tokens on average.").format(
        labelled=labelled, heads=len(rows), spread=f"{spread:.1f}"
    )


def row_names(record: AblationSweepRecord) -> list[str]:
    """Name the rows of the map, short: who looks at whom, and the layer."""
    names = {"encoder": t("En → En {layer}"), "decoder": t("Fr → Fr {layer}"), "cross": t("Fr → En {layer}")}
    heads = [record.head(row, 0) for row in range(len(record.sites))]
    return [names[head.part].format(layer=head.layer) for head in heads]
