"""What Marian calls its numbers and its weights, and what we call them."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import torch
from babel.core import get_global
from torch import Tensor

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointUnsupported
from explorer.data.parallel.directions import CODE
from explorer.models.translator_config import TranslatorConfig
from explorer.nn.blocks import Activation

#: Numbers of a configuration: theirs by ours. Where ours has two of theirs, both must be equal.
NUMBERS: Mapping[str, tuple[str, ...]] = {
    "vocab_size": ("vocab_size",),
    "d_model": ("d_model",),
    "n_heads": ("encoder_attention_heads", "decoder_attention_heads"),
    "n_encoder_layers": ("encoder_layers",),
    "n_decoder_layers": ("decoder_layers",),
    "d_ff": ("encoder_ffn_dim", "decoder_ffn_dim"),
    "max_length": ("max_position_embeddings",),
    "pad_id": ("pad_token_id",),
    "bos_id": ("decoder_start_token_id",),
    "eos_id": ("eos_token_id",),
}
ACTIVATIONS: Mapping[str, Activation] = {
    "relu": "relu",
    "swish": "swish",
    "silu": "swish",
    "gelu": "gelu_exact",
    "gelu_new": "gelu",
}
#: What our model takes for granted, or `transformers` does whatever is said.
EXPECTED: Mapping[str, Any] = {
    "model_type": "marian",
    "scale_embedding": True,
    "share_encoder_decoder_embeddings": True,
    "tie_word_embeddings": True,
}
#: Of these, what stands in no `config.json` is so.
_USUAL: Mapping[str, Any] = {"share_encoder_decoder_embeddings": True, "tie_word_embeddings": True}
#: Names that the one table of tokens may have; where several are there, all are the same.
TABLES = ("model.shared.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight",
          "lm_head.weight")  # fmt: skip
BIAS = "final_logits_bias"
_PLACES = re.compile(r"model\.(encoder|decoder)\.embed_positions\.weight")
_LAYER = re.compile(r"model\.(encoder|decoder)\.layers\.(\d+)\.(\w+?)(?:\.(\w+))?\.(weight|bias)")
PARTS: Mapping[str, str] = {
    "self_attn": "self_attention",
    "encoder_attn": "cross_attention",
    "self_attn_layer_norm": "self_norm",
    "encoder_attn_layer_norm": "cross_norm",
    "final_layer_norm": "feed_forward_norm",
    "fc1": "feed_forward.expand",
    "fc2": "feed_forward.contract",
}
MAPS: Mapping[str, str] = {"q_proj": "query", "k_proj": "key", "v_proj": "value", "out_proj": "output"}
#: Computed codes of places may differ from stored ones by rounding.
_ROUNDING = 2e-3


def configuration(theirs: Mapping[str, Any], directions: str) -> TranslatorConfig:
    """Return our configuration of a `config.json`.

    Raises:
        CheckpointUnsupported: it is no Marian, or one of a kind that our model is not.
    """
    for name, expected in EXPECTED.items():
        found = theirs.get(name, _USUAL.get(name))
        if found != expected:
            raise CheckpointUnsupported(
                f"Its config.json says {name} = {str(found)[:40]!r}, and only Marian translators with {expected!r} are"
                " converted."
            )
    activation = ACTIVATIONS.get(str(theirs.get("activation_function")))
    if activation is None:
        raise CheckpointUnsupported(f"Its activation is {str(theirs.get('activation_function'))[:40]!r}.")
    try:
        numbers: dict[str, Any] = {name: _number(theirs, aliases) for name, aliases in NUMBERS.items()}
        return TranslatorConfig(
            **numbers,
            directions=directions,
            norm="post",
            last_norm=False,
            activation=activation,
            sine_order="halves",
            score_bias=True,
        )
    except ValueError as error:
        raise CheckpointUnsupported(f"Its config.json is not that of a Marian translator: {error}.") from error


def _number(theirs: Mapping[str, Any], aliases: tuple[str, ...]) -> int:
    first, *others = (theirs.get(alias) for alias in aliases)
    if type(first) is not int or not 0 <= first <= 1 << 20:
        raise ValueError(f"{aliases[0]} is {str(first)[:40]}")
    if any(other != first for other in others):
        raise ValueError(f"{aliases[0]} and {aliases[1]} differ, and here both are one number")
    return first


def weights(theirs: Mapping[str, Tensor], config: TranslatorConfig, codes: Tensor) -> dict[str, Tensor]:
    """Return weights by our names.

    Args:
        codes: of places, as our model computes them.

    Raises:
        CheckpointDamaged: a weight has a name nobody knows, tied ones differ, or places are coded otherwise.
    """
    ours: dict[str, Tensor] = {}
    for name, tensor in theirs.items():
        if _PLACES.fullmatch(name):
            _expect_codes(name, tensor, codes)
        elif name in TABLES:
            first = ours.setdefault("embedding.weight", tensor)
            if first is not tensor and not torch.equal(first, tensor):
                raise CheckpointDamaged(f"{name} is not the one table of tokens, which all of Marian share.")
        else:
            ours[_ours(name)] = tensor.flatten() if name == BIAS else tensor
    ours.setdefault("score_bias", torch.zeros(config.vocab_size))
    return ours


def _ours(name: str) -> str:
    if name == BIAS:
        return "score_bias"
    found = _LAYER.fullmatch(name)
    if found is None or found[3] not in PARTS or (found[4] is not None and found[4] not in MAPS):
        raise CheckpointDamaged(f"No Marian translator has a weight with the name {name[:80]!r}.")
    inner = f".{MAPS[found[4]]}" if found[4] else ""
    return f"{found[1]}.layers.{int(found[2])}.{PARTS[found[3]]}{inner}.{found[5]}"


def _expect_codes(name: str, stored: Tensor, codes: Tensor) -> None:
    rows = min(len(stored), len(codes))
    if stored.shape[1:] != codes.shape[1:] or not torch.allclose(stored[:rows].float(), codes[:rows], atol=_ROUNDING):
        raise CheckpointDamaged(f"{name} is not the table of sines and cosines of a Marian translator.")


def directions(source: str, target: str, tags: Collection[str]) -> str:
    """Return from which language into which, as a configuration says it; empty where nobody knows.

    Args:
        source: code of the language that is read, of two or three letters or of a group; empty if it is not known.
        target: of the one that is written.
        tags: codes of the languages of which one begins a source.
    """
    source = _short(source) or "und"
    source = source if CODE.fullmatch(source) else "mul"
    found = sorted(tags) if tags else [_short(target)]
    targets = filter(CODE.fullmatch, found)
    return " ".join(f"{source}-{each}" for each in targets if each != source)


def named_languages(name: str) -> tuple[str, str]:
    """Return the languages that a name such as `Helsinki-NLP/opus-mt-en-de` speaks of; empty ones if it does not."""
    found = re.search(r"-([A-Za-z]\w*)-([A-Za-z]\w*)$", name.partition("@")[0])
    return (found[1], found[2]) if found else ("", "")


def _short(code: str) -> str:
    """Return the code of two letters for a language that has one: `de` for `deu`."""
    known = get_global("language_aliases").get(code, code)
    return known if re.fullmatch(r"\w+", known) else code
