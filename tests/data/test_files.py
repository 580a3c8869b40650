"""What is brought is read strictly, and folders of killed servers are taken away."""

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from explorer.data.files import read_utf8, read_vocabulary, temporary_folder, write_vocabulary


@pytest.mark.parametrize("content", ["\ufeffé\n猫\n", "é\r\n猫\r\n", "é\r猫\r"])
def test_a_file_reads_alike_zipped_or_not_whatever_ends_its_lines(tmp_path: Path, content: str) -> None:
    plain, zipped = tmp_path / "a.txt", tmp_path / "a.txt.gz"
    plain.write_bytes(content.encode())
    zipped.write_bytes(gzip.compress(content.encode()))
    assert read_utf8(plain, ValueError) == read_utf8(zipped, ValueError) == "é\n猫\n"


def test_a_vocabulary_comes_back_and_a_huge_one_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    write_vocabulary(file, {"characters": "é猫"})
    assert read_vocabulary(file) == {"characters": "é猫"}
    file.write_bytes(b" " * 1_000_001)
    with pytest.raises(ValueError, match="more than 1,000,000 bytes"):
        read_vocabulary(file)


def test_folders_of_dead_processes_are_taken_away_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = (f"ours-{ended.pid}-abc", f"ours-{os.getppid()}-abc", f"theirs-{ended.pid}-abc", "ours-abc", "ours-")
    for name in names:
        (tmp_path / name / "weights").mkdir(parents=True)
    made = temporary_folder("ours-")
    assert made.name.startswith(f"ours-{os.getpid()}-")
    assert sorted(folder.name for folder in tmp_path.iterdir()) == sorted([*names[1:], made.name])
