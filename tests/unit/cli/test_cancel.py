"""Real processes that are stopped while a real server is talking to them."""

from __future__ import annotations

import json
import os
import signal

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_stopped_run_gives_its_result(talker, book, chapter, number) -> None:
    """Status cancelled, the text so far, exit 130; the model's side sees the close, the file is as it was."""
    path = book / "第001章.md"
    process = await talker.launch("run", "polish", path, "--apply-all", "--json")
    await talker.heard(process)
    process.send_signal(number)
    status, out, err = await talker.ended(process)
    await talker.left()
    result = json.loads(out)
    assert (status, result["status"], result["stopReason"]) == (130, "cancelled", "cancelled")
    assert (result["text"], result["proposal"], result["error"]) == ("林夏", None, None)
    assert result["usage"]["input"] > 0
    assert err == "\ninkwright: Cancelled.\n"
    assert path.read_text("utf-8") == chapter


async def test_a_killed_run_is_known_as_interrupted(talker, book) -> None:
    """kill -9 in the middle: the next look says so, and the book's data is sound."""
    process = await talker.launch("run", "polish", book / "第001章.md")
    await talker.heard(process)
    process.kill()
    assert (await talker.ended(process))[0] == -signal.SIGKILL
    _, out, err = await talker.run("runs", "list", book, "--json")
    (run,) = json.loads(out)["runs"]
    assert (run["status"], run["stopReason"], run["error"]["code"]) == (
        "interrupted",
        "interrupted",
        "run_interrupted",
    )
    assert "1" in err
    assert (await talker.run("doctor", book))[0] == 0
