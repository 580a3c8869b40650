"""A class opens a scene that no one has opened before: its file is imported once, and nobody gets half of it."""

import importlib
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.ui.scene import page

SLOW = "import time\ntime.sleep(0.5)\ndef controls() -> None: ...\n"


def test_a_scene_that_another_visit_is_importing_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_scene.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    lesson: Any = SimpleNamespace(module=lambda name: name)
    scene: Any = SimpleNamespace(name="slow_scene")
    stage = SimpleNamespace(container=lambda key: None)
    first = threading.Thread(target=importlib.import_module, args=("slow_scene",))
    first.start()
    try:
        while "slow_scene" not in sys.modules:
            time.sleep(0.001)
        assert hasattr(page._module(lesson, scene, stage), "controls")
    finally:
        first.join()
        sys.modules.pop("slow_scene", None)
