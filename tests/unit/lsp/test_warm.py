"""Code kept between two starts: believed only when it is ours and whole."""

from __future__ import annotations

import dataclasses
import linecache
import os
import re
from pathlib import Path

import attr._make
import attrs
import pytest

from inkwright.lsp.warm import Compiled, kept_file


def make() -> type:
    """A class that attrs generates code for, named as in a fresh process."""
    linecache.clearcache()
    return attrs.make_class("Made", ["x", "y"])


def works() -> bool:
    made = make()
    return made(1, 2) == made(1, 2) and repr(made(1, 2)) == "Made(x=1, y=2)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "start" / "x.code"


def start(file: Path | None) -> Compiled:
    compiled = Compiled(file)
    compiled.install()
    try:
        assert works()
    finally:
        compiled.restore()
    compiled.save()
    return compiled


def test_the_second_start_compiles_nothing(file, monkeypatch):
    """What one start compiled the next one takes, and the classes work the same."""
    start(file)
    assert file.is_file()
    written = file.stat().st_mtime_ns
    again = Compiled(file)
    again.install()
    try:
        monkeypatch.setattr("builtins.compile", None)
        assert works()
    finally:
        monkeypatch.undo()
        again.restore()
    again.save()
    assert file.stat().st_mtime_ns == written
    assert not hasattr(attr._make, "compile")


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 4000])
def test_a_damaged_file_is_not_run(file, damage):
    """A file whose checksum fails counts as none and is written anew."""
    start(file)
    whole = file.read_bytes()
    file.write_bytes(damage or whole[:-1])
    start(file)
    assert file.stat().st_size == len(whole)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_what_others_can_write_is_not_believed(file):
    """A file or folder that others may write to is neither read nor written."""
    start(file)
    file.parent.chmod(0o777)
    compiled = start(file)
    assert compiled._new
    file.parent.chmod(0o700)
    file.chmod(0o666)
    assert start(file)._new


def test_a_disk_that_cannot_be_written(tmp_path):
    """Nothing to keep it in: the start works all the same."""
    (tmp_path / "file").write_text("")
    start(tmp_path / "file" / "x.code")
    start(None)


def test_where_it_is_kept(tmp_path):
    """In the user's cache folder; nowhere when there is none or it is no absolute path."""
    assert kept_file({"XDG_CACHE_HOME": str(tmp_path), "HOME": "/h", "LOCALAPPDATA": str(tmp_path)})
    assert kept_file({}) is None
    assert kept_file({"XDG_CACHE_HOME": "x", "LOCALAPPDATA": "x", "HOME": "x"}) is None


def test_expressions_and_dataclasses_come_out_the_same(file):
    """A kept expression matches, names its groups and shows its flags as one that was just compiled."""
    cases = [
        (r"(?P<n>[一-龥]+)|(\d)(?:x|y)*?", 0),
        (r"(?i)a.b", re.DOTALL),
        (rb"[^\x80-\xff]+", 0),
        ("é", re.I),
    ]
    told = []
    for _ in range(2):
        compiled = Compiled(file)
        compiled.install()
        try:
            re.purge()
            made = [re.compile(pattern, flags) for pattern, flags in cases]
            point = dataclasses.make_dataclass("Point", ["x", ("y", int, 2)], frozen=True)
        finally:
            compiled.restore()
        compiled.save()
        told.append(compiled._new)
        re.purge()
        for kept, (pattern, flags) in zip(made, cases, strict=True):
            fresh = re.compile(pattern, flags)
            assert (kept.flags, kept.groups, dict(kept.groupindex)) == (
                fresh.flags,
                fresh.groups,
                dict(fresh.groupindex),
            )
            text = "一二3xyA\nb é" if isinstance(pattern, str) else b"ab\x80c"
            assert [m.span() for m in kept.finditer(text)] == [m.span() for m in fresh.finditer(text)]
        assert point(1) == point(1, 2)
        assert repr(point(1)) == "Point(x=1, y=2)"
    assert told == [True, False]
    assert "exec" not in vars(dataclasses)


def test_a_bad_expression_is_refused_as_ever(file):
    """The error is the library's own."""
    compiled = Compiled(file)
    compiled.install()
    try:
        with pytest.raises(re.error):
            re.compile("(未闭合")
    finally:
        compiled.restore()
