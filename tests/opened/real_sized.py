"""Random models as large as those that people open: they take the same processor time, and no weights are needed."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, trainers

from explorer.records.opened import texts
from tests.opened import tiny


@dataclass(frozen=True, slots=True, kw_only=True)
class RealSize:
    """A family, the numbers of one of its models, and how that is saved."""

    family: str
    numbers: dict[str, Any]
    vocabulary: int
    dtype: torch.dtype = torch.float32
    bare: bool = False


_ENDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
_BERT = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
_LLAMA = {
    "hidden_size": 576, "num_hidden_layers": 30, "num_attention_heads": 9, "num_key_value_heads": 3,
    "intermediate_size": 1536, "max_position_embeddings": 8192, "tie_word_embeddings": True,
}  # fmt: skip
_T5 = {"d_model": 512, "d_kv": 64, "d_ff": 2048, "num_layers": 6, "num_heads": 8, "decoder_start_token_id": 0}
_BART = {
    "d_model": 768, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 12,
    "decoder_attention_heads": 12, "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "decoder_start_token_id": 2,
}  # fmt: skip
#: Models by name.
SIZES = {
    "all-MiniLM-L6-v2": RealSize(family="bert", numbers=_BERT, vocabulary=30_522, bare=True),
    "SmolLM2-135M": RealSize(family="llama", numbers=_LLAMA, vocabulary=49_152, dtype=torch.bfloat16),
    "t5-small": RealSize(family="t5", numbers=_T5, vocabulary=32_128),
    "bart-base": RealSize(family="bart", numbers=_BART, vocabulary=50_265),
}


def save(folder: Path, name: str) -> Path:
    """Write a random model of a size, with a tokenizer of as many pieces, which knows the words of the lesson."""
    size = SIZES[name]
    numbers = {**_ENDS, **size.numbers, "vocab_size": size.vocabulary}
    tiny.save(folder, size.family, numbers, bare=size.bare, dtype=size.dtype)
    _fill_tokenizer(folder / "tokenizer.json", size.vocabulary)
    return folder


def _fill_tokenizer(file: Path, vocabulary: int) -> None:
    """Let a byte-level tokenizer learn the lesson's words whole, and fill it with pairs that no text has."""
    tokenizer = Tokenizer.from_file(str(file))
    alphabet = sorted(each for each in tokenizer.get_vocab() if len(each) == 1)
    special = ["<pad>", "<s>", "</s>", "<mask>"]
    trainer = trainers.BpeTrainer(
        vocab_size=2000, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.model = models.BPE()
    tokenizer.train_from_iterator([texts.CAPITALS, texts.GETTYSBURG], trainer)
    said = json.loads(tokenizer.to_str())
    known, merges = said["model"]["vocab"], said["model"]["merges"]
    for pair in ((one, other) for one in reversed(alphabet) for other in reversed(alphabet)):
        if len(known) < vocabulary and "".join(pair) not in known:
            known["".join(pair)] = len(known)
            merges.append(list(pair))
    file.write_text(json.dumps(said), encoding="utf8")
