"""Multiply-adds of a computation, counted while it runs."""

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

_ATEN = torch.ops.aten
#: Where the first factor of a matrix product stands among the arguments.
_FIRST = {_ATEN.mm: 0, _ATEN.bmm: 0, _ATEN.addmm: 1, _ATEN.baddbmm: 1, _ATEN.mv: 0, _ATEN.dot: 0}


class MatrixProducts(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Adds up the multiply-adds of matrix products; what is done number by number is left out.

    Half of what `torch.utils.flop_counter` says, which imports torch's compiler: seconds. It belongs to one thread. In
    inference mode it would see a whole `matmul` and not what it is made of: use `torch.no_grad`.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations: int = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here, and to guard against it would import torch's compiler: seconds."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operator and count it."""
        made = func(*args, **(kwargs or {}))
        position = _FIRST.get(func.overloadpacket)
        if position is not None and isinstance(made, Tensor):
            self.operations += made.numel() * int(args[position].shape[-1])
        return made
