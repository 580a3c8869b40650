"""Batches of varied pictures, and the loss of a model that sees."""

from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.data.augmentation import ImageAugmentation, ImageBatch, augment
from explorer.data.images import ImageSet
from explorer.training.loss import ModelWithLoss
from explorer.training.source import Part


class ImageSource:
    """Batches of pictures; order and variation follow from seed, epoch and number of the batch alone.

    Args:
        images: to learn from.
        augmentation: how they vary; they go on to vary in the decay.
        seed: of order and variation.
    """

    def __init__(self, images: ImageSet, augmentation: ImageAugmentation, seed: int) -> None:
        self._images, self._augmentation, self._seed = images, augmentation, seed

    def parts(
        self, epoch: int, *, first: int, tokens_per_batch: int, calm: bool, rank: int, world: int
    ) -> Iterator[Part]:
        """Yield parts of batches as `explorer.training.source.BatchSource.parts` does; a picture is one token."""
        del calm
        base = (self._seed * 1_000_003 + epoch) % 2**63
        order = torch.randperm(len(self._images), generator=torch.Generator().manual_seed(base))
        for number, rows in enumerate(torch.split(order, tokens_per_batch)):
            if number < first:
                continue
            mine = rows[rank::world]
            chosen = self._images.part(mine if len(mine) else rows[:1])
            seed = ((base * 100_003 + number) * 64 + rank) % 2**63
            n_classes = len(chosen.classes.names)
            batch: ImageBatch = augment(chosen.pixels, chosen.labels, n_classes, self._augmentation, seed)
            yield Part(batch, float(len(mine) > 0), len(rows))


class VisionObjective(ModelWithLoss):
    """A model that sees and its loss.

    Args:
        teacher: its answers are learnt beside the labels (Hinton et al. 2015; for vision Transformers, Touvron et al.
            2021); sees the same varied pictures (Beyer et al. 2022); is left as it is.
        teaching: share of the loss that the teacher's answers get.
        temperature: both sides' scores are divided by it there.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        smoothing: float,
        bf16: bool,
        teacher: nn.Module | None = None,
        teaching: float = 0.5,
        temperature: float = 2.0,
    ) -> None:
        super().__init__(model, smoothing=smoothing, bf16=bf16)
        self._teacher = [] if teacher is None else [teacher.eval().requires_grad_(False)]  # no part of this module
        self.teaching, self.temperature = teaching, temperature

    def forward(self, batch: ImageBatch) -> Float[Tensor, ""]:
        """Sum the loss over the pictures of a batch."""
        with torch.autocast(batch.pixels.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            logits = self.model(batch.pixels).float()
        labels = F.cross_entropy(logits, batch.targets, label_smoothing=self.smoothing, reduction="sum")
        if not self._teacher:
            return labels
        return (1 - self.teaching) * labels + self.teaching * self._taught(logits, batch.pixels)

    def _taught(self, logits: Tensor, pixels: Tensor) -> Float[Tensor, ""]:
        """Return T² times the cross-entropy with the teacher's softened answers: a gradient of the labels' size."""
        (teacher,), heat = self._teacher, self.temperature
        with torch.no_grad(), torch.autocast(pixels.device.type, dtype=torch.bfloat16, enabled=self.bf16):
            wanted = torch.softmax(teacher(pixels).float() / heat, -1)
        return heat**2 * F.cross_entropy(logits / heat, wanted, reduction="sum")
