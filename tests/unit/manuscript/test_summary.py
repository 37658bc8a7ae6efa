"""Key sentences and the summary made of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkwright.manuscript.key_sentences import balanced
from inkwright.manuscript.summary import key_sentences, summarise

CHAPTER = """---
title: 渡口
synopsis: 不算
---
# 渡口

旧渡口的船夫三天没有露面，镇上的人都说渡船被官府扣下了。林夏背着药箱在渡口等船。

“再等等。”周衡说，“船总会来的。”

<!-- 船夫其实已经死了 -->

她不知道渡船为什么被扣，只知道药箱里的药再不送过江，对岸的病人就等不到明天。

嗯。

```
渡船 渡船 渡船 被扣
```

天黑以后，林夏解开了官府扣下的渡船，独自撑船过江。
"""

ENGLISH = """# The Ferry

The ferryman had not been seen at the landing for three days. People said that the magistrate had
taken the ferry. "Wait a little," said Tobin. "The ferry will come."

Mara carried medicine that the sick across the river could not do without.

At night Mara untied the ferry that the magistrate had taken, and crossed the river alone.
"""

PIECES = st.sampled_from(
    [
        "林夏到的时候，船已经走了。",
        "“再等等。”",
        "“他说：『走吧。』她没有动",
        "The boat had gone. ",
        '"Wait," he said. ',
        "\n\n",
        "\r\n",
        "# 题\n",
        "**重**",
        "<!-- 备忘 -->",
        "%% x %%",
        "（",
        "……",
        "---\na: b\n---\n",
        "> 引\n",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=10)), max_size=40).map("".join)


def test_what_a_chapter_is_about() -> None:
    """The beginning, what comes back and the end; no fragment, no comment, no code, in the text's order."""
    said = [span.of(CHAPTER) for span in key_sentences(CHAPTER, most=3)]
    assert said[0] == "旧渡口的船夫三天没有露面，镇上的人都说渡船被官府扣下了。"
    assert said[-1] == "天黑以后，林夏解开了官府扣下的渡船，独自撑船过江。"
    out = summarise(CHAPTER, 90)
    assert out.startswith(said[0])
    assert out.endswith(said[-1])
    assert "嗯" not in out
    assert "死了" not in out


def test_english() -> None:
    """Sentences stand apart, and a line that was wrapped is whole again."""
    out = summarise(ENGLISH, 250)
    assert "ferry. At" in out or "days. " in out
    assert "\n" not in out
    assert "crossed the river alone." in out
    assert "#" not in out


def test_names_count() -> None:
    """A sentence with the names that matter goes before its like without them."""
    rows = ["序。", "甲山上有一座旧庙，庙里住着老僧。", "乙山上有一座旧塔，塔里住着林夏。", "尾声。"]
    text = "\n\n".join(rows)
    assert [span.of(text) for span in key_sentences(text, most=1)] == [rows[1]]
    assert [span.of(text) for span in key_sentences(text, ["林夏"], 1)] == [rows[2]]


def test_the_same_is_not_said_twice() -> None:
    """What repeats a sentence that was taken adds nothing."""
    line = "官府扣下了旧渡口的渡船。"
    text = f"{line}\n\n{line}\n\n{line}\n\n林夏带着药箱连夜过江送药。\n\n药箱里的药送到了病人手里。\n"
    assert summarise(text, 40).count(line) == 1


def test_a_sentence_that_is_too_long_ends_at_a_clause() -> None:
    """It is cut, says so, and leaves no bracket open."""
    text = "他说（" + "很长的一句话，" * 40 + "）。"
    out = summarise(text, 60)
    assert out.endswith("话…")
    assert len(out) <= 60
    assert balanced(out)


def test_old_chinese_stops_end_sentences() -> None:
    """Texts that end sentences with `．` are taken apart as well."""
    text = "此石听了，不觉打动凡心．也想要到人间去享一享这荣华富贵．"
    assert [span.of(text) for span in key_sentences(text)] == [text[:12], text[12:]]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# 只有标题\n", "---\ntitle: x\n---\n", "<!-- 备忘 -->", "```\ncode\n```\n"]
)
def test_no_prose_no_summary(text: str) -> None:
    assert summarise(text) == ""
    assert key_sentences(text) == []


@given(TEXTS, st.integers(0, 120))
def test_any_text(text: str, limit: int) -> None:
    """Never longer than the limit, never on several lines, quotations closed, and the same when asked again."""
    out = summarise(text, limit)
    assert len(out) <= limit
    assert "\n" not in out
    assert "\r" not in out
    assert balanced(out)
    assert summarise(text, limit) == out


@given(TEXTS, st.integers(0, 10))
def test_key_sentences_are_places(text: str, most: int) -> None:
    """In order, apart from each other, without white space at the borders or a comment inside."""
    spans = key_sentences(text, ["林夏"], most)
    assert len(spans) <= most
    for span in spans:
        assert span.of(text).strip() == span.of(text) != ""
        assert "<!--" not in span.of(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
