"""The same folder as `transformers` opens it: what both compute for one text, compared.

It alone of what converts loads `transformers`, and does without where it is not installed.
"""

import importlib.util
import warnings
from collections.abc import Sequence
from pathlib import Path

import torch

from explorer.checkpoints.manifest import CheckpointDamaged
from explorer.models.translator import Translator

#: Name of the result in a manifest.
METRIC = "largest_logit_difference"


@torch.inference_mode()
def largest_difference(
    folder: Path, model: Translator, source: Sequence[int], written: Sequence[int], text: str
) -> float | None:
    """Return by how much a logit of ours differs at most from theirs; None where `transformers` is not installed.

    Args:
        source: the text's tokens as ours reads them, with a tag where it has tags, and `</s>`.
        written: tokens of a target, which both read.

    Raises:
        CheckpointDamaged: it cannot open the folder, or cuts the text otherwise.
    """
    if importlib.util.find_spec("transformers") is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it recommends packages
            from transformers import MarianMTModel, MarianTokenizer

            tokenizer = MarianTokenizer.from_pretrained(folder, local_files_only=True)
            theirs = MarianMTModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32).eval()
    except Exception as error:  # whatever it makes of a stranger's files
        raise CheckpointDamaged(f"transformers cannot open it ({type(error).__name__}).") from error
    cut = tokenizer(text).input_ids
    if list(source[-len(cut) :]) != list(cut):
        raise CheckpointDamaged("transformers cuts a text into other sub-words.")
    read = torch.tensor([[model.config.bos_id, *written[:-1]]])
    ids = torch.tensor([list(source)])
    expected = theirs(input_ids=ids, attention_mask=torch.ones_like(ids), decoder_input_ids=read).logits
    return float((model(ids, read) - expected).abs().max())
