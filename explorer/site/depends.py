"""What a scene depends on: the modules that it imports, its words, models and data, and what is installed."""

import ast
import hashlib
import json
import site
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from explorer import project, scenes
from explorer.scenes.spec import Lesson

_EXPLORER = Path(__file__).parents[1]
#: Runs every scene, and packs what it shows.
_RUN = "explorer.site.parts"
#: A scene that imports this one may read any model; manifests have the hashes of weights.
_MODELS = "explorer.checkpoints.store"
#: Reads the list of scenes, but of the lessons in it only what a scene's own definition says.
_LIST = "explorer.scenes"
#: What pages alone are made of, each time anew.
_OF_PAGES = (".js", ".css", ".html", ".md")


def hash_scenes(lessons: Sequence[Lesson], languages: Sequence[str], stops: int) -> Mapping[str, str]:
    """Return the hash of what each scene depends on, and each lesson's answers to exercises.

    Args:
        lessons: whose scenes are meant.
        languages: in which they are run.
        stops: of a slider, at most.

    Returns:
        Hashes by language, lesson and scene, `en/kernel_regression/one_query`; the last is `exercises` for answers.
    """
    found, files = dict[str, str](), _Files()
    for lesson in lessons:
        defined = {scene.name: repr((lesson.shared, scene, scene in lesson.core)) for scene in lesson.scenes}
        for name, definition in {**defined, "exercises": ""}.items():
            needed = files.modules.close(_RUN, lesson.module(name))
            for words in languages:
                whole = [definition, len(lesson.core), stops, words, *files.of(lesson.stem, words, needed)]
                found[f"{words}/{lesson.stem}/{name}"] = _hash(json.dumps(whole).encode())
    return found


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class _Files:
    """Hashes of all files, each read once."""

    def __init__(self) -> None:
        self.modules = _Modules()
        self._own: dict[str, list[str]] = {}
        # not `sys.path`: who imports setuptools has what it brings there, too
        installed = distributions(path=[*site.getsitepackages(), site.getusersitepackages()])
        self._shared = sorted(f"{each.name} {each.version}" for each in installed)
        self._words: dict[tuple[str, str], list[str]] = {}
        for file in _data():
            inside = file.relative_to(_EXPLORER).parts
            if inside[0] == "locale":
                self._words.setdefault((inside[1][:2], file.stem), []).append(_entry(file, _EXPLORER))
            elif inside[0] == "lessons" and len(inside) > 2:
                self._own.setdefault(inside[1], []).append(_entry(file, _EXPLORER))
            else:
                self._shared.append(_entry(file, _EXPLORER))
        models = sorted(project.CHECKPOINTS.rglob("*"))
        self._models = [_entry(file, project.CHECKPOINTS) for file in models if _counts(file)]

    def of(self, stem: str, words: str, modules: set[str]) -> Iterator[str]:
        """Yield what a scene of a lesson depends on that runs some modules in a language."""
        yield from (f"{name} {self.modules.hash(name)}" for name in sorted(modules))
        yield from self._shared
        yield from self._own.get(stem, ())
        lessons = {each.stem for each in scenes.LESSONS} - {stem}
        for (language, domain), entries in self._words.items():
            if language == words[:2] and domain not in lessons:
                yield from entries
        if _MODELS in modules:
            yield from self._models


def _data() -> Iterator[Path]:
    """Yield the files of the package that are no modules, and that no page alone is made of."""
    for file in sorted(_EXPLORER.rglob("*")):
        if _counts(file) and file.suffix not in (".py", *_OF_PAGES):
            yield file


def _counts(file: Path) -> bool:
    return file.is_file() and "__pycache__" not in file.parts and file.suffix != ".safetensors"


def _entry(file: Path, below: Path) -> str:
    return f"{file.relative_to(below).as_posix()} {_hash(file.read_bytes())}"


class _Modules:
    """The modules of the package, and what each imports."""

    def __init__(self) -> None:
        self._files = {_name(file): file for file in sorted(_EXPLORER.rglob("*.py"))}
        self.imported = cache(self._imported)
        self.hash = cache(self._hash)

    def close(self, *names: str) -> set[str]:
        """Return modules, all that they import, and the packages that have them."""
        found, waiting = set[str](), [*names]
        while waiting:
            name = waiting.pop()
            if name in self._files and name not in found:
                found.add(name)
                waiting += [*self.imported(name), name.rpartition(".")[0]]
        return found

    def _hash(self, name: str) -> str:
        return _hash(self._files[name].read_bytes())

    def _imported(self, name: str) -> set[str]:
        said = self._files.keys() & _names(self._files[name].read_bytes())
        return said - {f"{_LIST}.{each.stem}" for each in scenes.LESSONS} if name == _LIST else said


@cache
def _names(source: bytes) -> frozenset[str]:
    """Return what a module imports, wherever it does so, and its texts, as a process is started by a module's name."""
    said = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            said.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            said.update((node.module, *(f"{node.module}.{each.name}" for each in node.names)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.add(node.value)
    return frozenset(said)


def _name(file: Path) -> str:
    parts = (_EXPLORER.name, *file.relative_to(_EXPLORER).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
