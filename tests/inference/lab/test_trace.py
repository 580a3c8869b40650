"""A lab run's model after some step: what it writes, where it looks, and whether it keeps its promises."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointUnsupported
from explorer.checkpoints.package import unpack
from explorer.checkpoints.store import BUNDLED, load
from explorer.inference.lab.snapshots import SnapshotMissing, open_snapshot, probe, snapshot, snapshot_path, verify
from explorer.inference.lab.trace import MOST_TOKENS, TextRefused, alignment, trace_text
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.seq2seq import translate as seq2seq
from explorer.inference.translator import translate as translator
from explorer.models.translator import Translator
from explorer.nn.alignment import MECHANISMS
from explorer.nn.positions import POSITION_KINDS
from explorer.nn.tape import Tape
from explorer.training.lab.export import command, name_of, package
from explorer.training.lab.files import describe, keep
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe

OWN = tuple((f"{a}{b}", f"{b}{a}") for a in "abcdefgh" for b in "klmnopqr")
TINY = LabRecipe(task="own", pairs=OWN, d_model=32, n_heads=2, d_ff=32, batch=16, steps=30, learning_rate=2e-2)
TRANSFORMER = replace(TINY, family="transformer", n_layers=2)
Train = Callable[[LabRecipe], tuple[Path, LabTraining]]


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Train:
    kept: dict[LabRecipe, tuple[Path, LabTraining]] = {}

    def run(recipe: LabRecipe) -> tuple[Path, LabTraining]:
        if recipe not in kept:
            folder, training = tmp_path_factory.mktemp("run"), LabTraining(recipe)
            describe(training, folder)
            for point in training.run():
                if point is not None and point.step % 15 == 0:
                    keep(training, folder)
            kept[recipe] = folder, training
        return kept[recipe]

    return run


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_where_a_recurrent_model_looks(train: Train, mechanism: str) -> None:
    folder, training = train(replace(TINY, mechanism=mechanism))
    found = alignment(folder, 30, "ak", expected="ka", reading="expected")
    assert (found.step, found.source, found.expected) == (30, "ak", "ka")
    assert found.right is (found.output == "ka")
    assert [each.label for each in found.written] == ["k", "a", "</s>"]
    assert all(0 <= each.probability <= 1 for each in found.written)
    if mechanism == "none":
        assert found.attentions == found.crosses == ()
        return
    (record,) = found.crosses
    assert (record.query_labels, record.key_labels) == (("k", "a", "</s>"), ("a", "k", "</s>"))
    model, ids = training.model, training.tokenizer.encode
    tape = Tape()
    with torch.inference_mode():
        model.eval()(torch.tensor([[*ids("ak"), 2]]), torch.tensor([[1, *ids("ka")]]), tape=tape)
    np.testing.assert_allclose(record.weights, tape["decoder.cross"].weights.numpy(), atol=5e-3)  # half precision


@pytest.mark.parametrize("position", POSITION_KINDS)
def test_where_a_transformer_looks(train: Train, position: str) -> None:
    folder, _ = train(replace(TRANSFORMER, position=position))
    found = alignment(folder, 30, "ak", expected="ka", reading="expected")
    assert [record.site for record in found.crosses] == ["decoder.layers.0.cross", "decoder.layers.1.cross"]
    assert len(found.attentions) == 6
    assert all(record.weights.shape == (2, 3, 3) for record in found.crosses)
    own = alignment(folder, 30, "ak")
    assert own.right is None
    assert "".join(each.label for each in own.written).removesuffix("</s>") == own.output


def test_every_step_is_another_model(train: Train) -> None:
    folder, _ = train(TINY)
    early, late = (alignment(folder, step, "bk", expected="kb", reading="expected") for step in (0, 30))
    assert not np.allclose(early.crosses[0].weights, late.crosses[0].weights)
    assert early.written[0].probability < late.written[0].probability
    assert snapshot(folder, 30) is snapshot(folder, 30)
    assert "step 30" in snapshot(folder, 30).provenance.detail


def test_the_weights_are_those_of_the_step(train: Train) -> None:
    folder, training = train(TINY)
    kept = snapshot(folder, 30).prepared.model.state_dict()
    assert all(torch.equal(kept[name], tensor.half().float()) for name, tensor in training.model.state_dict().items())


def test_weights_beyond_half_precision_are_kept(train: Train, tmp_path: Path) -> None:
    training = LabTraining(TINY)
    describe(training, tmp_path)
    with torch.no_grad():
        training.model.embedding.weight[5, 5] = 1e6
    keep(training, tmp_path)
    assert snapshot(tmp_path, 0).prepared.model.embedding.weight[5, 5].item() == 1e6


def test_weights_that_are_no_numbers_are_not_shown(tmp_path: Path) -> None:
    training = LabTraining(TINY)
    describe(training, tmp_path)
    with torch.no_grad():
        training.model.embedding.weight[5, 5] = torch.nan
    keep(training, tmp_path)
    with pytest.raises(SnapshotMissing, match="diverged"):
        alignment(tmp_path, 0, "ak")


def test_anything_typed_is_shown_or_refused(train: Train) -> None:
    folder, _ = train(TINY)
    for text in ("x", "<script>", "ملا", "😀", "$x$", " a \u200b k "):
        assert alignment(folder, 30, text, expected="a").source
    for text in ("", " \n", "\u200b\x00"):
        with pytest.raises(TextRefused, match="type an example"):
            alignment(folder, 30, text)
    with pytest.raises(TextRefused, match="at most 40") as refused:
        alignment(folder, 30, "x" * 100_000)
    assert refused.value.limit == MOST_TOKENS
    assert alignment(folder, 30, "a", expected="é" * 500, reading="expected").expected == "é" * 500


def test_a_text_longer_than_the_model_reads_is_refused(train: Train, tmp_path: Path) -> None:
    """Whoever brings a model along has decided how much it reads."""
    recipe = replace(TRANSFORMER, position="learned")
    folder, _ = train(recipe)
    unpack(package(recipe, folder, 30), tmp_path)
    kept = open_snapshot(tmp_path)
    short = replace(
        kept, prepared=replace(kept.prepared, model=Translator(replace(kept.prepared.config, max_length=8)))
    )
    with pytest.raises(TextRefused, match="at most 7"):
        trace_text(short, 30, "a" * 12)


def test_a_step_without_weights(train: Train, tmp_path: Path) -> None:
    folder, _ = train(TINY)
    with pytest.raises(SnapshotMissing, match="step 7"):
        alignment(folder, 7, "ak")
    with pytest.raises(SnapshotMissing):
        alignment(tmp_path / "gone", 0, "ak")
    snapshot_path(folder, 9).write_bytes(b"no weights")
    with pytest.raises(SnapshotMissing):
        alignment(folder, 9, "ak")


@pytest.mark.parametrize("recipe", [TINY, replace(TRANSFORMER, position="rotary")], ids=["recurrent", "transformer"])
def test_a_package_comes_back_as_it_was(train: Train, tmp_path: Path, recipe: LabRecipe) -> None:
    folder, training = train(recipe)
    loaded = unpack(package(recipe, folder, 30), tmp_path)
    verify(loaded)
    assert loaded.manifest.probe == probe(loaded.model, loaded.tokenizer, loaded.manifest.probe.given)
    assert loaded.manifest.command.startswith("python -m explorer.training lab --data <pairs.tsv> ")
    assert loaded.manifest.command == command(recipe, name_of(recipe))
    kept = trace_text(open_snapshot(tmp_path), 30, "ak", expected="ka", reading="expected")
    before = alignment(folder, 30, "ak", expected="ka", reading="expected")
    assert kept.output == before.output
    np.testing.assert_array_equal(kept.crosses[0].weights, before.crosses[0].weights)
    card = (tmp_path / "README.md").read_text()
    assert f"{sum(parameter.numel() for parameter in training.model.parameters()):,} parameters" in card
    assert "30 of 30 steps" in card


def test_the_other_pages_open_it(train: Train, tmp_path: Path) -> None:
    """“Recurrent attention” opens a recurrent model as it opens its own, “Translator” a Transformer; both trace it."""
    for recipe, folder in ((TINY, tmp_path / "r"), (replace(TRANSFORMER, position="learned"), tmp_path / "t")):
        run, _ = train(recipe)
        folder.mkdir()
        unpack(package(recipe, run, 30), folder)
    recurrent = seq2seq.translate(seq2seq.load(str(tmp_path / "r")), "ak", DecodingOptions(beam=2))
    assert recurrent.best.text == recurrent.candidates[0].text
    assert recurrent.trace.alignment is not None
    assert recurrent.trace.alignment.key_labels == ("a", "k", "</s>")
    transformer = translator.translate(translator.load(str(tmp_path / "t")), "ak", DecodingOptions(beam=2))
    assert len(transformer.trace.attentions) == 6
    assert transformer.trace.source.labels == ("a", "k", "</s>")


def test_weights_that_do_something_else_are_found_out(train: Train, tmp_path: Path) -> None:
    folder, _ = train(TINY)
    loaded = unpack(package(TINY, folder, 30), tmp_path)
    with torch.no_grad():
        loaded.model.embedding.weight.mul_(-1)
    with pytest.raises(CheckpointDamaged, match="do not do what the manifest says"):
        verify(loaded)
    with torch.no_grad():
        loaded.model.embedding.weight.fill_(torch.nan)
    with pytest.raises(CheckpointDamaged, match="no finite number"):
        verify(loaded)
    with torch.no_grad():
        for weight in loaded.model.parameters():
            weight.fill_(3e38)
    with pytest.raises(CheckpointDamaged):
        verify(loaded)


def test_another_family_is_not_of_the_lab() -> None:
    with pytest.raises(CheckpointUnsupported, match="gpt"):
        verify(load(BUNDLED / "positions-none"))
    with pytest.raises(CheckpointUnsupported, match="opens what the lab trained"):
        open_snapshot(BUNDLED / "positions-none")
