"""Links follow files and folders that get another path, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.domain.text import apply
from inkwright.manuscript.index import BookIndex


async def moved(root: Path, files: dict[str, str], moves: dict[str, str]) -> dict[str, str]:
    """The texts that change when files get other paths."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    index = await BookIndex.open(root)
    try:
        await index.build()
        found = await index.moving(moves, {}, "utf-16")
    finally:
        await index.close()
    return {one.path: apply(files[one.path], [edit.edit for edit in one.edits]) for one in found}


@pytest.mark.parametrize(
    ("card", "follows"),
    [
        ("学徒。\n", True),
        ("---\nname: 林夏\n---\n", False),
        ("# 林夏\n", False),
        ("---\naliases: [林夏]\n---\n", False),
    ],
)
async def test_a_link_by_a_name_that_the_file_itself_gives_stays(tmp_path, card, follows):
    """Only a name that was the file's goes with it."""
    files = {"cards/林夏.md": card, "一.md": "[[林夏]]和[[林夏|她]]，[[林夏#外貌]]。\n"}
    done = await moved(tmp_path, files, {"cards/林夏.md": "cards/林秋.md"})
    assert done == ({"一.md": "[[林秋]]和[[林秋|她]]，[[林秋#外貌]]。\n"} if follows else {})


async def test_two_files_change_places(tmp_path):
    """Each link goes on leading to the text that it led to."""
    files = {"a.md": "[b](b.md)\n", "b.md": "[a](a.md)\n", "c.md": "[a](a.md) [b](b.md#x)\n"}
    done = await moved(tmp_path, files, {"a.md": "b.md", "b.md": "a.md"})
    assert done == {"a.md": "[b](a.md)\n", "b.md": "[a](b.md)\n", "c.md": "[a](b.md) [b](a.md#x)\n"}


async def test_links_that_lead_elsewhere(tmp_path):
    """Neither code, nor the web, nor a file of the same name in another folder, nor one that is not there."""
    text = "`[x](卷/a.md)` [w](https://x/卷/a.md) [o](a.md) [n](卷/没有.md) [[a]] [s](</卷/a.md>)\n\n```\n[c](卷/a.md)\n```\n"
    files = {"卷/a.md": "# 甲\n", "a.md": "# 乙\n", "一.md": text}
    done = await moved(tmp_path, files, {"卷/a.md": "部/b.md"})
    assert done == {"一.md": text.replace("</卷/a.md>", "</部/b.md>")}


async def test_an_image_and_a_case_of_its_own(tmp_path):
    """A file that is no text is followed too, and one whose name changes in case alone."""
    (tmp_path / "img").mkdir()
    (tmp_path / "img/Map.png").write_bytes(b"x")
    files = {"ch/one.md": "![m](../img/Map.png) [r](Rose.md)\n", "ch/Rose.md": "# R\n"}
    moves = {"img/Map.png": "img/map.png", "ch/Rose.md": "ch/rose.md"}
    assert await moved(tmp_path, files, moves) == {"ch/one.md": "![m](../img/map.png) [r](rose.md)\n"}
