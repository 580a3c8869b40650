"""A class opens one lesson within a second and then moves its sliders: forty websocket sessions against a real server.

Timed is each script run, from the order until Streamlit says that it has finished. The ratio is against one session
alone on the same warm server, in the same run. A slider is moved as a browser moves it: only its fragment runs.
"""

import asyncio
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from explorer import scenes
from explorer.ui.streamlit_internals.sessions import Session, arrive
from tests.support.browser import start_server

SESSIONS, EVERY_S, ROUNDS = 40, 4.0, 5
#: Aims on two quiet cores: until the lesson is there, and until a slider's move is answered; 95th percentiles.
AIM_ARRIVE_S, AIM_MOVE_S = 5.0, 0.5
#: Sessions that only share the processor are never slower than all of them one after the other; those that get into
#: each other's way are. A move finds fewer at work: ten a second are asked for.
MOST_ARRIVE, MOST_MOVE = SESSIONS, SESSIONS / 2
LESSONS = [lesson.stem for lesson in scenes.LESSONS]


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


@asynccontextmanager
async def session(address: str) -> AsyncIterator[Session]:
    one = await arrive(address)
    try:
        yield one
    finally:
        await one.socket.close()


async def opened(address: str, lesson: str, after: float = 0.0) -> float:
    await asyncio.sleep(after)
    async with session(address) as one:
        return await one.rerun(lesson)


async def moved(address: str, lesson: str, scene: str, seed: int) -> list[float]:
    """Seconds that each move of a slider of a scene takes; none if the scene has no slider."""
    chance, took = random.Random(seed), list[float]()
    async with session(address) as one:
        await one.rerun(lesson, f"scene={scene}")
        due = time.monotonic() + chance.random() * EVERY_S
        for _ in range(ROUNDS if one.sliders else 0):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            shape = chance.choice([one.sliders[key] for key in sorted(one.sliders)])
            notch = chance.randrange(one.notches(shape))
            took.append(await one.rerun(lesson, f"scene={scene}", slider=(shape, notch)))
            due += EVERY_S
    return took


async def class_of(address: str, lesson: str) -> tuple[list[float], list[float]]:
    alone = [await opened(address, lesson) for _ in range(6)][2:]
    return alone, await asyncio.gather(*(opened(address, lesson, n / SESSIONS) for n in range(SESSIONS)))


async def sliders_of(address: str, lesson: str, scene: str) -> list[float]:
    all_moves = await asyncio.gather(*(moved(address, lesson, scene, seed) for seed in range(SESSIONS)))
    return [each for moves in all_moves for each in moves]


@pytest.mark.benchmark_run
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_class_opens_a_lesson_and_moves_its_sliders(lesson: str) -> None:
    process, address = start_server()
    try:
        alone, together = asyncio.run(class_of(address, lesson))
        ratios = [p95(together) / statistics.median(alone) / MOST_ARRIVE]
        told = [f"{lesson}: alone {statistics.median(alone):.2f} s, {SESSIONS} at once p50"]
        told[0] += f" {statistics.median(together):.2f}, p95 {p95(together):.2f} s (aim {AIM_ARRIVE_S})"
        for scene in scenes.lesson(lesson).core:
            one = asyncio.run(moved(address, lesson, scene.name, seed=SESSIONS))
            moves = asyncio.run(sliders_of(address, lesson, scene.name))
            if moves:
                told.append(f"  {scene.name}: move alone {statistics.median(one):.3f}, {SESSIONS} at once p50")
                told[-1] += f" {statistics.median(moves):.3f}, p95 {p95(moves):.3f} s (aim {AIM_MOVE_S})"
                ratios.append(p95(moves) / statistics.median(one) / MOST_MOVE)
    finally:
        process.terminate()
        process.wait(20)
    sys.stdout.write("\n" + "\n".join(told) + "\n")
    assert max(ratios) < 1
