"""Our translator's weights in the engines it is compared with: `transformers` and CTranslate2.

M2M100 is the architecture of `transformers` that normalises before each step, as ours does; its `generate()` is
Marian's.
"""

from pathlib import Path
from typing import Any

import torch
from torch import nn

from explorer.models.translator import Translator
from explorer.nn.attention import MultiHeadAttention


def m2m100(ours: Translator) -> Any:
    """The same function as an `M2M100ForConditionalGeneration`; attention and cache are its fastest here (defaults)."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration

    c = ours.config
    theirs = M2M100ForConditionalGeneration(
        M2M100Config(
            **_sizes(ours),
            activation_function="relu",
            encoder_layerdrop=0.0,
            decoder_layerdrop=0.0,
            bos_token_id=c.bos_id,
        )
    ).eval()
    theirs.generation_config.max_length = None
    with torch.no_grad():
        theirs.model.shared.weight.copy_(ours.embedding.weight)
        for mine, stack in ((ours.encoder, theirs.model.encoder), (ours.decoder, theirs.model.decoder)):
            positions = stack.embed_positions
            positions.weights[positions.padding_idx + 1 :][: c.max_length] = ours.positional_encodings[
                : len(positions.weights) - 1
            ]
            stack.layer_norm.load_state_dict(mine.norm.state_dict())
            for layer, other in zip(mine.layers, stack.layers, strict=True):
                _copy_layer(layer, other)
    return theirs


def marian(ours: Translator) -> Any:
    """The same function as a `MarianMTModel`, which must be built as Marian's are."""
    from transformers import MarianConfig, MarianMTModel

    c = ours.config
    theirs = MarianMTModel(
        MarianConfig(
            **_sizes(ours),
            activation_function=c.activation,
            scale_embedding=True,
        )
    ).eval()
    theirs.generation_config.bad_words_ids = [[c.pad_id]]
    with torch.no_grad():
        theirs.model.shared.weight.copy_(ours.embedding.weight)
        theirs.final_logits_bias.copy_(ours.score_bias)
        for mine, stack in ((ours.encoder, theirs.model.encoder), (ours.decoder, theirs.model.decoder)):
            for layer, other in zip(mine.layers, stack.layers, strict=True):
                _copy_layer(layer, other)
    return theirs


def _sizes(ours: Translator) -> dict[str, Any]:
    c = ours.config
    return {
        "vocab_size": c.vocab_size,
        "d_model": c.d_model,
        "encoder_layers": c.n_encoder_layers,
        "decoder_layers": c.n_decoder_layers,
        "encoder_attention_heads": c.n_heads,
        "decoder_attention_heads": c.n_heads,
        "encoder_ffn_dim": c.d_ff,
        "decoder_ffn_dim": c.d_ff,
        "max_position_embeddings": c.max_length,
        "pad_token_id": c.pad_id,
        "eos_token_id": c.eos_id,
        "decoder_start_token_id": c.bos_id,
        "forced_eos_token_id": None,
    }


def _copy_layer(ours: Any, theirs: Any) -> None:
    _copy_attention(ours.self_attention, theirs.self_attn)
    pairs = [
        (ours.self_norm, theirs.self_attn_layer_norm),
        (ours.feed_forward_norm, theirs.final_layer_norm),
        (ours.feed_forward.expand, theirs.fc1),
        (ours.feed_forward.contract, theirs.fc2),
    ]
    if hasattr(ours, "cross_attention"):
        _copy_attention(ours.cross_attention, theirs.encoder_attn)
        pairs.append((ours.cross_norm, theirs.encoder_attn_layer_norm))
    for mine, other in pairs:
        other.load_state_dict(mine.state_dict())


def _copy_attention(ours: MultiHeadAttention, theirs: Any) -> None:
    pairs = ((ours.query, theirs.q_proj), (ours.key, theirs.k_proj), (ours.value, theirs.v_proj))
    for mine, other in (*pairs, (ours.output, theirs.out_proj)):
        other.load_state_dict(mine.state_dict())


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    """Give PyTorch's attention our weights."""
    theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
    theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def ctranslate2_folder(ours: Translator, folder: Path) -> Path:
    """Write the same function as a CTranslate2 model; tokens are called by their numbers."""
    from ctranslate2.converters.transformers import M2M100Loader

    spec = M2M100Loader().get_model_spec(m2m100(ours))
    for stack in (spec.encoder, spec.decoder):
        stack.position_encodings.encodings = ours.positional_encodings.numpy()  # the loader takes <pad> for token 1
    names = [str(number) for number in range(ours.config.vocab_size)]
    spec.register_source_vocabulary(names)
    spec.register_target_vocabulary(names)
    c = ours.config
    spec.config.bos_token, spec.config.eos_token = names[c.bos_id], names[c.eos_id]
    spec.config.unk_token, spec.config.decoder_start_token = names[c.pad_id], names[c.bos_id]
    spec.config.add_source_eos = False
    spec.validate()
    spec.optimize(quantization=None)
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    return folder
