"""Loss beyond the training length: the generator against a plain computation, and what lies beside the checkpoints."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointMissing
from explorer.data.text import excerpt
from explorer.inference.gpt.generate import load, losses
from explorer.lessons.positional_encoding import extrapolation
from explorer.lessons.positional_encoding.extrapolation import FILE, extrapolate, limit, main, measure, read_measurement
from explorer.lessons.positional_encoding.records import files
from explorer.lessons.positional_encoding.records.extrapolation import BeyondProgress
from explorer.nn.positions import POSITION_KINDS, PositionKind, PositionOutOfRange
from tests.inference.gpt.test_generate import tiny_gpt, write_gpt


def last(steps: object) -> BeyondProgress:
    *_, final = steps  # type: ignore[misc]
    return final


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    found = {}
    for position in ("alibi", "learned"):
        found[position] = tmp_path / position
        write_gpt(found[position], tiny_gpt(position, max_length=16))
    return found


class TestMeasure:
    def test_it_is_the_mean_loss_of_the_windows(self, folders: dict[str, Path]) -> None:
        gpt = load(str(folders["alibi"]))
        record = last(measure([gpt], n_windows=7, seed=3)).records[0]
        every = np.arange(0, len(excerpt()) - 64, 16)
        starts = np.random.default_rng(3).permutation(every)[:7]
        ids = torch.tensor(gpt.tokenizer.encode(excerpt()))
        found = np.stack([losses(gpt.model, ids[None, s : s + 64], ids[None, s + 1 : s + 65])[0] for s in starts])
        assert record.lengths.tolist() == [8, 16, 24, 32, 48, 64]
        for length, loss, error in zip(record.lengths, record.loss, record.loss_error, strict=True):
            means = found[:, :length].mean(1)
            assert loss == pytest.approx(means.mean(), abs=1e-5)
            assert error == pytest.approx(means.std(ddof=1) / math.sqrt(7), rel=1e-3)
        assert record.edges.tolist() == list(range(0, 65, 4))
        assert record.bucket_loss[9] == pytest.approx(found[:, 36:40].mean(), abs=1e-5)
        assert record.at(32) == record.loss[3]

    def test_windows_that_share_text_are_not_counted_twice(
        self, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(extrapolation, "AT_ONCE", 65_536)
        record = last(measure([load(str(folders["alibi"]))])).records[0]
        assert record.n_windows == len(range(0, len(excerpt()) - 64, 16))
        assert record.loss_error[-1] > record.bucket_error[-1] / 4  # 16 buckets, but four windows share a text

    def test_every_kind_advances_and_the_last_is_whole(
        self, folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(extrapolation, "AT_ONCE", 128)  # two windows of 64
        steps = list(measure([load(str(folders[kind])) for kind in ("alibi", "learned")], n_windows=5))
        assert [each.done for each in steps] == [0, 2, 4, 6, 8, 9, 10]
        assert {each.total for each in steps} == {10}
        assert [len(each.records) for each in steps[:3]] == [0, 1, 2]
        assert [record.kind for record in steps[1].records] == ["alibi"]
        assert [record.n_windows for record in steps[-1].records] == [5, 5]

    def test_learned_positions_have_no_number_beyond_their_table(self, folders: dict[str, Path]) -> None:
        gpt = load(str(folders["learned"]))
        record = last(measure([gpt], n_windows=2)).records[0]
        assert (record.limit, limit(gpt)) == (16, 16)
        assert [record.possible(int(n)) for n in record.lengths] == [True, True, False, False, False, False]
        assert np.isnan(record.loss).tolist() == [False, False, True, True, True, True]
        assert np.isnan(record.bucket_loss).tolist() == [False] * 4 + [True] * 12
        with pytest.raises(PositionOutOfRange):
            gpt.model(torch.zeros(1, 17, dtype=torch.long))

    def test_the_seed_draws_the_windows(self, folders: dict[str, Path]) -> None:
        gpt = load(str(folders["alibi"]))
        one, again, other = (last(measure([gpt], n_windows=3, seed=seed)).records[0].loss for seed in (1, 1, 2))
        assert np.array_equal(one, again)
        assert not np.array_equal(one, other)


def test_the_command_writes_a_file_that_comes_back(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extrapolation, "AT_ONCE", 65_536)  # fewer and larger passes
    assert main([str(folder) for folder in folders.values()]) == 0
    assert "24: not possible" in capsys.readouterr().out
    for kind, folder in folders.items():
        record = files.loads((folder / FILE).read_text())
        expected = last(measure([load(str(folder))])).records[0]
        assert record.kind == kind
        assert record.provenance == replace(expected.provenance, model=kind)
        np.testing.assert_allclose(record.loss, expected.loss, atol=1e-5)
        np.testing.assert_allclose(record.bucket_error, expected.bucket_error, atol=1e-5)
        assert str(folder.parent) not in (folder / FILE).read_text()


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "manifest" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", '{"kind": "alibi"}', '{"lengths": 3}'])
def test_what_is_no_measurement(content: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        files.loads(content)


def test_a_missing_or_foreign_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = extrapolation.BUNDLED / "positions-alibi" / FILE
    monkeypatch.setattr(extrapolation, "BUNDLED", tmp_path)
    with pytest.raises(CheckpointMissing, match=r"positional_encoding\.extrapolation"):
        read_measurement("alibi")
    (tmp_path / "positions-alibi").mkdir()
    copy = tmp_path / "positions-alibi" / FILE
    record = files.loads(original.read_text())
    other = replace(record, provenance=replace(record.provenance, revision="0" * 8))
    for content in ("{}", files.dumps(other)):
        copy.write_text(content)
        with pytest.raises(CheckpointDamaged):
            read_measurement("alibi")


@pytest.mark.parametrize("kind", POSITION_KINDS)
def test_what_is_stored_is_what_the_shipped_model_loses(kind: PositionKind) -> None:
    """All windows again, up to one and a half times the training length."""
    record, gpt = read_measurement(kind), load(f"positions-{kind}")
    longest = 192 if limit(gpt) is None else 128
    starts = torch.arange(0, len(excerpt()) - 512, 128)
    windows = torch.tensor(gpt.tokenizer.encode(excerpt()))[starts[:, None] + torch.arange(longest + 1)]
    parts = [losses(gpt.model, part[:, :-1], part[:, 1:]) for part in windows.split(32)]
    found = torch.cat(parts).double()
    assert record.n_windows == len(starts)
    for length in (n for n in record.lengths.tolist() if n <= longest):
        assert record.at(length) == pytest.approx(float(found[:, :length].mean()), abs=1e-4)
    for bucket in range(longest // 32):
        expected = float(found[:, 32 * bucket : 32 * (bucket + 1)].mean())
        assert record.bucket_loss[bucket] == pytest.approx(expected, abs=1e-4)


def test_a_sample_agrees_with_the_whole() -> None:
    progress = last(extrapolate(("alibi",), n_windows=6, seed=5))
    sample, whole = progress.records[0], read_measurement("alibi")
    assert (progress.done, sample.n_windows) == (6, 6)
    assert (np.abs(sample.loss - whole.loss) < 4 * sample.loss_error).all()
