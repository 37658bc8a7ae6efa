"""The door for files from outside: what is no file with an end is refused, and nothing waits."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright import intake

SKIP = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")


@given(st.binary(max_size=3000))
def test_the_bytes_are_the_files(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whole, by text or path, up to the limit exactly; one byte less is too large."""
    file = tmp_path_factory.mktemp("in") / "文"
    file.write_bytes(data)
    assert intake.read(file, len(data)) == intake.read(str(file), 10_000) == data
    assert intake.head(file, 7) == data[:7]
    if data:
        with pytest.raises(intake.TooLargeError):
            intake.read(file, len(data) - 1)


@SKIP
@pytest.mark.parametrize("call", [lambda p: intake.read(p, 10), lambda p: intake.head(p, 10)])
def test_what_has_no_end_is_refused(tmp_path: Path, call) -> None:
    """A pipe nobody writes to, a socket, a device, a folder, links to them: at once, and each by its kind."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as held:
        held.bind(str(tmp_path / "socket"))
        for place in (tmp_path / "pipe", tmp_path / "link", tmp_path / "socket", Path("/dev/zero")):
            with pytest.raises(intake.NotRegularError):
                call(place)
    with pytest.raises(IsADirectoryError):
        call(tmp_path / "folder")
    with pytest.raises(FileNotFoundError):
        call(tmp_path / "none")


def test_links_only_where_they_are_wanted(tmp_path: Path) -> None:
    """`follow` False refuses one."""
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "b").symlink_to("a")
    assert intake.read(tmp_path / "b", 9) == b"x"
    with pytest.raises(OSError, match=r"regular|symbolic"):
        intake.read(tmp_path / "b", 9, follow=False)


def test_a_file_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there at the end is read, and one that never stops growing ends at the limit."""
    file = tmp_path / "a"
    file.write_bytes(b"x" * 10)
    real = os.read

    def growing(handle: int, size: int) -> bytes:
        data = real(handle, size)
        if file.stat().st_size < most:
            with file.open("ab") as more:
                more.write(b"y" * 10)
        return data

    monkeypatch.setattr(os, "read", growing)
    most = 30
    assert intake.taken(file, 100)[0] == b"x" * 10  # it was whole when it was opened
    most = 1 << 30
    seen = os.stat_result((*file.stat()[:6], 5, 0, 0, 0))
    monkeypatch.setattr(os, "fstat", lambda _handle: seen)
    with pytest.raises(intake.TooLargeError):
        intake.read(file, 1000)


@SKIP
def test_a_pipe_that_comes_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put there after the look and before the opening, it is refused all the same, without a wait."""
    file = tmp_path / "a"
    file.write_bytes(b"x")
    real = os.open

    def swapped(path: Path, flags: int) -> int:
        file.unlink()
        os.mkfifo(file)
        return real(path, flags)

    monkeypatch.setattr(os, "open", swapped)
    ended = threading.Event()

    def attempt() -> None:
        with pytest.raises(intake.NotRegularError):
            intake.read(file, 10)
        ended.set()

    threading.Thread(target=attempt, daemon=True).start()
    assert ended.wait(60)
