"""“How good?”: the n-grams of a translation against those of a reference, and the scores that come of them."""

import html
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from explorer.evaluate.sentence_bleu import MOST_ORDER, SentenceBleu, Tokens, sentence_bleu
from explorer.lessons import translator as lesson
from explorer.lessons.translator import bleu, finished
from explorer.lessons.translator.figures.ngrams import ngrams
from explorer.lessons.translator.records import NgramRow
from explorer.lessons.translator.ui import rail
from explorer.lessons.translator.ui.result import of_translation
from explorer.records.language import current_language, t
from explorer.scenes.translator import BOOK_WRONG, EXAMPLE, REFERENCE
from explorer.ui import choice, figure_card, messages
from explorer.ui.live.glosses import explain_words
from explorer.ui.scene import beside, picture, predict

CODE = (sentence_bleu,)
#: Letters of a box.
_LETTERS = 400
_STYLE = """.tr_scores{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:10px}
.tr_scores>div{border:1px solid var(--line);background:var(--board);border-radius:10px;padding:6px 14px;font-size:15px}
.tr_scores b{font-size:20px}.tr_scores small{display:block;font-size:13.5px;color:var(--muted)}"""


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the n-grams of what was translated, or typed, against the reference."""
    params = _params(result, asked)
    if params.references == REFERENCE and result.params.text != EXAMPLE and not st.session_state[_HYPOTHESIS]:
        said = t("The reference belongs to “{sentence}”. Type what you would have written instead.")
        messages.info(said.format(sentence=EXAMPLE))
    try:
        found = bleu.judge(params)
    except bleu.TooLongError as error:
        said = t("That is {n} tokens; {most} fit in the picture. Shorten one of the two texts.")
        messages.info(said.format(n=error.tokens, most=bleu.MOST_TOKENS))
        return
    if found is None:
        messages.info(t("Type a translation and a reference: there is nothing to compare yet."))
        return
    rows = bleu.rows(found)
    figure_card.at_least("tr_bleu", 74 * max(len(rows[0].written), len(rows[0].reference), 5))
    picture.show_chart(
        "tr_bleu",
        partial(ngrams, rows, _meanings(result, rows)),
        title=t("What the translation shares with the reference"),
        note=t("full: matched; frame: not; thin: the reference’s"),
        reading=bleu.describe(found, params.tokens),
        table=lambda: _table(rows, params.tokens),
        provenance=bleu.provenance(params),
        of=(params, current_language()),
        own=True,
    )
    beside.show(_scores(found, params.tokens), style=_STYLE)


def _meanings(result: lesson.Result, rows: Sequence[NgramRow]) -> dict[str, str]:
    """Return what the words mean to a reader who does not read their language, by word."""
    direction = finished.direction(result)
    words = [text for side in (rows[0].written, rows[0].reference) for text, _ in side]
    return explain_words(words, direction.target).get("glosses", {}) if direction else {}


#: Codes of Chinese, in which characters are counted.
_CHINESE = ("zh", "zho", "cmn", "yue", "lzh")
_HYPOTHESIS = "tr_bleu_hypothesis"


def _params(result: lesson.Result, asked: rail.Asked) -> bleu.BleuParams:
    with asked.slot:
        hint = t("empty: what the model wrote")
        typed = choice.text(t("The translation to judge"), _LETTERS, key=_HYPOTHESIS, placeholder=hint)
        said = t("What a person would write. Several are allowed, with | between them; the first is drawn.")
        references = choice.text(t("A reference"), _LETTERS, key="tr_bleu_reference", help=said)
    with asked.more:
        cased = choice.toggle(t("Capital letters count"), key="tr_bleu_case")
    orders = {str(n): f"k = {n}" for n in range(1, MOST_ORDER + 1)}
    direction = finished.direction(result)
    tokens: Tokens = "characters" if direction and direction.target.partition("_")[0] in _CHINESE else "words"
    label = t("Longest run of words, k") if tokens == "words" else t("Longest run of characters, k")
    order = choice.buttons(label, orders, key="tr_bleu_k", label_visibility="collapsed")
    return bleu.BleuParams(
        hypothesis=(typed or "").strip() or result.translation.candidates[0].text,
        references=references or "",
        order=int(order),
        tokens=tokens,
        lowercase=not cased,
    )


def _scores(found: SentenceBleu, tokens: Tokens) -> str:
    """Return how the scores are made of the parts, as HTML."""
    there = [each for each in found.orders if each.total]
    parts = [f"{each.correct}/{each.total}" for each in there]
    book = " · ".join(f"({part})<sup>1/{2**each.n}</sup>" for part, each in zip(parts, there, strict=True))
    mean = f"({' · '.join(parts)})<sup>1/{len(there)}</sup>"
    brevity = {
        "words": t("brevity penalty {value}: {mine} against {theirs} words"),
        "characters": t("brevity penalty {value}: {mine} against {theirs} characters"),
    }[tokens].format(value=f"{found.brevity:.3f}", mine=len(found.hypothesis), theirs=found.reference_length)
    smooth = t("sacreBLEU, which smooths counts of 0: {score} of 100").format(score=f"{100 * found.smoothed:.1f}")
    boxes = (
        (t("With the book’s weights"), book, found.book, brevity),
        (t("Geometric mean, as usual"), mean, found.standard, smooth),
    )
    drawn = "".join(
        f"<div>{html.escape(name)}<br>{found.brevity:.3f} · {formula} = <b>{score:.3f}</b>"
        f"<small>{html.escape(small)}</small></div>"
        for name, formula, score, small in boxes
    )
    return f'<div class="tr_scores">{drawn}</div>'


def _table(rows: Sequence[NgramRow], tokens: Tokens) -> pd.DataFrame:
    each = [
        (side, row.n, position + 1, text, there)
        for row in rows
        for side, ngram in ((t("translation"), row.written), (t("reference"), row.reference))
        for position, (text, there) in enumerate(ngram)
    ]
    begins, held = {
        "words": (t("begins at word"), t("words")),
        "characters": (t("begins at character"), t("its characters")),
    }[tokens]
    return pd.DataFrame(each, columns=[t("text"), t("length"), begins, held, t("matches")])


def answer() -> predict.Answer:
    """Count the pairs of words that match where one word of four is wrong."""
    found = bleu.judge(bleu.BleuParams(hypothesis=BOOK_WRONG[0], references=BOOK_WRONG[1], order=2))
    assert found is not None
    words, pairs = found.orders
    return str(pairs.correct), {
        "words": f"{words.correct}/{words.total}",
        "pairs": f"{pairs.correct}/{pairs.total}",
        "score": f"{found.book:.3f}",
    }
