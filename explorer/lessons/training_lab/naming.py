"""“Training lab”: what can be chosen, and what a training is called."""

from explorer.records.language import t
from explorer.training.lab.recipe import LabRecipe


def names() -> dict[str, str]:
    """Name everything that can be chosen, by its name in a recipe."""
    return {
        "reverse": t("Reverse: abc → cba"),
        "copy": t("Copy: abc → abc"),
        "sort": t("Sort: cab → abc"),
        "dates": t("Dates: 9 May 1998 → 1998-05-09"),
        "numbers_en": t("English numbers: forty-two → 42"),
        "numbers_zh": t("Chinese numbers: 四十二 → 42"),
        "en_fr": t("English → French: a small cat → un petit chat"),
        "couplets": t("Couplets: 青山 → 绿水"),
        "verses": t("Real couplets (Tang verse): 星垂平野阔 → 月涌大江流"),
        "digits": t("Handwritten digits: 8 × 8 pixels → 3"),
        "own": t("My own examples"),
        "recurrent": t("Recurrent"),
        "transformer": t("Transformer"),
        "none": t("none"),
        "sinusoidal": t("sinusoidal"),
        "learned": t("learned"),
        "rotary": t("rotary"),
        "alibi": "ALiBi",
        "fixed": t("fixed alignment"),
        "dot": t("dot product"),
        "scaled_dot": t("scaled dot product"),
        "general": t("general (bilinear)"),
        "concat": t("concat (Luong)"),
        "additive": t("additive (Bahdanau)"),
    }


def short_names() -> dict[str, str]:
    """Name the same in a word or two, for legends."""
    return {
        "reverse": t("reverse"),
        "copy": t("copy"),
        "sort": t("sort"),
        "dates": t("dates"),
        "numbers_en": t("English numbers"),
        "numbers_zh": t("Chinese numbers"),
        "en_fr": t("English → French"),
        "couplets": t("couplets"),
        "verses": t("real couplets"),
        "digits": t("handwritten digits"),
        "own": t("own examples"),
        "none": t("no attention"),
        "fixed": t("fixed"),
        "dot": t("dot"),
        "scaled_dot": t("scaled dot"),
        "general": t("general"),
        "concat": t("concat"),
        "additive": t("additive"),
    }


def said_model(recipe: LabRecipe) -> str:
    """Say task and model in a few words: what a training is called until its reader names it."""
    said = short_names()
    if recipe.family == "transformer":
        return " · ".join((said[recipe.task], f"Transformer {recipe.n_layers}×{recipe.n_heads}", *said_parts(recipe)))
    late = {"output": t("context after the cell"), "next": t("context into the next step")}.get(recipe.context)
    forced = t("teacher forcing {share}").format(share=f"{recipe.teacher_forcing:g}")
    parts = (
        said[recipe.task],
        recipe.cell.upper(),
        said[recipe.mechanism],
        late,
        forced if recipe.teacher_forcing < 1 else None,
    )
    return " · ".join(part for part in parts if part)


def said_parts(recipe: LabRecipe) -> list[str]:
    """Say what of a Transformer is not as usual, in a few words each."""
    dropped = t("{share} of the weights dropped").format(share=f"{recipe.attention_dropout:.0%}")
    found = {
        t("no positions"): recipe.position == "none",
        t("additive scores"): recipe.scoring == "additive",
        t("norm after"): recipe.norm == "post",
        t("no residuals"): not recipe.residual,
        dropped: recipe.attention_dropout > 0,
    }
    return [said for said, unusual in found.items() if unusual]
