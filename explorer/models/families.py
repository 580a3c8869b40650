"""Every model family a checkpoint can name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from explorer.data.couplets import CoupletTokenizer
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.data.text import CharacterTokenizer
from explorer.data.tokenizer import Tokenizer
from explorer.models.gpt import GPT, GPTConfig
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.models.translator import Translator, TranslatorConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """How to build one family from what a checkpoint stores.

    Attributes:
        config: frozen dataclass; its keyword arguments stand in the manifest.
        module: built from the configuration alone: `module(config)`.
        tokenizer: reads `tokenizer.json`; None where the family reads no text.
    """

    config: Callable[..., Any]
    module: Callable[[Any], nn.Module]
    tokenizer: Callable[[Path], Any] | None = None


FAMILIES: Mapping[str, Family] = {
    "translator": Family(config=TranslatorConfig, module=Translator, tokenizer=Tokenizer.load),
    "seq2seq": Family(config=Seq2SeqConfig, module=Seq2Seq, tokenizer=Tokenizer.load),
    "couplet": Family(config=Seq2SeqConfig, module=Seq2Seq, tokenizer=CoupletTokenizer.load),
    "lab_recurrent": Family(config=Seq2SeqConfig, module=Seq2Seq, tokenizer=TaskTokenizer.load),
    "lab_transformer": Family(config=TranslatorConfig, module=Translator, tokenizer=TaskTokenizer.load),
    "gpt": Family(config=GPTConfig, module=GPT, tokenizer=CharacterTokenizer.load),
}
