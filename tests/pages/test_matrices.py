"""Every scene whose numbers are a matrix has it as a Plotly heat map: on the stage, or one visible click away."""

import json

from streamlit.testing.v1 import AppTest

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from tests.pages.test_scenes import every_scene, opened
from tests.support.pages import OpenPage

#: Scenes without a matrix of weights or scores, by what they draw.
WITHOUT = {
    "curves of one number": """
        kernel_regression: error_by_width, leave_one_out
        scoring_functions: lengths
        seq2seq_attention: bottleneck
        positional_encoding: beyond, side_by_side, measured
        architectures: costs, measured, mislead
        whole_transformer: norms
        translator: ways
        training_lab: compare, parts
        efficient_attention: measured, trained""",
    "a bar or a dot for each token, head, formula or row of a file": """
        scoring_functions: numbers
        multi_head: dropout, what_heads_do
        positional_encoding: enters
        translator: bleu, write_on, documents
        text_generation: alternatives
        open_model: what_it_costs""",
    "vectors, not weights": "positional_encoding: order",
    "a diagram, a network or a tree": """
        seq2seq_attention: papers
        architectures: paths
        translator: search""",
    "at first what is no matrix; the maps stand behind the choice of what is shown": """
        seq2seq_attention: notes
        multi_head: shapes""",
}
BARE = {
    (stem.strip(), name.strip())
    for lines in WITHOUT.values()
    for line in lines.strip().splitlines()
    for stem, names in [line.split(":")]
    for name in names.split(",")
}
#: Core scenes with a heat map at most one visible click away.
LEAST = 30


def maps(app: AppTest) -> int:
    """Count the heat maps of weights or numbers that can be pointed at."""
    traces = [trace for chart in app.get("plotly_chart") for trace in json.loads(chart.proto.spec)["data"]]
    return sum(trace["type"] == "heatmap" and trace.get("hoverinfo") != "skip" for trace in traces)


@every_scene
def test_a_matrix_is_a_heat_map_at_most_one_visible_click_away(
    open_page: OpenPage, lesson: Lesson, scene: Scene
) -> None:
    app = opened(open_page, lesson, scene)
    if "sight_shown" in app.session_state:  # the switch on the stage
        app = opened(open_page, lesson, scene, sight="map")
        assert maps(app)
    assert bool(maps(app)) == ((lesson.stem, scene.name) not in BARE)


def test_most_core_scenes_have_a_matrix() -> None:
    core = {(lesson.stem, scene.name) for lesson in scenes.LESSONS for scene in lesson.core}
    assert len(core - BARE) >= LEAST


def test_what_is_stated_to_have_no_matrix_is_a_scene() -> None:
    assert BARE.issubset((lesson.stem, scene.name) for lesson in scenes.LESSONS for scene in lesson.scenes)
