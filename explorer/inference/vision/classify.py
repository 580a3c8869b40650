"""Open a trained model that sees, and ask it what a picture shows."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn

from explorer.checkpoints.hub import open_checkpoint
from explorer.checkpoints.manifest import CheckpointUnsupported, Probe, display_source
from explorer.data.images import ClassNames, ImageSet, normalise
from explorer.inference.device import device_of, pick_device
from explorer.inference.loaded import LoadedModel, loaded_once
from explorer.models.cnn import CNN
from explorer.models.vit import ViT

#: Pictures read at once while a model is scored.
AT_ONCE = 250
#: The picture of every probe, in words; `probe_picture` draws it.
PROBE = "red sin(x/5), green sin(y/4), blue sin((x+y)/7), from 0 to 255"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedVision(LoadedModel):
    """A model that sees, ready to run."""

    classes: ClassNames
    model: ViT | CNN


@loaded_once(4)
def load(checkpoint: str) -> LoadedVision:
    """Load a model once for the whole process, on the best device there is.

    Args:
        checkpoint: a bundled name, a folder, or `org/name@revision` on the Hub.

    Raises:
        CheckpointError: it cannot be used.
        DeviceRefused: `EXPLORER_DEVICE` names a device that is not there.
    """
    manifest, model, classes = open_checkpoint(checkpoint)
    if not isinstance(model, ViT | CNN):
        raise CheckpointUnsupported(f"{display_source(checkpoint)} is a {manifest.family}, not a model of pictures.")
    if len(classes.names) != model.config.n_classes:
        raise CheckpointUnsupported(
            f"{display_source(checkpoint)} has {len(classes.names)} names for {model.config.n_classes} classes."
        )
    return LoadedVision(name=checkpoint, manifest=manifest, classes=classes, model=model.to(pick_device()))


@torch.inference_mode()
def correct(model: nn.Module, images: ImageSet) -> float:
    """Share of pictures whose likeliest class is theirs; the model is left in the mode it is in."""
    device, found = device_of(model), 0
    for pixels, labels in zip(*(torch.split(each, AT_ONCE) for each in (images.pixels, images.labels)), strict=True):
        found += int((model(normalise(pixels.to(device))).argmax(-1).cpu() == labels).sum())
    return found / len(images)


@torch.inference_mode()
def probabilities(model: ViT | CNN, pixels: UInt8[Tensor, "batch 3 rows columns"]) -> Float[Tensor, "batch classes"]:
    """Probability of each class, on the CPU."""
    return torch.softmax(model(normalise(pixels.to(device_of(model)))).float(), -1).cpu()


def probe_picture(size: int) -> UInt8[Tensor, "3 rows columns"]:
    """A picture that is the same everywhere: three waves."""
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    waves = [[(math.sin(a) + 1) * 127.5 for a in angles.flatten().tolist()] for angles in (x / 5, y / 4, (x + y) / 7)]
    return torch.tensor(waves).round().to(torch.uint8).view(3, size, size)


def probe(model: nn.Module, classes: ClassNames) -> Probe:
    """Compute what a manifest promises: the likeliest class of `probe_picture`, float32 on the CPU.

    Raises:
        TypeError: the model does not see.
    """
    if not isinstance(model, ViT | CNN):
        raise TypeError(f"{type(model).__name__} is no model of pictures")
    found = probabilities(model, probe_picture(model.config.image_size)[None])[0].max(-1)
    return Probe(given=PROBE, expected=classes.names[int(found.indices)], score=math.log(float(found.values)))
