"""Runs of the command line on a real server: each end has its status, and no key gets out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CANARY = "sk-canary-0123456789abcdef"


def response(status: str, body: str, kind: str = "application/json") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n\r\n{body}".encode()


WHOLE = [{"choices": [{"delta": {"content": "好。"}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
LENGTH = [{"choices": [{"delta": {"content": "半"}, "finish_reason": "length"}]}]


def events(chunks: list[dict[str, object]]) -> bytes:
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return response("200 OK", body + "data: [DONE]\n\n", "text/event-stream")


@pytest.mark.parametrize(
    ("answer", "status", "outcome", "reason", "kind"),
    [
        (events(WHOLE), 0, "completed", "finished", None),
        (events(LENGTH), 4, "partial", "length", None),
        ("cut", 4, "partial", "disconnected", "connection"),
        (response("200 OK", "<html>hello</html>", "text/html"), 3, "failed", "error", "malformed"),
        (
            response("401 Unauthorized", json.dumps({"error": {"message": CANARY}})),
            3,
            "failed",
            "error",
            "auth",
        ),
        (response("402 Payment Required", "{}"), 3, "failed", "error", "balance"),
        (b"", 3, "failed", "disconnected", "connection"),
    ],
)
async def test_each_end_has_its_status(talker, book, answer, status, outcome, reason, kind) -> None:
    """0, 3 or 4, the same in the object; one line on stderr says why; the text so far is kept."""
    talker.answer = talker.stream("半") if answer == "cut" else answer
    got, out, err = await talker.run("run", "analysis", book / "第002章.md", "--json")
    result = json.loads(out)
    assert (got, result["status"], result["stopReason"]) == (status, outcome, reason)
    assert (result["error"] or {}).get("kind") == kind
    assert (result["error"] is None) == (status == 0)
    assert bool(result["text"]) == (outcome != "failed")
    assert sum(line.startswith("inkwright: ") for line in err.splitlines()) == (status != 0)


async def test_silence_has_a_limit(talker, book, home) -> None:
    """A server that says a piece and then nothing: partial, by the clock that the settings name."""
    config = home / ".config" / "inkwright"
    config.mkdir(parents=True)
    (config / "config.toml").write_text("[clocks]\nbytes = 0.5\npayload = 0.5\n", "utf-8")
    status, out, _ = await talker.run("run", "analysis", book / "第002章.md", "--json")
    result = json.loads(out)
    assert (status, result["status"], result["stopReason"]) == (4, "partial", "silence")
    await talker.left()


async def test_a_key_gets_out_nowhere(talker, book, home) -> None:
    """Not on a screen, not into a database, a log or a page, though the server repeats it to us."""
    talker.more["INKWRIGHT_API_KEY"] = CANARY
    talker.answer = response("401 Unauthorized", json.dumps({"error": {"message": f"bad key {CANARY}"}}))
    said = ""
    for argv in (
        ("--debug", "run", "polish", book / "第001章.md", "--json"),
        ("ask", "hi", "--endpoint", talker.url, "--model", "m", "--json"),
        ("doctor", book, "--json"),
        ("runs", "list", book, "--json"),
    ):
        _, out, err = await talker.run(*argv)
        said += out + err
    assert "auth" in said
    assert CANARY not in said
    kept = [path for folder in (home, book) for path in Path(folder).rglob("*") if path.is_file()]
    assert any(path.suffix == ".db" for path in kept)
    assert [path for path in kept if CANARY.encode() in path.read_bytes()] == []
