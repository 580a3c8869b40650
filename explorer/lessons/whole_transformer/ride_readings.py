"""What the ride of one word says at each stop: one thought, one number."""

from explorer.lessons.whole_transformer import ride
from explorer.lessons.whole_transformer.ride import Stop
from explorer.records.language import t
from explorer.records.whole_pass import WholePass
from explorer.records.wording import token


def describe_stop(whole: WholePass, stop: Stop, layer: str) -> str:
    """Say what happens at a stop of a layer that is called `layer`."""
    read, written = stop.stack == "enc", whole.written.labels
    word = token((whole.source if read else whole.read).labels[stop.row])
    values = {"word": word, "layer": layer, "d": whole["enc.x"].shape[1], "position": stop.row + 1}
    if stop.kind == "word":
        said = t("“{word}” becomes **{d} numbers**: its row in a table.")
        if not read:
            said = t("Now French. The last piece written is “{word}”; from it, the **next** one must come.")
    elif stop.kind == "position":
        said = t("Its place is added: the numbers now also say “number **{position}**”.")
    elif stop.kind == "alone":
        said = t("{layer}, alone: nobody else is heard. **{active}** of {units:,} units are active.")
        values |= {"active": ride.active(whole, stop), "units": whole[f"{stop.part}.units"].shape[1]}
    elif stop.kind == "memory":
        said = t("“{word}” is now a **memory**, which all French words may look at.")
    elif stop.kind == "chosen":
        said = t("The {d} numbers become a choice among {count:,} pieces: “{chosen}”, **{share:.0%}**.")
        step = whole.steps[stop.row].written
        values |= {"count": whole.logits.shape[1], "chosen": token(written[stop.row]), "share": step.probability}
    else:
        said = _heard(whole, stop, values)
    return said.format(**values)


def _heard(whole: WholePass, stop: Stop, values: dict[str, object]) -> str:
    """Say who is heard most besides the word itself; fill in who and how much."""
    if stop.kind == "mix" and ride.weights_heard(whole, stop).shape[1] == 1:
        return t("{layer}, mix: nothing else is written yet, so “{word}” hears only itself.")
    other, share = ride.most_heard(whole, stop)
    values |= {"other": token(other), "share": share}
    if stop.kind == "look":
        return t("{layer}, look: “{word}” looks at the English memory, most at “{other}”: **{share:.0%}**.")
    return t("{layer}, mix: of the other words, “{word}” listens most to “{other}”: **{share:.0%}**.")


def describe_layer(whole: WholePass, layer: str, row: int) -> str:
    """Say whom a word hears most in a layer, and by how many of its heads."""
    first, *more = (stop for stop in ride.in_layer(layer, row) if stop.hears)
    stop = more[0] if more else first
    weights = ride.weights_heard(whole, stop)
    most = int(weights.mean(0).argmax())
    asked = whole.source if stop.kind == "look" or stop.stack == "enc" else whole.read
    asks = whole.source if stop.stack == "enc" else whole.read
    return t("**{count} of {heads}** heads of “{word}” give “{other}” more than any other word.").format(
        count=int((weights.argmax(1) == most).sum()),
        heads=len(weights),
        word=token(asks.labels[row]),
        other=token(asked.labels[most]),
    )
