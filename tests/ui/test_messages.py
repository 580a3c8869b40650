"""Messages: nothing typed is obeyed, no path of the server is said, and nobody draws one past them."""

import ast
from pathlib import Path

import pytest

from explorer.checkpoints import manifest, store
from explorer.checkpoints.manifest import CheckpointError, read_manifest
from explorer.ui.messages import Markdown, plain
from explorer.ui.messages.plain import JOINER
from tests.conftest import ROOT

EVERY_KIND = (CheckpointError, *CheckpointError.__subclasses__())


@pytest.mark.parametrize(
    "text", ["$x$ *b* [l](u) `c` :red[x] <b> # h", "~~no~~ 1. a_b_c | t ^ \\", "&lt;b&gt; &copy; &#36;x&#36;", "# h"]
)
def test_plain_text_keeps_its_letters_and_loses_its_power(text: str) -> None:
    made = plain(text)
    assert made.replace("\\", "").replace(JOINER, "") == text.replace("\\", "")
    assert all(made[position - 1] == "\\" for position, mark in enumerate(made) if mark in "$*[]`<>~_|&")
    assert plain(made) is made
    assert plain(Markdown("**ours**")) == "**ours**"


def test_only_messages_draw_boxes_and_only_uploads_take_files() -> None:
    """`st.exception` would show a path; `st.success` says that something went well."""
    owners = dict.fromkeys(("info", "warning", "error", "exception", "toast"), "explorer/ui/messages/place.py")
    owners["file_uploader"] = "explorer/ui/uploads.py"
    found = {
        (path.relative_to(ROOT).as_posix(), node.attr)
        for path in (ROOT / "explorer").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf8")))
        if isinstance(node, ast.Attribute) and node.attr in owners
        if isinstance(node.value, ast.Name) and node.value.id == "st"
    }
    assert found == {(owner, name) for name, owner in owners.items() if name not in ("exception", "toast")}


@pytest.mark.parametrize("kind", EVERY_KIND, ids=[kind.__name__ for kind in EVERY_KIND])
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("none: [Errno 2] No such file: '/srv/my app/x/history.csv'", "none: [Errno 2] No such file: 'history.csv'"),
        ('[Errno 21] Is a directory: "/srv/x/manifest.json"', '[Errno 21] Is a directory: "manifest.json"'),
        ("cannot read /srv/x/model.safetensors (7 bytes)", "cannot read model.safetensors (7 bytes)"),
        ("C:\\Users\\me\\x.csv is gone", "x.csv is gone"),
        ("checkpoints/a/history.csv is missing: run `git lfs pull`", None),
        ("see https://example.org/a/b", None),
    ],
)  # fmt: skip
def test_no_kind_of_error_says_where_the_server_keeps_its_files(
    kind: type[CheckpointError], said: str, shown: str | None
) -> None:
    assert str(kind(said)) == (said if shown is None else shown)


def test_an_error_knows_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "BUNDLED", tmp_path)
    for read in (read_manifest, store.load):
        with pytest.raises(CheckpointError) as gone:
            read(tmp_path / "translator")
        assert gone.value.checkpoint == "translator"
        with pytest.raises(CheckpointError) as gone:
            read(tmp_path / "private" / "uploaded")
        assert gone.value.checkpoint == str(tmp_path / "private" / "uploaded")
