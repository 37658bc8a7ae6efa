"""A small real book, and the command line through its front door."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkwright.app import main

CHAPTER = "---\ntitle: 渡口\n---\n# 渡口\n\n林夏到的时候,船已经走了．\n\n她数了数铜钱:十七枚。一但天黑，就没有船了...\n"


@pytest.fixture
def chapter() -> str:
    """The text of the book's first chapter."""
    return CHAPTER


@pytest.fixture
def book(tmp_path: Path) -> Path:
    root = tmp_path / "书"
    (root / "角色").mkdir(parents=True)
    (root / "第001章.md").write_text(CHAPTER, "utf-8")
    (root / "第002章.md").write_text("# 旧信\n\n信烘了半个时辰。\n", "utf-8")
    (root / "角色" / "林夏.md").write_text("# 林夏\n\n药铺学徒。\n", "utf-8")
    return root


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")

    def call(*argv: object) -> tuple[int, str, str]:
        status = main([str(a) for a in argv])
        out, err = capsys.readouterr()
        return status, out, err

    return call
