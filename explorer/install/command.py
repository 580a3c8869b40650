"""`attention-explorer` starts the app; with a word it does the rest.

attention-explorer [--server.port 8502 …]   the app in a browser; options are Streamlit's own
attention-explorer site OUT                 the book without a server, as static pages
attention-explorer train translator …       train a model
attention-explorer evaluate FOLDER …        score one
attention-explorer checkpoints fetch …      models that do not come along, from the Hugging Face Hub

`--help` after a word says more.
"""

import importlib
import runpy
import sys
from collections.abc import Sequence

from explorer import project

MODULES = {
    "site": "explorer.site.__main__",
    "train": "explorer.training.__main__",
    "evaluate": "explorer.evaluate.__main__",
    "checkpoints": "explorer.checkpoints.__main__",
}
#: What comes with `pip install attention-explorer` alone is enough for a notebook.
LIGHT = "{missing} is not installed, which all but a notebook needs: pip install 'attention-explorer[app]'\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; return 2 and say why where that cannot be."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] in (["-h"], ["--help"]):
        sys.stdout.write(__doc__)
        return 0
    word = "" if not given or given[0].startswith("-") else given.pop(0)
    if word and word not in MODULES:
        sys.stderr.write(f"{word!r} is none of {', '.join(MODULES)}; without a word the app starts\n")
        return 2
    try:
        return _run_app(given) if not word else int(importlib.import_module(MODULES[word]).main(given))
    except ModuleNotFoundError as missing:
        if not missing.name or missing.name.partition(".")[0] == "explorer":
            raise
        sys.stderr.write(LIGHT.format(missing=missing.name))
        return 2


def _run_app(options: Sequence[str]) -> int:
    importlib.import_module("streamlit")  # raises what `main` explains; the words above need no server
    sys.argv = ["streamlit", "run", str(project.APP), *options]
    runpy.run_module("streamlit", run_name="__main__")  # as `python -m streamlit run`
    return 0
