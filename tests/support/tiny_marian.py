"""A tiny random Marian translator, saved by `transformers` as an ordinary folder."""

import io
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

SENTENCES = [
    "My sister wants to live in a big white house.",
    "The cat saw the dog, and the dog saw the cat.",
    "She isn't here; he bought 3 books in 2016!",
    "Meine Schwester möchte in einem großen weißen Haus wohnen.",
    "Die Katze sah den Hund, und der Hund sah die Katze.",
    "Sie ist nicht hier; er hat 2016 drei Bücher gekauft!",
    "我的妹妹想住在一个白色的大房子里。",
]
NUMBERS = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 64,
    "scale_embedding": True, "activation_function": "swish", "dropout": 0.0, "eos_token_id": 0,
    "forced_eos_token_id": None,
}  # fmt: skip


def save(folder: Path, tags: Sequence[str] = (), *, languages: tuple[str, str] = ("en", "de"), **numbers: Any) -> Path:
    """Write a random model with its tokenizer and a README.

    Args:
        tags: codes of languages of which one begins a source.
        languages: that are read and written.
        numbers: of the configuration, other than those of `NUMBERS`.
    """
    from transformers import MarianConfig, MarianMTModel

    folder.mkdir(parents=True, exist_ok=True)
    pad = _save_tokenizer(folder, tags, languages)
    torch.manual_seed(1)
    ids = {"vocab_size": pad + 1, "pad_token_id": pad, "decoder_start_token_id": pad}
    model = MarianMTModel(MarianConfig(**{**NUMBERS, **ids, **numbers})).eval()
    for parameter in model.parameters():  # random, and large enough that heads and steps differ
        if parameter.ndim > 1 and parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.25)
        elif parameter.requires_grad:
            torch.nn.init.normal_(parameter, mean=float(parameter.detach().mean().round()), std=0.1)
    with torch.no_grad():
        bias = model.final_logits_bias.normal_(std=0.5)[0]
        bias[pad], bias[0] = -100, 3.5  # `<pad>`, which Marian itself has not, has no share; some sentences end
    model.generation_config.bad_words_ids = [[pad]]
    model.save_pretrained(folder)
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\n# A translator\n", encoding="utf8")
    return folder


def opened(folder: Path) -> tuple[Any, Any]:
    """Model and tokenizer as `transformers` opens them."""
    from transformers import MarianMTModel, MarianTokenizer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends sacremoses
        tokenizer = MarianTokenizer.from_pretrained(folder, local_files_only=True)
    return MarianMTModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32).eval(), tokenizer


def _save_tokenizer(folder: Path, tags: Sequence[str], languages: tuple[str, str]) -> int:
    """Write both models of SentencePiece and the vocabulary; return the id of `<pad>`, the last."""
    import sentencepiece

    found: dict[str, None] = {}
    for name, part in (("source", SENTENCES[:3]), ("target", SENTENCES[3:])):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(part * 20), model_writer=model, vocab_size=90, character_coverage=1.0,
            hard_vocab_limit=False, bos_id=-1, eos_id=0, unk_id=1, minloglevel=2,
        )  # fmt: skip
        (folder / f"{name}.spm").write_bytes(model.getvalue())
        made = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        found |= dict.fromkeys(made.id_to_piece(token) for token in range(2, made.get_piece_size()))
    pieces = ["</s>", "<unk>", *(f">>{tag}<<" for tag in tags), *found, "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({piece: token for token, piece in enumerate(pieces)}), "utf8")
    said = {"source_lang": languages[0], "target_lang": languages[1], "tokenizer_class": "MarianTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(said), "utf8")
    return len(pieces) - 1
