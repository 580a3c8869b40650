"""“Take a part out”: what is said follows from the spread, what is drawn are the recorded numbers."""

import json

import numpy as np
import pytest

from explorer.lessons.training_lab import seeded
from explorer.lessons.training_lab.figures.seeds import seeds
from explorer.lessons.training_lab.records import SeededCurves
from explorer.lessons.training_lab.ui import parts
from explorer.records.training_run import LabPoint
from explorer.training.lab.comparisons import COMPARISONS, FILE, read_comparisons
from tests.support.pages import OpenPage, said

PAGE = "pages/11_training_lab.py"


def run(name: str, number: int, *ends: float) -> SeededCurves:
    def point(step: int, accuracy: float) -> LabPoint:
        return LabPoint(
            step=step,
            seconds=step / 10 + accuracy,
            loss=2 - accuracy,
            held_out_loss=3 - accuracy,
            accuracy=accuracy,
            tokens_per_second=9.0,
        )

    return SeededCurves(name=name, number=number, courses=tuple((point(0, 0.0), point(50, end)) for end in ends))


def test_only_what_the_spread_supports_is_said() -> None:
    low, middle, high = run("a", 0, 0.1, 0.2), run("b", 1, 0.15, 0.3), run("c", 2, 0.5, 0.7)
    assert "a **15.0%** (10.0% to 20.0%); c **60.0%** (50.0% to 70.0%)." in seeded.describe((low, high), "accuracy")
    assert seeded.describe((low, high), "accuracy").endswith("The ranges do not overlap.")
    assert seeded.describe((low, middle), "accuracy").endswith("2 seeds do not tell them apart.".replace("2", "3"))
    assert seeded.describe((low, middle, high), "accuracy").endswith("Only these ranges do not overlap: b and c.")
    assert "a **2.850** (2.800 to 2.900)" in seeded.describe((low, high), "held_out_loss")


@pytest.mark.parametrize("measure", ["accuracy", "loss", "held_out_loss"])
@pytest.mark.parametrize("along", ["step", "seconds"])
def test_the_band_reaches_from_the_lowest_to_the_highest_seed(measure: str, along: str) -> None:
    runs = (run("<b>a</b>", 0, 0.1, 0.3, 0.2), run("c", 1, 0.5, 0.7, 0.6))
    figure = seeds(runs, measure=measure, along=along)
    assert len(figure.data) == 8
    for each, (low, high, mean, ends) in zip(runs, zip(*[iter(figure.data)] * 4, strict=True), strict=True):
        values = np.array([[getattr(point, measure) for point in points] for points in each.courses])
        np.testing.assert_array_equal(low.y, values.min(0))
        np.testing.assert_array_equal(high.y, values.max(0))
        np.testing.assert_allclose(mean.y, values.mean(0))
        np.testing.assert_array_equal(ends.y, values[:, -1])
        x = np.mean([[getattr(point, along) for point in points] for points in each.courses], 0)
        np.testing.assert_allclose(mean.x, x)
        assert high.fill == "tonexty"
        assert "<b>" not in mean.name


def test_the_prediction_is_judged_by_the_file() -> None:
    content = json.loads(FILE.read_text("utf8"))
    ends = {
        name: np.mean([points[-1]["accuracy"] for points in content[name]["courses"].values()])
        for name in ("base", "no_residual")
    }
    right, values = parts.answer()
    left = ends["no_residual"] / ends["base"]
    assert right == ("nearly_all" if left > 0.8 else "half" if left > 0.25 else "few")
    assert values["with_residuals"] == f"{ends['base']:.0%}"
    assert values["without_residuals"] == f"{ends['no_residual']:.0%}"


def test_every_comparison_has_a_name_for_each_of_its_trainings() -> None:
    assert {part: tuple(names) for part, names in seeded.names().items()} == dict(COMPARISONS)


@pytest.mark.parametrize("part", [*COMPARISONS, "nonsense", "<b>"])
def test_every_part_is_drawn_and_what_is_unknown_is_the_default(open_page: OpenPage, part: str) -> None:
    app = open_page(PAGE, scene="parts", tl_part=part, tl_measure="loss" if part in COMPARISONS else "?")
    assert not app.exception
    shown = part if part in COMPARISONS else "depth"
    measure = "loss" if part in COMPARISONS else "accuracy"
    text = said(app).replace("<b>", "**").replace("</b>", "**").replace("\\", "")
    assert seeded.describe(seeded.curves(shown), measure).split("** (")[0] in text  # type: ignore[arg-type]
    two = len(COMPARISONS[shown]) == 2
    assert any(str(button.key) == f"tl_parts_{shown}" for button in app.button) is two


def test_what_the_presets_tell_to_look_for_is_there() -> None:
    runs = read_comparisons()
    assert max(runs["no_residual"].ends()) == 0, "no seed has learned a single sentence"
    assert min(runs["dropped_05"].ends("loss")) > max(runs["base"].ends("loss")), "the loss in training is higher"
    assert min(runs["additive"].ends("seconds")) > max(runs["base"].ends("seconds")), "the same steps take longer"
