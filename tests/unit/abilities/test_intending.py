"""The decisions of books in use: read once per state of their file, and what is wrong with it told once."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.abilities.intending import Intentions
from inkwright.manuscript import decisions


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / ".inkwright").mkdir()
    return tmp_path / ".inkwright" / "decisions.jsonl"


async def test_what_answers_is_put_together_once(tmp_path: Path, file: Path) -> None:
    """For all texts of the book, until the file is another."""
    file.write_text('{"kind": "intended", "code": "a", "text": "甲"}\n', "utf-8")
    ours = Intentions()
    decided = await ours.answering(tmp_path)
    assert await ours.answering(tmp_path) is decided
    file.write_text('{"kind": "intended", "code": "b", "text": "乙乙"}\n', "utf-8")
    assert (await ours.answering(tmp_path)).codes == {"b"}


async def test_what_is_wrong_is_told_once_per_state(tmp_path: Path, file: Path) -> None:
    """The first line of each kind; the same fault in a file that was mended in between is a new one."""
    ours = Intentions()
    assert ours.untold(tmp_path) == ()
    for broken in ("x\ny\n<<<<<<< HEAD\n", "x\n\n"):
        file.write_text(broken, "utf-8")
        await ours.answering(tmp_path)
        told = ours.untold(tmp_path)
        assert ("decisions_bad_line", {"line": 1}) in [(fault.code, dict(fault.params)) for fault in told]
        assert len(told) == len({fault.code for fault in told})
        await ours.answering(tmp_path)
        assert ours.untold(tmp_path) == ()
        file.write_text("", "utf-8")
        await ours.answering(tmp_path)
        assert ours.untold(tmp_path) == ()


def test_who_may_read_a_file_is_part_of_its_state(tmp_path: Path, file: Path) -> None:
    """One that could not be read is read again once its rights are mended."""
    file.write_text("{}\n", "utf-8")
    before, changed = decisions.stamp(tmp_path), file.stat().st_ctime_ns
    while file.stat().st_ctime_ns == changed:
        file.chmod(0o600)
    assert decisions.stamp(tmp_path) != before
