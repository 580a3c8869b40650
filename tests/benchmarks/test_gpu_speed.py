"""Our search on a CUDA device against `transformers`' `generate` of the same shape, in target tokens a second.

Shape S or M of `test_decoding_speed` with random weights: 20 tokens are read, exactly 30 written, greedily; batches of
1 to 128, in float32, bfloat16 and float16. Both compute in one process, without the tests' shape checks, and take
turns; medians of the rounds are compared. `pytest tests/benchmarks/test_gpu_speed.py --run-benchmarks -s` prints the
table with the card's name, for the README, and how much of what is written in sixteen bits is what float32 writes: with
both, bfloat16 may become the default on CUDA (`explorer/inference/device.py`).
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.models.translator import Translator, TranslatorConfig
from tests.benchmarks.test_decoding_speed import N_SOURCE, N_TARGET, SHAPES, VOCAB
from tests.peers import m2m100

ROOT = Path(__file__).parents[2]
BATCHES = (1, 8, 32, 128)
ARITHMETICS = ("float32", "bfloat16", "float16")
ROUNDS = 5
OPTIONS = DecodingOptions(beam=1, min_length=N_TARGET - 1, max_length=N_TARGET)
Run = Callable[[torch.Tensor], list[list[int]]]

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.benchmark_run,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]


def model_of(shape: str) -> Translator:
    d_model = SHAPES[shape]
    config = TranslatorConfig(
        vocab_size=VOCAB, d_model=d_model, n_heads=8, n_encoder_layers=3, n_decoder_layers=3, d_ff=4 * d_model,
        max_length=256,
    )  # fmt: skip
    return Translator(config).eval()


def ours(model: Translator, arithmetic: str, device: torch.device) -> Run:
    precision: Any = "full" if arithmetic == "float32" else arithmetic
    prepared = prepare(model, device, precision=precision)

    def run(sources: torch.Tensor) -> list[list[int]]:
        return [list(each[0].ids) for each in decode(prepared, sources.tolist(), OPTIONS)]

    return run


def theirs(model: Translator, arithmetic: str, device: torch.device) -> Run:
    peer = m2m100(model).to(device=device, dtype=getattr(torch, arithmetic))

    @torch.inference_mode()
    def run(sources: torch.Tensor) -> list[list[int]]:
        read = sources.to(device)
        found = peer.generate(
            input_ids=read, attention_mask=torch.ones_like(read), num_beams=1, do_sample=False,
            min_new_tokens=N_TARGET, max_new_tokens=N_TARGET, use_cache=True,
        )  # fmt: skip
        written: list[list[int]] = found[:, 1:].tolist()
        return written

    return run


def speeds(runs: list[Run], sources: torch.Tensor) -> list[float]:
    """Target tokens a second of each; what is written is copied to the CPU, so the clock waits for the device."""
    taken: list[list[float]] = [[] for _ in runs]
    for number in range(ROUNDS + 1):
        for run, seconds in zip(runs, taken, strict=True):
            start = time.perf_counter()
            written = run(sources)
            if number:  # the first warms up
                seconds.append(time.perf_counter() - start)
            assert {len(each) for each in written} == {N_TARGET}
    return [len(sources) * N_TARGET / statistics.median(each) for each in taken]


def measure(shape: str, device: torch.device) -> None:
    """Print the table of a shape."""
    model = model_of(shape)
    sources = torch.randint(3, VOCAB, (max(BATCHES), N_SOURCE))
    sources[:, -1] = model.config.eos_id
    head = "| arithmetic | batch | ours, tokens/s | generate(), tokens/s | ours / generate() |"
    sys.stdout.write(f"{head}\n|---|---|---|---|---|\n")
    exact = ours(model, "float32", device)(sources)
    for arithmetic in ARITHMETICS:
        runs = [ours(model, arithmetic, device), theirs(model, arithmetic, device)]
        for batch in BATCHES:
            mine, peer = speeds(runs, sources[:batch])
            sys.stdout.write(f"| {arithmetic} | {batch} | {mine:,.0f} | {peer:,.0f} | {mine / peer:.2f} |\n")
        pairs = zip(exact, runs[0](sources), strict=True)
        alike = statistics.mean(a == b for one, other in pairs for a, b in zip(one, other, strict=True))
        sys.stdout.write(f"{arithmetic}: {alike:.1%} of the tokens are those of float32\n")


@pytest.mark.parametrize("shape", SHAPES)
def test_against_generate(shape: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", __name__, shape, "cuda"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    card = torch.cuda.get_device_name("cuda")
    sys.stdout.write(f"\n{shape}, {card}, torch {torch.__version__}\n{done.stdout}")
    assert done.stdout.count("\n| ") == len(ARITHMETICS) * len(BATCHES)


if __name__ == "__main__":
    measure(sys.argv[1], torch.device(sys.argv[2]))
