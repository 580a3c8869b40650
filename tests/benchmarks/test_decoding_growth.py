"""How the cost of a token grows with the number of tokens decoded before it, and what the cache takes.

The model is shape S of `test_decoding_speed`; seconds are the processor's. With a cache a token costs what the weights
cost, and a little for every token it looks back at: time ~ position^e with e near 0. Decoding the whole prefix again at
every step has e near 1. As in a search, most steps continue some hypotheses twice and drop others (drawn at random:
2.7 of 4 go on); memory is that of the worst case, in which all go on.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

#: Not from `tests.conftest`: importing that would put the shape checks into the measured process.
ROOT = Path(__file__).parents[2]
LENGTH, FROM, ROUNDS = 256, 16, 3
CELLS = ((1, 1), (1, 32), (4, 1), (4, 8))
#: Greedy, and where every hypothesis looks at the slots of all four that are in use (see `Cache`).
MOST = {1: 0.25, 4: 0.25}


@pytest.mark.benchmark_run
def test_time_of_a_token_is_flat_and_memory_linear() -> None:
    command = [sys.executable, "-W", "ignore", "-m", __name__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    sys.stdout.write(
        "\n  beam   batch   ms at 16   ms at 64   ms at 256   exponent   bytes added by tokens 129-256 / 65-128\n"
    )
    exponents = {}
    for cell in json.loads(done.stdout):
        ms = 1000 * np.array(cell["seconds"])
        positions = np.arange(1, LENGTH + 1)
        exponent = float(np.polyfit(np.log(positions[FROM:]), np.log(ms[FROM:]), 1)[0])
        smooth = [float(np.median(ms[at - 8 : at + 8])) for at in (FROM, 64, LENGTH - 8)]
        sys.stdout.write(f"{cell['beam']:>6}{cell['batch']:>8}" + "".join(f"{each:>11.2f}" for each in smooth))
        sys.stdout.write(f"{exponent:>12.2f}{cell['grown']:>15.2f}\n")
        exponents[cell["beam"], cell["batch"]] = exponent
        assert cell["grown"] == pytest.approx(2, abs=0.1)
    assert {cell: each for cell, each in exponents.items() if each > MOST[cell[0]]} == {}


def measured(prepared: Any, beam: int, batch: int) -> list[float]:
    """Seconds of each step: the least of some rounds."""
    import torch

    source, tokens = torch.randint(3, 9_000, (batch, 20)), torch.randint(3, 9_000, (batch, beam))
    drawn = torch.Generator().manual_seed(0)
    parents = torch.randint(0, beam, (LENGTH, batch, beam), generator=drawn)
    rounds = []
    for _ in range(ROUNDS):
        cache, seconds = prepared.start(source, beam=beam, max_steps=LENGTH), []
        for step in range(LENGTH):
            start = time.process_time()
            cache.advance(tokens)
            cache.continue_from(parents[step])
            seconds.append(time.process_time() - start)
        rounds.append(seconds)
    return [min(each) for each in zip(*rounds, strict=True)]


def grown(prepared: Any, beam: int, batch: int) -> float:
    """What the second 128 tokens add to the cache's bytes, in terms of the 64 before them: 2 where that is linear."""
    import torch

    from explorer.inference.benchmark.peak_memory import LiveStorage

    def held(length: int) -> int:
        with torch.no_grad(), LiveStorage(tuple(prepared.model.parameters())) as live:
            cache = prepared.start(torch.full((batch, 20), 5), beam=beam, max_steps=LENGTH)
            for _ in range(length):
                cache.advance(torch.full((batch, beam), 5))
                cache.continue_from(torch.arange(beam).expand(batch, beam))
            return int(live.now)

    return (held(256) - held(128)) / (held(128) - held(64))


def main() -> None:
    """Measure every cell and print it as JSON."""
    import torch

    from explorer.inference.engine.prepared import prepare
    from explorer.models.translator import Translator, TranslatorConfig

    torch.manual_seed(0)
    torch.set_num_threads(1)
    prepared = prepare(Translator(TranslatorConfig(vocab_size=10_000, max_length=LENGTH)).half().float().eval())
    with torch.inference_mode():
        cells = [{"beam": beam, "batch": batch, "seconds": measured(prepared, beam, batch)} for beam, batch in CELLS]
    for cell in cells:
        cell["grown"] = grown(prepared, cell["beam"], cell["batch"])
    sys.stdout.write(json.dumps(cells))


if __name__ == "__main__":
    main()
