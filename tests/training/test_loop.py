"""A run as a whole: it learns, it can be interrupted anywhere, and it can be shared by two processes."""

import csv
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from safetensors.torch import load_file
from torch import Tensor

from explorer.data.tokenizer import Tokenizer
from explorer.evaluate.translations import translate_all
from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions
from explorer.models.translator import Translator, TranslatorConfig
from explorer.training import loop
from explorer.training.state import ResumeError, load_averaged
from explorer.training.translator.recipe import PairFolder, train_translator
from tests.training.conftest import SHAPE, recipe

CPU = torch.device("cpu")


def tensors(run: Path) -> dict[str, Tensor]:
    return load_file(run / json.loads((run / "state.json").read_text())["tensors"])


def assert_same(first: Path, second: Path) -> None:
    one, other = tensors(first), tensors(second)
    assert one.keys() == other.keys()
    assert [name for name in one if not torch.equal(one[name], other[name])] == []


def history(run: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((run / "history.csv").read_text().splitlines()))


def test_a_small_language_is_learnt(data: Path, tmp_path: Path) -> None:
    train_translator(
        [PairFolder(folder=data)],
        tmp_path,
        recipe(steps=140, report_every=70, warmup=20, learning_rate=6e-3, tokens_per_batch=160, bf16=False),
        device=CPU,
    )
    model = load_averaged(tmp_path, Translator, TranslatorConfig)
    tokenizer = Tokenizer.load(tmp_path / "tokenizer.json")
    found = translate_all(prepare(model, CPU), tokenizer, ["My friend hears the sea."], DecodingOptions(beam=1))
    assert found == ["Mon ami entend la mer."]
    rows = history(tmp_path)
    assert [row["step"] for row in rows] == ["70", "140"]
    assert float(rows[1]["dev_loss"]) < float(rows[0]["dev_loss"]) < 3
    assert float(rows[1]["dev_bleu"]) > 90
    assert list(rows[0]) == [
        *("step", "epoch", "minutes", "train_loss", "dev_loss", "dev_bleu"),
        *("tokens_per_second", "learning_rate"),
    ]


@pytest.mark.parametrize("bf16", [False, True])
def test_an_interrupted_run_goes_on_bit_for_bit(data: Path, tmp_path: Path, bf16: bool) -> None:
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    train_translator([PairFolder(folder=data)], straight, recipe(steps=12, bf16=bf16), device=CPU)
    stop = recipe(steps=12, report_every=5, bf16=bf16)  # steps 5 and 10 lie inside an epoch
    interrupt(data, broken, stop)
    assert json.loads((broken / "state.json").read_text())["step"] == 5
    torch.manual_seed(999)
    train_translator([PairFolder(folder=data)], broken, recipe(steps=12, bf16=bf16), device=CPU, resume=True)
    assert_same(straight, broken)


def interrupt(data: Path, run: Path, plan: object) -> None:
    """Start a run and kill it at its first report."""
    original = loop.save_state

    def save_and_die(*arguments: object) -> None:
        original(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "save_state", save_and_die)
        with pytest.raises(KeyboardInterrupt):
            train_translator([PairFolder(folder=data)], run, plan, device=CPU)  # type: ignore[arg-type]


def test_the_horizon_may_move_when_a_run_is_resumed(data: Path, tmp_path: Path) -> None:
    train_translator([PairFolder(folder=data)], tmp_path, recipe(steps=4), device=CPU)
    train_translator([PairFolder(folder=data)], tmp_path, recipe(steps=8), device=CPU, resume=True)
    assert [row["step"] for row in history(tmp_path)] == ["4", "8"]
    assert len(list(tmp_path.glob("state-*.safetensors"))) == 1


def test_a_limit_in_minutes_ends_the_run(data: Path, tmp_path: Path) -> None:
    train_translator([PairFolder(folder=data)], tmp_path, recipe(minutes=0.03, report_every=10_000), device=CPU)
    facts = json.loads((tmp_path / "state.json").read_text())
    assert facts["step"] == facts["schedule"]["horizon"] > 50
    assert facts["schedule"]["decay_from"] == pytest.approx(0.7 * facts["step"], abs=1)


def test_a_run_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    train_translator([PairFolder(folder=data)], tmp_path, recipe(steps=1), device=CPU)
    with pytest.raises(ResumeError, match="continue it with --resume"):
        train_translator([PairFolder(folder=data)], tmp_path, recipe(steps=1), device=CPU)


def test_resuming_nothing_says_so(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ResumeError, match="holds no run to resume"):
        train_translator([PairFolder(folder=data)], tmp_path, recipe(), device=CPU, resume=True)


@pytest.mark.parametrize("damage", ["cut", "shape", "json"])
def test_a_damaged_run_is_refused(data: Path, tmp_path: Path, damage: str) -> None:
    train_translator([PairFolder(folder=data)], tmp_path, recipe(steps=1), device=CPU)
    plan = recipe(steps=2)
    if damage == "cut":
        (state,) = tmp_path.glob("state-*.safetensors")
        state.write_bytes(state.read_bytes()[:-9])
    elif damage == "json":
        (tmp_path / "state.json").write_text("{")
    else:
        plan = type(plan)(shape={**SHAPE, "d_ff": 48}, vocab_size=300, n_dev=4, training=plan.training)
    with pytest.raises(ResumeError, match="choose a new"):
        train_translator([PairFolder(folder=data)], tmp_path, plan, device=CPU, resume=True)


def test_averaged_weights_of_another_shape_are_refused(data: Path, tmp_path: Path) -> None:
    train_translator([PairFolder(folder=data)], tmp_path, recipe(steps=1), device=CPU)
    config = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps({**config, "d_ff": config["d_ff"] + 16}))
    with pytest.raises(ResumeError, match="holds no usable run"):
        load_averaged(tmp_path, Translator, TranslatorConfig)


def _shared(number: int, data: Path, folder: Path) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder / 'meeting'}", rank=number, world_size=2)
    kept: list[loop.Run] = []
    original = loop.Run.train

    def train(self: loop.Run, *, resume: bool) -> None:
        original(self, resume=resume)
        kept.append(self)

    loop.Run.train = train  # type: ignore[method-assign]
    train_translator([PairFolder(folder=data)], folder / "run", plan_for_two(), device=CPU)
    torch.save(list(kept[0].model.parameters()), folder / f"rank-{number}.pt")
    dist.destroy_process_group()


def plan_for_two() -> object:
    plan = recipe(steps=6, report_every=3, bf16=False)
    return type(plan)(shape={**SHAPE, "dropout": 0.0}, vocab_size=300, n_dev=4, training=plan.training)


def test_two_processes_train_one_model(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # AppTest leaves the last page it ran as the main module, which a spawned process would run again.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    mp.spawn(_shared, (data, tmp_path), nprocs=2)
    first, second = (torch.load(tmp_path / f"rank-{number}.pt") for number in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    train_translator([PairFolder(folder=data)], tmp_path / "alone", plan_for_two(), device=CPU)  # type: ignore[arg-type]
    alone, together = tensors(tmp_path / "alone"), tensors(tmp_path / "run")
    for name in (name for name in alone if name.startswith("adam.exp_avg.")):  # the mean of the gradients
        torch.testing.assert_close(together[name], alone[name], atol=1e-5, rtol=1e-3)
    one, two = history(tmp_path / "alone"), history(tmp_path / "run")
    assert [row["train_loss"][:4] for row in one] == [row["train_loss"][:4] for row in two]
