"""A key and a sentence of the manuscript go through the commands and stand in nothing that is said or kept."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

KEY = "canary-key-0123456789abcdef"
SENTENCE = "金丝雀在渡口的芦苇里轻轻叫了整整一百零三声，谁也没有听见。"
ECHO = f"got {KEY} and {SENTENCE} and {base64.b64encode(KEY.encode()).decode()}"


def refusal(status: str, body: str, kind: str = "application/json") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n{body}".encode()


ANSWERS = {
    "auth": refusal("401 Unauthorized", json.dumps({"error": {"message": ECHO, "code": KEY}})),
    "request": refusal("400 Bad Request", json.dumps({"error": {"message": ECHO}})),
    "page": refusal("200 OK", f"<html>{ECHO}</html>", "text/html"),
    "broken": refusal("200 OK", f"data: {{{ECHO}\n\n", "text/event-stream"),
    "inside": refusal("200 OK", f"data: {json.dumps({'error': {'message': ECHO}})}\n\n", "text/event-stream"),
    "redirect": refusal(f"302 Found\r\nlocation: http://127.0.0.1:9/{KEY}?k={KEY}", ""),
    "nonsense": f"{ECHO}\r\n\r\n".encode(),
}


def said_nothing(out: str, err: str) -> None:
    assert KEY not in out + err
    assert base64.b64encode(KEY.encode()).decode().rstrip("=") not in out + err
    assert SENTENCE[:14] not in out + err


@pytest.mark.parametrize("name", sorted(ANSWERS))
async def test_faults_that_echo(talker, book, home, name) -> None:
    """`run` and `ask`, in the open and with --debug: no word of either, and the key in no file."""
    (book / "第003章.md").write_text(f"# 三\n\n{SENTENCE}\n", "utf-8")
    talker.answer = ANSWERS[name]
    talker.more = {"INKWRIGHT_API_KEY": KEY, "HOME": str(home)}
    status, out, err = await talker.run("--debug", "models", "test", "--json")
    assert status == 3
    assert KEY not in out + err  # of the sentence it knows nothing: it was not sent
    endpoint = ("--endpoint", talker.url, "--model", "m", "--key-env", "INKWRIGHT_API_KEY", "--no-retry")
    for argv in (
        ("ask", SENTENCE, *endpoint, "--json", "--debug"),
        ("ask", SENTENCE, *endpoint),
    ):
        status, out, err = await talker.run(*argv)
        assert status == 3
        said_nothing(out, err)
    status, out, err = await talker.run("run", "analysis", book / "第003章.md", "--json", "--debug")
    assert status == 3
    said_nothing(out, err)
    for folder in (home, book):
        for path in Path(folder).rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes()


async def test_an_error_of_ours_with_debug_shows_no_key(talker, book, home) -> None:
    """A traceback is shown, and its text is redacted."""
    import subprocess
    import sys

    code = (
        "import sys; from inkwright.cli import main, doctor\n"
        "async def broken(*_): raise ValueError('sk-canary-0123456789abcdef')\n"
        "doctor.run = broken\n"
        "sys.exit(main.main(['--debug', 'doctor'], None, None))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Traceback" in found.stderr
    assert "ValueError: ***" in found.stderr
