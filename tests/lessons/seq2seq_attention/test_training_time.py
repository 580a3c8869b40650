"""The time that a training took, against the files beside the weights."""

import shutil
from pathlib import Path

import pytest

from explorer.checkpoints import store
from explorer.checkpoints.manifest import read_manifest
from explorer.lessons.seq2seq_attention import training_time
from explorer.lessons.seq2seq_attention.state import RecurrentModel

NAME = "seq2seq-de-en-additive"


@pytest.mark.parametrize("name", [*store.SHIPPED["seq2seq"], *store.SHIPPED["couplet"]])
def test_minutes_are_the_processors_or_none(name: str) -> None:
    """By the clock they would say how busy the machine was."""
    manifest = read_manifest(store.BUNDLED / name)
    minutes = training_time.minutes(RecurrentModel(name=name, task="de-en", manifest=manifest))
    assert minutes == manifest.metrics.get("processor_minutes")
    assert minutes != manifest.metrics["minutes"]


def test_the_fastest_stretch_is_that_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(store.BUNDLED / NAME, tmp_path / NAME)
    monkeypatch.setattr(store, "BUNDLED", tmp_path)
    model = RecurrentModel(name=NAME, task="de-en", manifest=read_manifest(tmp_path / NAME))
    assert training_time.fastest(model) == 5544
    (tmp_path / NAME / "history.csv").write_text("step,tokens_per_second\n1,fast\n")
    assert training_time.fastest(model) is None
    (tmp_path / NAME / "history.csv").unlink()
    assert training_time.fastest(model) is None
