"""A device that is not this CPU and has no float64, as Apple's MPS: it stands where no such machine is at hand.

Its tensors say that they are on torch's `meta` device and hold their numbers all the same. As on a real device, two
tensors of different devices refuse to meet, NumPy cannot read what is there, and float64 raises.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

DEVICE = torch.device("meta")
#: Take places, or the lengths of packed sequences, from the CPU, too.
PACKED = ("_pack_padded_sequence", "_pad_packed_sequence", "gru", "lstm")
INDEXING = {"index", "index_put", "index_put_", "_unsafe_index", *PACKED}


class Far(Tensor):
    """A tensor over there."""

    near: Tensor

    @staticmethod
    def __new__(cls, near: Tensor) -> "Far":
        if near.dtype == torch.float64:
            raise TypeError("the device has no float64")
        made: Far = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls,
            near.shape,
            strides=near.stride(),
            storage_offset=near.storage_offset(),
            dtype=near.dtype,
            device=DEVICE,
        )
        made.near = near.detach()
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(
        cls, operation: Any, _: object, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        return computed(operation, args, kwargs or {})

    def __deepcopy__(self, _: object) -> "Far":
        return Far(self.near.clone())

    def __repr__(self) -> str:
        return f"Far({self.near})"


class FarDevice(TorchDispatchMode):
    """Within it, tensors can be made on the device and brought there."""

    def __torch_dispatch__(
        self, operation: Any, _: object, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        return computed(operation, args, kwargs or {})


class FarNumbers(TorchFunctionMode):
    """Python's numbers are brought there, too: torch would drop them on its way to `meta`."""

    def __torch_function__(
        self, function: Any, _: object, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        if function is Tensor.tolist and isinstance(args[0], Far):
            return args[0].near.tolist()
        if function is Tensor.to:  # both at once torch would do without asking the modes
            device, dtype, *_ = torch._C._nn._parse_to(*args[1:], **kwargs)
            if device == DEVICE and dtype is not None:
                return args[0].to(dtype).to(device)
        if function in (Tensor.__getitem__, Tensor.__setitem__):
            positions = args[1] if isinstance(args[1], tuple) else (args[1],)
            positions = tuple(_places(each) if isinstance(each, list) else each for each in positions)
            return function(args[0], positions, *args[2:])
        if function in (torch.tensor, torch.as_tensor) and torch.device(kwargs.get("device") or "cpu") == DEVICE:
            return Far(function(*args, **{**kwargs, "device": "cpu"}))
        return function(*args, **kwargs)


def _places(given: list[Any]) -> Tensor:
    return torch.tensor(given, dtype=None if given else torch.long)


@contextmanager
def device() -> Iterator[torch.device]:
    """Give the device for a while."""
    with FarNumbers(), FarDevice(), patch.object(torch, "is_autocast_enabled", lambda *_: False):
        yield DEVICE


def computed(operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Compute here what is asked over there, or to bring from one to the other."""
    with torch.inference_mode(False), torch.no_grad():
        return _computed(operation, args, kwargs)


def _computed(operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    tensors = [each for each in tree_leaves((args, kwargs)) if isinstance(each, Tensor)]
    far = [each for each in tensors if isinstance(each, Far)]
    assert all(isinstance(each, Far) or each.device != DEVICE for each in tensors), "its numbers are lost"
    name = operation.overloadpacket.__name__
    if far and name not in INDEXING and name not in ("_to_copy", "copy_"):
        strangers = [each for each in tensors if not isinstance(each, Far) and each.dim()]
        assert not strangers, f"{name}: expected all tensors to be on one device"
    wanted = kwargs.get("device")
    there = torch.device(wanted) == DEVICE if wanted is not None else bool(far)
    if there and kwargs.get("dtype") == torch.float64:
        raise TypeError(f"{name}: the device has no float64")
    here = {**kwargs, **({"device": "cpu"} if wanted is not None else {})}
    args, here = tree_map(lambda each: each.near if isinstance(each, Far) else each, (tuple(args), here))
    found = operation(*args, **here)
    if not there:
        return found
    if name == PACKED[0]:
        return Far(found[0]), found[1]
    known = {id(each.near): each for each in far}

    def brought(each: Any) -> Any:
        if not isinstance(each, Tensor):
            return each
        return known[id(each)] if id(each) in known else Far(each)

    return tree_map(brought, found)


def moved(model: nn.Module) -> nn.Module:
    """Bring a model over there."""
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            setattr(module, name, nn.Parameter(Far(parameter.data), requires_grad=False))
        for name, buffer in module.named_buffers(recurse=False):
            setattr(module, name, Far(buffer))
    return model
