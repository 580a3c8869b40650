"""Whatever Git makes of line ends, a checkout has the bytes that were committed, and every checkpoint opens."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.checkpoints import store
from explorer.checkpoints.manifest import CheckpointDamaged
from explorer.ui.messages import checkpoints
from tests.conftest import ROOT

Git = Callable[..., str]
#: Settings with which Git for Windows is installed.
WINDOWS = ("-c", "core.autocrlf=true")


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Git:
    """Run Git on a repository that holds the working tree as its second commit, and borrows what is committed here.

    The first commit is the same without `.gitattributes`.
    """
    folder = tmp_path_factory.mktemp("origin")
    nobody = {f"GIT_{who}_{what}": "nobody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    usual = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    unset = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def run(*words: str, of: Path = folder, **environment: str) -> str:
        told = subprocess.run(
            ["git", *words], cwd=of, env={**usual, **nobody, **unset, **environment}, capture_output=True, text=True
        )
        assert told.returncode == 0, told.stderr
        return told.stdout

    safe = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    asked = ("--git-path", "objects", "--git-path", "index")
    objects, index = run("rev-parse", "--path-format=absolute", *asked, of=ROOT, **safe).splitlines()
    run("init", "-q", "-b", "main")
    (folder / ".git" / "objects" / "info" / "alternates").write_text(f"{objects}\n")
    shutil.copy(index, folder / ".git" / "index")  # what has not changed since is not read again
    here = {"GIT_DIR": str(folder / ".git"), "GIT_WORK_TREE": str(ROOT)}
    run("add", "-A", of=ROOT, **here)
    run("rm", "-q", "--cached", ".gitattributes", of=ROOT, **here)
    run("commit", "-q", "-m", "without", of=ROOT, **here)
    run("add", ".gitattributes", of=ROOT, **here)
    run("commit", "-q", "-m", "with", of=ROOT, **here)
    return run


def test_a_checkout_with_windows_line_ends_has_every_byte_and_opens_every_checkpoint(git: Git, tmp_path: Path) -> None:
    there = tmp_path / "there"
    git("clone", "-q", "--shared", *WINDOWS, ".", str(there))
    files = git("ls-files", "-z", of=there).rstrip("\0").split("\0")
    assert ".gitattributes" in files
    assert [name for name in files if (there / name).read_bytes() != (ROOT / name).read_bytes()] == []
    for name in store.list_bundled():
        store.load(there / "checkpoints" / name)


def test_what_a_page_advises_mends_an_older_checkout(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git rewrites no file that is as it once wrote it: what was rewritten before the rules came must go first."""
    there, name = tmp_path / "there", "gpt-repeats"
    git("clone", "-q", "--shared", "--no-checkout", *WINDOWS, ".", str(there))
    git("checkout", "-q", "main~1", of=there)
    damaged = there / "checkpoints" / name
    with pytest.raises(CheckpointDamaged):
        store.load(damaged)
    git("checkout", "-q", "main", of=there)
    advice = checkpoints._way_back([f"checkpoints/{name}"])
    assert "delete what is left of it" in advice
    shutil.rmtree(damaged)
    git(*re.findall("`git (checkout [^`]*)`", advice)[0].split(), of=there)
    store.load(damaged)
