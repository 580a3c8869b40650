"""An encoder that fills in blanks: trained by its command, scored by another, stored with a probe that holds."""

from pathlib import Path

import pytest
import torch

from explorer.checkpoints.store import load
from explorer.data.tokenizer import MASK, Tokenizer
from explorer.evaluate.__main__ import main as evaluate
from explorer.evaluate.blanks import one_by_one
from explorer.inference.masked import fill
from explorer.models.masked import MaskedConfig, MaskedEncoder
from explorer.training.__main__ import main
from explorer.training.masked.recipe import PROBE

TEXTS = ["The cat saw the dog.", "He drinks a cup of tea every morning.", "A dog bit the old man.", "She has a cat."]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    for part, texts in (
        ("train", TEXTS),
        ("dev", ["The man saw a cat."]),
        ("test", ["She drinks tea.", "A cat bit him."]),
    ):
        (folder / f"{part}.tsv").write_text("".join(f"{text}\tx\n" for text in texts))
    return folder


def test_train_store_and_score_again(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "small"
    words = (
        f"masked --data de={data} --out {out} --run-folder {tmp_path / 'run'} --d-model 16 --n-heads 2 --n-layers 1"
        " --d-ff 32 --vocab-size 300 --steps 30 --report-every 15 --warmup 5 --learning-rate 0.01"
    )
    assert main(words.split()) == 0
    manifest, model, tokenizer = load(out)
    assert isinstance(model, MaskedEncoder)
    again = fill.probe(model, tokenizer, PROBE)
    assert (again.expected, again.given) == (manifest.probe.expected, PROBE)
    assert again.score == pytest.approx(manifest.probe.score, abs=1e-4)
    rows = [
        [float(cell) for cell in line.split(",")[3:5]] for line in (out / "history.csv").read_text().splitlines()[1:]
    ]
    assert rows[1][0] < rows[0][0]
    capsys.readouterr()
    assert evaluate([str(out), str(data)]) == 0
    assert f"loss {manifest.metrics['test_loss']:.4f}" in capsys.readouterr().out


@torch.inference_mode()
def test_one_blank_at_a_time() -> None:
    torch.manual_seed(1)
    tokenizer = Tokenizer.train(TEXTS, 300, [MASK])
    model = MaskedEncoder(
        MaskedConfig(vocab_size=tokenizer.vocab_size, d_model=16, n_heads=2, n_layers=1, d_ff=32)
    ).eval()
    losses, hits = [], []
    for text in TEXTS:
        ids = [tokenizer.bos_id, *tokenizer.encode(text), tokenizer.eos_id]
        for position in range(1, len(ids) - 1):
            read = [*ids[:position], tokenizer.mask_id, *ids[position + 1 :]]
            log_p = model(torch.tensor([read]))[0, position].log_softmax(-1)
            losses.append(-float(log_p[ids[position]]))
            hits.append(int(log_p.argmax()) == ids[position])
    found = one_by_one(model, tokenizer, TEXTS)
    assert found.n_blanks == len(losses)
    assert found.loss == pytest.approx(sum(losses) / len(losses), abs=1e-5)
    assert found.right == pytest.approx(sum(hits) / len(hits))


def test_padding_changes_nothing() -> None:
    torch.manual_seed(2)
    model = MaskedEncoder(MaskedConfig(vocab_size=50, d_model=16, n_heads=2, n_layers=2, d_ff=32)).eval()
    short = torch.tensor([[1, 7, 3, 9, 2]])
    padded = torch.tensor([[1, 7, 3, 9, 2, 0, 0]])
    torch.testing.assert_close(model(padded)[:, :5], model(short))


@pytest.mark.parametrize(
    ("text", "joined"), [("a cup of ___.", "a cup of X."), ("___ is it", "X is it"), ("he ____s, ___?", "he X s, X?")]
)
def test_what_surrounds_a_blank_is_cut_as_without_it(text: str, joined: str) -> None:
    tokenizer = Tokenizer.train([*TEXTS, "X is it, X?", "he s, a"] * 9, 400, [MASK])
    (word,) = tokenizer.encode("X")
    plain = [tokenizer.mask_id if token == word else token for token in tokenizer.encode(joined)]
    assert fill.encode(tokenizer, text) == [tokenizer.bos_id, *plain, tokenizer.eos_id]
