"""Open a folder: a clean configuration, a class of transformers' own, weights from safetensors files only."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING, PreTrainedTokenizerFast
from transformers.models.auto import modeling_auto

from explorer.opened.cards import card, configuration, weights_header
from explorer.opened.passes import capture, sites
from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import Site

EAGER = "eager"
#: Classes with a prediction head, by kind; then the bare model.
_HEADS = {
    "decoder": modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING,
    "encoder": modeling_auto.MODEL_FOR_MASKED_LM_MAPPING,
    "encoder-decoder": modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
}
_SPECIAL = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_MOST_TOKENIZER = 64_000_000
TOKENIZER = "tokenizer.json"


class _OwnTable(Exception):
    """A family chooses among attentions of its own, and does not know ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedModel:
    """A model that is ready to run: in `eval()`, in float32, on the CPU.

    Attributes:
        trunk: the part of it whose last hidden state the prediction head reads.
        tokenizer: None for a model of pictures.
        predicts: whether the prediction head has weights in the folder.
        own: whether its attentions pass through `explorer.opened.passes.capture`; if not they are asked for by name.
        sites: every attention, in the order of a pass.
    """

    card: ModelCard
    model: Any
    trunk: Any
    tokenizer: Any
    predicts: bool
    own: bool
    sites: tuple[Site, ...]


def load(folder: Path) -> OpenedModel:
    """Open a folder.

    Raises:
        ModelRefused: it is no model that is opened here, and why.
    """
    logging.getLogger("transformers").setLevel(logging.ERROR)
    found = card.read(folder)
    tokenizer = None if found.kind == "vision" else read_tokenizer(folder)
    ours: sites.FirstPass | None = None
    try:
        model, predicts = _model(folder, found, capture.NAME)
        ours = sites.through_ours(model, found)
    except _OwnTable:
        pass
    if ours is None:
        model, predicts = _model(folder, found, EAGER)
    first = sites.by_name(model, found) if ours is None else ours
    if not first.sites:
        raise ModelRefused("no_attention", family=found.family)
    return OpenedModel(
        card=found,
        model=model,
        trunk=first.trunk,
        tokenizer=tokenizer,
        predicts=predicts,
        own=ours is not None,
        sites=first.sites,
    )


def read_configuration(folder: Path, implementation: str) -> Any:
    """Return a configuration of transformers from what is plain in a folder's.

    Raises:
        ModelRefused: transformers knows no such family, or its class refuses the numbers.
    """
    plain = configuration.clean(configuration.read_json(weights_header.inside(folder, "config.json")))
    for name in ("architectures", "transformers_version", "dtype", "torch_dtype"):
        plain.pop(name, None)
    family, _ = configuration.family_of(plain)
    if plain.pop("model_type") != family:
        plain = plain.get("vision_config", plain)
    if family not in CONFIG_MAPPING:
        raise ModelRefused("unknown_family", family=family[:60], version=transformers.__version__)
    try:
        made = CONFIG_MAPPING[family](**{name: value for name, value in plain.items() if name != "model_type"})
    except Exception as error:  # whatever a class of configurations makes of a stranger's values
        raise ModelRefused("broken", what=f"config.json: {type(error).__name__}") from error
    made._attn_implementation = implementation
    return made


def read_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of `tokenizer.json` alone: of no class that the folder names.

    Raises:
        ModelRefused: there is none, or it cannot be read.
    """
    if not (folder / TOKENIZER).exists():
        raise ModelRefused("marian_pieces" if (folder / "source.spm").is_file() else "no_tokenizer")
    file = weights_header.inside(folder, TOKENIZER)
    if file.stat().st_size > _MOST_TOKENIZER:
        raise ModelRefused("number", name=TOKENIZER, value=file.stat().st_size, least=0, limit=_MOST_TOKENIZER)
    settings = {}
    if (folder / "tokenizer_config.json").exists():
        settings = configuration.read_json(weights_header.inside(folder, "tokenizer_config.json"))
    named = {name: _content(settings.get(name)) for name in _SPECIAL}
    try:
        return PreTrainedTokenizerFast(
            tokenizer_file=str(file),
            clean_up_tokenization_spaces=False,
            **{name: value for name, value in named.items() if value},
        )
    except Exception as error:  # the reader of tokenizers raises bare exceptions
        raise ModelRefused("broken", what=f"{TOKENIZER} is no tokenizer") from error


def _content(token: Any) -> str | None:
    token = token.get("content") if isinstance(token, dict) else token
    return token if isinstance(token, str) and len(token) < 200 else None


def _model(folder: Path, found: ModelCard, implementation: str) -> tuple[Any, bool]:
    """Return the model, and whether it predicts.

    transformers fills what a folder lacks with random numbers and only logs it: what is missing refuses the model or,
    where it is the prediction head, opens the model without one.

    Raises:
        ModelRefused: the weights are not those of the configuration.
    """
    made = read_configuration(folder, implementation)
    missing: set[str] = set()
    for mapping in (_HEADS.get(found.kind, modeling_auto.MODEL_MAPPING), modeling_auto.MODEL_MAPPING):
        kind = mapping.get(type(made), None)
        kind = kind[0] if isinstance(kind, tuple) else kind
        if kind is None:
            continue
        _check_size(kind, made, found)
        try:
            model, told = kind.from_pretrained(
                folder,
                config=made,
                use_safetensors=True,
                local_files_only=True,
                dtype=torch.float32,
                attn_implementation=implementation,
                output_loading_info=True,
            )
        except (RuntimeError, ValueError, OSError, TypeError, KeyError) as error:
            if "memory" in str(error) or "mmap" in str(error):
                raise MemoryError from error
            raise ModelRefused("broken", what=f"its weights do not fit: {type(error).__name__}") from error
        missing = {key for key in told["missing_keys"] if "pooler." not in key}
        if not missing and not told.get("mismatched_keys"):
            return model.eval().requires_grad_(False), model.get_output_embeddings() is not None
    if missing:
        raise ModelRefused("missing", count=len(missing), what=min(missing)[:80])
    raise ModelRefused("unknown_family", family=found.family, version=transformers.__version__)


def _check_size(kind: Any, made: Any, found: ModelCard) -> None:
    """Refuse a configuration that asks for more numbers than the folder holds, before any memory is taken."""
    try:
        with torch.device("meta"):
            model = kind(made)
    except Exception as error:  # whatever the constructor makes of the numbers
        if error.args == (capture.NAME,):
            raise _OwnTable from error
        raise ModelRefused("broken", what=f"config.json: {type(error).__name__}") from error
    asked = sum(each.numel() for each in model.parameters())
    limit = int(1.1 * found.counted + 2 * found.vocabulary * found.width)
    if asked > limit:
        raise ModelRefused("number", name="parameters", value=asked, least=0, limit=limit)
