"""Points of the classic curve, as tensors."""

import torch

from explorer.lessons.kernel_regression import points as regression


def sample(n: int = 50, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    points = regression.draw("classic", n=n, noise=0.5, seed=seed)
    return torch.from_numpy(points.x.copy()), torch.from_numpy(points.y.copy())
