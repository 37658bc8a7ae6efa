"""Where a book names a card: the same as a scan of its texts finds."""

from __future__ import annotations

import random
import re

from inkwright.domain.text import Lines
from inkwright.manuscript import fieldnames, frontmatter, markdown

NAMES = ["诸葛亮", "孔明", "卧龙", "武侯"]


async def places(index, card, texts):
    """(path, start, end) of each reference, in order."""
    found = await index.references(card, "utf-16")
    return [
        (path, span.start, span.end)
        for path, ranges in found
        for where in ranges
        for span in [Lines(texts[path]).span(where, "utf-16")]
    ]


async def test_a_whole_book(opened, write):
    """All names of a card in all chapters, by chapter; a longer name of another card is not among them."""
    write("cards/诸葛亮.md", f"---\ntype: character\nname: 诸葛亮\naliases: [{', '.join(NAMES[1:])}]\n---\n")
    write("cards/卧龙冈.md", "---\ntype: location\nname: 卧龙冈\n---\n")
    chance = random.Random(7)
    words = [*NAMES, "卧龙冈", "𠮷", "曰", "，", "。\n\n", "明", "亮", "😀", "\r\n"]
    texts = {}
    for number in range(1, 60):
        text = f"# 第{number}章\n\n" + "".join(chance.choices(words, k=200))
        texts[f"第{number}章.md"] = text
        write(f"第{number}章.md", text)
    index = await opened()
    body = re.compile("卧龙冈|" + "|".join(NAMES))
    expected = [
        (path, match.start(), match.end())
        for path, text in texts.items()
        for match in body.finditer(text)
        if match[0] != "卧龙冈"
    ]
    assert await places(index, "cards/诸葛亮.md", texts) == expected


async def test_drafts_changes_and_files_that_are_gone(opened, write, book):
    """Open documents as they stand, a file that changed unseen as it is, a deleted one not at all."""
    write("cards/甲.md", "---\ntype: character\nname: 甲子\n---\n")
    texts = {f"{n}.md": f"甲子在{n}。" for n in (1, 2, 3)}
    for path, text in texts.items():
        write(path, text)
    index = await opened()
    texts["1.md"] = "她说甲子，甲子。"
    index.set_buffer("1.md", texts["1.md"])
    texts["2.md"] = "不，是甲子啊。"
    write("2.md", texts["2.md"])
    (book / "3.md").unlink()
    assert await places(index, "cards/甲.md", texts) == [("1.md", 2, 4), ("1.md", 5, 7), ("2.md", 3, 5)]
    assert await index.references("cards/无.md", "utf-8") == []


async def test_front_matter_names_people(opened, write):
    """A chapter that names a card in its front matter alone is found too, each name by itself."""
    write("cards/甲.md", "---\ntype: character\nname: 甲子\naliases: [老甲]\n---\n")
    text = '---\n人物: 乙、甲子 / 丙\npov: "[[老甲|他]]"\ntitle: 甲子\n---\n没有人。\n'
    write("1.md", text)
    index = await opened()
    found = await places(index, "cards/甲.md", {"1.md": text})
    assert [text[start:end] for _, start, end in found] == ["甲子", "老甲"]


def test_scalars():
    """Values of every form at their places; broken front matter has none."""
    text = "---\na: 甲\nb: ['乙', \"丙\"]\nc:\n  - {d: 丁, e: 3}\nf: |\n  长\n---\n"
    assert [(s.key, s.value, s.span.of(text)) for s in frontmatter.scalars(text)] == [
        ("a", "甲", "甲"), ("b", "乙", "乙"), ("b", "丙", "丙"),
        ("c", "d", "d"), ("c", "丁", "丁"), ("c", "e", "e"), ("c", "3", "3"),
    ]  # fmt: skip
    assert frontmatter.scalars("---\na: [\n---\n") == []
    assert frontmatter.scalars("") == []


async def test_the_declaration(opened, write):
    """A card's names where its file says them: front matter, else the first heading, else its beginning."""
    for name, text, said in (
        ("甲.md", "---\ntype: character\nname: 甲\naliases: [老甲, 阿甲]\n---\n", ["甲", "老甲", "阿甲"]),
        ("乙.md", "---\ntype: character\n---\n# 乙\n", ["乙"]),
        ("丙.md", "---\ntype: character\n---\n正文\n", [""]),
    ):
        write(f"cards/{name}", text)
        index = await opened()
        card = index.card(f"cards/{name}")
        spans = fieldnames.declared(text, markdown.scan(text), card)
        assert [span.of(text) for span in spans] == said
