"""`pytest -m "not slow"` runs no page, no browser and no long training."""

import inspect
import re
from unittest.mock import Mock

import pytest

from tests.conftest import ROOT, SLOW, pytest_collection_modifyitems

#: Fixtures by which a test opens a page of the app, in this process or in a browser.
OPENS = re.compile(r"\b(open_page|browse|bundled_tiny|server|playwright)\b")


def test_whatever_opens_a_page_is_slow(request: pytest.FixtureRequest) -> None:
    functions = [item for item in request.session.items if isinstance(item, pytest.Function)]
    opens = [item for item in functions if OPENS.search(str(inspect.signature(item.function)))]
    assert [item.nodeid for item in opens if item.get_closest_marker("slow") is None] == []


@pytest.mark.parametrize(
    ("test", "fixtures", "slow"),
    [
        ("tests/lessons/kernel_regression/test_lesson.py::test_one", ["rng"], False),
        ("tests/lessons/kernel_regression/test_figures.py::test_one", [], False),
        ("tests/lessons/kernel_regression/test_page.py::test_one", ["open_page"], True),
        ("tests/lessons/kernel_regression/test_browser.py::test_one", ["browse", "playwright"], True),
        ("tests/training/gpt/test_recipe.py::test_one", [], True),
    ],
)
def test_the_quick_tier_is_what_is_left(
    pytestconfig: pytest.Config, test: str, fixtures: list[str], slow: bool
) -> None:
    """A lesson's computation and figures stay; its page, its browser, and what is slow by its name do not."""
    item = Mock(pytest.Item, nodeid=test, fixturenames=fixtures)
    item.get_closest_marker.return_value = None
    pytest_collection_modifyitems(pytestconfig, [item])
    assert [call.args for call in item.add_marker.call_args_list] == [(pytest.mark.slow,)] * slow


def test_what_is_slow_by_its_name_is_there() -> None:
    """A name that nothing begins with any more would silently select nothing."""
    for name in SLOW:
        path, _, function = name.partition("::")
        found = [ROOT / path] if (ROOT / path).exists() else list(ROOT.glob(f"{path}*.py"))
        assert found, name
        assert not function or f"def {function.partition('[')[0]}(" in found[0].read_text("utf8"), name
