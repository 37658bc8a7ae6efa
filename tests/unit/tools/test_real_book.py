"""The tools over a real folder and the real index."""

from __future__ import annotations

import pytest

from inkwright.domain.text import Snapshot
from inkwright.manuscript.index import BookIndex
from inkwright.tools.toolbox import Tools

FILES = {
    "正文/第001章-渡口.md": "---\nsynopsis: 林夏错过了船。\n---\n# 渡口\n\n林夏到的时候，船走了。\n",
    "正文/第002章-雨夜.md": "# 雨夜\n\n雨下了一夜。<!-- 备忘 -->\n",
    "cards/林夏.md": "---\ntype: character\nname: 林夏\naliases: [小夏]\nsummary: 船家女。\nprivate: 其实是公主\n---\n她不怕水。\n",
    "cards/影.md": "---\ntype: character\nname: 影\nai: never\n---\n不可见。\n",
    "outside.txt": "秘密",
}


@pytest.fixture
async def index(tmp_path):
    for path, text in FILES.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    index = await BookIndex.open(tmp_path)
    await index.build()
    yield index
    await index.close()


async def test_a_real_book_is_read(index):
    """Order, text, privacy and the snapshot, over files on disk."""
    path = "正文/第002章-雨夜.md"
    tools = Tools(index, Snapshot("file:///x", path, 3, "# 雨夜\n\n雨停了。\n"), "zh")

    async def ask(name, **arguments):
        result = await tools.call(name, arguments)
        assert result.ok, result.text
        return result.text

    listing = await ask("list_book_chapters")
    assert listing.index("第001章") < listing.index("第002章")
    assert "林夏到的时候" in await ask("read_chapter", chapter_id="1")
    assert "雨停了" in await ask("read_chapter", chapter_id=path)
    found = await ask("search_world_cards", query="小夏")
    assert "她不怕水" in found
    assert "公主" not in found
    context = await ask("get_book_context")
    assert "林夏错过了船。" in context
    assert "不可见" not in context
    for id_ in ("outside.txt", "../x.md", "cards/影.md"):
        assert not (await tools.call("read_chapter", {"chapter_id": id_})).ok


async def test_chapters_that_go_in_mid_run(index, tmp_path):
    """Deleted or renamed chapters are error results; the run's own chapter is still there."""
    own = "正文/第002章-雨夜.md"
    tools = Tools(index, Snapshot("file:///x", own, 3, "# 雨夜\n\n雨停了。\n"), "zh")
    (tmp_path / "正文/第001章-渡口.md").rename(tmp_path / "正文/第005章-渡口.md")
    (tmp_path / own).unlink()
    for name in ("read_chapter", "read_chapter_summary", "split_chapter", "read_chapter_outline"):
        assert not (await tools.call(name, {"chapter_id": "1"})).ok
        assert (await tools.call(name, {"chapter_id": "current"})).ok
    await index.rescan()
    assert not (await tools.call("read_chapter", {"chapter_id": "1"})).ok
    assert (await tools.call("read_chapter", {"chapter_id": "5"})).ok
    assert (await tools.call("read_chapter", {"chapter_id": own})).ok
    assert (await tools.call("get_book_context", {})).ok


async def test_two_chapters_of_one_name(index, tmp_path):
    """Both ids are named; each full id works."""
    for volume in ("卷一", "卷二"):
        (tmp_path / "正文" / volume).mkdir()
        (tmp_path / "正文" / volume / "第007章.md").write_text(f"# 归人\n\n{volume}。\n", "utf-8")
    await index.rescan()
    tools = Tools(index, Snapshot("file:///x", "正文/卷一/第007章.md", 1, "x"), "en")
    for id_ in ("7", "归人", "第007章", "第007章.md"):
        result = await tools.call("read_chapter_summary", {"chapter_id": id_})
        assert not result.ok
        assert "正文/卷一/第007章.md, 正文/卷二/第007章.md" in result.text
    assert "卷二。" in (await tools.call("read_chapter", {"chapter_id": "正文/卷二/第007章.md"})).text


async def test_an_outline_of_the_book_alone(index, tmp_path):
    """A file of the book is read, open or not; a link that leads out of it is not."""
    secret = tmp_path.parent / f"{tmp_path.name}-secret.md"
    secret.write_text("外面的秘密。\n", "utf-8")
    (tmp_path / "大纲.md").symlink_to(secret)
    tools = Tools(index, Snapshot("file:///x", "正文/第002章-雨夜.md", 1, "x"), "zh")
    await index.rescan()
    assert "秘密" not in (await tools.call("read_book_outline", {})).text
    (tmp_path / "大纲").mkdir()
    (tmp_path / "大纲/总纲.md").write_text("## 第1章\n林夏误船。\n", "utf-8")
    await index.rescan()
    assert "林夏误船。" in (await tools.call("read_book_outline", {})).text
    assert "林夏误船。" in (await tools.call("read_chapter_outline", {"chapter_id": "1"})).text
    secret.unlink()
