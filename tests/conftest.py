"""Every test checks shapes: the hook that does it stands before the first import of what is checked."""

import gc
import os
from pathlib import Path

os.environ.setdefault("EXPLORER_DEVICE", "cpu")  # those marked `gpu` ask for more
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from tests.support import shapes

ROOT = Path(__file__).parent.parent
#: Modules whose shapes are checked.
SHAPED = shapes.hook(ROOT)

import pytest
import torch

#: Pages in a process of their own, pages in a browser, figures checked: fixtures that every lesson's tests share.
pytest_plugins = ["tests.support.pages", "tests.support.browser", "tests.support.figures"]
#: Each keeps a server and a browser of its own: half a gigabyte.
MOST_PROCESSES = 4
#: Fixtures of tests that are slow: they run a page, a server or a browser.
SLOW_FIXTURES = {"open_page", "server", "playwright"}
#: Beginnings of the names of other slow tests: trained models, long trainings, other processes, bounds of memory.
#: Each of these files took more than ten seconds of a run of the others (`--durations=0` says what does now).
SLOW = tuple(
    f"tests/{name}"
    for name in (
        "architecture/test_checkout.py",
        "architecture/test_gate.py::test_gate[mypy]",
        "architecture/test_package.py",
        "attention/efficient/test_linear.py::test_no_side_of_a_direction_is_preferred",
        "cluster/test_ray.py",
        "checkpoints/test_store.py::test_loading_what_ships_does_not_import_torchs_compiler",
        "data/parallel/test_placeholders.py::test_four_times_the_text_takes_no_more_than_some_four_times_as_long",
        "data/test_upload_bounds.py",
        "evaluate/test_alignment_error.py",
        "evaluate/test_evaluate.py",
        "evaluate/test_everyday.py",
        "inference/gpt/test_generate.py",
        "inference/lab/test_trace.py",
        "inference/search/test_decode.py",
        "inference/seq2seq/test_couplets.py",
        "inference/seq2seq/test_forced.py",
        "inference/seq2seq/test_translate.py",
        "inference/translator/test_search_tree.py",
        "inference/translator/test_trace.py",
        "lessons/multi_head/test_lesson_removal.py",
        "lessons/multi_head/test_page.py",
        "lessons/positional_encoding/test_extrapolation.py",
        "lessons/positional_encoding/test_trained_decoders.py",
        "lessons/scoring_functions/test_scenes.py",
        "lessons/text_generation/test_lesson.py",
        "lessons/training_lab/test_lesson",
        "lessons/translator/test_presets.py",
        "lessons/translator/test_shipped.py",
        "opened/test_ask.py::test_everything_is_answered_by_the_worker",
        "opened/test_queue.py::test_a_model_that_needs_more_memory_than_there_is_does_not_take_the_worker_with_it",
        "opened/test_real_models.py",
        "opened/test_vertical.py::test_the_worker_says_what_is_computed_here",
        "opened/test_vertical.py::test_what_goes_wrong_is_said_and_the_worker_lives_on",
        "scenes/test_scenes.py::test_the_prose_has_a_section_for_each_scene_and_the_answers_are_filled",
        "scenes/test_scenes.py::test_the_right_answer_is_computed_and_fills_the_why",
        "service/translation/",
        "service/lab/",
        "service/test_text_memory.py",
        "site/test_pages.py",
        "training/",
    )
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-benchmarks", action="store_true", help="measure speed against the peers (minutes)")
    parser.addoption("--run-webkit", action="store_true", help="walk through the core scenes in WebKit, too (minutes)")
    parser.addoption("--whole-site", action="store_true", help="build and walk through the whole site (minutes)")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process a core for the whole suite (one more takes longer: 16:52 against 15:31 minutes on two cores); none
    beside the one that was started for a part of it or to measure.
    """
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.getoption("--run-benchmarks")
    return min(os.cpu_count() or 1, MOST_PROCESSES) if whole else 0


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    on_demand = pytest.mark.skip(reason="measured on demand: --run-benchmarks")
    for item in items:
        if item.nodeid.startswith(SLOW) or SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("benchmark_run") and not config.getoption("--run-benchmarks"):
            item.add_marker(on_demand)


def pytest_collection_finish() -> None:
    """Leave what has been imported out of garbage collections, as the app's server does: a twentieth less time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(autouse=True)
def _one_thread_and_a_seed() -> None:
    shapes.calls.clear()
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT
