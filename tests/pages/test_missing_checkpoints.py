"""Any checkpoint may be missing, damaged or half written: the pages that use it say so, and go on."""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer import scenes
from explorer.checkpoints.manifest import CheckpointError
from explorer.checkpoints.store import (
    BUNDLED,
    NORMS,
    NOTES,
    SHIPPED,
    SMALL_COUPLETS,
    list_bundled,
    read_bundled_manifests,
)
from explorer.inference.translator.request import CHECKPOINT
from explorer.scenes.spec import Lesson
from explorer.service.kept import list_kept
from explorer.training.lab import reference_runs
from explorer.ui import catalogue
from explorer.ui.scene import exercises
from tests.pages.test_every_page import healthy
from tests.pages.test_scenes import press
from tests.pages.test_work_sheets import made
from tests.support.pages import OpenPage, said

MASKS = "pages/04_masked_softmax.py"
HOME, RECURRENT, HEADS = "app.py", "pages/05_seq2seq_attention.py", "pages/06_multi_head.py"
POSITIONS, TRANSLATOR, LAB = "pages/07_positional_encoding.py", "pages/10_translator.py", "pages/11_training_lab.py"
WHOLE_PAGE = "pages/09_whole_transformer.py"
TEXT, VISION, EFFICIENT = "pages/12_text_generation.py", "pages/13_vision.py", "pages/14_efficient_attention.py"
#: Beside the weights: who shows it.
BESIDE = {
    "example.json": (HOME,),
    "lengths.csv": (RECURRENT,),
    "extrapolation.json": (POSITIONS,),
    "attention_variants.json": (EFFICIENT,),
}
#: Where a model is opened: the page, and what the link says to choose it.
Use = tuple[str, Mapping[str, str]]


def uses(name: str) -> list[Use]:
    """Every page that opens a checkpoint."""
    compared: dict[tuple[str, ...], Use] = {
        NORMS: (WHOLE_PAGE, {"scene": "norms", "wt_norm_shown": "line"}),
        NOTES: (RECURRENT, {"scene": "notes"}),
        SMALL_COUPLETS: (RECURRENT, {"scene": "couplets", "sa_who": "trained"}),
    }
    if use := next((use for names, use in compared.items() if name in names), None):
        return [use]
    family = next(family for family, names in SHIPPED.items() if name in names)
    found: list[Use] = {
        "translator": [(TRANSLATOR, {"tr_model": name})],
        "seq2seq": [(RECURRENT, {"sa_models": f"{name} {SHIPPED['seq2seq'][0]} {SHIPPED['seq2seq'][1]}"})],
        "couplet": [(RECURRENT, {"sa_task": "couplet"})],
        "gpt": [(TEXT, {"tg_model": name, "tg_length": "20"})],
        "masked": [(WHOLE_PAGE, {"scene": "families"})],
        "vit": [(VISION, {})],
        "cnn": [(VISION, {})],
    }[family]
    if name == CHECKPOINT:
        found += [(HEADS, {}), (POSITIONS, {"scene": "order"}), (EFFICIENT, {"ea_source": "encoder"})]
    if name.startswith("positions-"):
        found.append((POSITIONS, {"scene": "side_by_side"}))
    if name in {"translator-multi30k-en-fr", "translator-multi30k-de-en"}:
        found.append((MASKS, {"scene": "future" if name.endswith("de-en") else "padding"}))
    if name == "positions-rotary":
        found.append((EFFICIENT, {}))
    return found


Damage = Callable[[Path], None]


def gone(folder: Path) -> None:
    shutil.rmtree(folder)


def without(file: str, folder: Path) -> None:
    (folder / file).unlink(missing_ok=True)


def rewritten(file: str, change: Callable[[bytes], bytes], folder: Path) -> None:
    """Never through the link: that would be the project's own file."""
    path = folder / file
    if path.exists():
        content = change(path.read_bytes())
        path.unlink()
        path.write_bytes(content)


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(255 - byte for byte in content[middle : middle + 64]) + content[middle + 64 :]


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


#: Stages at which reading one can fail; every way to fail, `tests/checkpoints/test_store.py` tries.
WHOLE: dict[str, Damage] = {
    "gone": gone,
    "manifest half": partial(rewritten, "manifest.json", half),
    "weights flipped": partial(rewritten, "model.safetensors", flipped),
    "tokenizer half": partial(rewritten, "tokenizer.json", half),
}
#: What is done to a file beside the weights.
FILE: dict[str, Callable[[str], Damage]] = {
    "gone": lambda file: partial(without, file),
    "half": lambda file: partial(rewritten, file, half),
    "flipped": lambda file: partial(rewritten, file, flipped),
    "empty": lambda file: partial(rewritten, file, lambda _: b""),
    "another": lambda file: partial(rewritten, file, lambda _: b"[]"),
    "null": lambda file: partial(rewritten, file, lambda _: b"null"),
}


@pytest.fixture
def checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the folder, of links, that every part of the app takes for the real one; nothing is loaded yet."""
    forget()
    folder = tmp_path / "server" / "checkpoints"
    for name in list_bundled():
        (folder / name).mkdir(parents=True)
        for file in (BUNDLED / name).iterdir():
            (folder / name / file.name).symlink_to(file)
    for name, module in sys.modules.copy().items():
        if name.startswith("explorer.") and hasattr(module, "BUNDLED"):
            monkeypatch.setattr(module, "BUNDLED", folder)
    yield folder
    forget()
    for module in sys.modules.copy().values():  # first imported by a page since
        if getattr(module, "BUNDLED", None) == folder:
            module.BUNDLED = BUNDLED


def forget() -> None:
    """Whatever was computed with checkpoints: lessons and what lies below them keep nothing else."""
    list_kept().forget()
    for name, module in sys.modules.copy().items():
        if name.startswith(("explorer.lessons.", "explorer.inference.", "explorer.checkpoints.")):
            for each in list(vars(module).values()):  # the app may import beside this
                if hasattr(each, "cache_clear") and each.__name__ != "model_queue":  # which is a process
                    each.cache_clear()


def says(app: AppTest, folder: Path, *names: str) -> bool:
    """No traceback, every name, and nothing of where the server keeps its files."""
    assert healthy(app)
    text = "\n".join([said(app), *(each.value for each in app.text)]).replace("\\", "")
    assert not [name for name in names if f"checkpoints/{name}" not in text], text
    helps = "\n".join(str(each.help) for each in app.caption)
    for path in (str(folder.parent.parent), str(BUNDLED.parent)):
        assert path not in text + helps
    return "missing or damaged" in text


def test_every_checkpoint_of_the_project_is_known_to_be_expected() -> None:
    assert {name: manifest.family for name, manifest in read_bundled_manifests().items()} == {
        name: family for family, names in SHIPPED.items() for name in names
    }


@pytest.mark.parametrize("damage", WHOLE)
def test_all_damaged_alike(open_page: OpenPage, checkpoints: Path, damage: str) -> None:
    """Every page opens; whoever needs one says which."""
    for name in list_bundled():
        WHOLE[damage](checkpoints / name)
    for page, needed in {
        HEADS: ["translator-en-fr"],
        POSITIONS: ["translator-en-fr"],
        TRANSLATOR: ["translator-en-fr"],
        TEXT: ["gpt-shakespeare"],
        VISION: ["vit-cifar10", "cnn-cifar10"],
        EFFICIENT: ["positions-rotary"],
        RECURRENT: ["seq2seq-de-en-none", "seq2seq-de-en-additive"],
    }.items():
        assert says(open_page(page), checkpoints, *needed), page
    assert says(open_page(HOME), checkpoints) == (damage == "gone")
    assert healthy(open_page(LAB))


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=[lesson.stem for lesson in scenes.LESSONS])
def test_every_scene_can_be_used_without_models(open_page: OpenPage, checkpoints: Path, lesson: Lesson) -> None:
    """A preset or an answer that would need one says so."""
    for name in list_bundled():
        gone(checkpoints / name)
    for scene in lesson.scenes:
        page = partial(open_page, catalogue.page(lesson.stem).file, scene=scene.name)
        app = page()
        presets, answers = (
            [str(each.key) for each in app.button if str(each.key).startswith(f"{kind}_{scene.name}_")]
            for kind in ("try", "answer")
        )
        for key in (*presets, *answers[:1]):  # which answer it is makes but the verdict
            if key not in {each.key for each in app.button}:  # what was pressed before has left nothing to press
                app = page()
            press(app, key)
    with suppress(CheckpointError):
        exercises.values(lesson)
    assert all("</html>" in each for each in made(lesson.stem, "en"))


#: One of those that the same lines open.
OPENED_ALIKE = (
    "translator-en-fr",
    "translator-from-english",
    "translator-norm-pre",
    "masked-en",
    "seq2seq-de-en-none",
    "couplet-zh",
    "gpt-repeats",
    "positions-rotary",
    "vit-cifar10",
    "cnn-cifar10",
)
#: Every checkpoint goes once; what else may happen to one does not depend on its name.
ONE_DAMAGED = [(name, "gone") for name in list_bundled()] + [(name, "weights flipped") for name in OPENED_ALIKE]


@pytest.mark.parametrize(("name", "damage"), ONE_DAMAGED)
def test_one_damaged(open_page: OpenPage, checkpoints: Path, name: str, damage: str) -> None:
    """The pages that use it name it, and show what the others compute."""
    WHOLE[damage](checkpoints / name)
    for page, link in uses(name):
        assert says(open_page(page, **link), checkpoints, name), page


@pytest.mark.parametrize("damage", FILE)
@pytest.mark.parametrize("file", BESIDE)
def test_what_lies_beside_the_weights(open_page: OpenPage, checkpoints: Path, file: str, damage: str) -> None:
    holders = [name for path in checkpoints.glob(f"*/{file}") if (name := path.parent.name) not in NOTES]  # not in it
    assert holders
    for name in holders:
        FILE[damage](file)(checkpoints / name)
    for page in BESIDE[file]:
        link = {POSITIONS: {"scene": "beyond"}, RECURRENT: {"scene": "bottleneck"}}.get(page, {})
        assert says(open_page(page, **link), checkpoints, *holders), page


def folder_in_place(file: str, folder: Path) -> None:
    without(file, folder)
    (folder / file).mkdir()


@pytest.mark.parametrize("damage", [*FILE, "a folder"])
@pytest.mark.parametrize(("name", "scene"), [("seq2seq-de-en-notes-simple", "notes"), ("translator-norm-pre", "norms")])
def test_the_course_of_a_training(open_page: OpenPage, checkpoints: Path, name: str, scene: str, damage: str) -> None:
    change = FILE[damage]("history.csv") if damage in FILE else partial(folder_in_place, "history.csv")
    change(checkpoints / name)
    assert says(open_page(uses(name)[0][0], scene=scene), checkpoints, name)


#: Damages that a checkpoint may suffer while the app runs: each half of them suffers one of these.
RUNNING = (partial(rewritten, "manifest.json", half), partial(folder_in_place, "manifest.json"))


@pytest.mark.parametrize("lesson", scenes.LESSONS, ids=[lesson.stem for lesson in scenes.LESSONS])
def test_every_scene_can_be_used_after_its_models_were_damaged(
    open_page: OpenPage, checkpoints: Path, lesson: Lesson
) -> None:
    """All were opened before: what was computed is known, and what a preset asks for is not."""
    page = catalogue.page(lesson.stem).file
    for scene in lesson.scenes:
        open_page(page, scene=scene.name)
    for number, name in enumerate(list_bundled()):
        RUNNING[number % 2](checkpoints / name)
    told = []
    for scene in lesson.scenes:
        app = open_page(page, scene=scene.name)
        told.append(says(app, checkpoints))
        presets = [str(each.key) for each in app.button if str(each.key).startswith("try_")]
        told += [says(press(app, preset), checkpoints) for preset in presets[-1:]]
    assert any(told) == any(page == used for name in list_bundled() for used, _ in uses(name)), (
        "some preset needs one anew"
    )


@pytest.mark.parametrize("content", [None, b"", b"[]", b'[{"recipe": {}'])
def test_the_lab_without_its_measured_runs(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    file = tmp_path / "lab_measured.json"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(reference_runs, "FILE", file)
    reference_runs.read_runs.cache_clear()
    app = open_page(LAB)
    reference_runs.read_runs.cache_clear()
    assert healthy(app)
    assert "explorer/training/lab/reference_runs.json" in app.error[0].value.replace("\\", "")
    assert str(tmp_path) not in "".join([said(app), *(each.value for each in app.text)])


def test_back_again_without_a_restart(open_page: OpenPage, checkpoints: Path) -> None:
    whole = (checkpoints / "gpt-shakespeare" / "manifest.json").read_bytes()
    without("manifest.json", checkpoints / "gpt-shakespeare")
    assert says(open_page(TEXT, tg_length="20"), checkpoints, "gpt-shakespeare")
    (checkpoints / "gpt-shakespeare" / "manifest.json").write_bytes(whole)
    app = open_page(TEXT, tg_length="20")
    assert not says(app, checkpoints)
    assert app.selectbox(key="tg_model_shown").value == "gpt-shakespeare"
