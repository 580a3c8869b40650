"""Names of the parts of the picture, and of lessons about them, in the reader's language."""

from explorer.records.language import current_language, t
from explorer.ui.catalogue import page

#: Lessons about what each level of the picture shows; `mask` is added where the decoder hides what comes later.
_LESSONS = {
    "whole": ("positional_encoding", "architectures", "translator"),
    "layer": ("multi_head",),
    "net": ("translator?scene=token",),
    "head": ("queries_keys_values",),
    "score": ("scoring_functions",),
    "mask": ("masked_softmax",),
}


def parts() -> dict[str, str]:
    """Return what the parts of a layer are called."""
    return {
        "self": t("self-attention"),
        "causal": t("masked self-attention"),
        "cross": t("cross-attention"),
        "net": t("feed-forward"),
    }


def layers(n_encoder: int, n_decoder: int) -> dict[str, list[str]]:
    """Return what the layers are called."""
    return {
        "enc": [t("Encoder {layer}").format(layer=each) for each in range(n_encoder)],
        "dec": [t("Decoder {layer}").format(layer=each) for each in range(n_decoder)],
    }


def links() -> dict[str, list[tuple[str, str]]]:
    """Return title and address of the lessons about each level."""
    lang = current_language()
    found: dict[str, list[tuple[str, str]]] = {}
    for level, stems in _LESSONS.items():
        found[level] = []
        for each in stems:
            mark = "&" if "?" in each else "?"
            found[level].append((t(page(each.partition("?")[0]).title), f"{each}{mark}lang={lang}"))
    return found
