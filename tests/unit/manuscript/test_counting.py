"""The four counting rules and what they count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.domain.manuscript import Counts
from inkwright.manuscript.counting import count, measure, scenes


@pytest.mark.parametrize(
    ("text", "han", "mixed", "word", "nonspace"),
    [
        ("林夏说：“Hello, world！”他走了3步。", 7, 10, 15, 24),
        ("她沉默了……很久。\n\n　　“走吧。”", 8, 8, 14, 14),
        ("我不是程序员", 6, 6, 6, 6),
        ("他说：“走吧。”", 4, 4, 8, 8),
        ("Hello, world", 0, 2, 2, 11),
        ("我用 iPhone15 打电话", 5, 6, 6, 13),
        ("3.14元", 1, 2, 2, 5),
        ("……——", 0, 0, 4, 4),
        ("𠮷野", 2, 2, 2, 2),
        ("don’t stop", 0, 2, 2, 9),
        ("don't—stop", 0, 2, 3, 10),
        ("word--word", 0, 2, 2, 10),
        ("a well-known mother-in-law", 0, 3, 3, 24),
        ("‘Tis the dogs’ bowl", 0, 4, 6, 16),
        ("1,000,000 at 10:30", 0, 3, 3, 16),
        ("１２章", 1, 2, 2, 3),
        ("時々〇", 3, 3, 3, 3),
        ("カタカナとひらがな", 0, 9, 9, 9),
        ("한국어", 0, 3, 3, 3),
        ("café e\u0301va Brontë", 0, 3, 3, 14),
        ("Привет, мир", 0, 2, 2, 10),
        ("😋👩\u200d🚀", 0, 0, 0, 4),
        ("- * & @", 0, 0, 0, 4),
        ("夏洛·勃朗特", 5, 5, 6, 6),
        ("", 0, 0, 0, 0),
        ("\u3000\t\u2028\n", 0, 0, 0, 0),
    ],
)
def test_right_values(text: str, han: int, mixed: int, word: int, nonspace: int) -> None:
    """Each rule gives the value it is defined by, in every script and with every apostrophe."""
    assert measure(text) == Counts(mixed, han, word, nonspace)


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("---\ntitle: 不算\n---\n# 一二\n\n三四", 4),
        ("一<!-- 不算 -->二%%不算%%三", 3),
        ("[//]: # (不算)\n\n一", 1),
        ("**一**二*三*~~四~~==五==", 5),
        ("un**believ**able", 1),
        ('[一二](https://a.b/c "t")三', 3),
        ("![不算](a.png)一", 1),
        ("[[不算|一二]]三[[四]]", 4),
        ("> 一\n> 二\n\n- 三\n1. 四", 4),
        ("一`不算`二\n\n```\n不算\n```\n", 2),
        ("@pov: Mara\n一", 1),
        ("%Synopsis: none of this\n\none two", 2),
        ("|漢字《かんじ》を", 3),
        ("a&nbsp;b <br> c", 3),
        ("\ufeff一", 1),
        ("---\n一二三\n---\n四", 4),
    ],
)
def test_only_prose_counts(text: str, mixed: int) -> None:
    """Front matter, comments, code, link targets and Markdown marks count nothing; the words they wrap do."""
    assert count(text).mixed == mixed


def test_ascii_and_typographic_text_count_alike() -> None:
    """Curly quotes and real dashes change only the count that punctuation belongs to."""
    plain = "\"Don't go,\" she said -- at 3.14 -- 'it's well-known'."
    curly = "“Don’t go,” she said — at 3.14 — ‘it’s well-known’."
    assert measure(plain).mixed == measure(curly).mixed == 8
    assert measure(curly).word - measure(curly).mixed == 6


@given(
    st.lists(
        st.sampled_from(["林夏", "走。", "Hello", " ", "don’t", "é", "3.5", "\u3000", "“", "𠮷", "--", "の"])
    )
)
def test_counts_of_paragraphs_add_up(parts: list[str]) -> None:
    """Paragraphs counted one by one give the sum of the whole, so a chapter's count can be kept by part."""
    paragraphs = ["".join(parts[i : i + 3]) for i in range(0, len(parts), 3)]
    total = sum((measure(p) for p in paragraphs), Counts())
    assert measure("\n".join(paragraphs)) == total


def test_scenes_and_the_chapter_agree() -> None:
    """The scenes of a chapter count together what the chapter counts; breaks belong to none."""
    text = "# 题目\n\n一二\n\n***\n\n三\n\n※\n\n　　四五六\n"
    found = scenes(text)
    assert [scene.counts.han for scene in found] == [4, 1, 3]
    assert [scene.index for scene in found] == [0, 1, 2]
    assert sum((scene.counts for scene in found), Counts()) == count(text)
    assert "***" not in "".join(scene.span.of(text) for scene in found)
    assert len(scenes("一")) == 1
    assert scenes("") == ()
