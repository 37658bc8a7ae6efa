"""Ignore files: the same answers as git's, and no pattern that costs more than it should."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from inkwright.manuscript import ignoring, walk

FILES = (
    "第一章.md",
    "草稿/甲.md",
    "草稿/留.md",
    "卷一/第1章.md",
    "卷一/废稿.md",
    "卷一/草稿/乙.md",
    "notes/a.md",
    "notes/deep/b.md",
    "notes/deep/keep.md",
    "a[1].md",
    "a1.md",
    "b c.md",
    "#x.md",
    "!y.md",
    "x/y/z.md",
    "x/z.md",
    "x.old.md",
    "é.md",
)
CASES = {
    "a name anywhere": {".gitignore": "草稿\n"},
    "only a folder": {".gitignore": "第一章.md/\n草稿/\n"},
    "anchored": {".gitignore": "/草稿\n/z.md\n"},
    "with a slash in it": {".gitignore": "x/z.md\nnotes/deep/\n"},
    "a negated one": {".gitignore": "*.md\n!第*.md\n"},
    "negated in a folder that is out": {".gitignore": "notes/\n!notes/deep/keep.md\n"},
    "what is in a folder": {".gitignore": "草稿/*\n!草稿/留.md\n"},
    "nested": {".gitignore": "*稿.md\n", "卷一/.gitignore": "!废稿.md\n/第?章.md\n"},
    "two stars": {".gitignore": "**/deep/**\nx/**/z.md\n"},
    "classes": {".gitignore": "a[0-9].md\n[!a-z#]*.md\n"},
    "escapes": {".gitignore": "\\#x.md\n\\!y.md\na\\[1\\].md\n"},
    "comments, blanks, spaces, CRLF, BOM": {".gitignore": "\ufeff# 草稿\r\n\r\nb c.md  \r\n#x.md\r\n"},
    "composed or not": {".gitignore": "é.md\n"},
    "a broken class": {".gitignore": "a[\n*.old.md\n"},
}


def git(root: Path, *args: str) -> str:
    done = subprocess.run(
        ["git", "-c", "core.quotepath=off", *args], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", CASES)
def test_as_git_does(tmp_path: Path, name: str) -> None:
    """Each case leaves the same files that git would add."""
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("x")
    for file, text in CASES[name].items():
        (tmp_path / file).write_text(text, encoding="utf-8", newline="")
    git(tmp_path, "init", "-q")
    listed = git(tmp_path, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    found = walk.scan(tmp_path)
    assert sorted(found.files) == sorted(file for file in listed if file.endswith(".md"))
    for file in FILES:
        assert found.bounds.outside(file) == (file not in found.files)


def test_the_later_name_goes_before_the_earlier(tmp_path: Path) -> None:
    """What version control leaves out can be taken in for the book alone, and the other way round."""
    for file in ("正文/1.md", "笔记/2.md", "3.md"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("x")
    (tmp_path / ".gitignore").write_text("/正文/\n")
    (tmp_path / ".ignore").write_text("笔记\n")
    assert sorted(walk.scan(tmp_path).files) == ["3.md"]
    (tmp_path / ".inkwrightignore").write_text("!/正文/\n3.md\n")
    assert sorted(walk.scan(tmp_path).files) == ["正文/1.md"]


def test_everything_ignored_is_said(tmp_path: Path) -> None:
    """An empty book that is empty by an ignore file says so; one that has no file says nothing."""
    assert walk.scan(tmp_path).problems == []
    (tmp_path / "1.md").write_text("x")
    (tmp_path / ".gitignore").write_text("*\n")
    assert [problem.code for problem in walk.scan(tmp_path).problems] == ["folder_ignored"]


def test_a_pattern_that_would_be_slow() -> None:
    """Many stars and a long name that nearly fits cost next to nothing."""
    began = time.process_time()
    for line in ("*a" * 60 + "*b", "**/" * 60 + "b", "a?*" * 60 + "b", "/".join(["**", "a"] * 40)):
        (rule,) = ignoring.rules(line)
        assert not rule.matches(["a" * 250] * 60)
        assert not rule.matches(["a"] * 39 + ["c"])
    assert time.process_time() - began < 20


def test_no_more_than_can_be_meant() -> None:
    """A file of a million lines gives as many rules as are taken."""
    assert len(ignoring.rules("a\n" * 100_000)) == ignoring.MAX_RULES
