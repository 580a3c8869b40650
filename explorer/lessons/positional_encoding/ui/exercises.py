"""Numbers in the answers of the exercises."""

from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import extrapolation, readings, scores, waves
from explorer.scenes.positional_encoding import BEYOND, WAVES
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_apart(), **_failing(), **_halving()}


def _apart() -> dict[str, str]:
    """Compare a code with that of six positions on: the numbers of the first clock, and the whole."""
    params = lesson.Params(base=float(WAVES.defaults["pe_base"]), d_model=WAVES.defaults["pe_dims"], length=64)
    record = waves.likeness(params, lesson.View(offset=0))
    one, six = (record.at(offset) / record.at(0) for offset in (1, 6))
    first = 360 * 6 / float(cache.compute(waves.codes, params).wavelengths[0])
    return {"one": f"{one:.2f}", "six": f"{six:.2f}", "first": readings.number(first)}


def _failing() -> dict[str, str]:
    """Read among how many characters two models waver where *Twice as far* reads."""
    far = next(each for each in BEYOND.presets if each.label == "Twice as far")
    found = {}
    for kind in ("sinusoidal", "rotary"):
        record = extrapolation.read_measurement(kind)
        found[kind] = f"{record.wavers(int(far.state['pe_read'])):.0f}"
    return found


def _halving() -> dict[str, str]:
    """Say after how many positions the steepest and the flattest of eight heads halve a weight."""
    halving = cache.compute(scores.bias, scores.Bias(n_heads=8, head=0)).halving
    return {"steep": readings.number(float(halving.min())), "flat": readings.number(float(halving.max()))}
