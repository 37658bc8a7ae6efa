"""What is printed for other editors can be read by them, starts our server, and is the same in both languages."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from inkwright.cli.main import COMMANDS
from inkwright.config.load import KNOWN

SERVER = Path(__file__).parents[2] / "server"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(name: str = "EDITORS.md") -> list[tuple[str, str]]:
    return BLOCK.findall((SERVER / name).read_text("utf-8"))


def test_both_languages_print_the_same():
    """To the letter."""
    assert blocks() == blocks("EDITORS.zh-CN.md")
    assert len(blocks()) == 9


@pytest.mark.parametrize(("kind", "text"), blocks())
def test_every_block_can_be_read(kind, text):
    """JSON and TOML parse; Lisp and Rust close what they open."""
    if kind == "json":
        assert "inkwright" in json.dumps(json.loads(text))
    elif kind == "toml":
        assert "inkwright" in json.dumps(tomllib.loads(text))
    else:
        bare = re.sub(r'"[^"]*"', '""', text)
        for opening, closing in ("()", "{}", "[]"):
            assert bare.count(opening) == bare.count(closing)
        assert '"lsp"' in text


def test_settings_are_ours():
    """Each setting that an example sets is one that the server reads."""
    text = (SERVER / "EDITORS.md").read_text("utf-8")
    named = set(re.findall(r"\binkwright\.(\w+)\": ", text)) | set(re.findall(r":inkwright \(:(\w+)", text))
    named |= set(tomllib.loads(blocks()[0][1])["language-server"]["inkwright"]["config"]["inkwright"])
    assert named
    assert named <= KNOWN


@pytest.mark.parametrize("name", ["EDITORS.md", "EDITORS.zh-CN.md"])
def test_commands_are_ours(name):
    """Whatever the page says to run in a terminal can be run."""
    said = re.findall(r"`inkwright (\w+)`", (SERVER / name).read_text("utf-8"))
    assert set(said) == {"lsp", "candidates", "memories"}
    assert set(said) - {"lsp"} <= set(COMMANDS)


def test_both_readmes_lead_there():
    """In their own language."""
    root = SERVER.parent
    assert "(server/EDITORS.md)" in (root / "README.md").read_text("utf-8")
    assert "(server/EDITORS.zh-CN.md)" in (root / "README.zh-CN.md").read_text("utf-8")
