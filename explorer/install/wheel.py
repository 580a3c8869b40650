"""What a wheel holds beside the package: the app's script, pages and settings, and the small checkpoints.

Setuptools runs it (`pyproject.toml` names it) while nothing of the package can be imported yet.
"""

from collections.abc import Iterator
from pathlib import Path

from setuptools.command.build_py import build_py

ROOT = Path(__file__).parents[2]
#: Checkpoints whose weights stay out of a wheel. The others are less than 60 MB, and all that first scenes need.
STAY = (
    *(f"translator-{each}" for each in ("de-en", "from-english", "to-english", "zh-en", "norm-post", "norm-pre")),
    *(f"translator-multi30k-{each}" for each in ("de-en", "en-de")),
    *(f"seq2seq-de-en-{each}" for each in ("dot", "general", "scaled_dot")),
    *(f"seq2seq-de-en-notes-{each}" for each in ("params", "params-given", "simple", "simple-given", "two")),
    *("masked-en", "couplet-zh", *(f"couplet-zh-small-{each}" for each in ("fixed", "none", "scaled_dot"))),
)
#: Of those, the manifest has another name: it says what can be fetched, and does not say that it is there.
MANIFEST, LEFT_OUT = "manifest.json", "left_out.json"
WEIGHTS = ("model.safetensors", "tokenizer.json")


class WithApp(build_py):  # type: ignore[misc]
    """Builds the package with `explorer/shipped/`, which is laid out as the top of the repository."""

    def run(self) -> None:
        """Build, then copy; an editable install finds all of it in the checkout."""
        super().run()
        if self.editable_mode:
            return
        into = Path(self.build_lib, "explorer", "shipped")
        for file in _files():
            stays = file.parent.name in STAY
            if stays and file.name in WEIGHTS:
                continue
            to = into / (file.with_name(LEFT_OUT) if stays and file.name == MANIFEST else file)
            self.mkpath(str(to.parent))
            self.copy_file(str(ROOT / file), str(to), preserve_mode=False)

    def get_source_files(self) -> list[str]:
        """Return what a source distribution holds: all of it, so that a wheel can be made from that, too."""
        return [*super().get_source_files(), *map(str, _files())]


def _files() -> Iterator[Path]:
    """Yield the files of the project that are none of the package, from its root."""
    yield Path("app.py")
    yield Path(".streamlit/config.toml")
    for pattern in ("pages/*.py", "checkpoints/*/*"):
        yield from sorted(file.relative_to(ROOT) for file in ROOT.glob(pattern) if file.is_file())
