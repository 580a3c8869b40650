"""The recipe of models that see, and its command: it learns, goes on after an interruption, learns from a teacher."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from explorer.checkpoints.store import load
from explorer.data.augmentation import ImageAugmentation, ImageBatch
from explorer.data.images import read_images
from explorer.evaluate.__main__ import main as evaluate
from explorer.inference.vision.classify import PROBE, correct, load as loaded, probe
from explorer.models.cnn import CNN, CNNConfig
from explorer.models.families import FAMILIES
from explorer.training import loop
from explorer.training.__main__ import main
from explorer.training.config import TrainingConfig
from explorer.training.state import load_averaged
from explorer.training.vision.recipe import VisionRecipe, train_vision
from explorer.training.vision.source import ImageSource, VisionObjective
from tests.data.test_images import PLAIN, packed

CPU = torch.device("cpu")
SHAPES = {
    "cnn": {"widths": "8 8 8", "gates": "se cbam", "reduction": 2},
    "vit": {"patch_size": 4, "d_model": 16, "n_heads": 2, "n_layers": 1, "d_ff": 16, "dropout": 0.0},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    packed(folder / "train.npz", 12)
    packed(folder / "test.npz", 6)
    return folder


def recipe(family: str, augmentation: ImageAugmentation = PLAIN, **training: object) -> VisionRecipe:
    course = {"steps": 6, "tokens_per_batch": 4, "warmup": 2, "report_every": 3, "learning_rate": 1e-2, **training}
    return VisionRecipe(
        family=family,
        shape=SHAPES[family],
        n_dev=3,
        augmentation=augmentation,
        training=TrainingConfig(average_decay=0.9, **course),
    )


@pytest.mark.parametrize("family", ["cnn", "vit"])
def test_colours_are_learnt(family: str, data: Path, tmp_path: Path) -> None:
    train_vision(data, tmp_path, recipe(family, steps=80, report_every=80), device=CPU)
    kind = FAMILIES[family]
    model = load_averaged(tmp_path, kind.module, kind.config)
    assert json.loads((tmp_path / "model.json").read_text())["n_classes"] == 3
    assert correct(model, read_images(data / "train.npz")) > 0.7
    header = (tmp_path / "history.csv").read_text().splitlines()[0]
    assert header.split(",")[:5] == ["step", "epoch", "minutes", "train_loss", "dev_accuracy"]


def test_an_interrupted_run_goes_on_bit_for_bit(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    varied = recipe("cnn", ImageAugmentation(cutmix=0.5))
    train_vision(data, straight, varied, device=CPU)
    original = loop.save_state

    def save_and_die(*arguments: object) -> None:
        original(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(loop, "save_state", save_and_die)
    with pytest.raises(KeyboardInterrupt):
        train_vision(data, broken, varied, device=CPU)
    monkeypatch.setattr(loop, "save_state", original)
    train_vision(data, broken, varied, device=CPU, resume=True)
    one, two = (load_file(next(run.glob("state-6.safetensors"))) for run in (straight, broken))
    assert one.keys() == two.keys()
    assert any(name.endswith("running_mean") for name in one)
    for name, tensor in one.items():
        assert torch.equal(tensor, two[name]), name


def command(family: str, data: Path, out: Path, *more: str) -> list[str]:
    shape = [word for name, value in SHAPES[family].items() for word in (f"--{name.replace('_', '-')}", str(value))]
    course = ["--steps", "3", "--batch", "4", "--report-every", "3", "--threads", "1"]
    where = ["--data", str(data), "--out", str(out), "--run-folder", str(out.parent / f"run-{family}")]
    return ["vision", "--family", family, *where, *shape, *course, *more]


def test_the_command_writes_whole_checkpoints_and_one_can_teach_the_other(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command("cnn", data, tmp_path / "cnn")) == 0
    assert main(command("vit", data, tmp_path / "vit", "--teacher", str(tmp_path / "cnn"))) == 0
    for family in ("cnn", "vit"):
        stored = load(tmp_path / family)
        assert stored.manifest.family == family
        again = probe(stored.model, stored.tokenizer)
        assert again.given == stored.manifest.probe.given == PROBE
        assert again.expected == stored.manifest.probe.expected
        assert again.score == pytest.approx(stored.manifest.probe.score, abs=1e-5)
        card = (tmp_path / family / "README.md").read_text()
        assert "one, two, three" in card
        assert str(tmp_path) not in card + stored.manifest.command
    assert "answers of `cnn`" in card
    capsys.readouterr()
    assert evaluate([str(tmp_path / "vit"), str(data)]) == 0
    said = f"accuracy {stored.manifest.metrics['test_accuracy']:.2%} (6 pictures)"
    assert said in capsys.readouterr().out


def test_what_cannot_be_trained_is_said(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command("cnn", tmp_path / "nowhere", tmp_path / "out")) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(command("vit", data, tmp_path / "out", "--patch-size", "5")) == 2
    assert "patch_size 5" in capsys.readouterr().err


def test_a_teacher_who_knows_better_changes_the_gradient_and_not_the_teacher() -> None:
    config = CNNConfig(n_classes=3, image_size=8, widths="4 4", gates="se", reduction=2)
    pupil, teacher = CNN(config), CNN(config)
    before = {name: each.clone() for name, each in teacher.state_dict().items()}
    batch = ImageBatch(torch.randn(4, 3, 8, 8), torch.eye(3)[[0, 1, 2, 0]])
    objective = VisionObjective(pupil, smoothing=0.0, bf16=False, teacher=teacher, teaching=1.0, temperature=1.0)
    objective.train()
    loss = objective(batch)
    with torch.no_grad():
        wanted = torch.softmax(teacher(batch.pixels), -1)
        expected = -(wanted * torch.log_softmax(pupil.eval()(batch.pixels), -1)).sum()
    pupil.train()
    assert loss.item() != pytest.approx(expected.item(), rel=1e-6)  # the pupil normalises over the batch
    loss.backward()
    assert all(torch.equal(each, before[name]) for name, each in teacher.state_dict().items())
    assert all(name.startswith("model.") for name, _ in objective.named_parameters())


def test_any_seed_will_do(data: Path) -> None:
    source = ImageSource(read_images(data / "train.npz"), PLAIN, seed=2**63 - 1)
    assert next(source.parts(0, first=0, tokens_per_batch=4, calm=False, rank=0, world=1)).n_tokens == 4


def test_a_checkpoint_of_text_is_no_model_of_pictures() -> None:
    with pytest.raises(ValueError, match="not a model of pictures"):
        loaded("positions-rotary")


def test_a_picture_has_a_byte_for_each_colour(data: Path) -> None:
    images = read_images(data / "test.npz")
    assert images.pixels.dtype == torch.uint8
    assert images.pixels.max() > 140
