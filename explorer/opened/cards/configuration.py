"""Read a stranger's `config.json`: bounded in size and depth, every number bounded, nothing that names code is kept."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelKind

#: Bytes of `config.json`, and how deep it nests.
MOST_CONFIG, MOST_DEPTH = 2_000_000, 24
#: Keys that name code, kernels, adapters or other files.
_DROPPED = {"adapter", "custom_pipelines", "peft", "quantization_config", "trust_remote_code"}
#: One number's names in the families' configurations.
_ALIASES = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads"),
    "width": ("hidden_size", "n_embd", "d_model", "dim", "n_embed"),
    "ffn": ("intermediate_size", "n_inner", "d_ff", "encoder_ffn_dim", "ffn_dim", "hidden_dim"),
    "vocabulary": ("vocab_size",),
    "longest": ("max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length"),
    "kv_heads": ("num_key_value_heads",),
    "head_width": ("head_dim", "d_kv"),
    "decoder_layers": ("decoder_layers", "num_decoder_layers"),
    "window": ("sliding_window",),
}
#: The largest of each number that a model here may have.
BOUNDS = {
    "layers": 256, "heads": 256, "width": 32_768, "ffn": 262_144, "vocabulary": 2_000_000, "longest": 100_000_000,
    "kv_heads": 256, "head_width": 4_096, "decoder_layers": 256, "window": 100_000_000,
}  # fmt: skip
#: No number of a configuration may be larger, whatever it is called.
MOST_NUMBER = 10**12
#: Families (`model_type`) by what their models are; of others nobody knows it yet, and they are opened as decoders.
_FAMILIES: Mapping[ModelKind, str] = {
    "encoder": "albert bert camembert deberta deberta-v2 distilbert electra ernie modernbert mpnet roberta xlm-roberta"
    " xlnet",
    "decoder": "bloom falcon gemma gemma2 gemma3_text gpt2 gpt_neo gpt_neox gpt_oss gptj llama mistral olmo2 opt phi"
    " phi3 qwen2 qwen3 smollm3 stablelm",
    "encoder-decoder": "bart blenderbot m2m_100 marian mbart mt5 pegasus t5 umt5",
    "vision": "clip_vision_model deit dinov2 dinov2_with_registers vit",
    "none": "falcon_mamba mamba mamba2 rwkv",
}
#: How weights of attention are taken: the family's code calls our function, is asked for them by name, or is this
#: project's own; or nobody has tried.
Way = Literal["function", "eager", "project", "untried"]
#: Families of which a test holds that they call our function, and of which one holds that they are asked by name.
_CALL_OURS = (
    "albert bart bert camembert clip_vision_model deit dinov2 distilbert electra gemma gemma2 gemma3_text gpt2 gpt_neox"
    " gptj llama m2m_100 marian mistral modernbert olmo2 opt pegasus phi phi3 qwen2 qwen3 roberta t5 vit"
)
_ASKED_BY_NAME = "bloom deberta-v2 falcon gpt_neo mpnet xlnet"


def read_json(path: Path, most: int = MOST_CONFIG) -> dict[str, Any]:
    """Read an object of bounded size and depth.

    Raises:
        ModelRefused: it is not there, too large, no JSON, no object, or it holds a number that is none.
    """
    try:
        if path.stat().st_size > most:
            raise ModelRefused("number", name=path.name, value=path.stat().st_size, least=0, limit=most)
        found = json.loads(path.read_text(encoding="utf8"), parse_constant=_no_number)
    except OSError as error:
        raise ModelRefused("broken", what=f"{path.name} is missing") from error
    except (ValueError, RecursionError) as error:
        raise ModelRefused("broken", what=f"{path.name} is no JSON") from error
    if not isinstance(found, dict):
        raise ModelRefused("broken", what=f"{path.name} holds no object")
    return found


def clean(config: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Return a configuration without what names code, kernels or files, at every depth.

    Raises:
        ModelRefused: it nests too deep, or a number is out of all bounds.
    """
    if depth > MOST_DEPTH:
        raise ModelRefused("broken", what="config.json nests too deep")
    return {key: _plain(key, value, depth) for key, value in config.items() if not _names_code(key)}


def _names_code(key: str) -> bool:
    low = key.lower()
    return low in _DROPPED or low.startswith("_") or "implementation" in low or low == "auto_map"


def _plain(key: str, value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        return clean(value, depth + 1)
    if isinstance(value, list):
        if depth > MOST_DEPTH:
            raise ModelRefused("broken", what="config.json nests too deep")
        return [_plain(key, each, depth + 1) for each in value]
    if isinstance(value, int | float) and abs(value) > MOST_NUMBER and key != "model_max_length":
        raise ModelRefused("number", name=key[:40], value=_short(value), least=-MOST_NUMBER, limit=MOST_NUMBER)
    return value


def family_of(config: Mapping[str, Any]) -> tuple[str, ModelKind]:
    """Return the family, and what its models are.

    Raises:
        ModelRefused: there is no family, or none of its models attends.
    """
    family = config.get("model_type")
    if not isinstance(family, str):
        raise ModelRefused("broken", what="config.json names no model_type")
    if family == "clip":
        family = "clip_vision_model"
    unknown: ModelKind = "unknown"
    kind = next((kind for kind, families in _FAMILIES.items() if family in families.split()), unknown)
    if kind == "none":
        raise ModelRefused("no_attention", family=family)
    return family, kind


def find_way(family: str) -> Way:
    """Return how the weights of a family of transformers are taken, as its tests say."""
    if family in _CALL_OURS.split():
        return "function"
    return "eager" if family in _ASKED_BY_NAME.split() else "untried"


def inner(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part that describes the layers: of a model of text and pictures, its text, or its pictures."""
    if any(key in config for key in _ALIASES["layers"]):
        return config
    nested = (config.get(part) for part in ("text_config", "vision_config"))
    return next((each for each in nested if isinstance(each, Mapping)), config)


def numbers(config: Mapping[str, Any]) -> dict[str, int]:
    """Return the bounded numbers of a configuration by our names; 0 where it does not say.

    Raises:
        ModelRefused: a number is none, or out of its bounds.
    """
    found = {name: _number(config, name, aliases) for name, aliases in _ALIASES.items()}
    least = [name for name in ("layers", "heads", "width") if not found[name]]
    if least:
        raise ModelRefused("number", name=least[0], value=0, least=1, limit=BOUNDS[least[0]])
    found["kv_heads"] = found["kv_heads"] or (1 if config.get("multi_query") else found["heads"])
    found["head_width"] = found["head_width"] or found["width"] // found["heads"]
    return found


def _number(config: Mapping[str, Any], name: str, aliases: tuple[str, ...]) -> int:
    value = next((config[key] for key in aliases if config.get(key) is not None), 0)
    limit = BOUNDS[name]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= limit:
        raise ModelRefused("number", name=name, value=_short(value), least=0, limit=limit)
    return value


def _short(value: Any) -> str:
    try:
        return str(value)[:40]
    except ValueError:  # an integer of more digits than Python writes
        return "…"


def _no_number(said: str) -> float:
    raise ValueError(said)
