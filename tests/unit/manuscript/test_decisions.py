"""`decisions.jsonl`: added at the end, taken out whole, everything else as it was."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from inkwright.domain.errors import InkwrightError
from inkwright.manuscript import decisions


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INKWRIGHT_DATA_DIR", str(tmp_path / "data"))
    folder = tmp_path / "book"
    folder.mkdir()
    return folder


def test_a_book_without_a_home_stays_as_it_is(root: Path) -> None:
    """The decision stands in the user's own folder, and nothing beside the chapters."""
    decisions.add(root, ['{"a": 1}'])
    assert list(root.iterdir()) == []
    assert '{"a": 1}' in decisions.lines(root)
    (root / ".inkwright").mkdir()
    assert '{"a": 1}' in decisions.lines(root)
    decisions.add(root, ['{"a": 1}', '{"b": 2}'])
    assert (root / ".inkwright/decisions.jsonl").read_text("utf-8") == '{"b": 2}\n'


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_other_lines_stay_to_the_byte(root: Path, eol: str) -> None:
    """Broken lines, marks of a merge, bytes that are no text, a missing end of line: none is touched."""
    file = root / ".inkwright/decisions.jsonl"
    file.parent.mkdir()
    before = f'{{"a": 1}}{eol}<<<<<<< x{eol}'.encode() + b"\xff\xfe" + f'{eol}{{"c": "\u2028"}}'.encode()
    file.write_bytes(before)
    decisions.add(root, ['{"b": 2}'])
    assert file.read_bytes() == before + b'\n{"b": 2}\n'
    assert decisions.remove(root, {'{"a": 1}'}) == 1
    assert file.read_bytes() == (before + b'\n{"b": 2}\n').removeprefix(f'{{"a": 1}}{eol}'.encode())
    assert decisions.remove(root, {"none"}) == 0


def test_two_windows_lose_nothing(root: Path) -> None:
    """What one adds while the other takes out stands there afterwards."""
    (root / ".inkwright").mkdir()
    decisions.add(root, [f'{{"x": {n}}}' for n in range(60)])
    with ThreadPoolExecutor(2) as both:
        out = both.submit(lambda: [decisions.remove(root, {f'{{"x": {n}}}'}) for n in range(60)])
        into = both.submit(lambda: [decisions.add(root, [f'{{"y": {n}}}']) for n in range(60)])
        assert out.result() == [1] * 60
        into.result()
    assert [line for line in decisions.lines(root) if line] == [f'{{"y": {n}}}' for n in range(60)]


def test_a_change_is_seen(root: Path) -> None:
    """By a pull, another editor, or ourselves."""
    before = decisions.stamp(root)
    decisions.add(root, ["{}"])
    assert decisions.stamp(root) != before


def test_a_folder_by_its_name_is_told(root: Path) -> None:
    """It is no file of lines, and nothing is lost over it."""
    (root / ".inkwright/decisions.jsonl").mkdir(parents=True)
    with pytest.raises(InkwrightError) as caught:
        decisions.lines(root)
    assert caught.value.fault.code == "decisions_unreadable"


def test_a_file_that_is_too_large_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is its size, and nothing is added to it."""
    decisions.add(root, ['{"a": 1}'])
    monkeypatch.setattr(decisions, "MAX_SIZE", 5)
    with pytest.raises(InkwrightError) as caught:
        decisions.add(root, ["{}"])
    assert caught.value.fault.code == "decisions_too_large"


@pytest.mark.parametrize("linked", [".inkwright", ".inkwright/decisions.jsonl"])
def test_nothing_is_written_through_a_link_out_of_the_book(root: Path, tmp_path: Path, linked: str) -> None:
    """A book from the internet may bring one to a file that a shell runs."""
    outside = tmp_path / "outside"
    outside.mkdir()
    file = outside / "decisions.jsonl"
    file.write_text('{"a": 1}\n', "utf-8")
    link = root / linked
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside if linked == ".inkwright" else file)
    for change in (lambda: decisions.add(root, ['{"b": 2}']), lambda: decisions.remove(root, {'{"a": 1}'})):
        with pytest.raises(InkwrightError) as caught:
            change()
        assert caught.value.fault.code == "link_outside"
    assert file.read_text("utf-8") == '{"a": 1}\n'
