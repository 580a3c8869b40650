"""Command that trains a family of models and writes the checkpoint; each family says what differs."""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.checkpoints.manifest import Manifest
from explorer.training import autocast
from explorer.training.config import TrainingConfig
from explorer.training.export import Stated, refuse_other
from explorer.training.options import Options, all_but
from explorer.training.process import join, leave, rank

#: Fields of a run's course that are options; the arithmetic has options of its own.
COURSE = all_but(TrainingConfig, "bf16")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that trains a family of models, and its options.

    Attributes:
        shapes: configurations of models with those of their fields that are options.
        recipe: its class, and those of its fields that are options.
        make: the recipe of a run, from the options and the course.
        train: trains a recipe on data into the folder of a run.
        export: writes a run as a checkpoint.
        data: what the data folder must hold.
        corpus: reads the word for a folder where there can be several; has `folder` and `without_path()`.
        credit: said of the data where nothing else is; `{names}` stands for the folders' names.
        licence: of the data where nothing else is said.
        defaults: that differ from the configurations'.
        renamed: fields whose option has another name.
        always: options that a model card states although they have their defaults.
    """

    shapes: Mapping[type, tuple[str, ...]]
    recipe: tuple[type, tuple[str, ...]]
    make: Callable[[argparse.Namespace, TrainingConfig], Any]
    train: Callable[..., None]
    export: Callable[..., Manifest]
    data: str
    corpus: Callable[[str], Any] | None = None
    credit: str
    licence: str = "not stated"
    defaults: Mapping[str, Any] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=lambda: {"max_length": "length"})
    always: tuple[str, ...] = ("seed",)

    def add(self, parsers: Any, word: str, *, export: str) -> None:
        """Add the word that trains and exports, and the one that exports a run as it stands."""
        for each, trains in ((word, True), (export, False)):
            about = "train a model and write its checkpoint" if trains else f"write the checkpoint of a run of {word}"
            parser = parsers.add_parser(each, help=about, description=f"{about[0].upper()}{about[1:]}.")
            options = self._options(parser)
            parser.set_defaults(action=lambda given, on=trains, has=options: self._run(given, word, has, trains=on))

    def _options(self, parser: argparse.ArgumentParser) -> Options:
        parser.add_argument("--data", nargs="+" if self.corpus else None, required=True, help=self.data)
        parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
        parser.add_argument("--run-folder", type=Path, help="of state and history (default: runs/<name of out>)")
        parser.add_argument("--resume", action="store_true", help="continue the run from its last saved state")
        parser.add_argument("--threads", type=int, help="of each process on the CPU")
        autocast.add_options(parser)
        parser.add_argument("--credit", default="", help="what the data is, with the attribution its licence asks for")
        parser.add_argument("--licence", default=self.licence, help="of the data")
        parser.add_argument("--hardware", default="", help="a sentence for the model card")
        parser.add_argument("--command", default="", help="the training command, if the run was started in another way")
        options = Options(parser, renamed=self.renamed, defaults=self.defaults)
        for config, names in self.shapes.items():
            options.add(config, names)
        options.add(TrainingConfig, COURSE)
        options.add(*self.recipe)
        return options

    def _run(self, given: argparse.Namespace, word: str, options: Options, *, trains: bool) -> None:
        data: Any = [self.corpus(each) for each in given.data] if self.corpus else Path(given.data)
        said = [each.without_path() for each in data] if self.corpus else [f"<folder>/{data.name}"]
        names = [each.folder.name for each in data] if self.corpus else [data.name]
        run = given.run_folder or Path("runs") / given.out.name
        try:
            if trains:
                refuse_other(given.out, getattr(given, "family", word))  # vision trains two
                device = join(given.threads)
                course = TrainingConfig(**values(given, COURSE), bf16=autocast.bf16(given, device))
                self.train(data, run, self.make(given, course), device=device, resume=given.resume)
            if rank() == 0:
                words = ["python -m explorer.training", word, "--data", *said, *options.words(given, self.always)]
                manifest = self.export(
                    run,
                    given.out,
                    data=data,
                    stated=Stated(
                        credit=given.credit or self.credit.format(names=", ".join(names)),
                        licence=given.licence,
                        command=given.command or " ".join([*words, f"--out checkpoints/{given.out.name}"]),
                        hardware=given.hardware,
                    ),
                )
                sys.stdout.write(f"{given.out} @ {manifest.revision}: {dict(manifest.metrics)}\n")
        finally:
            leave()


def values(given: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the options that set some fields."""
    return {name: getattr(given, name) for name in names}
