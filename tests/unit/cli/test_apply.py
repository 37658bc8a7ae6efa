"""`--apply` and `--apply-all`: what is written, and what is said when it cannot be."""

from __future__ import annotations

import errno
import json

import pytest

from inkwright.domain.errors import StorageError
from inkwright.store.proposals import Proposals


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_disk_that_is_full_costs_neither_the_file_nor_the_answer(
    call, book, chapter, monkeypatch, more
) -> None:
    """The file is as it was, nothing lies beside it; the answer that was paid for is printed; exit 3."""

    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", fsync)
    path = book / "第001章.md"
    before = sorted(book.iterdir())
    status, out, err = call("run", "polish", path, "--apply-all", *more)
    assert status == 3
    assert path.read_text("utf-8") == chapter
    assert sorted(book.iterdir()) == before
    assert "No space left" in err
    if more:
        value = json.loads(out)
        assert (value["status"], value["error"]["code"]) == ("completed", "file_unwritable")
        assert value["proposal"]["hunks"]
        assert "applied" not in value
    else:
        assert "一旦天黑" in out


def test_a_file_that_was_written_is_said_to_be(call, book, monkeypatch) -> None:
    """Though the decision cannot be noted: applied, with a notice, and no talk of running it again."""

    async def decide(*_: object) -> None:
        raise StorageError("store_full", path="x")

    monkeypatch.setattr(Proposals, "decide", decide)
    path = book / "第001章.md"
    status, out, err = call("run", "polish", path, "--apply-all", "--json")
    value = json.loads(out)
    assert (status, value["error"]) == (0, None)
    assert path.read_text("utf-8") == value["proposal"]["text"]
    assert value["applied"]["applied"] == [h["index"] for h in value["proposal"]["hunks"]]
    assert err.count("inkwright: ") == 1


def test_a_proposal_without_a_sure_hunk_leaves_the_file_alone(call, book, monkeypatch) -> None:
    """`--apply` with nothing to apply writes not even the same bytes."""
    from inkwright.proposals.decide import Decision

    path = book / "第001章.md"

    def nothing(proposal, text, hunks):
        return Decision((), (), (), (), proposal)

    monkeypatch.setattr("inkwright.proposals.decide.accept", nothing)
    before = path.stat()
    assert call("run", "polish", path, "--apply", "--json")[0] == 0
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_what_is_held_back_says_why(call, book) -> None:
    """Its line and its doubts after the diff, and how many; also which ones `--apply` left out; none when all went in."""
    path = book / "第001章.md"
    path.write_text("# 渡口\n\n一但天黑，船就走。\n\n“一但天黑，就没有船了。”她说。\n", "utf-8")
    _, out, err = call("run", "polish", path)
    assert "第 5 行" in err
    assert "“一但天黑，就没有船了。” → “一旦天黑，就没有船了。”" in err
    assert "第 3 行" not in err
    assert "留待决定的：1 处" in err
    assert "留待决定" not in out
    _, _, err = call("run", "polish", path, "--apply")
    assert "第 5 行" in err
    assert "“一但天黑" in path.read_text("utf-8")
    _, _, err = call("run", "polish", path, "--apply-all")
    assert "留待决定" not in err
