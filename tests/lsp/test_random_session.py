"""A random editor session against a real server, in three encodings and as three editors.

`session/play.py` plays it: edits, requests, cancels, renames, file events, runs, against a model of the texts of its
own. Every answer is held against the text that was asked about; at the end a fresh server must say the same of the
same files. A failure prints its seed, and the shortest part of the session that still fails. `INKWRIGHT_SESSION`
is how many messages are played (5000 of all three together by default), `INKWRIGHT_SEED` the seed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLAY = Path(__file__).with_name("session") / "play.py"
MESSAGES = int(os.environ.get("INKWRIGHT_SESSION", "5000")) // 3
SEED = os.environ.get("INKWRIGHT_SEED", "1" if os.environ.get("CI") else "")
"""Both are read here: in a test these names are not in the environment any more."""


@pytest.mark.timeout(100_000)
@pytest.mark.parametrize(
    ("encoding", "editor"), [("utf-8", "neovim"), ("utf-16", "vscode"), ("utf-32", "plain")]
)
def test_a_random_session(encoding: str, editor: str) -> None:
    """No exception, no wrong text or range, no request without its one answer, no memory that grows; exit status 0."""
    asked = ["--messages", str(MESSAGES), "--encoding", encoding, "--editor", editor]
    command = [sys.executable, str(PLAY), *asked, *(["--seed", SEED] if SEED else [])]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]
    print(done.stdout)
