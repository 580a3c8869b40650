"""Trainings for tests: real ones of a few steps, and a worker that replays one without waiting for torch."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from explorer.records.training_run import LabPoint
from explorer.training.lab.export import export_lab
from explorer.training.lab.files import describe, keep
from explorer.training.lab.loop import LabTraining
from explorer.training.lab.recipe import LabRecipe, new_model, tokenizer_of

SMALL = LabRecipe(d_model=16, batch=4, steps=40)
POINTS = "points.json"

#: `python -c REPLAY <what was trained> <seconds a point> <folder>`: speaks like `explorer.service.lab.worker`.
REPLAY = """
import json, pathlib, shutil, sys, threading, time
kept, pace, folder = pathlib.Path(sys.argv[1]), float(sys.argv[2]), pathlib.Path(sys.argv[3])
wants = {"pause": False, "stop": False}
def listen():
    for line in sys.stdin:
        order = line.strip()
        wants["stop"] |= order == "stop"
        wants["pause"] = order == "pause" or (wants["pause"] and order != "go on")
    wants["stop"] = True
def say(what, **facts):
    print(json.dumps({"is": what, **facts}), flush=True)
threading.Thread(target=listen, daemon=True).start()
for name in ("model.json", "tokenizer.json"):
    shutil.copy(kept / name, folder)
say("built")
phase, reason = "done", ""
for point in json.loads((kept / "points.json").read_text()):
    shutil.copy(kept / f"step-{point['step']:06d}.safetensors", folder)
    say("point", point=point, kept=True)
    until = time.monotonic() + pace
    while time.monotonic() < until or wants["pause"]:
        if wants["stop"]:
            break
        time.sleep(0.005)
    if wants["stop"]:
        phase, reason = "stopped", "stopped"
        break
say("end", phase=phase, reason=reason)
"""


def untrained(recipe: LabRecipe, folder: Path) -> Path:
    """A checkpoint as the lab exports it, of a model that has not learnt anything yet: made in a moment."""
    tokenizer, out = tokenizer_of(recipe), folder / "uploaded"
    tokenizer.save(folder / "vocabulary.json")
    export_lab(recipe, new_model(recipe, tokenizer.vocab_size).eval(), folder / "vocabulary.json", out, step=0)
    return out


def train(recipe: LabRecipe, folder: Path) -> tuple[LabPoint, ...]:
    """Train, and keep the weights of every point, as a worker does."""
    training, points = LabTraining(recipe), []
    describe(training, folder)
    for point in training.run():
        if point is not None:
            keep(training, folder)
            points.append(point)
    (folder / POINTS).write_text(json.dumps([asdict(point) for point in points]), encoding="utf-8")
    return tuple(points)


def replay(folder: Path, pace: float = 0.0) -> tuple[str, ...]:
    """The command of a worker that replays what was trained into a folder."""
    return (sys.executable, "-S", "-c", REPLAY, str(folder), str(pace))
