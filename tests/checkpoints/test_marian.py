"""A Marian translator of `transformers` becomes a folder of ours that computes the same, or is refused."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from explorer.checkpoints import __main__ as command
from explorer.checkpoints.manifest import (
    CheckpointDamaged,
    CheckpointError,
    CheckpointMissing,
    CheckpointUnsupported,
    read_manifest,
)
from explorer.checkpoints.marian import convert, names, peer
from explorer.checkpoints.store import Loaded, load
from explorer.inference.engine.kv_cache import KVCache
from explorer.inference.engine.prepared import prepare
from explorer.inference.search.decode import DecodingOptions, decode
from explorer.models.translator import Translator
from tests.support import tiny_marian

NAME = "org/opus-mt-en-de@0123"
#: Sources of random sub-words: a search of the same model must find the same, whatever it reads.
N_SOURCES = 24


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_marian.save(tmp_path_factory.mktemp("theirs") / "opus-mt-en-de")


@pytest.fixture(scope="module")
def ours(theirs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("ours") / "marian"
    convert.convert(theirs, into, name=NAME)
    return into


@pytest.fixture(scope="module")
def both(theirs: Path, ours: Path) -> tuple[Loaded, Any, Any]:
    return load(ours), *tiny_marian.opened(theirs)


@pytest.fixture
def copy(theirs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(theirs, tmp_path / "opus-mt-en-de"))


def sources(loaded: Loaded) -> list[list[int]]:
    drawn = random.Random(3)
    ends = loaded.tokenizer.eos_id
    words = range(2, loaded.tokenizer.vocab_size - 1)
    return [[*drawn.choices(words, k=drawn.randint(1, 12)), ends] for _ in range(N_SOURCES)]


def generated(model: Any, source: list[int], **how: Any) -> tuple[list[int], float]:
    """Tokens without the one that begins, up to the end, and the score."""
    ids = torch.tensor([source])
    found = model.generate(
        input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=20, length_penalty=0.0,
        return_dict_in_generate=True, output_scores=True, **how,
    )  # fmt: skip
    written = found.sequences[0, 1:].tolist()
    score = float(found.sequences_scores[0]) if how["num_beams"] > 1 else 0.0
    return written[: written.index(0) + 1] if 0 in written else written, score


def test_every_logit_is_that_of_transformers(both: tuple[Loaded, Any, Any]) -> None:
    loaded, model, _ = both
    assert isinstance(loaded.model, Translator)
    for source in sources(loaded):
        read = torch.tensor([[loaded.tokenizer.bos_id, *source[::-1]]])
        ids = torch.tensor([source])
        with torch.inference_mode():
            expected = model(input_ids=ids, attention_mask=torch.ones_like(ids), decoder_input_ids=read).logits
            assert (loaded.model(ids, read) - expected).abs().max() < 3e-5
    assert loaded.manifest.metrics[peer.METRIC] < 3e-5


@pytest.mark.parametrize("beam", [1, 4])
def test_a_search_finds_what_transformers_finds(both: tuple[Loaded, Any, Any], beam: int) -> None:
    loaded, model, _ = both
    prepared = prepare(loaded.model)  # type: ignore[arg-type]
    options = DecodingOptions(beam=beam, length_penalty=0.0, max_length=20)
    ended = 0
    for source in sources(loaded):
        assert isinstance(prepared.start(torch.tensor([source]), beam=beam, max_steps=4), KVCache)
        ((best, *_),) = decode(prepared, [source], options)
        written, score = generated(model, source, num_beams=beam, early_stopping=False)
        assert list(best.ids) == written
        assert beam == 1 or best.log_probability == pytest.approx(score, abs=1e-3)
        ended += best.finished
    assert 0 < ended < N_SOURCES, "some end, some are cut off"


def test_a_batch_of_sources_of_different_lengths_is_what_each_is_alone(both: tuple[Loaded, Any, Any]) -> None:
    loaded, _, _ = both
    prepared, options = prepare(loaded.model), DecodingOptions(beam=3, max_length=12)  # type: ignore[arg-type]
    together = decode(prepared, sources(loaded)[:6], options)
    for source, found in zip(sources(loaded), together, strict=False):
        assert found[0].ids == decode(prepared, [source], options)[0][0].ids


def test_sub_words_are_those_of_transformers(both: tuple[Loaded, Any, Any]) -> None:
    loaded, _, tokenizer = both
    for text in (*tiny_marian.SENTENCES, "Zoë’s 🎉 x²", " two  spaces ", "ﬁne ＡＢＣ", "a\u200bb"):
        ids = loaded.tokenizer.encode(text)
        assert [*ids, loaded.tokenizer.eos_id] == tokenizer(text).input_ids
        assert loaded.tokenizer.decode(ids) == tokenizer.decode(ids, skip_special_tokens=True)


def test_the_folder_says_what_it_was_made_of(ours: Path) -> None:
    manifest = read_manifest(ours)
    assert (manifest.family, manifest.licence, manifest.config["directions"]) == ("marian", "apache-2.0", "en-de")
    assert NAME in manifest.data
    assert manifest.probe.given == convert.PROBE


@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"config.json": None}, CheckpointMissing, "config.json is missing"),
        ({"source.spm": None}, CheckpointMissing, "source.spm is missing"),
        ({"vocab.json": None}, CheckpointMissing, "vocab.json is missing"),
        ({"model.safetensors": None}, CheckpointMissing, "model.safetensors is missing"),
        ({"config.json": b"{"}, CheckpointDamaged, "config.json is no JSON"),
        ({"config.json": b"[1]"}, CheckpointDamaged, "config.json holds no object"),
        ({"vocab.json": b"[" * 100_000}, CheckpointDamaged, "vocab.json is no JSON"),
        ({"vocab.json": b'{"</s>": 0, "<unk>": 1, "<pad>": 9}'}, CheckpointDamaged, "not 0 to 2"),
        ({"source.spm": b"rubbish"}, CheckpointDamaged, "SentencePiece"),
        ({"source.spm": b""}, CheckpointDamaged, "SentencePiece"),
        ({"model.safetensors": b"rubbish"}, CheckpointDamaged, "cannot be read"),
        ({"config.json": {"model_type": "bart"}}, CheckpointUnsupported, "model_type = 'bart'"),
        ({"config.json": {"scale_embedding": False}}, CheckpointUnsupported, "scale_embedding"),
        ({"config.json": {"decoder_ffn_dim": 64}}, CheckpointUnsupported, "differ"),
        ({"config.json": {"d_model": 10**12}}, CheckpointUnsupported, "d_model"),
        ({"config.json": {"activation_function": "tanh"}}, CheckpointUnsupported, "tanh"),
        ({"config.json": {"encoder_layers": 3}}, CheckpointDamaged, "do not fit"),
        ({"config.json": {"vocab_size": 90}}, CheckpointUnsupported, "not|vocab_size|pad_id"),
        ({"tokenizer_config.json": {"separate_vocabs": True}}, CheckpointUnsupported, "vocabulary for each"),
    ],
)
def test_what_cannot_be_converted_is_refused(
    copy: Path, tmp_path: Path, change: dict[str, Any], kind: type[CheckpointError], said: str
) -> None:
    for name, content in change.items():
        file = copy / name
        if content is None:
            file.unlink()
        elif isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(json.dumps({**json.loads(file.read_text("utf8")), **content}), "utf8")
    with pytest.raises(kind, match=said) as refusal:
        convert.convert(copy, tmp_path / "into", name=NAME)
    assert str(tmp_path) not in str(refusal.value)
    assert not (tmp_path / "into" / "manifest.json").exists()


def test_a_model_that_computes_otherwise_is_refused(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(names.ACTIVATIONS, "swish", "gelu")  # type: ignore[arg-type]
    with pytest.raises(CheckpointDamaged, match="computes other numbers"):
        convert.convert(copy, tmp_path / "into", name=NAME)


def test_without_transformers_it_is_not_compared(theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert peer.METRIC not in convert.convert(theirs, tmp_path / "into", name=NAME).metrics


def test_pickled_weights_are_read_as_weights_alone_and_only_if_asked(copy: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    class Runs:
        def __reduce__(self) -> Any:
            return exec, ("raise SystemExit('a stranger ran')",)

    weights = load_file(copy / "model.safetensors")
    (copy / "model.safetensors").unlink()
    torch.save(weights, copy / convert.PICKLED)
    with pytest.raises(CheckpointUnsupported, match="--allow-pickle"):
        convert.convert(copy, tmp_path / "into", name=NAME)
    convert.convert(copy, tmp_path / "into", name=NAME, allow_pickle=True)
    assert load(tmp_path / "into").manifest.family == "marian"
    torch.save({"model.shared.weight": Runs()}, copy / convert.PICKLED)
    with pytest.raises(CheckpointDamaged, match="weights alone"):
        convert.convert(copy, tmp_path / "again", name=NAME, allow_pickle=True)


def test_several_languages_are_named_by_their_tags(tmp_path: Path) -> None:
    theirs = tiny_marian.save(tmp_path / "theirs", ("cmn_Hans", "yue_Hant"), languages=("eng", "mul"))
    made = convert.convert(theirs, tmp_path / "into", name="org/opus-mt-en-mul")
    assert made.config["directions"] == "en-cmn_Hans en-yue_Hant"
    loaded = load(tmp_path / "into")
    assert set(loaded.tokenizer.tags) == {"<2cmn_Hans>", "<2yue_Hant>"}


@pytest.mark.parametrize(
    ("source", "target", "tags", "expected"),
    [
        ("en", "de", (), "en-de"),
        ("eng", "deu", (), "en-de"),
        ("", "", (), ""),
        ("", "de", (), "und-de"),
        ("en", "ROMANCE", ("fr", "pt_BR"), "en-fr en-pt_BR"),
        ("ROMANCE", "en", (), "mul-en"),
    ],
)
def test_directions_have_short_codes_and_tags_stay_as_they_are(
    source: str, target: str, tags: tuple[str, ...], expected: str
) -> None:
    assert names.directions(source, target, tags) == expected


def test_a_name_says_the_languages_where_the_folder_does_not() -> None:
    assert names.named_languages("Helsinki-NLP/opus-mt-tc-big-en-cat_oci_spa@12ab") == ("en", "cat_oci_spa")
    assert names.named_languages("anything") == ("", "")


def test_the_command_converts_a_folder(theirs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["convert", str(theirs), str(tmp_path / "into")]) == 0
    said = capsys.readouterr().out
    assert "directions: en-de" in said
    assert "licence: apache-2.0" in said
    assert command.main(["convert", str(theirs), str(tmp_path / "into")]) == 2
    assert "is there already" in capsys.readouterr().err
    assert command.main(["convert", str(tmp_path / "nowhere"), str(tmp_path / "other")]) == 2
    assert "config.json is missing" in capsys.readouterr().err
