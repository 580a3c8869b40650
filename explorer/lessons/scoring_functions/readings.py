"""“Scoring functions”: what its figures say, computed from their numbers."""

import math
from collections.abc import Collection
from dataclasses import asdict
from itertools import combinations

import numpy as np

from explorer.lessons.scoring_functions.records import LanesRecord, PlaneRecord, SidesRecord
from explorer.lessons.scoring_functions.state import Result, View
from explorer.records.language import t
from explorer.records.scoring import SaturationRecord, ScoringRecord
from explorer.records.wording import percent, typeset

#: Fields of `ScoreMeasures`, in the order in which the page offers them.
MEASURES = ("variance", "entropy", "largest", "gradient", "parameters", "flops")
#: Those of them that say something of the keys that may be seen.
OF_KEYS = MEASURES[:4]
#: Up to which difference, in units of the largest number, rounding in float64 explains it.
ROUNDING = 1e-10


def names() -> dict[str, str]:
    """Return every scoring function's name in the reader's language, the fitted ones included."""
    return {
        "dot": t("dot product"),
        "scaled_dot": t("scaled dot product"),
        "general": t("general (bilinear)"),
        "additive": t("additive"),
        "concat": t("concat"),
        "cosine": t("cosine"),
        "gaussian": t("Gaussian"),
        "additive_bias": t("additive with bias"),
        "best": t("best possible"),
    }


def short_names() -> dict[str, str]:
    """Return names as short as the title of a small tile must be."""
    return names() | {"dot": t("dot"), "scaled_dot": t("scaled dot"), "general": t("general")}


def measure_names() -> dict[str, str]:
    """Return every measure's name, with its unit."""
    return {
        "variance": t("variance of scores"),
        "entropy": t("entropy of weights (nats)"),
        "largest": t("largest weight"),
        "gradient": t("gradient through softmax"),
        "parameters": t("parameters"),
        "flops": t("FLOPs"),
    }


def plane_names(*, short: bool = False) -> dict[str, str]:
    """Return the names of the formulas of the plane, where concat is additive."""
    order = ("gaussian", "dot", "scaled_dot", "cosine", "general", "additive")
    said = short_names() if short else names()
    return {name: said[name] for name in order} | {"additive": t("additive, concat")}


def nicknames() -> dict[str, str]:
    """Return where each key lies, seen from the query as it first stands."""
    return {"A": t("far"), "B": t("near"), "C": t("same way"), "D": t("to the side"), "E": t("opposite")}


def pair_names() -> dict[str, tuple[str, str]]:
    """Return what stands on both sides of every pair of `identities.PAIRS`."""
    said = names()
    return {
        "concat_is_additive": (said["concat"], said["additive"]),
        "projecting_is_general": (t("project both, then dot product"), said["general"]),
        "gaussian_is_dot": (said["gaussian"], t("dot product − ½‖k‖²")),
        "equal_norms": (t("Gaussian, keys equally long"), t("dot product, keys equally long")),
        "gaussian_and_dot": (said["gaussian"], said["dot"]),
        "cosine_and_dot": (said["cosine"], said["dot"]),
    }


def describe_plane(record: PlaneRecord, formula: str) -> str:
    """Say whom the formula chooses, and who comes next."""
    order = record.order(formula)
    first, second = order[0], order[1]
    message = t("**{name}**: **{first}** gets **{most}**, then {second} {next}.")
    most, next_ = (record.weight(formula, name) for name in (first, second))
    clear = most >= 0.995 or next_ < 0.005  # not all, and not nothing
    weights = {
        name: percent(weight) if clear else f"{weight:.0%}" for name, weight in (("most", most), ("next", next_))
    }
    return message.format(name=plane_names()[formula], first=first, second=second, **weights)


def what_counts() -> dict[str, str]:
    """Return in plain words what of a key counts, of the formulas that come first."""
    return {"dot": t("direction, length"), "cosine": t("direction only"), "gaussian": t("distance")}


def describe_rows(record: PlaneRecord, rows: Collection[str], hidden: Collection[str] = ()) -> str:
    """Say how many different keys win in the rows that are shown."""
    shown = [name for name in rows if name not in hidden]
    winners = sorted({record.order(name)[0] for name in shown})
    message = t("The same keys, {rows} formulas, **{count}** different winners: {winners}.")
    if len(winners) == 1:
        message = t("The same keys, {rows} formulas, and all choose {winners}.")
    return message.format(rows=len(shown), count=len(winners), winners=t(", ").join(winners))


def describe_lanes(record: LanesRecord) -> str:
    """Say what one key takes in both lanes."""
    message = t(
        "With **d = {d}** one key takes **{plain}** as the scores are, **{divided}** when they are divided by {root}."
    )
    if record.temperature != 1:
        message = f"{message} {t('The temperature of both is **{temperature}**.')}"
    return message.format(
        d=record.d,
        plain=f"{record.weights[0].max():.0%}",
        root=f"{math.sqrt(record.d):.1f}",
        divided=f"{record.weights[1].max():.0%}",
        temperature=f"{record.temperature:g}",
    )


def describe_lane(record: LanesRecord, lane: int) -> str:
    """Say what one key takes in a lane."""
    message = t("With **d = {d}** the largest weight of the query is **{weight}**.")
    return message.format(d=record.d, weight=f"{record.weights[lane].max():.0%}")


def describe_sides(record: SidesRecord) -> str:
    """Say by how much both sides differ at most, and whether rounding explains it."""
    size = max(1.0, float(np.abs(record.one).max()))
    if record.apart < ROUNDING * size:
        message = t("**The same function**: over {count} pairs they differ by at most {apart}, which is rounding.")
    else:
        message = t("**Not the same**: over {count} pairs they differ by up to **{apart}**.")
    return message.format(count=record.one.size, apart=f"{record.apart:.2g}")


def refusal(result: Result) -> str:
    """Say why some functions are missing; empty if none is."""
    if not result.refused:
        return ""
    return t(
        "Queries have {d_query} numbers and keys {d_key}. Functions that compare them number by number cannot score "
        "such pairs: {functions}. Those with weights between query and key can."
    ).format(
        d_query=result.params.d_query,
        d_key=result.params.d_key,
        functions=t(", ").join(names()[name] for name in result.refused),
    )


def said_identities(result: Result) -> dict[str, str]:
    """Return how far apart the two sides of each identity are, as text for the page's prose."""
    found = asdict(result.identities)
    return {
        name: t("(not measured: queries and keys differ in length)") if apart is None else typeset(f"{apart:.1e}")
        for name, apart in found.items()
    }


def describe_montage(result: Result, view: View) -> str:
    """Say which functions differ most in what is shown."""
    said = names()
    if _all_masked(result):
        return _nothing()
    if view.shown == "output":
        apart = {
            (a.name, b.name): float(np.linalg.norm(a.output - b.output, axis=-1).mean())
            for a, b in combinations(result.records, 2)
        }
        far, near = max(apart, key=apart.__getitem__), min(apart, key=apart.__getitem__)
        if apart[far] == 0:
            return t("All functions give the same outputs.")
        return t("Most different outputs: {a} and {b}, {far:.3g} apart; most alike: {c} and {d}, {near:.3g}.").format(
            a=said[far[0]], b=said[far[1]], far=apart[far], c=said[near[0]], d=said[near[1]], near=apart[near]
        )
    measure = "variance" if view.shown == "scores" else "largest"
    most, least = _extremes(result, measure)
    if view.shown == "weights" and most.measures.largest == least.measures.largest:
        if all(np.array_equal(most.weights, each.weights) for each in result.records):
            return t("All functions give the same weights.")
        return t("All functions are equally decided: their largest weights average {x:.3g}.").format(
            x=most.measures.largest
        )
    values = {"a": said[most.name], "b": said[least.name]}
    values |= {"x": f"{getattr(most.measures, measure):.3g}", "y": f"{getattr(least.measures, measure):.3g}"}
    if view.shown == "scores":
        return t("Scores spread most with {a} (variance {x}) and least with {b} (variance {y}).").format(**values)
    return t("Most decided: {a}, whose largest weight averages {x}; least: {b}, {y}.").format(**values)


def _all_masked(result: Result) -> bool:
    return not any(record.weights.any() for record in result.records)


def _nothing() -> str:
    return t("Every key is masked: there is nothing to compare, and every weight is 0.")


def _extremes(result: Result, measure: str) -> tuple[ScoringRecord, ScoringRecord]:
    def of(record: ScoringRecord) -> float:
        return float(getattr(record.measures, measure))

    return max(result.records, key=of), min(result.records, key=of)


def describe_function(result: Result, view: View) -> str:
    """Say where the chosen function looks."""
    record = result.record(view.function)
    name = names()[record.name]
    if not record.weights.any():
        return t("{name}: every key is masked, so every weight and every output is 0.").format(name=name)
    if view.shown == "output":
        lengths = np.linalg.norm(record.output, axis=-1)
        longest, shortest = int(lengths.argmax()), int(lengths.argmin())
        return t("{name}: the longest output is that of {a}, {x:.3g}; the shortest is that of {b}, {y:.3g}.").format(
            name=name,
            a=record.attention.query_labels[longest],
            b=record.attention.query_labels[shortest],
            x=lengths[longest],
            y=lengths[shortest],
        )
    row, column = np.unravel_index(int(record.weights.argmax()), record.weights.shape)
    return t(
        "{name}: {query} looks hardest at one key, {key}: score {score:.3g}, weight {weight:.3f}. "
        "A row’s weights are spread as over {keys:.1f} equal keys."
    ).format(
        name=name,
        query=record.attention.query_labels[row],
        key=record.attention.key_labels[column],
        score=record.scores[row, column],
        weight=record.weights[row, column],
        keys=math.exp(record.measures.entropy),
    )


def describe_measure(result: Result, view: View) -> str:
    """Say highest and lowest in the chosen measure."""
    said, (most, least) = names(), _extremes(result, view.measure)
    found = [getattr(each.measures, view.measure) for each in (most, least)]
    values = [f"{value:,}" if isinstance(value, int) else f"{value:.4g}" for value in found]
    if view.measure in OF_KEYS and _all_masked(result):
        return _nothing()
    if view.measure == "flops":
        additive, concat = (result.record(name).measures.flops for name in ("additive", "concat"))
        return t(
            "concat and additive are one function, yet mapping every pair instead of every vector "
            "costs {ratio:.1f} times the operations; {b} is cheapest, with {y}."
        ).format(ratio=concat / additive, b=said[least.name], y=values[1])
    if found[0] == found[1]:
        return t("All functions agree here: {value}.").format(value=values[0])
    high, low = (
        t(", ").join(said[each.name] for each in result.records if getattr(each.measures, view.measure) == value)
        for value in found
    )
    return t("Highest: {a}, {x}; lowest: {b}, {y}.").format(a=high, x=values[0], b=low, y=values[1])


def describe_saturation(record: SaturationRecord) -> str:
    """Say what d does to the dot product, and what the scaling does about it."""
    short, long = record.lengths[0], record.lengths[-1]
    return t(
        "From d = {short} to {long} the variance of q·k grows from {first:.3g} to {last:.0f} (theory: {theory:.0f}), "
        "and its largest weight from {low:.2f} to {high:.2f}. At the end its softmax lets through {share:.0%} of the "
        "gradient that q·k/√d keeps."
    ).format(
        short=short,
        long=long,
        first=record.at("variance", "dot", short),
        last=record.at("variance", "dot", long),
        theory=record.at("expected_variance", "dot", long),
        low=record.at("largest", "dot", short),
        high=record.at("largest", "dot", long),
        share=record.at("gradient", "dot", long) / record.at("gradient", "scaled_dot", long),
    )
