"""What a program imports, and all that those modules do."""

import subprocess
import sys

from tests.conftest import ROOT


def imported_by(script: str) -> set[str]:
    """Names of the modules that are there when a script has run to its end in a process of its own."""
    whole = f"{script}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", whole], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())
