"""The tools over a real folder and the real index."""

from __future__ import annotations

import pytest

from inkwright.domain.text import Snapshot
from inkwright.manuscript.index import BookIndex
from inkwright.tools import Tools

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
