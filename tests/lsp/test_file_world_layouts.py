"""A whole day in a project of another tool: everything opened, asked and tried; only what was accepted has changed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

SAMPLES = Path(__file__).parents[1] / "workspaces"
NAMES = [
    "agent-kit",
    "andrea",
    "inkos",
    "longform",
    "manuskript",
    "novel-generator",
    "novel-writer",
    "novelwriter",
    "oh-story",
    "storyline",
    "webnovel",
    "webnovel-v8",
]
LOCKED = {"webnovel-v8": ("定稿/",), "oh-story": ("渡口/追踪/",)}
"""What the tool wants left alone."""


def git(root: Path, *command: str) -> str:
    name = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "core.autocrlf=false",
        "-c",
        "core.quotepath=off",
    ]
    return subprocess.run(
        ["git", *name, *command], cwd=root, check=True, capture_output=True, text=True
    ).stdout


def touched(edit: Any) -> list[str]:
    rows = [c["textDocument"]["uri"] for c in edit.get("documentChanges", []) if "textDocument" in c]
    return [*rows, *edit.get("changes", {})]


@pytest.mark.parametrize("name", NAMES)
async def test_a_day_in_another_tools_project(start, tmp_path: Path, name: str) -> None:
    """Every text opened, hovered, renamed, polished and accepted, saved: version control names the accepted alone."""
    root = tmp_path / "p"
    shutil.copytree(SAMPLES / name, root)
    git(root, "init", "-q")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "all")
    editor = await start(root=root)
    chapter = sorted(p for p in root.rglob("*") if p.suffix in (".md", ".txt", ".nwd"))[0]
    found = await editor.client.command("inkwright.getBook", {"uri": chapter.as_uri()})
    assert found["chapters"]
    texts = sorted(
        p.relative_to(root).as_posix() for p in root.rglob("*") if p.suffix in (".md", ".txt", ".nwd")
    )
    for path in texts:
        uri = editor.open(path)
        asked = {"textDocument": {"uri": uri}}
        for line in range(editor.texts[uri].count("\n") + 1):
            where = {**asked, "position": {"line": line, "character": 1}}
            await editor.client.call("textDocument/hover", where)
        for method in ("documentSymbol", "foldingRange", "documentLink", "codeLens"):
            await editor.client.call(f"textDocument/{method}", asked)
    locked = LOCKED.get(name, ())
    # A rename is offered or refused with a reason; what it would change is text that may be changed.
    for card in found["cards"]:
        for path in [c["path"] for c in found["chapters"]]:
            uri = editor.uri(path)
            if (at := editor.texts[uri].rfind(card["name"])) < 0:
                continue
            where = {"textDocument": {"uri": uri}, "position": editor.position(uri, at + 1)}
            answer = await editor.client.request(
                "textDocument/rename", {**where, "newName": f"{card['name']}乙"}
            )
            if "error" in answer:
                assert answer["error"]["data"]["code"]
                assert answer["error"]["code"] != -32603
                continue
            names = [unquote(urlsplit(u).path).removeprefix(f"{root}/") for u in touched(answer["result"])]
            assert all(n.endswith((".md", ".txt", ".nwd")) for n in names), names
            assert not any(n.startswith(locked) for n in names if locked), names
    accepted: set[str] = set()
    for path in [c["path"] for c in found["chapters"]]:
        uri = editor.uri(path)
        text = editor.texts[uri]
        editor.type(uri, len(text), "\n他的的手在发抖。。\n")
        result = await editor.run("polish", path)
        if locked and path.startswith(locked):
            assert result["error"]["code"].startswith("readonly_")
            assert result["error"]["message"]
            continue
        assert result["error"] is None, result
        if result["proposal"] is None:
            continue
        hunks = [hunk["index"] for hunk in result["proposal"]["hunks"]]
        asked = {"proposalId": result["proposal"]["id"], "hunks": hunks}
        verdict = await editor.client.command("inkwright.acceptProposal", asked)
        assert verdict["applied"] == hunks
        (root / path).write_bytes(editor.texts[uri].encode())
        editor.client.notify(
            "textDocument/didSave", {"textDocument": {"uri": uri}, "text": editor.texts[uri]}
        )
        assert editor.texts[uri].startswith(text[: text.index("\n")])
        accepted.add(path)
    assert accepted or locked
    await editor.client.quit()
    status = git(root, "status", "--porcelain", "--ignored").splitlines()
    assert {line[3:].strip('"') for line in status} == accepted
    assert all(line.startswith(" M ") for line in status)
