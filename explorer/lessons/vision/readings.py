"""“Vision”: what the numbers say, in a sentence each."""

import numpy as np

from explorer.lessons.vision.shown import clamp_view, shown_row
from explorer.lessons.vision.state import Changed, Gates, Result, View
from explorer.records.image import (
    ChannelGates,
    Classification,
    Hidden,
    Picture,
    PositionCodes,
    SpatialGate,
    patch_name,
    position,
)
from explorer.records.language import t
from explorer.records.wording import capitalise, join_sentences, percent

#: A change of probability that is worth a word.
NOTABLE = 0.005


def class_name(name: str) -> str:
    """Say a class in the reader's language; an unknown one as it is."""
    known = {
        "airplane": t("airplane"),
        "automobile": t("automobile"),
        "bird": t("bird"),
        "cat": t("cat"),
        "deer": t("deer"),
        "dog": t("dog"),
        "frog": t("frog"),
        "horse": t("horse"),
        "ship": t("ship"),
        "truck": t("truck"),
    }
    return known.get(name, name)


def short_name(query: int, grid: int) -> str:
    """Name the class token, or a patch by row and column, in a few letters."""
    if query == 0:
        return t("class")
    row, column = position(query - 1, grid)
    return f"{row}, {column}"


def describe_sight(picture: Picture, result: Result) -> str:
    """Say what is left of the picture for the models."""
    grid, patch = result.attention.grid, result.attention.patch_size
    return t(
        "{side} × {side} pixels are scaled to {seen} × {seen} and read as {patches} patches of {patch} × {patch}: a"
        " patch covers {covers} × {covers} pixels of yours."
    ).format(
        side=picture.side,
        seen=len(picture.seen),
        patches=grid**2,
        patch=patch,
        covers=f"{picture.side / grid:.0f}",
    )


def describe_answers(answers: tuple[Classification, Classification]) -> str:
    """Say what both models take a picture for, and how sure they are."""
    first, second = answers
    text = t("Both say {first}: Transformer **{p:.0%}**, convolutional network {q:.0%}.")
    if first.likeliest != second.likeliest:
        text = t("They disagree: the Transformer says {first} ({p:.0%}), the convolutional network {second} ({q:.0%}).")
    p, q = (float(each.probabilities.max()) for each in answers)
    return text.format(first=class_name(first.likeliest), second=class_name(second.likeliest), p=p, q=q)


def describe_heads(result: Result, view: View) -> str:
    """Say which head of the query is the most gathered."""
    view = clamp_view(result, view)
    weights = result.attention.weights[:, :, view.query]
    largest = weights[..., 1:].max(-1)
    sharp = np.unravel_index(int(largest.argmax()), largest.shape)
    return t("{query} gathers most in layer {layer}, head {head}: **{most}** of the weight lies on one patch.").format(
        query=capitalise(patch_name(view.query, result.attention.grid)),
        layer=sharp[0],
        head=sharp[1],
        most=percent(float(largest.max())),
    )


def typical_weights(result: Result) -> dict[str, str]:
    """Return the median of all weights of patches, and of the largest of each row, over layers, heads and queries."""
    on_patches = result.attention.weights[..., 1:]
    return {"cell": f"{np.median(on_patches):.3f}", "largest": f"{np.median(on_patches.max(-1)):.3f}"}


def said_of_map(view: View) -> str:
    """Return what is said of a row of weights, with {query}, {best} and {share} to fill in."""
    if view.shown == "rollout":
        return t("Most of what has reached {query} comes from {best}: {share} of it.")
    return t("{query} looks most at {best}: {share} of its weight.")


def describe_map(result: Result, view: View) -> str:
    """Say where most of the weight goes, or what has come from where."""
    view, row, grid = clamp_view(result, view), shown_row(result, view), result.attention.grid
    best = 1 + int(row[1:].argmax())
    names = {"query": patch_name(view.query, grid), "best": patch_name(best, grid)}
    return capitalise(said_of_map(view).format(**names, share=f"**{row[best]:.0%}**"))


def describe_distances(result: Result) -> str:
    """Say the nearest and the farthest looking head, and the layers' means."""
    distances = result.attention.distances
    near, far = (np.unravel_index(int(f(distances)), distances.shape) for f in (np.argmin, np.argmax))
    means = distances.mean(1)
    return t(
        "Nearest: layer {layer}, head {head}, {near} pixels; farthest: layer {far_layer}, head {far_head}, {far}. Mean"
        " of the first layer {first}, of the last {last}; looking everywhere alike would be {even}."
    ).format(
        layer=near[0],
        head=near[1],
        near=f"{distances.min():.1f}",
        far_layer=far[0],
        far_head=far[1],
        far=f"{distances.max():.1f}",
        first=f"{means[0]:.1f}",
        last=f"{means[-1]:.1f}",
        even=f"{result.attention.even_distance:.1f}",
    )


def describe_codes(codes: PositionCodes) -> str:
    """Say whether neighbours have similar codes, though nobody told the model which they are."""
    grid, cosine = codes.grid, codes.cosine
    rows, columns = np.divmod(np.arange(grid**2), grid)
    apart = np.abs(rows[:, None] - rows) + np.abs(columns[:, None] - columns)
    near, far = (float(cosine[mask].mean()) for mask in (apart == 1, apart >= grid))
    return t(
        "Codes of neighbours have a mean cosine of {near}, those {steps} or more steps apart {far}. The model was told"
        " no rows and columns."
    ).format(near=f"{near:.2f}", far=f"{far:.2f}", steps=grid)


def describe_channels(gates: ChannelGates) -> str:
    """Say the most open and the most closed channel, and how many stand apart from what is usual."""
    most, least = int(gates.gate.argmax()), int(gates.gate.argmin())
    said = t("Channel {most} passes {open} of its signal, channel {least} only {closed}.").format(
        most=most, open=f"{gates.gate.max():.2f}", least=least, closed=f"{gates.gate.min():.2f}"
    )
    if np.isnan(gates.usual).any():
        return said
    moved = gates.gate - gates.usual
    up, down = int((moved > 0.05).sum()), int((moved < -0.05).sum())
    more = t(
        "Against the mean of the others, the built-in pictures, {up} of {n} channels are turned up by more than"
        " 0.05, {down} down."
    )
    return join_sentences([said, more.format(up=up, down=down, n=len(moved))])


def describe_features(gates: ChannelGates) -> str:
    """Say how much of the layer is left after the gate."""
    before, after = (float(np.abs(each).mean()) for each in (gates.read, gates.read * gates.gate[:, None, None]))
    return t("{channels} maps of {rows} × {columns}. Of their mean size {before} the gate leaves {after}.").format(
        channels=len(gates.gate),
        rows=gates.read.shape[1],
        columns=gates.read.shape[2],
        before=f"{before:.3f}",
        after=f"{after:.3f}",
    )


def describe_places(gate: SpatialGate) -> str:
    """Say where most passes, and where least."""
    high, low = (np.unravel_index(int(f(gate.gate)), gate.gate.shape) for f in (np.argmax, np.argmin))
    return t(
        "Most passes at row {row}, column {column}: {most}; least at row {low_row}, column {low_column}: {least}. Each"
        " place has a gate of its own: they share no sum."
    ).format(
        row=high[0] + 1,
        column=high[1] + 1,
        most=f"{gate.gate.max():.2f}",
        low_row=low[0] + 1,
        low_column=low[1] + 1,
        least=f"{gate.gate.min():.2f}",
    )


def describe_hidden(changed: Changed) -> str:
    """Say how many patches are hidden, and which heads are off."""
    if not changed.params.patches and not changed.params.heads:
        return t("Nothing is hidden yet: click a patch.")
    said = t("Hidden patches, painted in the picture’s mean colour: {n} of {patches}.").format(
        n=len(changed.params.patches), patches=changed.before.attention.grid**2
    )
    heads = " ".join(f"{one}.{two}" for one, two in changed.params.heads) or t("none")
    return join_sentences([said, t("Heads that are switched off: {heads}.").format(heads=heads)])


def describe_changed(changed: Changed) -> str:
    """Say how the answers moved."""
    if not changed.params.patches and not changed.params.heads:
        return describe_answers(changed.before.answers)
    said = []
    for name, before, after in zip(
        (t("The Transformer"), t("The convolutional network")), changed.before.answers, changed.after, strict=True
    ):
        best = before.order[0]
        text = t("{model}: {best} from {p} to {q}").format(
            model=name,
            best=class_name(before.likeliest),
            p=f"{before.probabilities[best]:.2f}",
            q=f"{after.probabilities[best]:.2f}",
        )
        if after.likeliest != before.likeliest:
            text += t(", now {other}").format(other=class_name(after.likeliest))
        said.append(text)
    return t("{first}. {second}.").format(first=said[0], second=said[1])


def describe_effects(found: Hidden) -> str:
    """Say which patch and which head the answer needs most; of either, only where it is missed at all."""
    grid = len(found.patches)
    patch = int(found.patches.argmin())
    head = np.unravel_index(int(found.heads.argmin()), found.heads.shape)
    patch_missed, head_missed = (float(each.min()) <= -NOTABLE for each in (found.patches, found.heads))
    if not patch_missed and not head_missed:
        return t("No single patch or head is missed: {of} stays at {before}.").format(
            of=class_name(found.of), before=f"{found.before:.2f}"
        )
    if patch_missed and head_missed:
        said = t(
            "{of} has {before}. The patch missed most is {patch}: {change}; the head missed most is head {head} of"
            " layer {layer}: {head_change}."
        )
    elif patch_missed:
        said = t("{of} has {before}. The patch missed most is {patch}: {change}; no single head is missed.")
    else:
        said = t(
            "{of} has {before}. The head missed most is head {head} of layer {layer}: {head_change}; no single patch"
            " is missed."
        )
    return said.format(
        of=capitalise(class_name(found.of)),
        before=f"{found.before:.2f}",
        patch=patch_name(patch + 1, grid),
        change=f"{found.patches.min():+.2f}",
        layer=head[0],
        head=head[1],
        head_change=f"{found.heads.min():+.2f}",
    )


def three_kinds(result: Result, gates: Gates) -> str:
    """Say what each kind of attention decides on this picture, in numbers."""
    last = result.attention.weights[-1, :, 0].mean(0)[1:]
    spatial, channel = gates.positions[-1].gate, gates.channels[0].gate
    together = float(np.corrcoef(last, _to_grid(spatial, result.attention.grid).ravel())[0, 1])
    return t(
        "The class token shares out a sum of 1, at most {most} to one of {patches} patches. The spatial gate lets {low}"
        " to {high} through at each place, the channel gate {least} to {greatest} of each channel. Where the class"
        " token looks and where the spatial gate looks have a correlation of {together}."
    ).format(
        patches=len(last),
        most=f"{last.max():.3f}",
        low=f"{spatial.min():.2f}",
        high=f"{spatial.max():.2f}",
        least=f"{channel.min():.2f}",
        greatest=f"{channel.max():.2f}",
        together=f"{together:+.2f}",
    )


def _to_grid(gate: np.ndarray, grid: int) -> np.ndarray:
    """Return a gate at the grid of the patches, where it is finer or coarser."""
    positions = (np.arange(grid) * len(gate)) // grid
    return np.asarray(gate[positions][:, positions])
