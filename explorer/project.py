"""Where lies what the package needs and is no part of it: the app's script, its pages, its settings, checkpoints."""

from pathlib import Path

#: A wheel has them inside the package: `explorer.install.wheel` puts them there.
SHIPPED = Path(__file__).with_name("shipped")
#: Whether this is a wheel's, not a checkout's.
INSTALLED = SHIPPED.is_dir()
ROOT = SHIPPED if INSTALLED else Path(__file__).parents[1]
APP = ROOT / "app.py"
#: The checkpoints that come with the project.
CHECKPOINTS = ROOT / "checkpoints"
