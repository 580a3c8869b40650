"""Our decoding against `generate()` of a Marian model of the same shape, in target tokens a second.

Both have random weights, 3 + 3 layers, d_model 256, 8 heads, d_ff 1024, a vocabulary of 10,000 (8.1 million
parameters), read 20 tokens and write exactly 30. Ours are rounded to half precision, as every stored checkpoint is.
Each runs with one thread and with one per core, interleaved with the other; its better setting counts. Measured in a
process of its own, without the tests' shape checks.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: Not from `tests.conftest`: importing that would put the shape checks into the measured process.
ROOT = Path(__file__).parents[2]

VOCAB, N_SOURCE, N_TARGET = 10_000, 20, 30
LEAST = 2.0
CELLS = [(1, 1), (1, 32), (4, 1), (4, 32)]


@pytest.mark.benchmark_run
def test_at_least_twice_as_fast_as_generate() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    command = [sys.executable, "-W", "ignore", "-m", __name__]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, text=True)
    cells = json.loads(done.stdout)
    sys.stdout.write("\n  beam   batch   threads   ours tokens/s   generate() tokens/s   best against best\n")
    for cell in cells:
        for threads, (ours, theirs) in cell["speeds"].items():
            sys.stdout.write(f"{cell['beam']:>6}{cell['batch']:>8}{threads:>10}{ours:>16,.0f}{theirs:>22,.0f}\n")
        sys.stdout.write(f"{ratio(cell):>80.2f}\n")
    assert {(cell["beam"], cell["batch"]): ratio(cell) for cell in cells if ratio(cell) < LEAST} == {}


def ratio(cell: dict[str, Any]) -> float:
    """Our best setting against theirs."""
    ours, theirs = zip(*cell["speeds"].values(), strict=True)
    return float(max(ours) / max(theirs))


def ours() -> Any:
    """Our translator, prepared."""
    from explorer.inference.prepared import prepare
    from explorer.models.translator import Translator, TranslatorConfig

    config = TranslatorConfig(
        vocab_size=VOCAB, d_model=256, n_heads=8, n_encoder_layers=3, n_decoder_layers=3, d_ff=1024, max_length=256
    )
    return prepare(Translator(config).half().float().eval())


def marian() -> Any:
    """The peer of the same shape; its default attention (SDPA) and cache (dynamic) are its fastest here."""
    from transformers import MarianConfig, MarianMTModel

    layers = {"encoder_layers": 3, "decoder_layers": 3, "encoder_attention_heads": 8, "decoder_attention_heads": 8}
    special = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
    config = MarianConfig(
        vocab_size=VOCAB,
        d_model=256,
        encoder_ffn_dim=1024,
        decoder_ffn_dim=1024,
        activation_function="relu",
        max_position_embeddings=256,
        forced_eos_token_id=None,
        **layers,
        **special,
    )
    return MarianMTModel(config).eval()


def runs(prepared: Any, model: Any, beam: int, batch: int) -> list[Callable[[], int]]:
    """Both engines on one batch; each returns the number of tokens it wrote for a sentence."""
    import torch

    from explorer.inference.decoding import DecodingOptions, decode

    source = torch.randint(3, VOCAB, (batch, N_SOURCE))
    source[:, -1] = 2
    rows, options = source.tolist(), DecodingOptions(beam=beam, min_length=N_TARGET - 1, max_length=N_TARGET)
    settings = {"num_beams": beam, "do_sample": False, "min_new_tokens": N_TARGET, "max_new_tokens": N_TARGET}

    @torch.inference_mode()
    def generate() -> int:
        found = model.generate(input_ids=source, attention_mask=torch.ones_like(source), use_cache=True, **settings)
        return int(found.shape[1]) - 1

    return [lambda: len(decode(prepared, rows, options)[0][0].ids), generate]


def medians(engines: list[Callable[[], int]], rounds: int) -> list[float]:
    """Median seconds of each, one after the other in every round, after a round that does not count."""
    times: list[list[float]] = [[] for _ in engines]
    for number in range(rounds + 1):
        for engine, taken in zip(engines, times, strict=True):
            start = time.perf_counter()
            assert engine() == N_TARGET
            if number:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def main(rounds: int) -> None:
    """Measure every cell and print it as JSON."""
    import torch

    torch.manual_seed(0)
    prepared, model = ours(), marian()
    cells = []
    for beam, batch in CELLS:
        engines = runs(prepared, model, beam, batch)
        speeds = {}
        for threads in sorted({1, os.cpu_count() or 1}):
            torch.set_num_threads(threads)
            taken = medians(engines, 2 * rounds if batch == 1 else rounds)
            speeds[threads] = [batch * N_TARGET / seconds for seconds in taken]
        cells.append({"beam": beam, "batch": batch, "speeds": speeds})
    sys.stdout.write(json.dumps(cells))


if __name__ == "__main__":
    main(rounds=int(sys.argv[1]) if len(sys.argv) > 1 else 7)
