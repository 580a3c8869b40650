"""Our decoding against `generate()` of a Marian model of the same shape, in target tokens a second.

Both have random weights, 3 + 3 layers, d_model 256, 8 heads, d_ff 1024, a vocabulary of 10,000 (8.1 million
parameters), read 20 tokens and write exactly 30. Ours are rounded to half precision, as every stored checkpoint is.
Each runs with one thread and with all, interleaved with the other; its better setting counts.
"""

import os
import statistics
import time
from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from transformers import MarianConfig, MarianMTModel

from explorer.inference.decoding import DecodingOptions, decode
from explorer.inference.prepared import Prepared, prepare
from explorer.models.translator import Translator, TranslatorConfig

VOCAB, N_SOURCE, N_TARGET = 10_000, 20, 30
TARGET_RATIO = 2.0
CELLS = [(1, 1), (1, 32), (4, 1), (4, 32)]


@pytest.fixture(scope="module")
def ours() -> Prepared:
    config = TranslatorConfig(
        vocab_size=VOCAB, d_model=256, n_heads=8, n_encoder_layers=3, n_decoder_layers=3, d_ff=1024, max_length=256
    )
    return prepare(Translator(config).half().float().eval())


@pytest.fixture(scope="module")
def marian() -> MarianMTModel:
    config = MarianConfig(
        vocab_size=VOCAB,
        d_model=256,
        encoder_layers=3,
        decoder_layers=3,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=1024,
        decoder_ffn_dim=1024,
        activation_function="relu",
        max_position_embeddings=256,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
        forced_eos_token_id=None,
    )
    return MarianMTModel(config).eval()


def ours_once(prepared: Prepared, source: Tensor, beam: int) -> Callable[[], int]:
    rows = source.tolist()
    options = DecodingOptions(beam=beam, min_length=N_TARGET - 1, max_length=N_TARGET)
    return lambda: len(decode(prepared, rows, options)[0][0].ids)


def marian_once(model: MarianMTModel, source: Tensor, beam: int) -> Callable[[], int]:
    options = {"num_beams": beam, "do_sample": False, "use_cache": True}
    options |= {"min_new_tokens": N_TARGET, "max_new_tokens": N_TARGET}

    @torch.inference_mode()
    def run() -> int:
        found = model.generate(input_ids=source, attention_mask=torch.ones_like(source), **options)
        return int(found.shape[1]) - 1

    return run


def medians(runs: list[Callable[[], int]], rounds: int) -> list[float]:
    """Median seconds of each, one after the other in every round, after one round that does not count."""
    times: list[list[float]] = [[] for _ in runs]
    for round_ in range(rounds + 1):
        for run, taken in zip(runs, times, strict=True):
            start = time.perf_counter()
            assert run() == N_TARGET
            if round_:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


@pytest.mark.benchmark_run
@pytest.mark.parametrize(("beam", "batch"), CELLS)
def test_at_least_twice_generate(
    ours: Prepared, marian: MarianMTModel, beam: int, batch: int, capsys: pytest.CaptureFixture[str]
) -> None:
    source = torch.randint(3, VOCAB, (batch, N_SOURCE))
    source[:, -1] = 2
    runs = [ours_once(ours, source, beam), marian_once(marian, source, beam)]
    seconds: dict[int, list[float]] = {}
    for threads in sorted({1, os.cpu_count() or 1}):
        torch.set_num_threads(threads)
        seconds[threads] = medians(runs, rounds=9 if batch == 1 else 5)
    speed = [max(batch * N_TARGET / times[engine] for times in seconds.values()) for engine in (0, 1)]
    table = "; ".join(
        f"{threads} threads {batch * N_TARGET / mine:,.0f} against {batch * N_TARGET / theirs:,.0f} tokens/s"
        for threads, (mine, theirs) in seconds.items()
    )
    with capsys.disabled():
        print(f"\nbeam {beam}, batch {batch}: {speed[0] / speed[1]:.2f} times generate() ({table})")  # noqa: T201
    assert speed[0] >= TARGET_RATIO * speed[1]
