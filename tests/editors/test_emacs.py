"""The main job in a real Emacs, with the lines that the set-up page prints and nothing of ours in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.editors, pytest.mark.timeout(300)]

HERE = Path(__file__).parent / "emacs"
TEXT = "他来了,走了。\n\n😀𠮷野说,好。\n\n她不来了,真的。\n"
DONE = "他来了，走了。\n\n😀𠮷野说,好。\n\n她不来了，真的。\n"


@pytest.mark.parametrize("client", ["eglot", "lsp-mode"])
def test_polish_accept_and_reject(client: str, tmp_path: Path) -> None:
    """From the menu of code actions alone: two changes are accepted, one is rejected, the text is right."""
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("no Emacs here (Debian: emacs-nox elpa-eglot elpa-lsp-mode elpa-markdown-mode)")
    chapter = tmp_path / "book" / "第三章.md"
    chapter.parent.mkdir()
    chapter.write_text(TEXT, "utf-8")
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [emacs, "--batch", "-l", HERE / "main_job.el"],
        cwd=chapter.parent,
        env={
            **os.environ,
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "LC_ALL": "C.UTF-8",
            "CLIENT": client,
            "CHAPTER": str(chapter),
            "SERVER": f"{sys.executable}\n-m\ninkwright\nlsp",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if missing := re.search(r"MISSING<(.+)>", done.stdout):
        pytest.skip(f"Emacs has no {missing[1]}")
    assert f"TEXT<{DONE}>" in done.stdout, done.stdout[-6000:]
    assert chapter.read_text("utf-8") == TEXT  # nothing is saved by anybody but the writer
