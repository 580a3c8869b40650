"""The loss of a decoder-only model on a text."""

import torch

from explorer.data.text import CharacterTokenizer, TextError
from explorer.inference.gpt.generate import losses
from explorer.models.gpt import GPT

#: Windows of a text that are read at once.
WINDOWS_AT_ONCE = 32


def text_loss(model: GPT, tokenizer: CharacterTokenizer, text: str) -> float:
    """Compute the mean cross-entropy of a character, in nats, of a text read in windows of the training length.

    The first character of a window is predicted from nothing but itself, so this is above the loss with a long past.

    Raises:
        TextError: the text is shorter than one window.
    """
    length, device = model.config.max_length, next(model.parameters()).device
    ids = torch.tensor(tokenizer.encode(text), device=device)
    if len(ids) <= length:
        raise TextError(f"a text of {len(ids):,} characters has no window of {length:,} and one more")
    read, following = (each[: (len(ids) - 1) // length * length].view(-1, length) for each in (ids[:-1], ids[1:]))
    pairs = zip(torch.split(read, WINDOWS_AT_ONCE), torch.split(following, WINDOWS_AT_ONCE), strict=True)
    return float(torch.stack([losses(model, *each).cpu().double().sum() for each in pairs]).sum()) / read.numel()
