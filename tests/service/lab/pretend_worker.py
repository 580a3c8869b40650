"""Speaks like `explorer.service.lab.worker` and learns nothing: starts in a moment, for tests of what is around it."""

import json
import sys
import threading
import time
from pathlib import Path

MOMENT_S = 0.005


def say(what, **facts):
    sys.stdout.write(json.dumps({"is": what, **facts}) + "\n")
    sys.stdout.flush()


def listen(orders):
    for line in sys.stdin:
        orders.append(line.strip())
    orders.append("alone")


def main(folder):
    recipe, orders = json.loads((folder / "recipe.json").read_text()), []
    threading.Thread(target=listen, args=(orders,), daemon=True).start()
    if recipe["seed"] == 13:
        sys.stderr.write("Traceback\nValueError: thirteen brings bad luck\n")
        sys.exit(1)
    say("built")
    for step in range(recipe["steps"] + 1):
        path = folder / f"step-{step:06d}.safetensors"
        path.with_suffix(".part").write_bytes(b"nothing")
        path.with_suffix(".part").replace(path)  # whole or not at all, as the real one keeps it
        point = dict.fromkeys(("seconds", "loss", "held_out_loss", "accuracy", "tokens_per_second"), 1.0)
        say("point", point={"step": step, **point}, kept=True)
        time.sleep(MOMENT_S)
        if orders and orders[-1] == "pause":
            say("paused")
            while orders[-1] == "pause":
                time.sleep(MOMENT_S)
            say("training")
        if "stop" in orders or "alone" in orders:
            say("end", phase="stopped", reason="stopped")
            return
    say("end", phase="done", reason="")


main(Path(sys.argv[1]))
