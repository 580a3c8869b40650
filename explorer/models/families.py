"""Every model family a checkpoint can name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from explorer.data.couplets import CoupletTokenizer
from explorer.data.images import ClassNames
from explorer.data.marian.sentencepieces import SentencePieces
from explorer.data.task_tokenizer import TaskTokenizer
from explorer.data.text import CharacterTokenizer
from explorer.data.tokenizer import Tokenizer
from explorer.models.cnn import CNN, CNNConfig
from explorer.models.gpt import GPT, GPTConfig
from explorer.models.masked import MaskedConfig, MaskedEncoder
from explorer.models.seq2seq import Seq2Seq
from explorer.models.seq2seq_config import Seq2SeqConfig
from explorer.models.translator import Translator, TranslatorConfig
from explorer.models.vit import ViT, ViTConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A model family, built from what a checkpoint stores.

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
    "marian": Family(config=TranslatorConfig, module=Translator, tokenizer=SentencePieces.load),
    "seq2seq": Family(config=Seq2SeqConfig, module=Seq2Seq, tokenizer=Tokenizer.load),
    "couplet": Family(config=Seq2SeqConfig, module=Seq2Seq, tokenizer=CoupletTokenizer.load),
    "lab_recurrent": Family(config=Seq2SeqConfig, module=Seq2Seq, tokenizer=TaskTokenizer.load),
    "lab_transformer": Family(config=TranslatorConfig, module=Translator, tokenizer=TaskTokenizer.load),
    "vit": Family(config=ViTConfig, module=ViT, tokenizer=ClassNames.load),
    "cnn": Family(config=CNNConfig, module=CNN, tokenizer=ClassNames.load),
    "masked": Family(config=MaskedConfig, module=MaskedEncoder, tokenizer=Tokenizer.load),
    "gpt": Family(config=GPTConfig, module=GPT, tokenizer=CharacterTokenizer.load),
}
