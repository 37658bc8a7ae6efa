"""Nothing of a later chapter goes along with a run on an earlier one."""

from __future__ import annotations

from inkwright.abilities.asks import Ask

CHAPTERS = 12
HERE = 3


def write(root) -> None:
    for number in range(1, CHAPTERS + 1):
        meta = f"title: 第{number}章\nsynopsis: 前情{number:02d}\noutline: 提纲{number:02d}\n"
        if number == 2:
            meta = "title: 第2章\n"
        text = f"---\n{meta}---\n林夏在第{number:02d}天见了周衡。渡口的事记在这里{number:02d}。\n"
        (root / f"第{number:03d}章.md").write_text(text, "utf-8")
    facts = "".join(
        f"  - {{ key: 所在, value: 地方{number:02d}, from: 第{number:03d}章, until: 第{number:03d}章 }}\n"
        for number in range(1, CHAPTERS + 1)
    )
    (root / "cards" / "周衡.md").write_text(
        f"---\ntype: character\nname: 周衡\nai: always\nfacts:\n{facts}---\n船工。\n", "utf-8"
    )
    (root / "cards" / "灯塔.md").write_text(
        "---\ntype: location\nname: 渡口\nsource: 第009章.md\n---\n后来才知道的事。\n", "utf-8"
    )


async def test_chapter_three_of_twelve(stage) -> None:
    """Facts as of chapter 3, summaries of 1 and 2 (one by rule), no word of 4 to 12."""
    stage.chapter.unlink()
    write(stage.root)
    path = stage.root / f"第{HERE:03d}章.md"
    _, snapshot = await stage.studio.workspace.snapshot(path)
    page = await stage.studio.context(Ask("writing", snapshot, path, message="下一章写什么？"))
    text = page.read_text("utf-8")
    assert "前情01" in text
    assert "第02天" in text
    assert "地方03" in text
    assert f"提纲{HERE:02d}" in text
    for later in range(HERE + 1, CHAPTERS + 1):
        for word in ("前情", "提纲", "地方", "记在这里"):
            assert f"{word}{later:02d}" not in text
    assert "后来才知道的事" not in text
