"""“The search”: the hypotheses as they grew, and what the length penalty makes of their end."""

from collections.abc import Sequence
from functools import partial

import pandas as pd

from explorer.inference.search.topk import continuations
from explorer.inference.translator.request import MOST_LENGTH_PENALTY
from explorer.lessons import translator as lesson
from explorer.lessons.translator import finished, search, search_readings
from explorer.lessons.translator.figures import hypotheses, search_lines as lines
from explorer.lessons.translator.live import search as film
from explorer.lessons.translator.names import name
from explorer.lessons.translator.ui import rail
from explorer.lessons.translator.ui.result import candidates, of_translation
from explorer.records.language import current_language, t
from explorer.records.search import SearchRecord
from explorer.ui import cache, choice, messages
from explorer.ui.scene import beside, picture

CODE = (continuations,)


controls = rail.ask_sentence


@of_translation
def stage(result: lesson.Result, asked: rail.Asked) -> None:
    """Draw the tree of one search, or the scores of what finished."""
    params = search.SearchParams.of(result)
    record = cache.compute(search.search, params)
    with asked.slot:
        names = {"tree": t("The tree"), "ranking": t("Length penalty")}
        shown = rail.pick(names, "tr_search", t("Show"))
        penalty = _asked_penalty() if shown == "ranking" else 0.0
        dropped = _asks_dropped() if shown == "tree" else False
        step = 1 + choice.step(t("Step"), key="tr_tree_step", last=record.n_steps - 1, first=1)
    if shown == "tree":
        _tree(params, record, step, dropped, _language(result))
    elif record.finished:
        _ranking(params, record, penalty)
    else:
        messages.info(t("No hypothesis finished, so there is nothing to rank."), ":material/block:")
    with asked.more:
        beside.show_caption(t("Alternatives: what the search found ({n})").format(n=len(result.translation.candidates)))
        beside.show_table(candidates(result), key="tr_candidates")


def _asks_dropped() -> bool:
    """Ask whether candidates that were not kept are drawn."""
    said = t("At each step twice as many continuations are looked at as are kept: here are the others too.")
    return choice.toggle(t("Also show what was not kept"), key="tr_tree_dropped", help=said)


def _asked_penalty() -> float:
    """Ask for the length penalty that the finished hypotheses are ranked by."""
    said = t("score = log-probability / ((5 + tokens) / 6)^α; nothing is translated again.")
    return choice.slider(t("Length penalty α for ranking"), 0.0, MOST_LENGTH_PENALTY, 0.05, key="tr_rank", help=said)


def _language(result: lesson.Result) -> str:
    """Return the code of what is written; empty where it has no name."""
    direction = finished.direction(result)
    return direction.target if direction else ""


def _tree(params: search.SearchParams, record: SearchRecord, step: int, dropped: bool, language: str) -> None:
    steps = range(1, record.n_steps + 1)
    film.PICTURE.show(
        "tr_tree",
        partial(film.pack, record, dropped=dropped, language=language),
        step=step - 1,
        link_key="tr_tree_step",
        positions=steps,
        sentences=lambda: [search_readings.describe_tree(record, each) for each in steps],
        of=(params, dropped, current_language()),
        title=t("The hypotheses after step {step}").format(step=step),
        table=lambda: nodes(record, step),
        provenance=record.provenance,
    )


def _ranking(params: search.SearchParams, record: SearchRecord, penalty: float) -> None:
    order = search.rank_hypotheses(record, penalty)
    picture.show_chart(
        "tr_ranking",
        partial(lines.ranking, [each.node for each in order], penalty=penalty, most=MOST_LENGTH_PENALTY),
        title=t("Scores of what finished, by length penalty"),
        reading=search_readings.describe_ranking(record, penalty),
        table=lambda: ranks(order),
        provenance=record.provenance,
        of=(params, penalty),
    )


def nodes(record: SearchRecord, step: int) -> pd.DataFrame:
    """Return every hypothesis that was looked at up to a step, one a row."""
    shown = [(number, node) for number, node in enumerate(record.nodes) if node.step <= step]
    fates = [hypotheses.fate(record, node, record.fate(number, step)) for number, node in shown]
    return pd.DataFrame(
        {
            t("step"): [node.step for _, node in shown],
            t("place"): [node.rank + 1 for _, node in shown],
            t("token"): [name(node.label) for _, node in shown],
            t("text so far"): [node.text for _, node in shown],
            t("log-probability of the token (nats)"): [node.log_probability for _, node in shown],
            t("sum (nats)"): [node.total for _, node in shown],
            t("beam score"): [node.score for _, node in shown],
            t("continues row"): pd.array([node.parent for _, node in shown], "Int64"),
            t("what became of it"): fates,
        }
    )


def ranks(order: Sequence[search.Ranked]) -> pd.DataFrame:
    """Return finished hypotheses by their score, with the place they had in the search."""
    return pd.DataFrame(
        {
            t("place"): [each.position + 1 for each in order],
            t("translation"): [each.node.text for each in order],
            t("beam score"): [round(each.score, 3) for each in order],
            t("log-probability (nats)"): [round(each.node.total, 3) for each in order],
            t("tokens"): [each.node.step for each in order],
            t("place in the search"): [each.before + 1 for each in order],
        }
    )
