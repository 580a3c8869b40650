"""One by one: a mechanism's weights, errors and cost beside those of exact attention."""

from dataclasses import dataclass
from functools import partial

from explorer.attention.efficient import variants
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import readings, state
from explorer.lessons.efficient_attention.figures import comparison as figures, maps
from explorer.lessons.efficient_attention.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture

CODE = (variants.Variant.attend,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A mechanism, and what of it is drawn."""

    params: lesson.Params
    view: lesson.View


def controls() -> Chosen:
    """Ask what is drawn, which mechanism, its settings, layer and head."""
    names = {
        "weights": t("weights"),
        "difference": t("what changes"),
        "errors": t("query by query"),
        "costs": t("all costs"),
    }
    shown = choice.select(t("Shown"), names, key="ea_shown")
    return Chosen(params=widgets.mechanism(state.MECHANISMS, t("Mechanism")), view=lesson.View(shown=shown))


def stage(chosen: Chosen) -> None:
    """Draw one of four pictures of the mechanism."""
    if not widgets.readable(chosen.params.source):
        return
    result = cache.compute(lesson.compute, chosen.params)
    record, names = result.record, readings.mechanism_names()
    ours = names[record.cost.name]
    draws = {
        "weights": partial(maps.sheet, ((record.exact, record.weights),), ((names["plain"], ours),), record),
        "difference": partial(maps.difference, record),
        "errors": partial(figures.errors, record),
        "costs": partial(figures.costs, result.costs, looked_at=record.cost.name, names=names),
    }
    titles = {
        "weights": t("Weights: exact, and {name}").format(name=ours),
        "difference": t("What changes against exact attention"),
        "errors": t("Error, query by query"),
        "costs": t("All of them on the same queries, keys and values"),
    }
    readings_of = {
        "errors": lambda: readings.describe_errors(record),
        "costs": lambda: readings.describe_costs(result.costs),
    }
    numbers = {"errors": lambda: tables.errors(record), "costs": lambda: tables.costs(result.costs)}
    heights = {
        "weights": picture.Height(across=60, phone="calc(50vw + 50px)"),
        "difference": picture.Height(phone="calc(50vw + 50px)"),
    }
    picture.show_chart(
        f"ea_{chosen.view.shown}",
        draws[chosen.view.shown],
        title=titles[chosen.view.shown],
        note=t("orange: more weight · blue: less") if chosen.view.shown == "difference" else "",
        reading=readings_of.get(chosen.view.shown, lambda: readings.describe_weights(record))(),
        table=numbers.get(chosen.view.shown, lambda: tables.weights(record)),
        provenance=record.provenance,
        of=chosen,
        height=heights.get(chosen.view.shown, picture.USUAL),
    )
