"""Tiny random models of transformers' families, saved as ordinary folders."""

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers.models.auto import modeling_auto

TEXT = "The cat saw the dog. The dog saw the cat, and the cat saw 猫."
VOCABULARY = 320
_LLAMA = {
    "vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 64, "head_dim": 8,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
}  # fmt: skip
_BERT = {
    "vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4, "max_position_embeddings": 64, "pad_token_id": 0,
}  # fmt: skip
_BART = {
    "vocab_size": VOCABULARY, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 64,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2, "forced_eos_token_id": 2,
}  # fmt: skip
_VIT = {
    "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 32,
    "patch_size": 8,
}  # fmt: skip
_GPT = {
    "vocab_size": VOCABULARY,
    "n_embd": 32,
    "n_layer": 2,
    "n_head": 4,
    "n_positions": 64,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
#: Families whose attention passes through our function, and the numbers of a tiny model of each.
OWN: dict[str, dict[str, Any]] = {
    "albert": {**_BERT, "embedding_size": 16},
    "bert": _BERT,
    "camembert": _BERT,
    "distilbert": {
        "vocab_size": VOCABULARY,
        "dim": 32,
        "hidden_dim": 48,
        "n_layers": 2,
        "n_heads": 4,
        "max_position_embeddings": 64,
        "pad_token_id": 0,
    },
    "electra": {**_BERT, "embedding_size": 16},
    "modernbert": {
        **_BERT,
        "local_attention": 8,
        "global_attn_every_n_layers": 2,
        "cls_token_id": 1,
        "sep_token_id": 2,
    },
    "roberta": _BERT,
    "gemma": _LLAMA,
    "gemma2": {**_LLAMA, "sliding_window": 8, "query_pre_attn_scalar": 8},
    "gemma3_text": {**_LLAMA, "sliding_window": 8, "query_pre_attn_scalar": 8},
    "gpt2": _GPT,
    "gpt_neox": {**_BERT, "rotary_pct": 0.5},
    "gptj": {**_GPT, "rotary_dim": 4},
    "llama": _LLAMA,
    "mistral": {**_LLAMA, "sliding_window": 8},
    "olmo2": _LLAMA,
    "opt": {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "ffn_dim": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 64,
        "word_embed_proj_dim": 32,
        "pad_token_id": 0,
    },
    "phi": {**_LLAMA, "partial_rotary_factor": 0.5},
    "phi3": {**_LLAMA, "original_max_position_embeddings": 64},
    "qwen2": _LLAMA,
    "qwen3": _LLAMA,
    "bart": _BART,
    "m2m_100": _BART,
    "marian": _BART,
    "pegasus": _BART,
    "t5": {
        "vocab_size": VOCABULARY,
        "d_model": 32,
        "d_kv": 8,
        "d_ff": 48,
        "num_layers": 2,
        "num_heads": 4,
        "pad_token_id": 0,
        "eos_token_id": 2,
        "decoder_start_token_id": 0,
    },
    "clip_vision_model": _VIT,
    "deit": _VIT,
    "dinov2": _VIT,
    "vit": _VIT,
}
#: Families that compute attention by themselves, and are asked for it by name.
EAGER: dict[str, dict[str, Any]] = {
    "bloom": {"vocab_size": VOCABULARY, "hidden_size": 32, "n_layer": 2, "n_head": 4, "pad_token_id": 0},
    "deberta-v2": {**_BERT, "relative_attention": True, "pos_att_type": ["c2p", "p2c"], "position_buckets": 8},
    "falcon": {"vocab_size": VOCABULARY, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4},
    "gpt_neo": {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "num_layers": 2,
        "num_heads": 4,
        "max_position_embeddings": 64,
        "attention_types": [[["global", "local"], 1]],
        "window_size": 8,
    },
    "mpnet": _BERT,
    "xlnet": {"vocab_size": VOCABULARY, "d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48},
}
_KINDS = (
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING,
    modeling_auto.MODEL_FOR_MASKED_LM_MAPPING,
    modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
    modeling_auto.MODEL_MAPPING,
)
_MASKED = {
    "albert", "bert", "camembert", "distilbert", "electra", "modernbert", "roberta", "mpnet", "deberta-v2", "xlnet",
}  # fmt: skip
_TWO_STACKS = {"bart", "m2m_100", "marian", "pegasus", "t5"}
_PICTURES = {"clip_vision_model", "deit", "dinov2", "vit"}


def kind_of(family: str, config: Any) -> Any:
    """The class that a folder of a family usually holds."""
    number = 3 if family in _PICTURES else 1 if family in _MASKED else 2 if family in _TWO_STACKS else 0
    found = _KINDS[number].get(type(config), None) or _KINDS[3][type(config)]
    return found[0] if isinstance(found, tuple) else found


def save_tokenizer(folder: Path) -> None:
    """Write a byte-level tokenizer: pad 0, start 1, end 2, mask 3; it adds start and end."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<pad>", "<s>", "</s>", "<mask>"]
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([TEXT] * 4, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    named = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "mask_token": "<mask>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(named))


def save(
    folder: Path, family: str, numbers: dict[str, Any], *, bare: bool = False, dtype: torch.dtype = torch.float32
) -> Path:
    """Write a random model of a family with its tokenizer; bare: without a prediction head."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    config = transformers.CONFIG_MAPPING[family](**numbers)
    kind = _KINDS[3][type(config)] if bare else kind_of(family, config)
    model = kind(config).eval()
    for parameter in model.parameters():  # random, and large enough that heads differ
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.2)
    model.to(dtype).save_pretrained(folder)
    if family not in _PICTURES:
        save_tokenizer(folder)
    return folder
