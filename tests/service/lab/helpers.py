"""What the tests of the lab's processes share."""

import sys
from pathlib import Path

from explorer.training.lab.recipe import LabRecipe

#: Starts in a moment; without site-packages, which would take longer than all it does.
PRETEND = (sys.executable, "-I", "-S", str(Path(__file__).with_name("pretend_worker.py")))
#: Small enough that a real worker spends its time importing torch.
OWN = tuple((f"{a}{b}", f"{b}{a}") for a in "abcdefgh" for b in "klmnopqr")
TINY = LabRecipe(task="own", pairs=OWN, d_model=16, batch=8, steps=20)
#: Never ends by itself within a test.
LONG = LabRecipe(task="own", pairs=OWN, d_model=16, batch=8, steps=5000)
