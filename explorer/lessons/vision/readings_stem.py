"""“From pixels to a vector”: what the numbers say, in a sentence each."""

from explorer.records.image import PatchVectors, patch_name
from explorer.records.language import t
from explorer.records.wording import capitalise


def describe_pixels(patch: int, side: int, beyond: int, grid: int) -> str:
    """Say which pixels are a patch's, and which more the convolutions see."""
    wide = side + beyond
    return t(
        "{patch}: **{side} × {side}** pixels, framed. The convolutions also see {beyond} pixels above and to the left "
        "(dashed): {wide} × {wide}; beyond the edge they read zeros."
    ).format(patch=capitalise(patch_name(patch + 1, grid)), side=side, beyond=beyond, wide=wide)


def describe_numbers(record: PatchVectors, patch: int) -> str:
    """Say how many numbers a patch has, and between which ends they lie."""
    values = record.numbers[patch]
    return t("Pixel by pixel, red, green, blue: **{n}** numbers in a row, from {least} to {most}.").format(
        n=len(values), least=f"{values.min():.2f}", most=f"{values.max():.2f}"
    )


def describe_vectors(record: PatchVectors) -> str:
    """Say which way the model uses, and how far one linear map gets."""
    said = t(
        "**The model uses the convolutions.** The best linear map explains R² **{fit}** of their output on the "
        "pictures it was found on, and **{held}** on this one."
    )
    if record.held_out < 0:
        said = t(
            "**The model uses the convolutions.** The best linear map explains R² **{fit}** of their output on the "
            "pictures it was found on; on this one, **{held}**, it is worse than their mean."
        )
    return said.format(fit=f"{record.fit:.2f}", held=f"{record.held_out:.2f}")


def said_steps(record: PatchVectors) -> str:
    """Say the shapes from picture to vectors, step by step."""
    return " → ".join(" × ".join(map(str, shape)) for shape in record.shapes)


def values(record: PatchVectors) -> dict[str, str]:
    """Return the numbers that the prose speaks of."""
    n_patches, d_model = record.stem.shape
    linear, stem = record.n_parameters
    return {
        "numbers": str(record.numbers.shape[1]),
        "d_model": str(d_model),
        "positions": str(n_patches),
        "tokens": str(n_patches + 1),
        "linear": f"{linear:,}",
        "convolutions": f"{stem:,}",
        "shapes": said_steps(record),
        "patches": f"{record.fitted_on:,}",
        "fit": f"{record.fit:.2f}",
        "held": f"{record.held_out:.2f}",
    }
