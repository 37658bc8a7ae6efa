"""Projects of other tools in a real session: opened, pointed at, run on; version control sees no change."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SAMPLES = Path(__file__).parents[1] / "workspaces"
PROJECTS = {
    "novelwriter": ("content/0e17daca5f3e1.nwd", "Tobin", "Keeps the rope"),
    "manuskript": ("outline/0-Part_One/10-Rope.md", "Mara", "ferryman"),
    "longform": ("scenes/Steps.md", "Mara", "Mara Venn"),
    "storyline": ("Scenes/02 - Rope.md", "Old Landing", "Old Landing"),
    "inkos": ("books/ferry/chapters/0002_旧信.md", "林夏", "小夏"),
    "webnovel": ("正文/第1卷/第010章.md", "林夏", "学徒"),
    "webnovel-v8": ("定稿/卷01/0001-渡口.md", "林夏", "小夏"),
    "oh-story": ("渡口/正文/第001章_渡口.md", "林夏", "小夏"),
    "novel-writer": ("stories/001-渡口/chapters/chapter-002.md", "周衡", "周衡"),
    "agent-kit": ("chapters/001.md", "林夏", "小夏"),
    "andrea": ("第一卷/第2章.txt", "周叔", "船夫"),
    "novel-generator": ("chapters/chapter_2.txt", "周衡", "周衡"),
}


def git(root: Path, *command: str) -> str:
    name = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false"]
    return subprocess.run(
        ["git", *name, *command], cwd=root, check=True, capture_output=True, text=True
    ).stdout


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    files = (file for file in root.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in files}


@pytest.mark.parametrize("name", PROJECTS)
async def test_a_session_leaves_a_project_as_it_is(start, tmp_path: Path, name: str) -> None:
    """Opening, hover, definition, symbols and a run whose proposal waits change no byte and no time of a file."""
    path, word, said = PROJECTS[name]
    root = tmp_path / "p"
    shutil.copytree(SAMPLES / name, root)
    git(root, "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "all")
    before = state(root)
    editor = await start(root=root)
    text = (root / path).read_text("utf-8")
    uri = editor.open(path, text)
    await editor.client.command("inkwright.listCards", {"uri": uri})
    where = {"textDocument": {"uri": uri}, "position": editor.position(uri, text.rindex(word))}
    hover = await editor.client.call("textDocument/hover", where)
    assert said in hover["contents"]["value"]
    led = await editor.client.call("textDocument/definition", where)
    target = led[0].get("uri") or led[0]["targetUri"]
    assert Path(unquote(urlsplit(target).path)).is_file()
    await editor.client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert await editor.client.call("workspace/symbol", {"query": word})
    result = await editor.run("polish", path)
    if name == "webnovel-v8":
        assert result["error"]["code"] == "readonly_finished"
    else:
        assert result["error"] is None
    await editor.client.quit()
    assert state(root) == before
    assert git(root, "status", "--porcelain", "--ignored") == ""
