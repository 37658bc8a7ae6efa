"""Code kept between two starts: believed only when it is ours and whole."""

from __future__ import annotations

import linecache
import os
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
